import { batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import { openLockedWallets } from "../wallet/locked-wallets.ts";
import { paymentKeyText } from "./payment.ts";
import { type BookingOutcome, insertBookings, type PaymentBooking } from "./payment-booking-queries.ts";

export interface BookPayment {
  /**
   * Credits a verified payment, or puts it into suspense, in a commit that it shares with those that arrive meanwhile.
   * Locks the wallet. Safe to repeat. `retry`: somebody holds the wallet; nothing was done.
   */
  (booking: PaymentBooking): Promise<BookingOutcome>;
  idle(): Promise<void>;
}

const batchMax = 128;
/** Each was verified by a request of its own, of which so many are under way. */
const waitingMax = 10_000;
/** A wallet that is held for longer is tried again with the provider's next answer: what waits takes a place of what asks. */
const lockedMsMax = 100;

export function openBookPayment(options: {
  readonly database: Database;
  readonly onBatch?: (size: number) => void;
}): BookPayment {
  const book = batcher<PaymentBooking, BookingOutcome>({
    run: (items) => insertBookings(options.database, items),
    sizeMax: batchMax,
    waitingMax,
    // The second one must see what the first did.
    keyOf: paymentKeyText,
    onBatch: options.onBatch,
  });
  const lockedWallets = openLockedWallets(lockedMsMax);

  function bookPast(booking: PaymentBooking): Promise<BookingOutcome> {
    return lockedWallets.sendPast(walletOf(booking), () => book(booking), isLocked);
  }

  return Object.assign(bookPast, {
    async idle() {
      await lockedWallets.idle();
      await book.idle();
    },
  });
}

const isLocked = (outcome: BookingOutcome) => outcome === "retry";

/** By the receiving account: whose it is, the booking itself finds out. */
function walletOf({ provider, paymentId, transfer }: PaymentBooking): string {
  return `${provider} ${transfer.accountNumber ?? transfer.accountReference ?? paymentId}`;
}
