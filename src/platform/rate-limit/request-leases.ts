import { assert } from "../../kernel/assert.ts";
import { arrayOf, type Queryable, type Statement, statement } from "../database/database.ts";

/** Requests are counted in slots of five seconds, twelve to an aligned minute. */
export const slotMs = 5_000;
export const slotsPerMinute = 12;

/** A process's request for the right to count requests of one key. */
export interface LeaseAsk {
  readonly key: number;
  /** How many requests wait. */
  readonly needed: number;
  /** How many more are wanted for requests to come. */
  readonly spare: number;
  /** How many an earlier lease left unused, and the slot of that lease. */
  readonly returned: number;
  readonly returnedSlot: number;
}

export interface LeaseAnswer {
  readonly granted: number;
  /** Number of the slot: the lease ends with it. */
  readonly slot: number;
  readonly slotEndsInMs: number;
  /** What is left of the key's limit. */
  readonly remaining: number;
  /** The time until one more can be granted; null when all that were needed are granted. */
  readonly retryInMs: number | null;
}

const callLeaseRequests: Statement = {
  ...statement(
    "lease_requests",
    `select key_id as key, granted, slot, slot_ends_in_ms as "slotEndsInMs", remaining, retry_in_ms as "retryInMs"
       from lease_requests($1, $2, $3, $4, $5, $6, $7)`,
  ),
  // A slot: nobody would get a lease of it any more.
  secondsMax: slotMs / 1_000,
};

/**
 * Leases requests for some keys, each named once; answers in the order of the asks. Not safe to repeat: a second call
 * leases again, and books returns twice. `now` is for tests; else the database's clock counts.
 */
export async function leaseRequests(
  database: Queryable,
  asks: readonly LeaseAsk[],
  options: { readonly limit: number; readonly now: Date | null },
): Promise<LeaseAnswer[]> {
  const ascending = [...asks].sort((a, b) => a.key - b.key); // the order in which the function takes its locks
  const rows = await database.query<LeaseAnswer & { readonly key: number }>(callLeaseRequests, [
    arrayOf(ascending.map(({ key }) => key)),
    arrayOf(ascending.map(({ needed }) => needed)),
    arrayOf(ascending.map(({ spare }) => spare)),
    arrayOf(ascending.map(({ returned }) => returned)),
    arrayOf(ascending.map(({ returnedSlot }) => returnedSlot)),
    options.limit,
    options.now,
  ]);
  const answers = new Map(rows.map(({ key, ...answer }) => [key, answer]));
  return asks.map(({ key }) => {
    const answer = answers.get(key);
    assert(answer !== undefined, "every key asked for is answered");
    return answer;
  });
}

const deleteOldRequestCounts = statement(
  "delete_old_request_counts",
  `delete from request_counts
    where key_id in (
            select key_id
              from request_counts
             where slot < extract(epoch from now())::bigint / 5 - 20
             order by key_id
             limit 10000
               for update skip locked
          )`,
);

/** Forgets keys that sent nothing for longer than any promise looks back. Safe to repeat. */
export async function deleteOldCounts(database: Queryable): Promise<void> {
  await database.query(deleteOldRequestCounts);
}

// The database's clock may need a little longer than we think until it is in the next slot.
const delayMs = 2;

/** When slots end, as far as answers told. Times are of the monotonic clock. */
export interface SlotEnds {
  expect(slotEndsAtMs: number): void;
  stop(): void;
}

/** Runs `renew` soon after the latest slot of which it was told has ended. */
export function onSlotEnd(monotonicMs: () => number, renew: () => Promise<void>): SlotEnds {
  let endsAtMs = 0;
  let timer: NodeJS.Timeout | null = null;
  let isStopped = false;

  function arm(): void {
    timer = setTimeout(
      () => {
        timer = null;
        if (monotonicMs() < endsAtMs) arm();
        else void renew();
      },
      endsAtMs - monotonicMs() + delayMs,
    ).unref();
  }

  return {
    expect(slotEndsAtMs) {
      // Each answer tells it a little early, by what the question took: the latest is the nearest to the truth.
      endsAtMs = Math.max(endsAtMs, slotEndsAtMs);
      if (timer === null && !isStopped) arm();
    },
    stop() {
      isStopped = true;
      if (timer !== null) clearTimeout(timer);
    },
  };
}

/** Counts events per name in aligned windows of time, in this process alone and in bounded memory. */
export interface RateWindow {
  /** Counts one event. False when the window's limit was reached before. */
  count(name: string): boolean;
  /** Seconds until the present window ends, rounded up. */
  resetSeconds(): number;
}

export interface RateWindowOptions {
  readonly limit: number;
  readonly windowMs: number;
  /** How many names are counted at a time; past it the one seen first makes room. */
  readonly namesMax: number;
  readonly monotonicMs: () => number;
}

export function rateWindow(options: RateWindowOptions): RateWindow {
  const { limit, windowMs, namesMax, monotonicMs } = options;
  const counts = new Map<string, number>();
  let present = Number.NaN;

  return {
    count(name) {
      const window = Math.floor(monotonicMs() / windowMs);
      if (window !== present) {
        present = window;
        counts.clear();
      }
      const counted = counts.get(name);
      if (counted === undefined && counts.size >= namesMax) {
        for (const oldest of counts.keys()) {
          counts.delete(oldest);
          break;
        }
      }
      if (counted !== undefined && counted >= limit) return false;
      counts.set(name, (counted ?? 0) + 1);
      return true;
    },
    resetSeconds: () => Math.ceil((windowMs - (monotonicMs() % windowMs)) / 1_000),
  };
}
