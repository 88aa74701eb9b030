import { assert } from "../../kernel/assert.ts";
import { batcher } from "../database/batcher.ts";
import type { Queryable } from "../database/database.ts";
import {
  deleteOldCounts,
  type LeaseAnswer,
  type LeaseAsk,
  leaseRequests,
  onSlotEnd,
  slotMs,
  slotsPerMinute,
} from "./request-leases.ts";

/** Where a key stands in its present minute. */
export interface RateState {
  readonly accepted: boolean;
  /** Requests that the key may still send in this minute, as far as this process knows. */
  readonly remaining: number;
  /** Until the minute ends; for a refused key, until it should try again: this may be a slot or two later. */
  readonly resetSeconds: number;
  /** Until a refused key should try again; 0 for an accepted one. */
  readonly retryAfterSeconds: number;
}

export interface RateLimit {
  /** Requests a minute and key. */
  readonly limit: number;
  /**
   * Counts one request of a key, which is a whole number. Rejects where it has to ask and the database does not answer:
   * not while there are leased requests left, nor while the key is known to be spent.
   */
  take(key: number): Promise<RateState>;
  /** Where the key stands, without counting. */
  peek(key: number): RateState;
  /** Gives back what was leased and not used, and stops. */
  stop(): Promise<void>;
}

interface Waiting {
  readonly resolve: (state: RateState) => void;
  readonly reject: (error: unknown) => void;
}

/** This process's count of a key's requests. Times are of the monotonic clock. */
interface KeyCount {
  readonly key: number;
  /** Leased and not used. */
  left: number;
  /** The slot of the lease, and when it ends. */
  slot: number;
  slotEndsAtMs: number;
  minuteEndsAtMs: number;
  /** How many requests the database had left to grant after the lease. */
  remaining: number;
  /** Whether no more requests can be granted in this slot. */
  spent: boolean;
  retryAtMs: number;
  /** Requests accepted in this slot and in the one before. */
  used: number;
  usedBefore: number;
  waiting: Waiting[];
  asking: boolean;
}

export interface RateLimitOptions {
  readonly database: Queryable;
  readonly limit: number;
  /** A clock that never jumps. */
  readonly monotonicMs: () => number;
  /** For tests: the time that the database shall believe it is. */
  readonly databaseNow?: () => Date;
}

const sweepMs = 1_000;
const sweepsPerCleaning = 60;
// Three processes that each hold two requests unused still leave 114 of 120 to whoever asks.
const spareDivisor = 60;
// Under a high limit a key takes this share with its first request: it is too small for anybody to miss.
const trifleDivisor = 1_000;
// A key that sent this much in a slot will hardly fall silent in the next one.
const busyFrom = 2;
// Asked for together: few enough that a request which has to wait behind them does not notice.
const leasedTogether = 256;

/** A question to the database for one key. */
interface Ask {
  readonly count: KeyCount;
  /** Wants spare requests although none waits. */
  readonly renewing: boolean;
}

/**
 * A rate limit that several processes keep together. Requests are leased from the database for one slot of five
 * seconds and then served from memory; what stays unused goes back with the next question or when the slot ends.
 * Busy keys are renewed together as a slot begins: a key alone costs many times as much, and a request waits for it.
 * A lease ends by the process's own monotonic clock, counted from before the question was sent, so it never outlives
 * the database's slot and no two clocks need to agree.
 */
export function openRateLimit(options: RateLimitOptions): RateLimit {
  const { database, limit, monotonicMs } = options;
  const counts = new Map<number, KeyCount>();
  const spare = { least: Math.floor(limit / trifleDivisor), most: Math.floor(limit / spareDivisor) };
  let sweeps = 0;

  const lease = batcher<Ask, void>({
    sizeMax: leasedTogether,
    waitingMax: 100_000,
    // A statement whose answer was lost may have booked its returns: it is never sent twice.
    retryMs: 0,
    async run(batch) {
      const requestedAtMs = monotonicMs();
      const asks = batch.map((ask) => takeAsk(ask, spare));
      const answers = await leaseRequests(database, asks, { limit, now: options.databaseNow?.() ?? null });
      const now = monotonicMs();
      for (const [i, { count }] of batch.entries()) {
        const [question, answer] = [asks[i], answers[i]];
        assert(question !== undefined && answer !== undefined, "a batch is answered whole");
        hold(count, { answer, needed: question.needed, requestedAtMs, now });
        serve(count, question.needed, now);
        renewal.expect(count.slotEndsAtMs);
      }
      return batch.map(() => undefined);
    },
  });

  async function ask(count: KeyCount, renewing = false): Promise<void> {
    count.asking = true;
    try {
      await lease({ count, renewing });
      while (count.waiting.length > 0) await lease({ count, renewing: false });
    } catch (error) {
      for (const { reject } of count.waiting.splice(0)) reject(error);
    } finally {
      count.asking = false;
    }
  }

  const renewal = onSlotEnd(monotonicMs, () => renewBusy(counts, monotonicMs(), (count) => ask(count, true)));
  const timer = setInterval(() => {
    sweep(counts, monotonicMs(), (count) => void ask(count));
    sweeps += 1;
    if (sweeps % sweepsPerCleaning === 0) void deleteOldCounts(database).catch(() => undefined);
  }, sweepMs);
  timer.unref();
  return {
    limit,
    async take(key) {
      const count = counts.get(key) ?? newCount(counts, key);
      const now = monotonicMs();
      if (now < count.slotEndsAtMs) {
        if (count.left > 0) return useOne(count, now);
        if (count.spent) return stateOf(count, false, now);
      }
      return new Promise((resolve, reject) => {
        count.waiting.push({ resolve, reject });
        if (!count.asking) void ask(count);
      });
    },
    peek(key) {
      const count = counts.get(key);
      const now = monotonicMs();
      if (count !== undefined && now < count.minuteEndsAtMs) return stateOf(count, true, now);
      return { accepted: true, remaining: limit, resetSeconds: 60, retryAfterSeconds: 0 };
    },
    async stop() {
      clearInterval(timer);
      renewal.stop();
      for (const count of counts.values()) if (count.left > 0 && !count.asking) void ask(count);
      await lease.idle();
    },
  };
}

