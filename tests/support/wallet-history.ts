import { type WalletKey, walletIdOf } from "../../src/kernel/ids.ts";
import type { FreshDatabase } from "./database.ts";

export interface MadeEntry {
  /** ISO 8601. */
  readonly at: string;
  /** In kobo; below zero where the wallet pays. */
  readonly amount: number;
  readonly reason?: string;
}

/** Books adjustments behind what a wallet has, at these times, in this order. */
export async function bookAdjustments(
  { pool }: FreshDatabase,
  wallet: WalletKey,
  entries: readonly MadeEntry[],
): Promise<void> {
  await pool.query(
    `with made as (
       select w.wallet_id, w.seq + i.nth as seq, i.amount, i.at, i.reason,
              w.balance + sum(i.amount) over (order by i.nth) as balance_after
         from wallets w
        cross join unnest($2::bigint[], $3::timestamptz[], $4::text[]) with ordinality as i (amount, at, reason, nth)
        where w.wallet_id = $1
     ),
     entered as (
       insert into ledger_entries (
         wallet_id, seq, kind, debit_account, credit_account, amount, delta, balance_after, reason,
         created_at
       )
       select wallet_id, seq, 'adjustment',
              case when amount < 0 then 'wallet' else 'adjustments' end,
              case when amount < 0 then 'adjustments' else 'wallet' end,
              abs(amount), amount, balance_after, reason, at
         from made
     )
     update wallets w
        set seq = m.seq, balance = m.balance_after
       from (select wallet_id, seq, balance_after from made order by seq desc limit 1) m
      where w.wallet_id = m.wallet_id`,
    [
      walletIdOf(wallet),
      entries.map(({ amount }) => amount),
      entries.map(({ at }) => at),
      entries.map(({ reason = "made up" }) => reason),
    ],
  );
}
