import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { operate } from "../support/operate.ts";
import { sharedApp } from "../support/shared-app.ts";
import { bookAdjustments } from "../support/wallet-history.ts";

const app = await sharedApp();

const history = [
  { at: "2026-10-31T23:59:59+01:00", amount: 100_000, reason: "before" },
  { at: "2026-11-01T00:00:00+01:00", amount: 50_000, reason: "transfer 9" },
  { at: "2026-11-30T23:59:59.999+01:00", amount: -20_000, reason: "=1+1" },
  { at: "2026-12-01T00:00:00+01:00", amount: 1, reason: "behind" },
];

const merchant = await app.createMerchant({ credit: null });
const id = `mer_${merchant.id}`;
const wallet = { merchantId: merchant.id, mode: "live" } as const;
await bookAdjustments(app.fresh, wallet, history);

const run = (...words: string[]) => operate(["statement", ...words], { DATABASE_URL: app.fresh.url });
const november = ["--from", "2026-11-01", "--to", "2026-11-30"];

test("a month's statement opens and closes with balances that its entries lead from and to", async () => {
  const { code, out } = await run(id, ...november);
  expect(code).toBe(0);
  const lines = out.split("\n");
  expect(lines.slice(0, 3).map((line) => line.replace(/ +/g, " "))).toEqual([
    `The live wallet of ${id} from 2026-11-01 to 2026-11-30: 2 entries.`,
    "Opening balance: 1000.00",
    "at kind amount balance after what for",
  ]);
  expect(lines[3]).toMatch(/^2026-11-01T00:00:00\+01:00 +adjustment +500\.00 +1500\.00 +transfer 9$/);
  expect(lines[4]).toMatch(/^2026-11-30T23:59:59\+01:00 +adjustment +-200\.00 +1300\.00 +=1\+1$/);
  expect(lines[5]).toBe("Closing balance: 1300.00");
  expect(out).toMatch(/adjustment +│ 2 +│ 300\.00/);
});

test("as CSV the entries alone are written, and the balances told beside them", async () => {
  const { code, out, error } = await run(id, ...november, "--csv");
  expect(code).toBe(0);
  expect(parse(out, { columns: true })).toMatchObject([
    { seq: "2", kind: "adjustment", description: "transfer 9", amount: "500.00", balance_after: "1500.00" },
    { seq: "3", kind: "adjustment", description: "'=1+1", amount: "-200.00", balance_after: "1300.00" },
  ]);
  expect(error).toBe(
    "Opening balance: 1000.00. Closing balance: 1300.00. Entries: 2.\nadjustment: 2 entries, 300.00\n",
  );
});

test("the CSV of the command and of the API are the same bytes", async () => {
  const { out } = await run(id, ...november, "--csv");
  const path = "/wallet/statement?from=2026-11-01&to=2026-11-30";
  const { body } = await app.call(merchant.liveKey, path, { headers: { accept: "text/csv" } });
  expect(out).toBe(body);
});

test("a program reads each entry, and at the end what they come to", async () => {
  const { lines } = await run(id, ...november, "--json");
  expect(lines).toMatchObject([
    { seq: 2, amount: "500.00" },
    { seq: 3, amount: "-200.00" },
    {
      merchant_id: id,
      mode: "live",
      opening_balance: "1000.00",
      closing_balance: "1300.00",
      entries: 2,
      kinds: [{ kind: "adjustment", entries: 2, amount: "300.00" }],
    },
  ]);
});

test("the sandbox wallet has a statement of its own, which names purchases", async () => {
  const body = { reference: "one", product_id: 1002, phone: "08031234567" };
  const bought = await app.call(merchant.testKey, "/data/purchase", { body });
  const { lines } = await run(id, "--from", "2020-01-01", "--to", "2099-01-01", "--mode", "test", "--json");
  expect(lines).toMatchObject([
    { kind: "top_up", amount: "100000.00" },
    { kind: "purchase", reference: "one", transaction_id: bought.body.transaction_id, amount: "-640.00" },
    { mode: "test", opening_balance: "0.00", closing_balance: "99360.00", entries: 2 },
  ]);
});

test("a time without entries opens and closes with the same balance", async () => {
  const { code, out } = await run(id, "--from", "2026-11-05", "--to", "2026-11-06");
  expect([code, out.split("\n").slice(1, 3)]).toEqual([0, ["Opening balance: 1500.00", "Closing balance: 1500.00"]]);
});

test.each([
  [["mer_999999", ...november], "There is no merchant mer_999999.\n"],
  [["mer_1", "--from", "2026-11-30", "--to", "2026-11-01"], "--from must not come after --to.\n"],
  [["mer_1", "--from", "2026-02-30", "--to", "2026-11-01"], "There is no such day.\n"],
])("%j is refused with a sentence", async (words, sentence) => {
  const { code, out, error } = await run(...words);
  expect([code, out, error]).toEqual([1, "", sentence]);
});

test("a date that is none is refused before anything is asked", async () => {
  const { code, error } = await run(id, "--from", "yesterday", "--to", "2026-11-01");
  expect([code, error]).toEqual([1, expect.stringContaining("It must be a date such as 2026-11-01.")]);
});
