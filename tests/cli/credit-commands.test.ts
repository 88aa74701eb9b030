import { beforeEach, expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

let id: string;
let count = 0;

const own = closing(await ownDatabase());
beforeEach(async () => {
  id = `mer_${(await newMerchant(own.database)).id}`;
});

// What one person booked alone the day before counts no more.
beforeEach(() => own.fresh.pool.query("update wallet_credits set booked_at = booked_at - interval '25 hours'"));
const settings = { CREDIT_ALONE_MAX: "1000.00" };
const runWith = (more: Record<string, string>, words: readonly string[]) =>
  operate(words, { DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: testEncryptionKey, ...more });
const run = (...words: string[]) => runWith(settings, words);
const credit = (amount: string, ...words: string[]) =>
  run("credit-wallet", id, amount, "--reason", "transfer 9", ...words);
const newReference = () => `NIP${String(++count).padStart(27, "0")}`;
const balanceOf = async (merchant = id) => (await run("wallet", merchant, "--json")).lines[0].balance;
const audited = async (command: string) =>
  (await run("audit", "list", "--json")).lines.filter((entry) => entry.command === command);

test("the same top-up typed twice credits once, and says what it was", async () => {
  const reference = newReference();
  const first = await credit("250.50", "--bank-reference", reference, "--by", "Ada");
  expect([first.code, first.out]).toEqual([0, `The live wallet of ${id} holds 250.50 now.\n`]);
  const again = await credit("250.50", "--bank-reference", ` ${reference.toLowerCase()}`);
  expect([again.code, again.error]).toEqual([0, ""]);
  expect(again.out).toMatch(
    new RegExp(
      `^Nothing changes: the same transfer is credit \\d+, 250\\.50 to ${id} \\("transfer 9"\\), booked at \\S+ by Ada\\.\n$`,
    ),
  );
  const [repeated] = (await credit("250.50", "--bank-reference", reference, "--json")).lines;
  expect(repeated).toMatchObject({ status: "booked", repeated: true, bank_reference: reference });
  expect(await balanceOf()).toBe("250.50");
  const [live] = (await run("wallet", id, "--json")).lines;
  expect(live.entries).toMatchObject([{ kind: "top_up", amount: "250.50", bank_reference: reference }]);
});

test("a bank reference of another amount or merchant is refused, and the first credit is shown", async () => {
  const reference = newReference();
  await credit("250.50", "--bank-reference", reference, "--by", "Ada");
  const other = `mer_${(await newMerchant(own.database)).id}`;
  for (const words of [
    [id, "250.51"],
    [other, "250.50"],
  ]) {
    const refused = await run("credit-wallet", ...words, "--reason", "again", "--bank-reference", reference);
    expect([refused.code, refused.out]).toEqual([1, ""]);
    expect(refused.error).toMatch(
      new RegExp(`^Nothing changes: bank reference ${reference} is that of credit \\d+, 250\\.50 to ${id} `),
    );
  }
  expect([await balanceOf(), await balanceOf(other)]).toEqual(["250.50", "0.00"]);
});

test.each([
  [[]],
  [["--bank-reference", "X1", "--no-bank-reference"]],
  [["--no-bank-reference", "--bank-reference", "X1"]],
])("a credit says its bank reference or that there is none, and not both: %j", async (words) => {
  const { code, error } = await credit("250.50", ...words);
  expect([code, error]).toEqual([
    1,
    "error: give --bank-reference, so that a transfer is credited once, or else --no-bank-reference\n",
  ]);
  expect(await balanceOf()).toBe("0.00");
});

test("above what one person may book a credit is asked for, listed, agreed to by another person, and audited", async () => {
  const reference = newReference();
  expect((await credit("1000.00", "--no-bank-reference")).out).toBe(`The live wallet of ${id} holds 1000.00 now.\n`);
  const nameless = await credit("1000.01", "--bank-reference", reference);
  expect([nameless.code, nameless.error]).toEqual([
    1,
    "One person books up to 1000.00 (CREDIT_ALONE_MAX). Ask for more with --by NAME: another person agrees to it.\n",
  ]);
  const requested = await credit("1000.01", "--bank-reference", reference, "--by", "Ada Obi");
  const [, number = ""] = /^Nothing has changed yet: approval (\d+) waits/.exec(requested.out) ?? [];
  expect(requested.out).toContain(`changes agree ${number} --by WHO\n`);
  expect(await balanceOf()).toBe("1000.00");
  expect((await run("changes", "--json")).lines[0]).toMatchObject({
    ...{ change: Number(number), state: "waiting", requested_by: "Ada Obi" },
    fields: { merchant: id, amount: "1000.01", bank_reference: reference, reason: "transfer 9" },
  });
  expect((await run("changes", "show", number)).out).toContain(`summary: Credit ₦1,000.01 to `);
  const again = await credit("1000.01", "--bank-reference", reference, "--by", "Eve");
  expect([again.code, again.out]).toEqual([
    0,
    expect.stringMatching(
      /^Nothing changes: the same transfer is approval \d+, Credit ₦1,000\.01 to .*, asked for by Ada Obi until /,
    ),
  ]);
  const alone = await run("changes", "agree", number, "--by", " ADA  obi ");
  expect([alone.code, alone.error]).toEqual([
    1,
    "Nothing was done. You asked for this yourself, so someone else has to decide.\n",
  ]);
  const agreed = await run("changes", "agree", number, "--by", "Bola");
  expect([agreed.error, agreed.out]).toEqual(["", `₦1,000.01 credited to ${id}. It holds ₦2,000.01 now.\n`]);
  const twice = await run("approve", number, "--by", "Eve");
  expect([twice.code, twice.error]).toEqual([1, "Nothing was done. Someone has decided this already.\n"]);
  expect(await balanceOf()).toBe("2000.01");
  expect((await run("changes", "--json")).lines[0]).toMatchObject({ state: "done", decided_by: "Bola" });
  expect((await audited("credit-wallet")).at(-1).details).toMatchObject({ bankReference: reference, by: "Ada Obi" });
  expect((await audited("console approval approve")).at(-1)).toMatchObject({
    ...{ who: "Bola", details: { approval: Number(number) } },
  });
});

test("a request is refused or withdrawn by a command, which the audit log knows, and frees its reference", async () => {
  const reference = newReference();
  const ask = async () => {
    const { lines } = await credit("5000.00", "--bank-reference", reference, "--by", "Ada", "--json");
    return String(lines[0].approval);
  };
  const first = await ask();
  expect((await run("changes", "withdraw", first, "--by", "Bola")).code).toBe(1);
  const withdrawn = await run("approvals", "withdraw", first, "--by", "Ada");
  expect([withdrawn.code, withdrawn.out]).toEqual([0, `Change ${first} is withdrawn.\n`]);
  const second = await ask();
  const refused = await run("changes", "refuse", second, "--by", "Bola", "--reason", "of another shop", "--json");
  expect(refused.lines[0]).toMatchObject({ state: "refused", reason: "of another shop", decided_by: "Bola" });
  for (const number of [first, second]) {
    expect((await run("approve", number, "--by", "Bola")).error).toContain("Someone has decided this already.");
  }
  expect((await audited("console approval refuse")).at(-1)).toMatchObject({ details: { reason: "of another shop" } });
  expect((await credit("50.00", "--bank-reference", reference)).code).toBe(0);
  expect(await balanceOf()).toBe("50.00");
});

test("with a limit of 0 nobody credits alone, and unless it is set a million naira is the limit", async () => {
  const words = (amount: string) => ["credit-wallet", id, amount, "--reason", "x", "--no-bank-reference"];
  expect((await runWith({ CREDIT_ALONE_MAX: "0" }, words("0.01"))).error).toMatch(/^One person books up to 0\.00 /);
  expect((await runWith({}, words("1000000.01"))).error).toMatch(/^One person books up to 1000000\.00 /);
  expect((await runWith({}, words("1000000.00"))).out).toBe(`The live wallet of ${id} holds 1000000.00 now.\n`);
});

test("a debit leaves the bank reference with its credit, so that it is not credited again", async () => {
  const reference = newReference();
  await credit("800.00", "--bank-reference", reference);
  await run("debit-wallet", id, "800.00", "--reason", "another merchant's");
  expect((await credit("800.00", "--bank-reference", reference)).out).toMatch(/^Nothing changes: /);
  expect(await balanceOf()).toBe("0.00");
});

test("the sandbox is credited with any amount by one person, and takes no bank reference", async () => {
  const { code, out } = await credit("5000.00", "--mode", "test");
  expect([code, out]).toEqual([0, `The test wallet of ${id} holds 105000.00 now.\n`]);
  const referred = await credit("1.00", "--mode", "test", "--bank-reference", newReference());
  expect([referred.code, referred.error]).toEqual([1, "error: --bank-reference is for live wallets\n"]);
});

test("a merchant is created with no more credit than one person may book, all merchants of the command together", async () => {
  const create = (...words: string[]) =>
    run("create-merchant", "--name", "New", "--email", "new@example.com", ...words);
  expect((await create("--credit", "1.00")).error).toMatch(/^error: --credit goes with --no-bank-reference/);
  expect((await create("--credit", "1000.01", "--no-bank-reference")).error).toMatch(
    /^One person credits up to 1000\.00/,
  );
  expect((await create("--credit", "500.01", "--no-bank-reference", "--count", "2")).code).toBe(1);
  const { rows } = await own.fresh.pool.query("select 1 from merchants where name like 'New%'");
  expect(rows).toEqual([]);
  expect((await create("--credit", "500.00", "--no-bank-reference", "--count", "2")).code).toBe(0);
});

test("names and references that no person and no bank would write are refused", async () => {
  const nobody = await credit("1.00", "--no-bank-reference", "--by", "  ");
  expect([nobody.code, nobody.error]).toEqual([
    1,
    expect.stringContaining("It must be a name of 1 to 100 characters."),
  ]);
  const none = await credit("1.00", "--bank-reference", "-");
  expect([none.code, none.error]).toEqual([
    1,
    expect.stringContaining("It must have 1 to 64 letters, digits and signs"),
  ]);
  expect((await run("approve", "999999", "--by", "Ada")).error).toBe("Nothing was done. There is no such request.\n");
  expect((await run("changes", "agree", "1")).error).toBe("Say who decides, with --by or --as.\n");
  expect(await balanceOf()).toBe("0.00");
});
