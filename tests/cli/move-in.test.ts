import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { madeUpExport } from "../../scripts/made-up-export/made-up-export.ts";
import { madeUpUsers, madeUpUsersLater, planted } from "../../scripts/made-up-export/made-up-users.ts";
import { closing } from "../support/closing.ts";
import { stockedDatabase } from "../support/database.ts";
import { operate } from "../support/operate.ts";

// One company moves in, switches, moves back, and in again: each test goes on where the one before it ended.

const userCount = 2_000;
const fresh = closing(await stockedDatabase());
let folder: string;
const filesOf = (which: string) =>
  ["users.csv", "tokens.csv", "plans.csv"].map((name) => path.join(folder, `${which}-${name}`));
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "dispense-move-in-"));
  for (const which of ["first", "last"]) {
    const files = madeUpExport(userCount, { isLast: which === "last" });
    for (const [name, text] of Object.entries(files)) await writeFile(path.join(folder, `${which}-${name}`), text);
  }
});
afterAll(() => rm(folder, { recursive: true }));

const run = (...words: string[]) => operate(["move-in", ...words], { DATABASE_URL: fresh.url });
const rows = async (text: string, values: unknown[] = []) => (await fresh.pool.query(text, values)).rows;
const digestOf = async () => (await run("plan", ...filesOf("first"), "--json")).lines[0].digest as string;
const apply = (digest: string, ...words: string[]) =>
  run("apply", ...filesOf("first"), "--digest", digest, "--by", "ada", ...words);
const switchOver = (...words: string[]) => run("switch", ...filesOf("last"), "--by", "ada", ...words);
const ledgerHolds = async () => (await operate(["check-ledger"], { DATABASE_URL: fresh.url })).code === 0;
const countOf = async (table: string) => Number((await rows(`select count(*) from ${table}`))[0].count);
const counts = () => Promise.all(["ledger_entries", "api_keys", "audit_log", "merchants"].map(countOf));

const misfits = [11, 12, 13, 14, 15, 16, 17, 19, 20];
/** The made-up users that fit: all but 11 to 17, 19 and 20. */
const fitting = madeUpUsers(userCount).filter(({ id }) => !misfits.includes(id));
const fittingLater = madeUpUsersLater(userCount).filter(({ id }) => !misfits.includes(id));
const koboOf = (balance: string) => BigInt(balance.includes(".") ? balance.replace(".", "") : `${balance}00`);
const nairaOf = (users: typeof fitting) => {
  const sum = users.reduce((total, { balance }) => total + koboOf(balance), 0n);
  return `${sum / 100n}.${String(sum % 100n).padStart(2, "0")}`;
};
const naira = nairaOf(fittingLater);
const tiers: Record<string, number> = { "Smart Earner": 1, Affilliate: 2, TopUser: 3, API: 4 };
const stored = () =>
  rows(
    `select m.email, w.balance, m.price_tier, m.status, m.api_approved_at is not null as approved,
            (select count(*) from api_keys k where k.merchant_id = m.id) as keys
       from merchants m join wallets w on w.wallet_id = m.id order by m.id`,
  );

test("a plan says what would move and what does not fit, and changes nothing", async () => {
  const { lines } = await run("plan", ...filesOf("first"), "--json");
  expect(lines[0]).toMatchObject({
    merchants: userCount - planted.merchantsLeftOut,
    balance: nairaOf(fitting),
    with_token: fitting.filter(({ token }) => token !== null).length - planted.tokensLeftOut + 1,
    blocked: fitting.filter(({ isActive }) => !isActive).length,
    prices: 12,
    networks: null,
    state: "new",
  });
  const leftOut = (what: string) => lines.filter(({ leaves_out }) => leaves_out === what).length;
  expect([leftOut("merchant"), leftOut("token"), leftOut("phone"), leftOut("price")]).toEqual(Object.values(planted));
  const printed = await run("plan", ...filesOf("first"));
  expect(printed.out).toContain(`--digest ${lines[0].digest} --by WHO --accept-problems`);
  expect([await countOf("merchants"), await countOf("move_ins")]).toEqual([0, 0]);
  expect((await switchOver("--accept-problems")).error).toContain("There is no move to switch: apply one first.");
});

