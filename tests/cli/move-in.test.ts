import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { madeUpExport } from "../../scripts/made-up-export/made-up-export.ts";
import { madeUpUsers, planted } from "../../scripts/made-up-export/made-up-users.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";

// One company moves in, again, back, and in again: each test goes on where the one before it ended.

const userCount = 2_000;
const fresh = closing(await stockedDatabase());
let folder: string;
let csv: readonly string[];
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dispense-move-in-"));
  for (const [name, text] of Object.entries(madeUpExport(userCount))) await writeFile(path.join(folder, name), text);
  csv = ["users.csv", "tokens.csv", "plans.csv"].map((name) => path.join(folder, name));
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...words: string[]) => operate(["move-in", ...words], { DATABASE_URL: fresh.url });
const rows = async (text: string, values: unknown[] = []) => (await fresh.pool.query(text, values)).rows;
const digestOf = async () => (await run("plan", ...csv, "--json")).lines[0].digest as string;
const apply = (digest: string, ...words: string[]) => run("apply", ...csv, "--digest", digest, "--by", "ada", ...words);
const ledgerHolds = async () => (await operate(["check-ledger"], { DATABASE_URL: fresh.url })).code === 0;
const countOf = async (table: string) => Number((await rows(`select count(*) from ${table}`))[0].count);

/** The made-up users that fit: all but 11 to 17, 19 and 20. */
const fitting = madeUpUsers(userCount).filter(({ id }) => ![11, 12, 13, 14, 15, 16, 17, 19, 20].includes(id));
const koboOf = (balance: string) => BigInt(balance.includes(".") ? balance.replace(".", "") : `${balance}00`);
const sum = fitting.reduce((total, { balance }) => total + koboOf(balance), 0n);
const naira = `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`;

test("a plan says what would move and what does not fit, and changes nothing", async () => {
  const { lines } = await run("plan", ...csv, "--json");
  expect(lines[0]).toMatchObject({
    merchants: userCount - planted.merchantsLeftOut,
    balance: naira,
    with_token: fitting.filter(({ token }) => token !== null).length - planted.tokensLeftOut + 1,
    blocked: fitting.filter(({ isActive }) => !isActive).length,
    prices: 12,
    networks: null,
    state: "new",
  });
  const leftOut = (what: string) => lines.filter(({ leaves_out }) => leaves_out === what).length;
  expect([leftOut("merchant"), leftOut("token"), leftOut("phone"), leftOut("price")]).toEqual(Object.values(planted));
  const printed = await run("plan", ...csv);
  expect(printed.out).toContain(`--digest ${lines[0].digest} --by WHO --accept-problems`);
  expect([await countOf("merchants"), await countOf("move_ins")]).toEqual([0, 0]);
});

test("nothing moves by another digest, nor while lines do not fit that nobody accepted", async () => {
  const other = await apply("0123456789abcdef", "--accept-problems");
  expect([other.code, other.error]).toEqual([1, expect.stringContaining("The digest is that of another plan")]);
  const tiers = await apply(await digestOf(), "--accept-problems", "--tier", "Gold=5");
  expect([tiers.code, tiers.error]).toEqual([1, expect.stringContaining("The digest is that of another plan")]);
  const problems = await apply(await digestOf());
  expect([problems.code, problems.error]).toEqual([
    1,
    expect.stringContaining("leave them out with --accept-problems"),
  ]);
  expect(problems.out).toContain("users.csv");
  expect([await countOf("merchants"), await countOf("move_ins")]).toEqual([0, 0]);
});

test("2,000 users come in with their balances to the kobo, tiers, tokens and who was blocked", async () => {
  const moved = await apply(await digestOf(), "--accept-problems");
  expect([moved.code, moved.error]).toEqual([0, ""]);
  expect(moved.out).toContain(`of ${fitting.length} merchants with ${naira} and 12 prices`);
  const stored = await rows(
    `select m.email, w.balance, m.price_tier, m.status, m.api_approved_at is not null as approved, w.seq
       from merchants m join wallets w on w.wallet_id = m.id order by m.id`,
  );
  const tiers: Record<string, number> = { "Smart Earner": 1, Affilliate: 2, TopUser: 3, API: 4 };
  expect(stored).toEqual(
    fitting.map(({ email, balance, userType, isActive }) => ({
      email,
      balance: String(koboOf(balance)),
      price_tier: tiers[userType],
      status: isActive ? "active" : "suspended",
      approved: true,
      seq: koboOf(balance) === 0n ? "0" : "1",
    })),
  );
  const [credits] = await rows(
    "select count(distinct bank_reference) as references, sum(amount) as sum, min(proposed_by) as by from wallet_credits",
  );
  const credited = fitting.filter(({ balance }) => koboOf(balance) > 0n).length;
  expect(credits).toEqual({ references: String(credited), sum: String(sum), by: "ada" });
  expect(await rows("select tier, price from tier_prices where product_id = 1002 order by tier")).toEqual(
    ["65000", "64500", "64000", "63500"].map((price, at) => ({ tier: at + 1, price })),
  );
  expect(await rows("select who, command from audit_log where command like 'move-in%'")).toEqual([
    { who: expect.any(String), command: "move-in apply" },
  ]);
  expect(await ledgerHolds()).toBe(true);
});

test("the same again changes nothing and says so", async () => {
  const before = [await countOf("ledger_entries"), await countOf("api_keys"), await countOf("audit_log")];
  const again = await apply(await digestOf(), "--accept-problems");
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^Nothing changes: move 1, .* by ada\.\n$/)]);
  expect([await countOf("ledger_entries"), await countOf("api_keys"), await countOf("audit_log")]).toEqual(before);
  const other = await run("plan", csv[0] as string, "--json");
  expect(other.lines[0]).toMatchObject({ merchants: 0, state: "new" });
  expect(other.lines.find(({ line }) => line === 2)).toMatchObject({
    about: "bola.okafor1@shop.example",
    why: "The email is that of mer_1, a merchant here already.",
  });
});

test("an undo leaves nothing that sells, whole books, and prices as they were", async () => {
  const undone = await run("undo", "--by", "ada");
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining(`${naira} left their wallets`)]);
  const [left] = await rows(
    `select sum(w.balance) as balance, count(*) filter (where m.status = 'active' or m.api_approved_at is not null) as open
       from merchants m join wallets w on w.wallet_id = m.id`,
  );
  expect(left).toEqual({ balance: "0", open: "0" });
  expect([await countOf("api_keys"), await countOf("tier_prices where product_id = 1002")]).toEqual([0, 0]);
  expect(await ledgerHolds()).toBe(true);
  expect((await run("undo", "1", "--by", "ada")).error).toContain("Move 1 was taken back before.");
  expect((await run("undo", "--by", "ada")).error).toContain("There is no move to take back.");
});

test("who was moved back moves in again, as the same merchant with the same token and balance", async () => {
  const again = await apply(await digestOf(), "--accept-problems");
  expect([again.code, again.out]).toEqual([0, expect.stringContaining(`of ${fitting.length} merchants with ${naira}`)]);
  expect(await countOf("merchants")).toBe(fitting.length);
  const [present] = await rows("select sum(balance) as balance from wallets where wallet_id > 0");
  expect(present.balance).toBe(String(sum));
  const [open] = await rows("select count(*) from merchants where status = 'active' and api_approved_at is not null");
  expect(Number(open.count)).toBe(fitting.filter(({ isActive }) => isActive).length);
  expect(await ledgerHolds()).toBe(true);
});
