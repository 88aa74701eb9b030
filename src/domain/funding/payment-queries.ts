import { assert } from "../../kernel/assert.ts";
import type { Instant } from "../../kernel/clock.ts";
import { type WalletId, type WalletKey, walletIdOf } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { commitSecondsMax } from "../../platform/database/commit-state.ts";
import {
  arrayOf,
  arrayOfRows,
  type Queryable,
  rowOf,
  type Statement,
  statement,
} from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";
import { type PaymentKey, type PaymentQuestion, type ProviderClaims, paymentKeyText } from "./payment.ts";

const questionColumns = `p.provider,
             p.payment_id as "paymentId",
             p.state,
             p.epoch,
             p.tries,
             p.heard_at as "receivedAt"`;

const insertReceived = statement(
  "insert_received_payments",
  `insert into payments as p (provider, payment_id, heard_by, evidence, due_at, epoch, tries)
   select i.provider, i.payment_id, 'event', i.evidence, now() + make_interval(secs => i.lease_seconds),
          case when i.is_refund then 1 else 0 end, case when i.lease_seconds > 0 then 1 else 0 end
     from unnest($1::text[], $2::text[], $3::text[], $4::integer[], $5::boolean[])
       as i (provider, payment_id, evidence, lease_seconds, is_refund)
    order by i.provider, i.payment_id
       on conflict (provider, payment_id) do update
          set due_at = excluded.due_at,
              epoch = p.epoch + 1,
              tries = excluded.tries
   returning ${questionColumns}`,
);

/** What an event told of, and for how long the question that it leads to is leased: with 0, the next claim has it. */
export interface ReceivedPayment extends PaymentKey {
  readonly evidence: string;
  readonly leaseSeconds: number;
  /** It goes back: once it is booked, it is asked about again. */
  readonly isRefund: boolean;
}

/**
 * Keeps what events told of, no payment twice, and that their providers are to be asked, in one commit. Safe to repeat.
 * @returns the questions, in the order of the items
 */
export async function insertReceivedPayments(
  db: Queryable,
  items: readonly ReceivedPayment[],
): Promise<PaymentQuestion[]> {
  const column = (read: (item: ReceivedPayment) => string | number | boolean) => arrayOf(items.map(read));
  const rows = await db.query<PaymentQuestion>(insertReceived, [
    column(({ provider }) => provider),
    column(({ paymentId }) => paymentId),
    column(({ evidence }) => evidence),
    column(({ leaseSeconds }) => leaseSeconds),
    column(({ isRefund }) => isRefund),
  ]);
  const questions = new Map(rows.map((row) => [paymentKeyText(row), row]));
  return items.map((item) => {
    const question = questions.get(paymentKeyText(item));
    assert(question !== undefined, "what is received is kept");
    return question;
  });
}

const insertListed = statement(
  "insert_listed_payments",
  `insert into payments (provider, payment_id, heard_by)
   select $1, i.payment_id, 'list'
     from unnest($2::text[]) as i (payment_id)
       on conflict (provider, payment_id) do nothing
   returning payment_id as "paymentId"`,
);

/** Keeps those of a provider's list that nobody told of yet. Safe to repeat. @returns how many there were */
export async function insertListedPayments(
  db: Queryable,
  provider: string,
  paymentIds: readonly string[],
): Promise<number> {
  return (await db.query(insertListed, [provider, paymentIds])).length;
}

// Of one that nobody asked about since its last event, nobody has the epoch yet.
const claimDue = statement(
  "claim_due_payments",
  `update payments p
      set epoch = p.epoch + case when p.tries > 0 then 1 else 0 end,
          tries = p.tries + 1,
          due_at = now() + make_interval(secs => $3)
     from (
            select d.provider, d.payment_id
              from payments d
             where d.due_at <= now() and d.provider <> all ($1::text[])
             order by (d.state <> 'heard'), d.due_at
             limit $2
               for update skip locked
          ) due
    where p.provider = due.provider and p.payment_id = due.payment_id
   returning ${questionColumns}`,
);

/**
 * Leases payments whose time has come: those that are not booked yet first, of them the oldest first. Skips what another
 * worker holds.
 */
export function claimDuePayments(db: Queryable, options: ProviderClaims): Promise<PaymentQuestion[]> {
  return db.query(claimDue, [options.exceptOf, options.limit, options.leaseSeconds]);
}