test("nothing moves by another digest, nor while lines do not fit that nobody accepted", async () => {
  const other = await apply("0123456789abcdef", "--accept-problems");
  expect([other.code, other.error]).toEqual([1, expect.stringContaining("The digest is that of another plan")]);
  const otherTiers = await apply(await digestOf(), "--accept-problems", "--tier", "Gold=5");
  expect([otherTiers.code, otherTiers.error]).toEqual([
    1,
    expect.stringContaining("The digest is that of another plan"),
  ]);
  const problems = await apply(await digestOf());
  expect([problems.code, problems.error]).toEqual([
    1,
    expect.stringContaining("leave them out with --accept-problems"),
  ]);
  expect(problems.out).toContain("users.csv");
  expect([await countOf("merchants"), await countOf("move_ins")]).toEqual([0, 0]);
});

test("2,000 users come in with their tiers and prices, and without a balance, a key or live access", async () => {
  const moved = await apply(await digestOf(), "--accept-problems");
  expect([moved.code, moved.error]).toEqual([0, ""]);
  expect(moved.out).toContain(`of ${fitting.length} merchants and 12 prices`);
  expect(await stored()).toEqual(
    fitting.map(({ email, userType, isActive }) => ({
      ...{ email, balance: "0", price_tier: tiers[userType], keys: "0" },
      ...{ status: isActive ? "active" : "suspended", approved: false },
    })),
  );
  expect(await countOf("wallet_credits")).toBe(0);
  expect(await rows("select tier, price from tier_prices where product_id = 1002 order by tier")).toEqual(
    ["65000", "64500", "64000", "63500"].map((price, at) => ({ tier: at + 1, price })),
  );
  expect(await rows("select who, command from audit_log where command like 'move-in%'")).toEqual([
    { who: expect.any(String), command: "move-in apply" },
  ]);
});

test("the same again changes nothing and says so", async () => {
  const before = await counts();
  const again = await apply(await digestOf(), "--accept-problems");
  expect([again.code, again.out]).toEqual([0, expect.stringMatching(/^Nothing changes: move 1, .* by ada\.\n/)]);
  expect(await counts()).toEqual(before);
  const other = await run("plan", filesOf("first")[0] as string, "--json");
  expect(other.lines[0]).toMatchObject({ merchants: 0, state: "new" });
  expect(other.lines.find(({ line }) => line === 2)).toMatchObject({
    about: "bola.okafor1@shop.example",
    why: "The email is that of mer_1, a merchant here already.",
  });
});

test("the switch refuses an export without balances or tokens, another digest, and problems nobody accepted", async () => {
  const before = await counts();
  const [users = "", tokens = ""] = filesOf("last");
  const withoutBalances = path.join(folder, "no-balances.csv");
  await writeFile(withoutBalances, "id,email,name\n1,bola.okafor1@shop.example,Bola\n");
  const complaints = [
    (await run("switch", withoutBalances, tokens, "--by", "ada", "--accept-problems")).error,
    (await run("switch", users, "--by", "ada", "--accept-problems")).error,
    (await switchOver("--digest", "0123456789abcdef", "--accept-problems")).error,
    (await switchOver()).error,
    (await switchOver("--move", "7", "--accept-problems")).error,
  ];
  expect(complaints).toEqual([
    expect.stringContaining("The export says nobody's balance"),
    expect.stringContaining("The export has no tokens, and the one of move 1 had"),
    expect.stringContaining("The digest is that of another plan"),
    expect.stringContaining("Nothing was moved: mend these lines"),
    expect.stringContaining("There is no move 7."),
  ]);
  expect(await counts()).toEqual(before);
});

