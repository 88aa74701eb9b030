import { assert } from "../../kernel/assert.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type TransactionIds, walletName } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Batcher } from "../../platform/database/batcher.ts";
import { batcher } from "../../platform/database/batcher.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { CommitUnknown } from "../../platform/database/database-errors.ts";
import { openYieldToEventLoop } from "../../platform/pacing.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import { openLockedWallets } from "../wallet/locked-wallets.ts";
import type { How } from "../webhooks/endpoints/endpoint.ts";
import type { Announcements } from "./announce.ts";
import { type HashCodes, openHashCodes } from "./fulfilment/delivered-codes.ts";
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
   * Ends many pending purchases in transactions of `database`, a chunk in each, and with them what `alongside` writes
   * about those, by their places in `ends`. Locks as the other does, but waits for wallets, and holds none for longer than
   * a chunk takes. The first chunk ends whole or not at all; of later ones, what ended meanwhile is left as it is, and a
   * crash leaves the rest to be ended again. With `isPart` the first chunk is left in the same way.
   * @returns what was ended
   * @throws Refusal VALIDATION_ERROR where one of the first chunk has ended or went on meanwhile, or hands over another
   * sale's goods: nothing was changed
   */
  together(
    database: Database,
    ends: readonly FoundEnd[],
    alongside: (tx: Tx, nths: readonly number[]) => Promise<void>,
    given?: { readonly isPart: boolean },
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

/** How many are ended in one transaction: it holds their wallets for some hundredths of a second. */
const chunkMax = 200;

/** Our name for the purchase's present attempt at its supplier. */
export function supplierReferenceOf(transactionIds: TransactionIds, purchase: Purchase): string {
  return `${transactionIds.format(purchase.id, purchase.wallet.mode)}-${purchase.attempt}`;
}

interface SettleOptions {
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
}

/**
 * C2, the only door to a final status: the request itself, requery, callback and review all end here, so that a
 * refund or an event cannot be forgotten. Many in one commit. Locks wallets of failed purchases, then codes, inflight
 * rows and bulk orders, each in key order; what needs a wallet that somebody holds is tried again until it is free, for as long as
 * `persistRetryMs`. Safe to repeat: the second to come finds the door shut.
 */
export function openSettle(options: SettleOptions): Settle {
  const { database, clock, secretBox } = options;
  const lockedWallets = openLockedWallets(persistRetryMs);
  const hashCodes = openHashCodes(options);
  const send = openEnds(options, hashCodes);

  function endingOf(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Ending {
    const end = ended(purchase, outcome, Math.max(clock.now(), purchase.purchasedAt));
    return { end, fulfilment: storedFulfilment(secretBox, end, end.fulfilment), lease };
  }

  async function endOnce(ending: Ending): Promise<Ended> {
    // Only a failed one needs its wallet.
    if (ending.end.status !== "failed") return send(ending);
    const result = await lockedWallets.sendPast(walletName(ending.end.wallet), () => send(ending), isPassedBy);
    if (isPassedBy(result)) throw new CommitUnknown("somebody else holds the wallet", { cause: null });
    return result;
  }

  async function settle(purchase: Purchase, outcome: FinalOutcome, lease: Lease): Promise<Purchase> {
    // Here, not with the batch: it takes some time, and a batch would hold up everybody for all of it.
    const ending = endingOf(purchase, outcome, lease);
    if ((await endOnce(ending)) === "here") return ending.end;
    const stored = await findPurchase(database, purchase.wallet, purchase.id);
    assert(stored !== null, "a purchase that was accepted stays stored");
    return stored;
  }

  async function idle(): Promise<void> {
    await lockedWallets.idle();
    await send.idle();
  }

  return Object.assign(settle, { together: openTogether(options, hashCodes, endingOf), idle });
}

/** C2 itself, with the events of what it ends. */
function openEnds(options: SettleOptions, hashCodes: HashCodes): Batcher<Ending, Ended> {
  const { database, announcements, transactionIds, onEnqueued = () => {}, onEnded } = options;
  return batcher({
    async run(items) {
      // Here and not before: when the database is away, this waits for it with the rest of the batch.
      const events = await Promise.all(items.map(({ end, lease }) => announcements.preparePurchase(end, howOf(lease))));
      const codes = await Promise.all(items.map(({ end }) => hashCodes(end, end.fulfilment)));
      const settlements = items.map((item, i) =>
        settlementOf(transactionIds, item, { events: events[i] ?? [], codes: codes[i] ?? [] }),
      );
      const rows = await updateSettled(database, settlements);
      const results: Ended[] = items.map(() => "elsewhere");
      for (const { ordinal, passedBy } of rows) {
        if (ordinal !== null) results[Number(ordinal) - 1] = "here";
        if (passedBy !== null) results[Number(passedBy) - 1] = "passed_by";
      }
      if (events.some((due, i) => due.length > 0 && results[i] === "here")) onEnqueued();
      if (onEnded !== undefined) for (const [i, { end }] of items.entries()) if (results[i] === "here") onEnded(end);
      return results;
    },
    sizeMax: 128,
    inFlightMax: 2,
    waitingMax: 20_000,
    retryMs: persistRetryMs,
    onBatch: options.onBatch,
    keyOf: ({ end }) => `${walletName(end.wallet)} ${end.id}`,
  });
}

/** Many ends that are known at one time: chunk by chunk, each in a transaction of the caller's database. */
function openTogether(
  { announcements, transactionIds, onEnqueued = () => {}, onEnded }: SettleOptions,
  hashCodes: HashCodes,
  endingOf: (purchase: Purchase, outcome: FinalOutcome, lease: Lease) => Ending,
): Settle["together"] {
  async function settlementsOf(endings: readonly Ending[]): Promise<Settlement[]> {
    const settlements: Settlement[] = [];
    for (const ending of endings) {
      const events = await announcements.preparePurchase(ending.end, howOf(ending.lease));
      const codes = await hashCodes(ending.end, ending.end.fulfilment);
      settlements.push(settlementOf(transactionIds, ending, { events, codes }));
    }
    return settlements;
  }

  return async (database, ends, alongside, { isPart } = { isPart: false }) => {
    const pause = openYieldToEventLoop();
    const done: EndedPurchase[] = [];
    for (let from = 0; from < ends.length; from += chunkMax) {
      // Sales go on between: to seal hundreds takes a moment.
      await pause();
      const endings = ends
        .slice(from, from + chunkMax)
        .map(({ purchase, outcome, evidence }) => endingOf(purchase, outcome, { epoch: null, evidence }));
      const settlements = await settlementsOf(endings);
      const settled = await database.transaction(async (tx) => {
        const nths = await updateSettledTogether(tx, settlements);
        const missing = settlements.length - nths.length;
        // Nothing has changed yet; later on, what ended meanwhile is left as it is.
        if (from === 0 && missing > 0 && !isPart) throw changedMeanwhile(missing, ends.length);
        await alongside(
          tx,
          nths.map((nth) => from + nth),
        );
        return new Set(nths);
      });
      const endedNow = endings.flatMap(({ end }, nth) => (settled.has(nth) ? [end] : []));
      const isDue = settlements.some(({ events }, nth) => events.length > 0 && settled.has(nth));
      database.afterCommit(() => {
        if (isDue) onEnqueued();
        for (const end of endedNow) onEnded?.(end);
      });
      done.push(...endedNow);
    }
    return done;
  };
}

function changedMeanwhile(count: number, all: number) {
  const which = all === 1 ? "The sale" : `${count} of ${all} sales`;
  const what = `${which} ended or went on meanwhile, or would hand over what another sale got before`;
  return refuse("VALIDATION_ERROR", { message: `${what}. Nothing was changed: look at them again.` });
}

const isPassedBy = (result: Ended) => result === "passed_by";

/** Whether this call ended a purchase, or somebody else did, or somebody held its wallet and nothing was tried. */
type Ended = "here" | "elsewhere" | "passed_by";

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
