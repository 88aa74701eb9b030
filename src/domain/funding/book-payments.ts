import { batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import { rest } from "../../platform/pacing.ts";
import { paymentKeyText } from "./payment.ts";
import { type BookingOutcome, insertBookings, type PaymentBooking } from "./payment-queries.ts";

export interface BookPayment {
  /**
   * Credits a verified payment, or puts it into suspense, in a commit that it shares with those that arrive meanwhile.
   * Locks the wallet. Safe to repeat. `busy`: somebody holds the wallet; nothing was done.
   */
  (booking: PaymentBooking): Promise<"booked" | "gone" | "busy">;
  idle(): Promise<void>;
}

const batchMax = 128;
/** Each was verified by a request of its own, of which so many are under way. */
const waitingMax = 10_000;
const pausesMs = [20, 50, 100, 200, 400];

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

  async function bookPast(booking: PaymentBooking): Promise<"booked" | "gone" | "busy"> {
    for (const pauseMs of pausesMs) {
      const outcome = await book(booking);
      if (outcome !== "retry") return outcome;
      // Out of the batches meanwhile: a held wallet costs all in its batch a moment.
      await rest(pauseMs);
    }
    return "busy";
  }

  return Object.assign(bookPast, { idle: book.idle });
}