const postpone = statement(
  "update_payment_due",
  `update payments
      set due_at = now() + make_interval(secs => $4),
          evidence = $5
    where provider = $1 and payment_id = $2 and epoch = $3`,
);

/** Puts a question off. One whose lease was lost is left alone. */
export async function updatePaymentDue(
  db: Queryable,
  { provider, paymentId, epoch }: PaymentQuestion,
  { dueSeconds, evidence }: { readonly dueSeconds: number; readonly evidence: string },
): Promise<void> {
  await db.query(postpone, [provider, paymentId, epoch, dueSeconds, evidence]);
}

const refuseReceived = statement(
  "update_payment_refused",
  `update payments
      set state = case when state = 'heard' then 'refused' else state end,
          contradiction = case when state in ('credited', 'unmatched') then $5 else contradiction end,
          contradiction_end = case when contradiction = $5 then contradiction_end end,
          contradiction_note = case when contradiction = $5 then contradiction_note end,
          contradiction_ended_by = case when contradiction = $5 then contradiction_ended_by end,
          contradiction_ended_at = case when contradiction = $5 then contradiction_ended_at end,
          due_at = null,
          evidence = $4
    where provider = $1 and payment_id = $2 and epoch = $3
   returning state`,
);

/**
 * Ends a question about what never became money, for this reason. What is credited or in suspense stays so, and a person
 * is told of the contradiction, anew where it is another one than a person ended. One whose lease was lost is left alone.
 */
export async function updatePaymentRefused(
  db: Queryable,
  { provider, paymentId, epoch }: PaymentQuestion,
  { reason, evidence }: { readonly reason: string; readonly evidence: string },
): Promise<void> {
  await db.query(refuseReceived, [provider, paymentId, epoch, evidence, `It never became money: ${reason}`]);
}

/** A verified payment, to be booked. */
export interface PaymentBooking extends PaymentKey {
  readonly epoch: number;
  /** The live wallet that a person chose; null: that of the receiving account, if it is somebody's. */
  readonly walletId: number | null;
  readonly transfer: Transfer;
  readonly credited: Kobo;
  /** What the wallet statement says. */
  readonly reason: string;
  /** Redacted. */
  readonly evidence: string;
  /** Whether its provider is asked once more: some of it went back, or may have. */
  readonly isDue: boolean;
}

export type BookingOutcome = "booked" | "gone" | "retry";

const bookPayments: Statement = {
  name: "book_payments",
  text: "select outcome from book_payments($1::payment_booking[])",
  secondsMax: commitSecondsMax,
};

/** Books verified payments in one commit. Locks their wallets, passing by those that somebody holds. Safe to repeat. */
export async function insertBookings(db: Queryable, items: readonly PaymentBooking[]): Promise<BookingOutcome[]> {
  const rows = await db.query<{ outcome: BookingOutcome }>(bookPayments, [arrayOfRows(items.map(bookingRow))]);
  return rows.map(({ outcome }) => outcome);
}

/** A row of the type `payment_booking`, in the order of its columns. */
function bookingRow({ transfer, ...item }: PaymentBooking): string {
  return rowOf([
    item.provider,
    item.paymentId,
    item.epoch,
    item.walletId,
    transfer.amount,
    transfer.fee,
    item.credited,
    item.reason,
    transfer.accountNumber,
    transfer.accountReference,
    JSON.stringify(transfer.sender),
    new Date(transfer.paidAt).toISOString(),
    item.evidence,
    item.isDue,
  ]);
}

const bookTakenBack = statement(
  "take_back_payment",
  `select debited, owed as debt, credited_wallet as "walletId"
     from take_back_payment($1, $2, $3, $4, $5, $6)`,
);

/** What was debited, and what became a debt of the wallet; null where the payment was nobody's. */
export interface TakenBack {
  readonly debited: Kobo;
  readonly debt: Kobo;
  readonly walletId: WalletId | null;
}

/**
 * Books what a provider took back of a verified payment, `takenBack` in all. Locks its wallet. Safe to repeat.
 * @returns null where the lease was lost
 */
export async function updateTakenBack(
  db: Queryable,
  { provider, paymentId, epoch }: PaymentQuestion,
  given: { readonly takenBack: Kobo; readonly reason: string; readonly evidence: string },
): Promise<TakenBack | null> {
  const values = [provider, paymentId, epoch, given.takenBack, given.reason, given.evidence];
  const [row] = await db.query<TakenBack>(bookTakenBack, values);
  return row ?? null;
}

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
