import { setFlagsFromString } from "node:v8";
import { runInNewContext } from "node:vm";
import { expect, test } from "vitest";
import {
  openStatement,
  readStatementLines,
  streamStatementLines,
} from "../../../../src/domain/history/statement/wallet-statement.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { fundedWallet, walletKey } from "../../../support/wallet.ts";

const entries = 100_000;
const firstDay = Date.UTC(2026, 0, 1);
const minuteMs = 60_000;
const wallet = walletKey(1);

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
await fundedWallet(database, wallet, 0n);
// One a minute.
await fresh.pool.query(
  `insert into ledger_entries (
     wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason,
     created_at
   )
   select 1, n, 'top_up', 'funding', 'wallet', 100, 100, n * 100, 'a transfer of one naira',
          to_timestamp($1::float8 / 1000) + n * interval '1 minute'
     from generate_series(1, $2::integer) as n`,
  [firstDay, entries],
);
await fresh.pool.query("update wallets set seq = $1::bigint, balance = $1::bigint * 100", [entries]);
await fresh.pool.query("analyze ledger_entries");

test("a page far into a large wallet's statement reads a few hundred rows, its balances included", async () => {
  const from = firstDay + 60_000 * minuteMs;
  const before = firstDay + 90_000 * minuteMs;
  const read = async () => {
    const range = await openStatement(database, wallet, { from, before });
    const [line] = await readStatementLines(database, wallet, range, { skip: 25_000, limit: 100 });
    expect([range.openingBalance, range.closingBalance]).toEqual([59_999n * 100n, 89_999n * 100n]);
    expect(line?.seq).toBe(85_000n);
  };
  await read();
  expect(await rowsRead(database, "ledger_entries", read)).toBeLessThan(300);
});

test("a hundred thousand lines are streamed while the memory in use stays where it was", async () => {
  setFlagsFromString("--expose-gc");
  const collect: () => void = runInNewContext("gc");
  const usedMb = () => {
    collect();
    return process.memoryUsage().heapUsed / 1_048_576;
  };
  const range = await openStatement(database, wallet, { from: null, before: null });
  let lines = 0;
  const used: number[] = [];
  for await (const some of streamStatementLines(database, wallet, range)) {
    lines += some.length;
    if (lines % 10_000 === 0) used.push(usedMb());
  }
  expect(lines).toBe(entries);
  // All of them at once are some forty.
  expect(Math.max(...used) - (used[0] ?? 0)).toBeLessThan(8);
});
