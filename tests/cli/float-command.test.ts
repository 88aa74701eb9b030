import { expect, test } from "vitest";
import { insertPurchases } from "../../src/domain/purchases/queries.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { fundedWallet, newPurchase, walletKey } from "../support/wallet.ts";

const own = closing(await ownDatabase());
const live = await fundedWallet(own.database, walletKey(1), 1_234_567n);
await fundedWallet(own.database, walletKey(1, "test"), 500n);
await insertPurchases(own.database, [newPurchase(live, "one"), newPurchase(live, "two")], "2026-11-23");
await own.fresh.pool.query(`
  insert into suppliers (name, connector, settings)
  values ('rich', 'vtpass', '{}'), ('poor', 'vtpass', '{}'), ('desk', 'manual', '{}');
  insert into supplier_balances (supplier, balance, reported_at)
  values ('rich', 250000050, '2026-11-23T08:00:00Z'), ('poor', 100, '2026-11-23T09:00:00Z')`);

const run = (...words: string[]) => operate(["float", ...words], { DATABASE_URL: own.fresh.url });

test("the float is told to people in a table whose amounts end in one column", async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  const rows = out.split("\n").flatMap((line) => (line.startsWith("│") ? [line.split("│").slice(1, -1)] : []));
  expect(rows.slice(1).map((cells) => cells.map((cell) => cell.trim()))).toEqual([
    ["merchants' wallets", "", "1", "12145.67", ""],
    ["in flight", "test-supplier", "2", "200.00", ""],
    ["wallets and in flight", "", "", "12345.67", ""],
    ["held by supplier", "desk", "", "not reported", ""],
    ["held by supplier", "poor", "", "1.00", "2026-11-23T10:00:00+01:00"],
    ["held by supplier", "rich", "", "2500000.50", "2026-11-23T09:00:00+01:00"],
    ["held by all suppliers", "", "", "2500001.50", ""],
  ]);
  for (const [, , , amount = ""] of rows.slice(1)) expect(amount).toMatch(/\S $/);
});

test("the float is told to programs in one line, of the sandbox as well", async () => {
  const [live] = (await run("--json")).lines;
  expect(live).toEqual({
    at: expect.stringMatching(/\+01:00$/),
    mode: "live",
    wallets: { count: "1", amount: "12145.67" },
    in_flight: [{ supplier: "test-supplier", purchases: "2", amount: "200.00" }],
    merchants_total: "12345.67",
    suppliers: [
      { supplier: "desk", balance: null, told_at: null },
      { supplier: "poor", balance: "1.00", told_at: "2026-11-23T10:00:00+01:00" },
      { supplier: "rich", balance: "2500000.50", told_at: "2026-11-23T09:00:00+01:00" },
    ],
    suppliers_total: "2500001.50",
    payment_providers: [],
    unmatched: { count: "0", amount: "0.00" },
    owed_by_merchants: { count: "0", amount: "0.00" },
  });
  const [sandbox] = (await run("--mode", "test", "--json")).lines;
  expect(sandbox).toMatchObject({ wallets: { amount: "5.00" }, in_flight: [], merchants_total: "5.00", suppliers: [] });
});