function newCount(counts: Map<number, KeyCount>, key: number): KeyCount {
  const count: KeyCount = {
    key,
    left: 0,
    slot: 0,
    slotEndsAtMs: 0,
    minuteEndsAtMs: 0,
    remaining: 0,
    spent: false,
    retryAtMs: 0,
    used: 0,
    usedBefore: 0,
    waiting: [],
    asking: false,
  };
  counts.set(key, count);
  return count;
}

/** Asks for keys that were busy until their slot ended, and whose requests would soon ask one by one. */
async function renewBusy(
  counts: Map<number, KeyCount>,
  now: number,
  renew: (count: KeyCount) => Promise<void>,
): Promise<void> {
  const isDue = (count: KeyCount) => !count.asking && count.used >= busyFrom && now >= count.slotEndsAtMs;
  const due = [...counts.values()].filter(isDue);
  for (let first = 0; first < due.length; first += leasedTogether) {
    // Filtered once more: keys that a request has asked for meanwhile already have their lease.
    await Promise.all(
      due
        .slice(first, first + leasedTogether)
        .filter(isDue)
        .map(renew),
    );
  }
}

/** Gives back what a slot left unused, also of keys that send nothing more, and forgets those. */
function sweep(counts: Map<number, KeyCount>, now: number, returnRest: (count: KeyCount) => void): void {
  for (const count of counts.values()) {
    if (count.asking || now < count.slotEndsAtMs) continue;
    if (count.left > 0) returnRest(count);
    else if (now >= count.slotEndsAtMs + slotMs) counts.delete(count.key);
  }
}

/** What to ask for now. It takes the rest of an earlier lease out of the count: that is given back, unused. */
function takeAsk({ count, renewing }: Ask, spare: { readonly least: number; readonly most: number }): LeaseAsk {
  const returned = count.left;
  count.left = 0;
  const needed = count.waiting.length;
  // As much again as was lately used: a busy key asks a few times a slot, a quiet one holds nothing from the others.
  const share = Math.min(spare.most, Math.max(spare.least, count.used + count.usedBefore));
  const isNeeded = needed > 0 || renewing;
  return { key: count.key, needed, spare: isNeeded ? share : 0, returned, returnedSlot: count.slot };
}

function hold(
  count: KeyCount,
  given: { answer: LeaseAnswer; needed: number; requestedAtMs: number; now: number },
): void {
  const { answer, needed, requestedAtMs, now } = given;
  if (answer.slot !== count.slot) {
    count.usedBefore = answer.slot === count.slot + 1 ? count.used : 0;
    count.used = 0;
    count.slot = answer.slot;
  }
  count.left = answer.granted;
  count.remaining = answer.remaining;
  count.slotEndsAtMs = requestedAtMs + answer.slotEndsInMs;
  count.minuteEndsAtMs = count.slotEndsAtMs + (slotsPerMinute - 1 - (answer.slot % slotsPerMinute)) * slotMs;
  count.spent = answer.granted < needed;
  count.retryAtMs = now + (answer.retryInMs ?? 0);
}

/** Answers those who waited. The lease was granted for the first `needed`; the others came meanwhile. */
function serve(count: KeyCount, needed: number, now: number): void {
  for (const { resolve } of count.waiting.splice(0, needed)) {
    resolve(count.left > 0 ? useOne(count, now) : stateOf(count, false, now));
  }
  if (now >= count.slotEndsAtMs) return;
  for (const { resolve } of count.waiting.splice(0, count.left)) resolve(useOne(count, now));
  if (count.spent) for (const { resolve } of count.waiting.splice(0)) resolve(stateOf(count, false, now));
}

function useOne(count: KeyCount, now: number): RateState {
  count.left -= 1;
  count.used += 1;
  return stateOf(count, true, now);
}

function stateOf(count: KeyCount, accepted: boolean, now: number): RateState {
  const remaining = count.left + count.remaining;
  if (accepted) {
    return { accepted, remaining, resetSeconds: secondsUntil(count.minuteEndsAtMs, now), retryAfterSeconds: 0 };
  }
  // A client may go by either header: they name the same moment.
  const retryAfterSeconds = secondsUntil(count.retryAtMs, now);
  return { accepted, remaining, resetSeconds: retryAfterSeconds, retryAfterSeconds };
}

function secondsUntil(instantMs: number, now: number): number {
  return Math.max(1, Math.ceil((instantMs - now) / 1_000));
}
