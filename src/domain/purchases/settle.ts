import { assert } from "../../kernel/assert.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type TransactionIds, walletName } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Batcher } from "../../platform/database/batcher.ts";
import { batcher } from "../../platform/database/batcher.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { oneATurn } from "../../platform/pacing.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { How } from "../webhooks/endpoints/endpoint.ts";
import type { Announcements } from "./announce.ts";
import { openHashCodes } from "./fulfilment/delivered-codes.ts";
import { storedFulfilment } from "./fulfilment/sealed-fulfilment.ts";
import type { EndedPurchase, FinalOutcome, Purchase } from "./purchase.ts";
import { ended } from "./purchase.ts";
import { findPurchase } from "./queries.ts";
import { type Settlement, updateSettled, updateSettledTogether } from "./settle-queries.ts";

export interface Settle {
  /**
   * Ends a pending purchase, refunding it when it failed. `epoch` is the lease under which the caller acts.
   * Answers the purchase as it stands afterwards: where somebody else was first, or the lease was lost, that may be
   * another end than the one given, or none yet. None either where it would hand over what another sale got before.
   */
  (purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase>;
  /**
   * Ends many pending purchases in one transaction of `database`, all or none, and with them what `alongside` writes.
   * Locks as the other does; holds its locks for some seconds where they are thousands.
   * @throws Refusal VALIDATION_ERROR where one of them has ended or went on meanwhile, or hands over another sale's goods
   */
  together(
    database: Database,
    ends: readonly FoundEnd[],
    alongside: (tx: Tx) => Promise<void>,
  ): Promise<readonly EndedPurchase[]>;
  idle(): Promise<void>;
}

/** A pending purchase, how it is to end, and what that rests on, redacted. */
export interface FoundEnd {
  readonly purchase: Purchase;
  readonly outcome: FinalOutcome;
  readonly evidence: string;
}

export interface Lease {
  /** 0 for the request that made the purchase, whose response tells the end; null for a caller without a lease. */
  readonly epoch: number | null;
  /**
   * Whether that response still finds somebody: who hung up and asked again was told "pending", and waits for an event.
   * Where absent it does.
   */
  readonly isAwaited?: (() => boolean) | undefined;
  /** What the supplier said, redacted: kept for the operator. */
  readonly evidence: string | null;
}

/** For how long it is tried to store what a supplier said, once the database is away: some say it only once. */
export const persistRetryMs = 50_000;

/** Our name for the purchase's present attempt at its supplier. */
export function supplierReferenceOf(transactionIds: TransactionIds, purchase: Purchase): string {
  return `${transactionIds.format(purchase.id, purchase.wallet.mode)}-${purchase.attempt}`;
}

/**
 * C2, the only door to a final status: the request itself, requery, callback and review all end here, so that a
 * refund or an event cannot be forgotten. Many in one commit. Locks inflight rows, then wallets of failed purchases,
 * both in key order. Safe to repeat: the second to come finds the door shut.
 */
export function openSettle(options: {
  readonly database: Database;
  readonly clock: Clock;
  readonly announcements: Announcements;
  readonly secretBox: SecretBox;
  readonly transactionIds: TransactionIds;
  /** An event is owed since just now. */
  readonly onEnqueued?: () => void;
  /** A purchase has ended, in this process and for good. */
  readonly onEnded?: (end: EndedPurchase) => void;
  readonly onBatch?: (size: number) => void;
}): Settle {
  const { database, clock, announcements, secretBox, transactionIds, onEnqueued = () => {}, onEnded } = options;
  const hashCodes = openHashCodes(options);
  const settledHere: Batcher<Ending, boolean> = batcher({
    async run(items) {
      // Here and not before: when the database is away, this waits for it with the rest of the batch.
      const events = await Promise.all(items.map(({ end, lease }) => announcements.preparePurchase(end, howOf(lease))));
      const codes = await Promise.all(items.map(({ end }) => hashCodes(end, end.fulfilment)));
      const settlements = items.map((item, i) => {
        return settlementOf(transactionIds, item, { events: events[i] ?? [], codes: codes[i] ?? [] });
      });
      const rows = await updateSettled(database, settlements);
      const isSettled = items.map(() => false);
      for (const row of rows) isSettled[Number(row.ordinal) - 1] = true;
      if (events.some((due, i) => due.length > 0 && isSettled[i])) onEnqueued();
      if (onEnded !== undefined) for (const [i, { end }] of items.entries()) if (isSettled[i]) onEnded(end);
      return isSettled;
    },
    sizeMax: 128,
    inFlightMax: 2,
    waitingMax: 20_000,
    retryMs: persistRetryMs,
    onBatch: options.onBatch,
    keyOf: ({ end }) => `${walletName(end.wallet)} ${end.id}`,
  });

  function endingOf(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Ending {
    const end = ended(purchase, outcome, Math.max(clock.now(), purchase.purchasedAt));
    return { end, fulfilment: storedFulfilment(secretBox, end, end.fulfilment), lease };
  }

  async function settle(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase> {
    // Here, not with the batch: it takes some time, and a batch would hold up everybody for all of it.
    const ending = endingOf(purchase, outcome, lease);
    if (await settledHere(ending)) return ending.end;
    const stored = await findPurchase(database, purchase.wallet, purchase.id);
    assert(stored !== null, "a purchase that was accepted stays stored");
    return stored;
  }

  async function together(
    db: Database,
    ends: readonly FoundEnd[],
    alongside: (tx: Tx) => Promise<void>,
  ): Promise<readonly EndedPurchase[]> {
    const pause = oneATurn();
    const endings: Ending[] = [];
    const settlements: Settlement[] = [];
    for (const [i, { purchase, outcome, evidence }] of ends.entries()) {
      // Sales go on between: to seal thousands takes a second.
      if (i % 100 === 99) await pause();
      const ending = endingOf(purchase, outcome, { epoch: null, evidence });
      const events = await announcements.preparePurchase(ending.end, howOf(ending.lease));
      const codes = await hashCodes(purchase, ending.end.fulfilment);
      endings.push(ending);
      settlements.push(settlementOf(transactionIds, ending, { events, codes }));
    }
    await db.transaction(async (tx) => {
      const missing = settlements.length - (await updateSettledTogether(tx, settlements));
      if (missing > 0) throw refuse("VALIDATION_ERROR", { message: changedMeanwhile(missing, settlements.length) });
      await alongside(tx);
    });
    if (settlements.some(({ events }) => events.length > 0)) onEnqueued();
    for (const { end } of endings) onEnded?.(end);
    return endings.map(({ end }) => end);
  }

  return Object.assign(settle, { together, idle: () => settledHere.idle() });
}

function changedMeanwhile(count: number, all: number): string {
  const said = `${count} of ${all} sales ended or went on meanwhile, or hand over what another sale got before.`;
  return `${said} Nothing was changed: look at them again.`;
}

/** A purchase as it is to end, and under which lease. */
interface Ending {
  readonly end: EndedPurchase;
  /** As it is stored. */
  readonly fulfilment: JsonObject | null;
  readonly lease: Lease;
}

function howOf({ epoch, isAwaited }: Lease): How {
  return epoch === 0 && isAwaited?.() !== false ? "final_in_own_response" : "changed";
}

function settlementOf(
  transactionIds: TransactionIds,
  { end, fulfilment, lease }: Ending,
  besides: Pick<Settlement, "events" | "codes">,
): Settlement {
  return {
    wallet: end.wallet,
    id: end.id,
    reference: end.reference,
    epoch: lease.epoch,
    status: end.status,
    errorCode: end.errorCode,
    providerReference: end.providerReference,
    fulfilment,
    supplierReference: supplierReferenceOf(transactionIds, end),
    evidence: lease.evidence,
    attempt: end.attempt,
    completedAt: end.completedAt,
    ...besides,
  };
}
