import { writeFileSync } from "node:fs";
import path from "node:path";
import { pino } from "pino";
import { expect, test } from "vitest";
import { openWideLog } from "../../src/platform/telemetry/log.ts";
import { type Answer, type RequestOptions, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { operate } from "../support/operate.ts";
import { startReceiver } from "../support/receiver.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { openBench } from "../support/suppliers/connector-under-test.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";
import { vtpassToken } from "../support/suppliers/vtpass-stub.ts";
import { testEncryptionKey, testWebhooks } from "../support/webhooks.ts";

// Secrets are sent through every door, then searched for wherever somebody but their owner reads: log, refusals,
// metrics, what an operator's command prints, what merchants are sent, and every row of every table.

const under = connectorsUnderTest.find(({ name }) => name === "vtpass")!;
const voucher = "9911-2233-4455-6677";
const unreadableVoucher = "CANARY\u0007VOUCHER";
const credential = "CANARY-supplier-secret-key";
const resolvedToken = "55550000111122223333";
const urlToken = "CANARY-in-a-webhooks-query";
const strangersKey = "ds_live_0123456789abcdefghijABCDEFGHIJ01AAAAAA";

const tokenBeginning = vtpassToken.slice(0, 17);

/** What nobody but its owner may read, by what it is. */
const canaries = new Map<string, string>([
  // Each sale's own differs in its last digits.
  ["a token that a supplier vended", tokenBeginning],
  ["a token that a person entered", resolvedToken],
  ["a voucher", voucher],
  ["a voucher that was refused", "VOUCHER"],
  ["a supplier's credential", credential],
  ["a key that is nobody's", strangersKey],
  ["what a webhook's URL has in its query", urlToken],
]);
/** Everything that was read by others, by where. */
const read = new Map<string, string>();
const logged: string[] = [];

const { folder } = closing(await makeScratchDirectory());
const bench = closing(await openBench(under, movableClock(Date.now())));
// The receiver says back what it was sent, as a careless one would.
const receiver = closing(
  await startReceiver((response, { body, headers }) => response.end(JSON.stringify({ headers, body }))),
);
const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
const app = closing(
  await startApp({
    suppliers: [bench.connector],
    workers: true,
    webhooks: { ...testWebhooks, allowPrivate: true },
    // Nothing is left to the logger's redaction: what it would hide must not come to it.
    log,
    wide: openWideLog({ log, share: 1, chance: Math.random, monotonicMs: () => 0 }),
  }),
);
await app.fresh.pool.query("update supplier_routes set supplier_code = 'ikeja-electric/prepaid'");
await app.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'routes'");

let answers = 0;
/** A refusal is read by whoever looks after the client: it is searched. */
async function call(key: string | null, address: string, options?: RequestOptions): Promise<Answer> {
  const answer = await app.call(key, address, options);
  answers += 1;
  if (answer.status >= 400) read.set(`refusal ${answers} of ${address}`, JSON.stringify(answer.body));
  return answer;
}

async function run(...words: string[]): Promise<void> {
  const { code, out, error } = await operate(words, {
    DATABASE_URL: app.fresh.url,
    DATA_DIR: folder,
    ENCRYPTION_KEY: testEncryptionKey,
    SUPPLIER_ORIGINS: bench.stub.url,
    LOG_LEVEL: "trace",
    LOG_FORMAT: "json",
  });
  read.set(`operator ${words.slice(0, 2).join(" ")} (${code})`, out + error);
}

const canaryPin = "73519";
const customer = { email: "canary@example.ng" };
const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
function buy(reference: string): Promise<Answer> {
  return call(app.merchant.liveKey, "/electricity/purchase", { body: { reference, amount: "2000.00", ...meter } });
}

function file(name: string, text: string): string {
  const full = path.join(folder, name);
  writeFileSync(full, text);
  return full;
}

async function throughTheApi(): Promise<void> {
  const { liveKey } = app.merchant;
  canaries.set("the merchant's key", liveKey ?? "");
  const saved = await call(liveKey, "/webhook", { method: "PUT", body: { url: receiver.url, notify: "all" } });
  canaries.set("the webhook's secret", String(saved.body.secret).slice("whsec_".length));
  const rotated = await call(liveKey, "/webhook", { method: "PUT", body: { rotate_secret: true } });
  canaries.set("the webhook's next secret", String(rotated.body.secret).slice("whsec_".length));
  await call(liveKey, "/webhook/test", { method: "POST", body: {} });
  const url = `${receiver.url}?token=${urlToken}`;
  await call(liveKey, "/webhook/endpoints", { body: { url, notify: "all", events: ["transaction.failed"] } });
  // Secrets where they do not belong.
  await call(strangersKey, "/wallet");
  await call(null, `/wallet?api_key=${liveKey}`);
  await call(liveKey, "/electricity/purchase", { body: `{"reference": "${strangersKey}` });
  await call(liveKey, "/electricity/purchase", { body: { token: vtpassToken, ...meter } });
  const metadata = { pin: canaryPin, note: `${vtpassToken} for ${customer.email}`, keys: [liveKey] };
  await call(liveKey, "/electricity/purchase", { body: { reference: "noted", metadata, ...meter } });
  await call(liveKey, `/transactions?phone=${meter.phone}&customer_ref=${meter.meter_number}`);
  await call(liveKey, "/giftcard/purchase", { body: { reference: "carded", recipient_email: customer.email } });
}

async function throughTheSupplier(): Promise<void> {
  bench.stub.play = "vended";
  const bought = await buy("vended");
  expect(bought.body.token).toBe(vtpassToken);
  expect((await buy("vended")).body.token).toBe(vtpassToken);
  for (const play of ["undocumented_code", "garbage", "error_after_vending"] as const) {
    bench.stub.play = play;
    await buy(play);
  }
  bench.stub.play = "pending_then_vended";
  bench.stub.pendingRequeries = 0;
  await buy("called");
  const { headers, body } = bench.stub.callback([...bench.stub.records.keys()].at(-1)!, "vended");
  expect(body).toContain(tokenBeginning);
  const { addressSecret } = under.callbacks!.genuine({ headers, body }, 0);
  for (const secret of [addressSecret, "wrong"]) {
    const answer = await fetch(`${app.url}/supplier-callbacks/vtpass/${secret}`, { method: "POST", headers, body });
    read.set(`answer to a callback (${answer.status})`, await answer.text());
  }
  await app.services.receiveCallback.idle();
  const calls = await call(app.merchant.liveKey, "/transactions/called");
  expect(calls.body.token).toContain(tokenBeginning);
}

async function throughTheOperator(): Promise<void> {
  const keys = { api_key: credential, public_key: `${credential}-2`, secret_key: `${credential}-3` };
  const good = file("credentials.json", JSON.stringify(keys));
  const add = ["supplier", "add", "spare", "--connector", "vtpass", "--settings"];
  const spare = [...add, JSON.stringify({ base_url: `${bench.stub.url}/api` }), "--credentials", good];
  await run(...spare);
  await run(...spare, "--no-check");
  await run("supplier", "check", "spare");
  await run("supplier", "balance", "--json");
  await run("supplier", "list", "--json");
  const torn = file("torn.json", JSON.stringify(keys).slice(0, -1));
  await run("supplier", "add", "torn", "--connector", "vtpass", "--credentials", torn);
  const { rows } = await app.fresh.pool.query(
    "select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1",
  );
  const vouchers = file("vouchers.csv", `pin,serial\n${voucher},A1\n${unreadableVoucher},A2\n${voucher},A3\n`);
  await run("vouchers", "import", vouchers, "--product", String(rows[0].id));
  await run("vouchers", "import", file("broken.csv", `pin,serial\n"${voucher}`), "--product", String(rows[0].id));
  bench.stub.play = "never_received";
  const pending = await buy("resolved");
  const { token_formatted: _, ...vended } = (await call(app.merchant.liveKey, "/transactions/vended")).body.delivery;
  const tokens = [{ type: "main", value: resolvedToken, order: 1 }];
  const delivery = { ...vended, token: resolvedToken, tokens };
  const goods = file("goods.json", JSON.stringify(delivery));
  const words = ["review", "resolve", pending.body.transaction_id, "vended", "--evidence", "statement of today"];
  await run(...words, "--by", "ada", "--fulfilment", goods, "--yes");
  await run("review", "show", pending.body.transaction_id);
  await run("transactions", "--customer", meter.meter_number);
  for (const name of ["vended", "resolved", "garbage"]) await run("transaction", "show", name, "--json");
  expect((await call(app.merchant.liveKey, "/transactions/resolved")).body.token).toBe(resolvedToken);
}

/** Every row of every table, as a copy of the database holds it. */
async function dump(): Promise<string> {
  const tables = await app.fresh.pool.query(
    "select quote_ident(tablename) as name from pg_tables where schemaname = 'public' order by 1",
  );
  const texts: string[] = [];
  for (const { name } of tables.rows) {
    const { rows } = await app.fresh.pool.query(`select t::text as row from ${name} t`);
    texts.push(...rows.map(({ row }) => `${name}: ${row}`));
  }
  return texts.join("\n");
}

/** The wide lines, by what they are about. */
function wideLines(): ReadonlyMap<string, string> {
  const texts = [...logged, ...[...read].filter(([where]) => where.startsWith("operator")).map(([, text]) => text)];
  const found = new Map<string, string>();
  for (const line of texts.join("\n").split("\n")) {
    const event = /"event":"(purchase|vend|requery|delivery|operator\.command)"/.exec(line)?.[1];
    if (event !== undefined) found.set(event, `${found.get(event) ?? ""}${line}\n`);
  }
  return found;
}

/** Where a canary is, however its digits are grouped and its text is encoded. */
function findCanaries(places: ReadonlyMap<string, string>): string[] {
  const bare = (text: string) => text.replace(/[-\s]/g, "");
  const found: string[] = [];
  for (const [where, text] of places) {
    for (const [what, canary] of canaries) {
      const spellings = [canary, Buffer.from(canary).toString("base64").replace(/=+$/, "")];
      if (spellings.some((spelling) => text.includes(spelling)) || bare(text).includes(bare(canary)))
        found.push(`${what} in ${where}`);
    }
  }
  return found;
}

test("no secret that came through any door is read by anybody but its owner", async () => {
  await throughTheApi();
  await throughTheSupplier();
  await throughTheOperator();
  await receiver.waitFor(3);
  read.set("webhooks", JSON.stringify(receiver.received.map(({ body, headers }) => ({ body, headers }))));
  read.set("the transactions list", JSON.stringify((await call(app.merchant.liveKey, "/transactions")).body));
  read.set("the delivery log", JSON.stringify((await call(app.merchant.liveKey, "/webhook/deliveries")).body));
  read.set("metrics", await (await fetch(`${app.url}/metrics`)).text());
  read.set("the log", logged.join("\n"));
  await app.services.requestLog.flush();
  read.set("the database", await dump());
  expect(findCanaries(read)).toEqual([]);
  // The search looks where it says.
  expect(read.get("the database")).toContain(meter.meter_number);
  expect([...read.keys()].filter((where) => where.startsWith("refusal")).length).toBeGreaterThanOrEqual(4);
  expect([...read.keys()].filter((where) => where.endsWith("(0)")).length).toBeGreaterThanOrEqual(4);
});

test("the request log, which the merchant's people read, holds no PIN and no number or address of a customer whole", async () => {
  await app.services.requestLog.flush();
  const { rows } = await app.fresh.pool.query("select t::text as row from request_log t");
  const text = rows.map(({ row }) => row).join("\n");
  expect(findCanaries(new Map([["the request log", text]]))).toEqual([]);
  for (const whole of [canaryPin, customer.email, meter.phone, meter.meter_number]) expect(text).not.toContain(whole);
  // What was looked for had been sent, and what tells a purchase stays.
  for (const kept of ["noted", "carded", "***5678", "***4567", "***e.ng", "/webhook/endpoints"])
    expect(text).toContain(kept);
});

test("a wide line for each kind names no customer, no reference, no URL and nothing that a supplier said", () => {
  const lines = wideLines();
  expect([...lines.keys()].sort()).toEqual(["delivery", "operator.command", "purchase", "requery", "vend"]);
  expect(findCanaries(lines)).toEqual([]);
  const numbers = [meter.meter_number, meter.phone, "garbage", "resolved", receiver.url, "127.0.0.1"];
  for (const [event, text] of lines)
    expect([event, numbers.filter((each) => text.includes(each))]).toEqual([event, []]);
});

test("the search finds a secret that leaked, in the database and however it is written", async () => {
  const before = findCanaries(new Map([["the database", await dump()]]));
  const grouped = vtpassToken.replace(/(.{4})(?=.)/g, "$1-");
  await app.fresh.pool.query("update purchases set metadata = $1 where reference = 'vended'", [
    JSON.stringify({ planted: grouped }),
  ]);
  const after = findCanaries(new Map([["the database", await dump()]]));
  expect([before, after]).toEqual([[], ["a token that a supplier vended in the database"]]);
});
