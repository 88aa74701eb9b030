import type { Instant } from "../../kernel/clock.ts";
import { type WalletId, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { arrayOf, type Queryable, statement } from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";

/** A credited payment that its merchant was not told of. */
export interface UnannouncedPayment {
  readonly number: number;
  readonly walletId: WalletId;
}

const listUnannounced = statement(
  "list_unannounced_payments",
  `select number, wallet_id as "walletId"
     from payment_announcements
    order by number
    limit $1`,
);

/** Oldest first. */
export function listUnannouncedPayments(db: Queryable, limit: number): Promise<UnannouncedPayment[]> {
  return db.query(listUnannounced, [limit]);
}

const findLast = statement(
  "find_last_payment",
  `select credited,
          credited_at as "creditedAt"
     from payments
    where wallet_id = $1
    order by entry_seq desc
    limit 1`,
);

/** What a wallet was credited last of a transfer; null where it never was. */
export async function findLastPayment(
  db: Queryable,
  wallet: WalletKey,
): Promise<{ readonly credited: Kobo; readonly creditedAt: Instant } | null> {
  const [row] = await db.query<{ credited: Kobo; creditedAt: Instant }>(findLast, [walletIdOf(wallet)]);
  return row ?? null;
}

/** What a merchant is told of a payment. */
export interface FundedPayment {
  readonly walletId: WalletId;
  readonly number: number;
  readonly amount: Kobo;
  readonly fee: Kobo;
  readonly credited: Kobo;
  readonly balanceAfter: Kobo;
  readonly accountNumber: string | null;
  readonly sender: Transfer["sender"];
  readonly paidAt: Instant;
  readonly creditedAt: Instant;
}

const deleteUnannounced = statement(
  "delete_payment_announcements",
  `delete from payment_announcements a
    using (
            select number
              from payment_announcements
             where number = any ($1::integer[])
               for update skip locked
          ) due
    where a.number = due.number
   returning a.number`,
);

// By wallet: what is locked for them is locked in one order.
const listFunded = statement(
  "list_funded_payments",
  `select p.wallet_id as "walletId", p.number, p.amount, p.fee, p.credited, e.balance_after as "balanceAfter",
          p.account_number as "accountNumber", p.sender, p.paid_at as "paidAt", p.credited_at as "creditedAt"
     from payments p
     join ledger_entries e
       on e.wallet_id = p.wallet_id and e.seq = p.entry_seq
    where p.number = any ($1::integer[])
    order by p.wallet_id, p.number`,
);

/**
 * Marks payments as told, in the transaction that tells them. Passes by those that somebody else tells.
 * @returns those that are to be told here, in the order in which their wallets' rows are locked
 */
export async function deletePaymentAnnouncements(db: Queryable, numbers: readonly number[]): Promise<FundedPayment[]> {
  const due = await db.query<{ number: number }>(deleteUnannounced, [arrayOf(numbers)]);
  if (due.length === 0) return [];
  return db.query<FundedPayment>(listFunded, [arrayOf(due.map(({ number }) => number))]);
}