test("the switch brings what is left after the last sale to the kobo, tokens, and what changed over there", async () => {
  const corrected = ["set-price", "1002", "641", "--tier", "1"];
  expect((await operate(corrected, { DATABASE_URL: fresh.url })).error).toBe("");
  await rows("update merchants set price_tier = 7 where email = $1", [fitting[40]?.email]);
  const planned = await run("plan", "--switch", ...filesOf("last"), "--json");
  expect(planned.lines[0]).toMatchObject({ merchants: fittingLater.length, balance: naira, state: "prepared" });
  expect(planned.lines.find(({ line }) => line === null)).toMatchObject({
    about: fitting.find(({ id }) => id === 30)?.email,
    why: expect.stringMatching(/^mer_\d+ of move 1 is not in this export/),
  });
  const switched = await switchOver("--digest", planned.lines[0].digest, "--accept-problems");
  expect([switched.code, switched.error]).toEqual([0, ""]);
  expect(switched.out).toMatch(
    new RegExp(`^Switched: move 1, of ${fittingLater.length} merchants with ${naira} and \\d+ tokens, .* by ada\\.\n$`),
  );
  const later = new Map(fittingLater.map((user) => [user.email, user]));
  const withoutToken = [20, 22, 23, 24, 25, 26];
  expect(await stored()).toEqual(
    [...fitting, ...fittingLater.slice(-2)].map(({ email, id }) => {
      const user = later.get(email);
      const hasKey = user !== undefined && user.token !== null && !withoutToken.includes(id);
      const tier = id === fitting[40]?.id ? 7 : tiers[(user ?? fitting.find((one) => one.id === id))?.userType ?? ""];
      return {
        ...{ email, balance: String(koboOf(user?.balance ?? "0")), price_tier: tier, keys: hasKey ? "1" : "0" },
        ...{ status: user?.isActive === false ? "suspended" : "active", approved: user !== undefined },
      };
    }),
  );
  const [credits] = await rows(
    "select count(distinct bank_reference) as references, sum(amount) as sum, min(requested_by) as by from wallet_credits",
  );
  const credited = fittingLater.filter(({ balance }) => koboOf(balance) > 0n).length;
  expect(credits).toEqual({ references: String(credited), sum: naira.replace(".", ""), by: "ada" });
  expect(await rows("select price from tier_prices where product_id = 1002 and tier = 1")).toEqual([
    { price: "64100" },
  ]);
  expect(await ledgerHolds()).toBe(true);
});

test("the same switch again changes nothing and says so, and one with another export is refused", async () => {
  const before = await counts();
  expect((await switchOver("--accept-problems")).out).toMatch(/^Nothing changes: move 1, .* by ada\.\n$/);
  const earlier = await run("switch", ...filesOf("first"), "--by", "ada", "--accept-problems");
  expect([earlier.code, earlier.error]).toEqual([
    1,
    expect.stringContaining("was switched before, with another export"),
  ]);
  expect(await counts()).toEqual(before);
});

test("an undo leaves nothing that sells, whole books, and prices as they were", async () => {
  const undone = await run("undo", "--by", "ada");
  expect([undone.code, undone.out]).toEqual([0, expect.stringContaining(`${naira} left their wallets`)]);
  const [left] = await rows(
    `select sum(w.balance) as balance, count(*) filter (where m.status = 'active' or m.api_approved_at is not null) as open
       from merchants m join wallets w on w.wallet_id = m.id`,
  );
  expect(left).toEqual({ balance: "0", open: "0" });
  expect([await countOf("api_keys"), await countOf("tier_prices where product_id = 1002")]).toEqual([0, 1]);
  expect(await ledgerHolds()).toBe(true);
  expect((await run("undo", "1", "--by", "ada")).error).toContain("Move 1 was taken back before");
  expect((await run("undo", "--by", "ada")).error).toContain("There is no move to take back.");
});

test("who was moved back moves in again, as the same merchant with the same token and balance", async () => {
  expect((await apply(await digestOf(), "--accept-problems")).out).toContain(`of ${fitting.length} merchants`);
  expect((await switchOver("--accept-problems")).out).toContain(`of ${fittingLater.length} merchants with ${naira}`);
  expect(await countOf("merchants")).toBe(fitting.length + 2);
  const [present] = await rows("select sum(balance) as balance from wallets where wallet_id > 0");
  expect(present.balance).toBe(naira.replace(".", ""));
  const [open] = await rows("select count(*) from merchants where status = 'active' and api_approved_at is not null");
  expect(Number(open.count)).toBe(fittingLater.filter(({ isActive }) => isActive).length);
  expect(await ledgerHolds()).toBe(true);
});

test("merchants that came and were not switched go again by an undo, without a movement of money", async () => {
  await run("undo", "--by", "ada");
  await apply(await digestOf(), "--accept-problems");
  const entries = await countOf("ledger_entries");
  expect((await run("undo", "--by", "ada", "--json")).lines).toMatchObject([
    { state: "undone", merchants: fitting.length, balance: "0.00" },
  ]);
  expect(await countOf("ledger_entries")).toBe(entries);
});
