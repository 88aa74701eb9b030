import { assert } from "../../kernel/assert.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import { purchaseTime, walletName } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import { type Batcher, batcher, type Overloaded } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import { openLockedWallets } from "../wallet/locked-wallets.ts";
import { openLostCalls } from "./lost-calls.ts";
import { acceptedPurchase, type Purchase } from "./purchase.ts";
import { type AcceptRow, insertPurchases, isPurchaseIdTaken, type NewPurchase } from "./queries.ts";

/** The result of charging a purchase to its wallet. */
export type AcceptResult =
  | { readonly kind: "accepted"; readonly purchase: Purchase }
  /** The reference names a stored purchase: it is the answer, or a conflict. */
  | { readonly kind: "known" }
  /** The reference names a bulk order. */
  | { readonly kind: "bulk_reference" }
  /** Its id is older than purchases that are counted already, or another one's: it has to be prepared anew. */
  | { readonly kind: "late" }
  | { readonly kind: "insufficient_balance"; readonly balance: Kobo }
  | { readonly kind: "over_daily_limit"; readonly spentToday: Kobo };

export interface Accept {
  (purchase: NewPurchase): Promise<AcceptResult>;
  idle(): Promise<void>;
}

const batchMax = 128;
const waitingMax = 20_000;
/** Each round settles at least the first of a wallet's waiting purchases, so this many rounds mean a fault of ours. */
const roundsMax = 1_000;
/** Its client still waits then. */
const lockedMsMax = 5_000;

/**
 * C1: charges and records purchases, many in one commit, each once per reference. After it resolves, the purchase is
 * durable and will end, whatever happens to this process.
 * Locks the wallets of the batch in key order. Safe to repeat with the same id.
 * @throws Overloaded where somebody else has held the wallet for seconds: nothing was charged; CommitUnknown where that may
 * be this purchase, sent over a connection that was lost
 */
export function openAccept(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  /** Why no charge would come back now; null while they do. */
  readonly refusal?: () => Overloaded | null;
  readonly onBatch?: (size: number) => void;
}): Accept {
  const { database, clock, wallTime, refusal = () => null, onBatch } = options;
  const lost = openLostCalls<NewPurchase>(refusal);
  const send: Batcher<NewPurchase, AcceptRow> = batcher({
    run: (items) => lost.watch(items, () => insertPurchases(database, items, wallTime.dayOf(clock.now()).date)),
    sizeMax: batchMax,
    inFlightMax: 2,
    waitingMax,
    onBatch,
    // The second of two equal references must find the first one stored. In batches of two processes they meet at the
    // wallet's lock.
    keyOf: ({ terms }) => `${walletName(terms.wallet)} ${terms.reference}`,
  });

  const lockedWallets = openLockedWallets(lockedMsMax);

  async function accept(purchase: NewPurchase): Promise<AcceptResult> {
    try {
      for (let round = 0; round < roundsMax; round++) {
        const row = await lockedWallets.sendPast(walletName(purchase.terms.wallet), () => send(purchase), isLocked);
        if (isLocked(row)) throw lost.givenUp(purchase);
        if (row.outcome !== "retry") return acceptanceOf(purchase, row);
      }
    } catch (error) {
      if (isPurchaseIdTaken(error)) return { kind: "late" };
      throw error;
    }
    throw new AcceptStarved();
  }

  async function idle(): Promise<void> {
    await lockedWallets.idle();
    await send.idle();
  }

  return Object.assign(accept, { idle });
}

const isLocked = ({ outcome, balance }: AcceptRow) => outcome === "retry" && balance === null;

class AcceptStarved extends Error {
  override readonly name = "AcceptStarved";
}

function acceptanceOf(purchase: NewPurchase, row: AcceptRow): AcceptResult {
  assert(row.outcome !== "no_wallet", "every merchant has its wallets");
  if (row.outcome === "known") return { kind: "known" };
  if (row.outcome === "bulk") return { kind: "bulk_reference" };
  if (row.outcome === "late") return { kind: "late" };
  const { number, balance } = row;
  assert(balance !== null, "a wallet that was looked at has a balance");
  if (row.outcome === "insufficient") return { kind: "insufficient_balance", balance };
  if (row.outcome === "over_limit") return { kind: "over_daily_limit", spentToday: row.spentToday };
  assert(number !== null, "an accepted purchase has a number");
  const { terms, vended } = purchase;
  const accepted = { number, balanceBefore: balance, purchasedAt: purchaseTime(terms.id), vended };
  return { kind: "accepted", purchase: acceptedPurchase(terms, accepted) };
}
