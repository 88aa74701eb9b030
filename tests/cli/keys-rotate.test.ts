import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, test } from "vitest";
import { importVouchers } from "../../src/domain/suppliers/vouchers/import.ts";
import { webhookSecretColumns } from "../../src/domain/webhooks/endpoints/sealed-queries.ts";
import { StartError } from "../../src/kernel/start-error.ts";
import { followSealingKey } from "../../src/platform/sealing/sealing-key.ts";
import { keyIdOf, secretBox } from "../../src/platform/sealing/secret-box.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { clock, startApp, type TestApp } from "../support/app.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testWebhooks } from "../support/webhooks.ts";

const root = path.resolve(import.meta.dirname, "../..");
const [oldKey, newKey] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const [oldId, newId] = [keyIdOf(oldKey), keyIdOf(newKey)];
const log = openLog({ level: "silent" });
/** As a service holds them: the new key came first, and nobody said yet that it seals. */
const box = secretBox([newKey, oldKey]);
const supplier = openFakeSupplier();
let app: TestApp;
let stopFollowing: () => void;

beforeAll(async () => {
  app = await startApp({ suppliers: [supplier], webhooks: { ...testWebhooks, secretBox: box } });
  await app.fresh.pool.query("insert into sealing_key (key_id) values ($1)", [oldId]);
  stopFollowing = await followSealingKey({ database: app.services.database, box, log });
});
afterAll(async () => {
  stopFollowing();
  await app.close();
});

const environment = () => ({
  DATABASE_URL: app.fresh.url,
  ENCRYPTION_KEY: [newKey, oldKey].map((key) => key.toString("base64")).join(","),
});
const run = (...words: string[]) => operate(words, environment());
const count = async (sql: string, ...values: unknown[]) =>
  Number((await app.fresh.pool.query(sql, values)).rows[0].count);

let references = 0;
async function buy(): Promise<{ readonly token: string }> {
  references += 1;
  const reference = `token-${references}`;
  const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", phone: "08031234567" };
  const bought = await app.call(app.merchant.liveKey, "/electricity/purchase", {
    body: { reference, amount: "1000.00", ...meter },
  });
  expect(bought.body.token).toMatch(/^\d{20}$/);
  return bought.body;
}

const setWebhook = (body: object) => app.call(app.merchant.liveKey, "/webhook", { method: "PUT", body });

async function stockVouchers(many: number): Promise<void> {
  const { rows } = await app.fresh.pool.query(
    `select p.id from products p join billers b on b.slug = p.biller_slug where b.category = 'recharge_pin' limit 1`,
  );
  async function* file() {
    for (let n = 0; n < many; n++) yield { line: n, code: `PIN${references}${n}X`, serial: "", expiresOn: "" };
  }
  const { database, wallTime } = app.services;
  const services = { database, secretBox: box, clock, wallTime, randomness: randomBytes };
  await importVouchers(services, { productId: rows[0].id, batch: "b", rows: file() }, () => {});
}

const query = "?token=abc";

/** One of everything that is sealed. */
async function sealEverything(): Promise<void> {
  supplier.answer = vended;
  await buy();
  await setWebhook({ url: `https://merchant.example/hook${query}` });
  await setWebhook({ rotate_secret: true });
  await stockVouchers(3);
  const sealed = box.seal(JSON.stringify({ api_key: "k" }), "suppliers/told");
  await app.fresh.pool.query("update suppliers set credentials = $1 where name = 'told'", [sealed]);
}

test("rotation is refused while a process runs that lacks the new key, and changes nothing", async () => {
  await sealEverything();
  const old = new pg.Client({ connectionString: app.fresh.url, application_name: `dispense ordinary ${oldId}` });
  await old.connect();
  try {
    const refused = await run("keys", "rotate");
    expect(refused.code).toBe(1);
    expect(refused.error).toMatch(
      new RegExp(`^Processes run without key ${newId} \\(at .*restart them, then rotate\\.\n$`),
    );
    expect(await count("select count(*) from sealing_key where key_id = $1", oldId)).toBe(1);
  } finally {
    await old.end();
  }
});

