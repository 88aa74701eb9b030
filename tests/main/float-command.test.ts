import { afterAll, beforeAll, expect, test } from "vitest";
import { insertPurchases } from "../../src/domain/purchases/queries.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { fundedWallet, newPurchase, walletKey } from "../support/wallet.ts";

let own: Awaited<ReturnType<typeof ownDatabase>>;

beforeAll(async () => {
  own = await ownDatabase();
  const live = await fundedWallet(own.database, walletKey(1), 1_234_567n);
  await fundedWallet(own.database, walletKey(1, "test"), 500n);
  await insertPurchases(own.database, [newPurchase(live, "one"), newPurchase(live, "two")], "2026-11-23");
});
afterAll(() => own.drop());

const run = (...words: string[]) => operate(["float", ...words], { DATABASE_URL: own.fresh.url });

test("the float is told to people in a table whose amounts end in one column", async () => {
  const { code, out } = await run();
  expect(code).toBe(0);
  const lines = out.split("\n").filter((line) => /\d\.\d\d │$/.test(line));
  expect(
    lines.map((line) =>
      line
        .split("│")
        .map((cell) => cell.trim())
        .slice(1, -1),
    ),
  ).toEqual([
    ["merchants' wallets", "", "1", "12145.67"],
    ["in flight", "test-supplier", "2", "200.00"],
    ["wallets and in flight", "", "", "12345.67"],
  ]);
  expect(new Set(lines.map((line) => line.length)).size).toBe(1);
});

test("the float is told to programs in one line, of the sandbox as well", async () => {
  const [live] = (await run("--json")).lines;
  expect(live).toEqual({
    at: expect.stringMatching(/\+01:00$/),
    mode: "live",
    wallets: { count: "1", amount: "12145.67" },
    in_flight: [{ supplier: "test-supplier", purchases: "2", amount: "200.00" }],
    total: "12345.67",
  });
  const [sandbox] = (await run("--mode", "test", "--json")).lines;
  expect(sandbox).toMatchObject({ mode: "test", wallets: { amount: "5.00" }, in_flight: [], total: "5.00" });
});
