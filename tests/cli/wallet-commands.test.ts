import { beforeEach, expect, test } from "vitest";
import { operate } from "../support/operate.ts";
import { sharedApp } from "../support/shared-app.ts";

const app = await sharedApp();
let id: string;

beforeEach(async () => {
  id = `mer_${(await app.createMerchant({ credit: null, testCredit: null })).id}`;
});

const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url });

test("a top-up with a zero too many is taken back, and the statement says why", async () => {
  await run("credit-wallet", id, "50000.00", "--reason", "transfer 9", "--no-bank-reference");
  const back = await run("debit-wallet", id, "45000.00", "--reason", "a zero too many", "--json");
  expect(back.lines).toEqual([{ merchant_id: id, mode: "live", balance: "5000.00" }]);
  const [live, sandbox] = (await run("wallet", id, "--json")).lines;
  expect(live).toMatchObject({
    merchant_id: id,
    mode: "live",
    balance: "5000.00",
    low_balance_threshold: null,
    entries: [
      { kind: "adjustment", amount: "-45000.00", balance_after: "5000.00", reason: "a zero too many" },
      { kind: "top_up", amount: "50000.00", balance_after: "50000.00", reason: "transfer 9" },
    ],
  });
  expect(sandbox).toMatchObject({ mode: "test", balance: "100000.00", entries: [{ kind: "top_up" }] });
  const { lines } = await run("audit", "list", "--json");
  expect(lines.at(-1)).toMatchObject({ command: "debit-wallet", details: { reason: "a zero too many" } });
});

test("no more is taken than the wallet holds", async () => {
  await run("credit-wallet", id, "100.00", "--reason", "transfer 10", "--no-bank-reference");
  const beyond = await run("debit-wallet", id, "100.01", "--reason", "too much");
  expect([beyond.code, beyond.error]).toEqual([1, "amount: The wallet holds less than 100.01.\n"]);
  expect((await run("wallet", id, "--json")).lines[0]).toMatchObject({ balance: "100.00", entries: [{}] });
});

test("a wallet tells its last purchases by their transaction ids, as many as are asked for", async () => {
  const merchant = await app.createMerchant({ credit: null, testCredit: null });
  const body = { reference: "one", product_id: 1002, phone: "08031234567" };
  const bought = await app.call(merchant.testKey, "/data/purchase", { body });
  const { out } = await run("wallet", `mer_${merchant.id}`, "--last", "1");
  expect(out).toContain(`The test wallet of mer_${merchant.id} holds 99360.00;`);
  expect(out).toMatch(new RegExp(`purchase +│ -640.00 +│ 99360.00 +│ ${bought.body.transaction_id}`));
  expect(out).not.toContain("Sandbox starting balance");
});

test.each([
  ["credit-wallet", ""],
  ["debit-wallet", "  "],
  ["credit-wallet", "x".repeat(201)],
])("%s without a reason that can be read is refused: %j", async (command, reason) => {
  const none = command === "credit-wallet" ? ["--no-bank-reference"] : [];
  const { code, error } = await run(command, id, "1.00", "--reason", reason, ...none);
  expect([code, error]).toEqual([1, "reason: Must have 1 to 200 characters: the statement shows it.\n"]);
  expect((await run("wallet", id, "--json")).lines[0]).toMatchObject({ balance: "0.00", entries: [] });
});

test("a wallet of nobody is refused with a sentence", async () => {
  const { code, error } = await run("wallet", "mer_999999");
  expect([code, error]).toEqual([1, "There is no merchant mer_999999.\n"]);
});
