import { afterEach, beforeEach, expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { findOutcome } from "../../src/domain/audit/audit-log.ts";
import { findEntryHash } from "../../src/domain/audit/audit-queries.ts";
import { closing } from "../support/closing.ts";
import { openDatabaseWay } from "../support/database-way.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";

let id: string;

// The connection is lost at the very commit of a command: what it says must be what became of it.
const own = closing(await ownDatabase());
const way = closing(await openDatabaseWay(own.fresh.url));
beforeEach(async () => {
  id = `mer_${(await newMerchant(own.database)).id}`;
});
afterEach(() => way.open());

const run = (...words: string[]) => operate(words, { DATABASE_URL: way.url });
const booking = () => ["credit-wallet", id, "50000.00", "--reason", "transfer 9", "--no-bank-reference"];
const balanceOf = async () => (await run("wallet", id, "--json")).lines[0].balance;
const entriesOf = async (command: string) => {
  const { lines } = await run("audit", "list", "--json");
  return lines.filter((entry) => entry.command === command && JSON.stringify(entry.details).includes(id)).length;
};

test.each([
  ["credit-wallet", "50000.00"],
  ["debit-wallet", "0.00"],
])("%s says what was booked, though the answer to its commit was lost", async (command, balance) => {
  if (command === "debit-wallet") await run(...booking());
  way.cutCommit("after");
  const words = command === "credit-wallet" ? booking() : [command, id, "50000.00", "--reason", "transfer 9"];
  const { code, out, error } = await run(...words);
  expect([code, out, error]).toEqual([0, `The live wallet of ${id} holds ${balance} now.\n`, ""]);
  expect([await balanceOf(), await entriesOf(command)]).toEqual([balance, 1]);
});

test("a booking that was never committed is told as one to repeat", async () => {
  way.cutCommit("before");
  const { code, out, error } = await run(...booking());
  expect([code, out, error]).toEqual([
    1,
    "",
    "The database stopped answering before this was done: repeat the command.\n",
  ]);
  expect([await balanceOf(), await entriesOf("credit-wallet")]).toEqual(["0.00", 0]);
  expect((await run(...booking())).code).toBe(0);
  expect([await balanceOf(), await entriesOf("credit-wallet")]).toEqual(["50000.00", 1]);
});

test("a booking that cannot be looked up is told as one to look for first, and where", async () => {
  const last = (await run("audit", "list", "--json")).lines.at(-1)?.number ?? 0;
  way.refuseFromCommit();
  const { code, out, error } = await run(...booking());
  expect([code, out]).toEqual([1, ""]);
  expect(error).toBe(
    `It may have been booked: look with wallet ${id} before you repeat it.\n` +
      "The database stopped answering before it told whether this was done. " +
      `If it was, audit list --after ${last} begins with it.\n`,
  );
  await way.open();
  const [first] = (await run("audit", "list", "--after", String(last), "--json")).lines;
  expect(first).toMatchObject({ command: "credit-wallet", details: { arguments: [id, "50000.00"] } });
  expect(await balanceOf()).toBe("50000.00");
});

test("a key that was made is shown, though the answer to its commit was lost", async () => {
  const active = async () => (await run("keys", id, "--json")).lines.filter(({ state }) => state === "active").length;
  const before = await active();
  way.cutCommit("after");
  const [made] = (await run("create-key", id, "--mode", "test", "--json")).lines;
  expect(made.key).toMatch(/^ds_test_/);
  way.cutCommit("after");
  const [rotated] = (await run("rotate-key", made.key_id, "--grace", "0", "--json")).lines;
  expect(rotated.key).toMatch(/^ds_test_/);
  expect([await active(), await entriesOf("create-key")]).toEqual([before + 1, 1]);
});

test("a merchant that was made is shown with its keys, though the answer to its commit was lost", async () => {
  way.cutCommit("after");
  const words = [
    "--name",
    "Once",
    "--email",
    "once@example.com",
    "--credit",
    "100.00",
    "--no-bank-reference",
    "--json",
  ];
  const { code, lines } = await run("create-merchant", ...words);
  expect([code, lines]).toEqual([
    0,
    [{ merchant_id: expect.any(String), test_key: expect.any(String), live_key: null }],
  ]);
  const { rows } = await own.fresh.pool.query("select 'mer_' || id as id from merchants where name = 'Once'");
  expect(rows).toEqual([{ id: lines[0].merchant_id }]);
});

test.each(["commit", "rollback"])("a transaction that is still open is waited for, up to its %s", async (end) => {
  const client = await own.fresh.pool.connect();
  await client.query("begin");
  await client.query("select append_audit_entry('ada', 'credit-wallet', '{}')");
  const query = async <Row>({ text }: { text: string }, values: readonly unknown[] = []) =>
    (await client.query(text, [...values])).rows as Row[];
  const { number, hash } = (await findEntryHash({ query }, null))!;
  const entry = { number: BigInt(number), hash };
  let now = 0;
  let ended = false;
  const pause = async (ms: number) => {
    now += ms;
    if (now < 2_000 || ended) return;
    ended = true;
    await client.query(end);
    client.release();
  };
  const found = await findOutcome(own.database, entry, { clock: { now: () => now }, pause });
  expect([found, ended]).toEqual([end === "commit" ? "committed" : "undone", true]);
});

test("a transaction that stays open is given up after some seconds, as one that nobody knows of", async () => {
  const client = await own.fresh.pool.connect();
  await client.query("begin");
  await client.query("select append_audit_entry('ada', 'credit-wallet', '{}')");
  let now = 0;
  const pause = async (ms: number) => {
    now += ms;
  };
  const clock = { now: () => now };
  const entry = { number: 1_000n, hash: "00" };
  expect(await findOutcome(own.database, entry, { clock, pause })).toEqual({ entry: 1_000n });
  expect(now).toBeLessThan(15_000);
  await client.query("rollback");
  client.release();
  expect(await findOutcome(own.database, entry, { clock, pause })).toBe("undone");
});
