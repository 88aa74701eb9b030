import type { WalletId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { commitSecondsMax } from "../../platform/database/commit-state.ts";
import { arrayOfRows, type Queryable, rowOf, type Statement, statement } from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";
import type { PaymentKey, PaymentQuestion } from "./payment.ts";

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