test("everything moves to the new key while purchases run and secrets change, and the old one can go", async () => {
  const before = (await run("keys", "status", "--json")).lines;
  expect(before).toContainEqual({ key_id: oldId, seals: true });
  const places = [
    "webhook secrets",
    "previous webhook secrets",
    "queries of webhook URLs",
    "fulfilments",
    "vouchers",
    "voucher fingerprint key",
  ];
  for (const place of [...places, "supplier credentials"]) {
    expect(before).toContainEqual(expect.objectContaining({ place, key_id: oldId }));
  }
  const first = await buy();
  const tokens = new Map<string, string>([[`token-${references}`, first.token]]);

  let isOver = false;
  const rotating = run("keys", "rotate").finally(() => {
    isOver = true;
  });
  while (!isOver) {
    const { token } = await buy();
    tokens.set(`token-${references}`, token);
    await setWebhook({ rotate_secret: true });
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  const rotated = await rotating;
  expect([rotated.error, rotated.code]).toEqual(["", 0]);
  expect(rotated.out).toContain(`Nothing is sealed under ${oldId} any more; you may remove it.`);

  const after = (await run("keys", "status", "--json")).lines.filter((line) => line.place !== undefined);
  expect(new Set(after.map(({ key_id }) => key_id))).toEqual(new Set([newId]));
  // A process with the new key alone reads what every one of them was.
  const alone = await startApp({
    database: app.fresh,
    suppliers: [supplier],
    webhooks: { ...testWebhooks, secretBox: secretBox([newKey]) },
  });
  try {
    for (const [reference, token] of tokens) {
      const { body } = await alone.call(app.merchant.liveKey, `/transactions/${reference}`);
      expect(body.token).toBe(token);
    }
    expect((await alone.call(app.merchant.liveKey, "/webhook")).body.url).toBe(`https://merchant.example/hook${query}`);
  } finally {
    await alone.close();
  }
});

test("a rotation that was killed goes on where it stopped", async () => {
  references += 1;
  await stockVouchers(20_000);
  const { rows } = await app.fresh.pool.query("select product_id, number, fingerprint, sealed from vouchers");
  const back = secretBox([oldKey, newKey]);
  const moved = rows.map(({ product_id, number, fingerprint, sealed }) => ({
    number,
    sealed: back.rewrap(sealed, `vouchers/${product_id}/${fingerprint.toString("hex")}`) ?? sealed,
  }));
  await app.fresh.pool.query(
    "update vouchers v set sealed = m.sealed from unnest($1::bigint[], $2::text[]) m (number, sealed) where v.number = m.number",
    [moved.map(({ number }) => number), moved.map(({ sealed }) => sealed)],
  );
  const underNew = () => count("select count(*) from vouchers where sealed like 'v1.' || $1 || '.%'", newId);
  expect(await underNew()).toBe(0);
  const killed = spawn(
    process.execPath,
    ["--enable-source-maps", path.join(root, "dist/operator.js"), "keys", "rotate"],
    {
      cwd: root,
      env: { PATH: process.env.PATH, ...environment() },
      stdio: "ignore",
    },
  );
  const gone = new Promise((resolve) => killed.on("exit", resolve));
  while ((await underNew()) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  killed.kill("SIGKILL");
  await gone;
  const halfway = await underNew();
  expect(halfway).toBeLessThan(20_003);
  expect((await run("keys", "rotate")).code).toBe(0);
  expect(await underNew()).toBe(20_003);
});

test("a secret that its merchant changed while its window was read stays as the merchant left it", async () => {
  const [column] = webhookSecretColumns;
  const { database } = app.services;
  const [row] = (await column?.read(database, null, 10)) ?? [];
  if (column === undefined || row === undefined) throw new Error("the merchant has a secret");
  await setWebhook({ rotate_secret: true });
  const present = async () => (await app.fresh.pool.query("select secret from webhook_endpoints")).rows[0].secret;
  const chosen = await present();
  await column.replace(database, [{ row, text: "v1.00000000.stale" }]);
  expect(await present()).toBe(chosen);
});

test("a process without the key that seals does not start: nobody could open what it seals", async () => {
  const stranger = { database: app.services.database, box: secretBox([Buffer.alloc(32, 9)]), log };
  await expect(followSealingKey(stranger)).rejects.toThrow(StartError);
  const status = await operate(["keys", "status"], {
    ...environment(),
    ENCRYPTION_KEY: Buffer.alloc(32, 9).toString("base64"),
  });
  expect(status.error).toMatch(/^Secrets in this database are sealed under key .* none of the keys given is that one/);
});
