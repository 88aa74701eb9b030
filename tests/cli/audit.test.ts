import { setTimeout as delay } from "node:timers/promises";
import { expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { auditDetails, auditedDatabase } from "../../src/domain/audit/audit-log.ts";
import { insertEntry, isEntryOpen, listBrokenEntries } from "../../src/domain/audit/audit-queries.ts";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { statement } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate, operateAlone } from "../support/operate.ts";

const own = closing(await ownDatabase());
await loadStartingCatalogue(own.database);

const patience = { clock: { now: () => Date.now() }, pause: (ms: number) => delay(ms) };

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: Buffer.alloc(32, 7).toString("base64") });

test("what a command changed is in the log with who, what and with what; what it only read is not", async () => {
  const { id } = await newMerchant(own.database);
  await run("--as", "ada", "approve-merchant", `mer_${id}`);
  const reason = "for ds_live_0123456789 and 1234-5678-9012-3456";
  await run("credit-wallet", `mer_${id}`, "250.50", "--reason", reason, "--bank-reference", "000013261123210000123456");
  await run("supplier", "add", "byhand", "--connector", "manual");
  await run("merchants");
  await run("check-ledger");
  await run("approve-merchant", "mer_999999");
  const { lines } = await run("audit", "list", "--json");
  expect(lines.map(({ number, who, command }) => [number, who === "ada", command])).toEqual([
    [1, true, "approve-merchant"],
    [2, false, "credit-wallet"],
    [3, false, "supplier add"],
  ]);
  expect(lines[1].details).toMatchObject({
    arguments: [`mer_${id}`, "250.50"],
    reason: "for [redacted] and [redacted]",
    bankReference: "000013261123210000123456",
    mode: "live",
  });
  const checked = await run("audit", "check", "--json");
  expect([checked.code, checked.lines]).toEqual([
    0,
    [{ broken: [], as_expected: true, last: expect.stringMatching(/^3:[0-9a-f]{64}$/) }],
  ]);
});

test("where a wrapper runs everybody's commands as one user, what changes something says who", async () => {
  const packed = { DATABASE_URL: own.fresh.url, OPERATOR_COMMAND: "docker compose run --rm operator --as YOU" };
  const words = ["create-merchant", "--name", "Bola", "--email", "bola@shop.example"];
  const refused = await operateAlone(words, packed);
  expect([refused.code, refused.error]).toEqual([1, expect.stringContaining(packed.OPERATOR_COMMAND)]);
  expect((await operateAlone(["merchants"], packed)).out).not.toContain("Bola");
  expect((await operateAlone(["--as", "ada", ...words], packed)).code).toBe(0);
});

test("an amount or a share stands in the log as it was typed, in an option as in an argument", async () => {
  const detailsOf = async (...words: string[]) => {
    expect((await run(...words)).code).toBe(0);
    return (await run("audit", "list", "--json")).lines.at(-1).details;
  };
  const credits = ["--approve", "--credit", "250.5", "--no-bank-reference", "--test-credit=1000"];
  const made = await detailsOf("create-merchant", "--name", "Ada", "--email", "ada@shop.example", ...credits);
  expect(made).toMatchObject({ credit: "250.5", testCredit: "1000", approve: true, count: 1 });
  const route = await detailsOf("route", "set", "1002", "byhand", "--code", "M1", "--cost", "97.5%");
  expect(route).toMatchObject({ arguments: ["1002", "byhand"], cost: "97.5%", code: "M1" });
  const fixed = await detailsOf("route", "set", "1002", "byhand", "--code", "M1", "--cost", "612.00");
  expect(fixed).toMatchObject({ cost: "612.00" });
});

test("a change that is undone leaves no entry, and a refused entry undoes its change", async () => {
  const rename = statement("update_name", "update merchants set name = $1");
  const count = async (sql: string) => Number((await own.fresh.pool.query(sql)).rows[0].count);
  const before = await count("select count(*) from audit_log");
  const audited = (who: string) =>
    auditedDatabase(own.database, () => ({ who, command: "x", details: "{}" }), patience);
  const undone = audited("ada").transaction(async (tx) => {
    await tx.query(rename, ["undone"]);
    throw new Error("changed its mind");
  });
  await expect(undone).rejects.toThrow("changed its mind");
  // The log takes no nameless entry.
  await expect(audited("").transaction((tx) => tx.query(rename, ["nameless"]))).rejects.toThrow(/audit_log_who_check/);
  expect(await count("select count(*) from audit_log")).toBe(before);
  expect(await count("select count(*) from merchants where name in ('undone', 'nameless')")).toBe(0);
});

test("many commands at one time make one chain", async () => {
  const touch = statement("update_email", "update merchants set email = 'a@b.c' where id = $1");
  const names = Array.from({ length: 20 }, (_, n) => `operator ${n}`);
  const merchants = await Promise.all(names.map(() => newMerchant(own.database)));
  await Promise.all(
    names.map((who, n) =>
      auditedDatabase(own.database, () => ({ who, command: "touch", details: "{}" }), patience).transaction((tx) =>
        tx.query(touch, [merchants[n]?.id]),
      ),
    ),
  );
  expect(await listBrokenEntries(own.database)).toEqual([]);
});

test("an entry that is not committed yet holds up the next one, and no vacuum of the log", async () => {
  const enter = (command: string) =>
    own.database.transaction((tx) => insertEntry(tx, { who: "ada", command, details: "{}" }));
  let next: Promise<bigint> | undefined;
  await own.database.transaction(async (tx) => {
    await insertEntry(tx, { who: "ada", command: "x", details: "{}" });
    next = enter("y");
    expect(await isEntryOpen(own.database)).toBe(true);
    const client = await own.fresh.pool.connect();
    await client.query("set lock_timeout = '5s'");
    await client.query("vacuum audit_log");
    client.release(true);
  });
  await next;
  expect([await isEntryOpen(own.database), await listBrokenEntries(own.database)]).toEqual([false, []]);
});

test.each([
  ["changed", "update audit_log set who = 'somebody else'"],
  ["taken out", "delete from audit_log where number = 1"],
  ["swept away", "truncate audit_log"],
])("an entry is not %s with the service's own role", async (_what, tamper) => {
  await own.fresh.pool.query("select append_audit_entry('ada', 'approve-merchant', '{}')");
  const entries = "select number, who, hash from audit_log order by number";
  const before = await own.fresh.pool.query(entries);
  await expect(own.fresh.pool.query(tamper)).rejects.toThrow(/^The audit log only grows, so [A-Z]+ is refused\. /);
  expect((await own.fresh.pool.query(entries)).rows).toEqual(before.rows);
});

/** For whoever owns the table and means it. */
const letTamper = () => own.fresh.pool.query("alter table audit_log disable trigger audit_log_only_grows");

test.each([
  ["changed", "update audit_log set who = 'somebody else' where number = 2", [2]],
  ["taken out", "delete from audit_log where number = 5", [6]],
])("an entry that was %s is noticed", async (_what, tamper, broken) => {
  await letTamper();
  const client = await own.fresh.pool.connect();
  try {
    await client.query("create table kept as table audit_log");
    await client.query(tamper);
    const found = await listBrokenEntries(own.database);
    expect(found.slice(0, 1).map(Number)).toEqual(broken);
    expect((await run("audit", "check")).code).toBe(1);
  } finally {
    await client.query("truncate audit_log");
    await client.query("insert into audit_log table kept");
    await client.query("drop table kept");
    client.release();
  }
});

test("a chain that was written anew from some entry on is noticed by the hash that was kept elsewhere", async () => {
  const [{ last }] = (await run("audit", "check", "--json")).lines;
  expect((await run("audit", "check", "--expect", last)).code).toBe(0);
  await letTamper();
  await own.fresh.pool.query("truncate audit_log");
  const forged = "select append_audit_entry('ada', 'approve-merchant', '{}') from generate_series(1, 30)";
  await own.fresh.pool.query(forged);
  expect(await listBrokenEntries(own.database)).toEqual([]);
  const { code, out } = await run("audit", "check", "--expect", last);
  expect([code, out]).toEqual([1, expect.stringContaining("is not what it was")]);
});

test("what is secret by its name or its shape is in no entry", () => {
  const said = auditDetails({
    credentials: "file.json",
    settings: { base_url: "https://x.example", api_key: "CANARY", nested: [{ token: "CANARY" }] },
    evidence: "they read me 00001234567890123456 and whsec_CANARY",
    amount: 12n,
    reference: "web-012345678901234567890123",
    hash: "01234567890123456789012345678901",
  });
  expect(said).not.toMatch(/CANARY|00001234567890|file\.json/);
  expect(JSON.parse(said).reference).toBe("web-012345678901234567890123");
  expect(JSON.parse(said).hash).toBe("01234567890123456789012345678901");
  expect(JSON.parse(said)).toMatchObject({ amount: "12", settings: { base_url: "https://x.example" } });
});

test("arguments of any length, and in any characters, have room in an entry", () => {
  for (const character of ["x", '"', "\\", "\n", "\ud800", "é"]) {
    const said = auditDetails({ arguments: [character.repeat(20_000)] });
    expect(said.length, JSON.stringify(character)).toBeLessThanOrEqual(8_000);
    expect(JSON.parse(said)).toHaveProperty("shortened");
  }
});
