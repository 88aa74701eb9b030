import { modes } from "../../../kernel/mode.ts";
import { type Batcher, batcher } from "../../../platform/database/batcher.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { Endpoint } from "../endpoints/endpoint.ts";
import type { Endpoints } from "../endpoints/queries.ts";
import { claimDeliveries, type DeliveryClaim, dueLanes, firstTurn, type Turn, updateDue } from "./claim-queries.ts";
import { type AttemptRecording, type Deliver, recordAttempts } from "./deliver.ts";
import { type FinishedAttempt, type ReturnedClaim, updateLeases, updateReturned } from "./lease-queries.ts";
import { countAnew, openPlaces, type Places, type PoolName, placesLeft, postponeHanging, roomOf } from "./places.ts";

export interface DeliveryServices extends AttemptRecording {
  readonly endpoints: Endpoints;
  readonly deliver: Deliver;
  readonly monotonicMs: () => number;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly log: Logger;
}

/** What a process has done so far, in counts, as it begins. */
const nothingDone = {
  claimed: 0,
  successful: 0,
  failed: 0,
  /** Attempts made whose lease was lost before they were recorded. */
  lost: 0,
  givenBack: 0,
  postponed: 0,
  breakersOpened: 0,
  disabled: 0,
};
export type DeliveryCounts = typeof nothingDone;

export const leaseSeconds = 90;
export const heartbeatMs = 15_000;
/** Deliveries held from claim to record, and so requests at one time. No kind ever takes a place of another. */
const sizes: Readonly<Record<PoolName, number>> = { manual_live: 64, manual_test: 64, live: 1_536, test: 1_024 };
/** Requests of this process at one time. No more connections are ever open. */
export const placesMax = Object.values(sizes).reduce((total, size) => total + size, 0);
/** What is postponed has no place, until that is stored. */
export const inWorkMax = 2 * placesMax;
/** Claimed of an endpoint that nothing is known of. Few, as it may never answer; a backlog gets more the next time. */
const perEndpoint = { manual: 4, postponed: 1, event: 4 } as const;
/** How long what is postponed waits at least between two looks: a look may find none that may begin. */
const postponedEveryMs = 200;
const claimMax = 512;
/** With attempts that wait for so long to be recorded, nothing more is sent: the database is away, or can't keep up. */
const unrecordedMsMax = 2_000;

const recordsMax = 512;
const promotedMax = 5_000;

/** One process's share of the delivering. */
export interface DeliveryWork extends DeliveryServices {
  readonly places: Places;
  readonly leasedUntilMs: Map<DeliveryClaim, number>;
  /** Attempts that were made and are not recorded yet, by when they ended, the oldest first. */
  readonly unrecorded: Map<DeliveryClaim, number>;
  readonly record: Batcher<FinishedAttempt, boolean>;
  readonly returnLease: Batcher<ReturnedClaim, void>;
  readonly counts: DeliveryCounts;
  /** Endpoints that answered 410, as they are remembered until everybody knows that they are off. */
  readonly gone: WeakSet<Endpoint>;
  /** Where the next claim of each lane and mode begins. */
  readonly after: Map<string, Turn>;
  postponedClaimedAtMs: number;
}

/** Opens the work of one process. `onRoom` is called when more could be claimed. */
export function openDeliveryWork(services: DeliveryServices, onRoom: () => void): DeliveryWork {
  const { database, monotonicMs } = services;
  const batched = { sizeMax: recordsMax, waitingMax: inWorkMax };
  return {
    ...services,
    places: openPlaces({ sizes, monotonicMs, onRoom }),
    leasedUntilMs: new Map(),
    unrecorded: new Map(),
    record: batcher({ ...batched, run: (items) => recordAttempts(services, items) }),
    returnLease: batcher({
      ...batched,
      run: async (claims) => {
        await updateReturned(database, claims);
        return claims.map(() => undefined);
      },
    }),
    counts: { ...nothingDone },
    gone: new WeakSet(),
    after: new Map(),
    postponedClaimedAtMs: Number.NEGATIVE_INFINITY,
  };
}

/**
 * Leases due deliveries, first what somebody asked for by hand, of each pool as many as it has places for. Begins with the
 * endpoint behind the last one of the claim before.
 */
export async function claimDue(work: DeliveryWork): Promise<readonly DeliveryClaim[]> {
  const { database, places, counts, leasedUntilMs, after } = work;
  const nowMs = work.monotonicMs();
  const [unrecordedSinceMs] = work.unrecorded.values();
  if (nowMs - (unrecordedSinceMs ?? nowMs) > unrecordedMsMax) return [];
  const isPostponedDue = nowMs - work.postponedClaimedAtMs >= postponedEveryMs;
  if (isPostponedDue) work.postponedClaimedAtMs = nowMs;
  const requests = dueLanes
    .filter((lane) => lane !== "postponed" || isPostponedDue)
    .flatMap((lane) =>
      modes.map((mode) => ({
        lane,
        mode,
        after: after.get(`${lane} ${mode}`) ?? firstTurn(mode),
        perEndpoint: perEndpoint[lane],
        limit: Math.min(claimMax, placesLeft(places, lane, mode)),
        room: roomOf(places, lane, mode),
      })),
    )
    .filter(({ limit }) => limit > 0);
  countAnew(places);
  if (requests.length === 0) return [];
  const { claims, next } = await claimDeliveries(database, requests, leaseSeconds);
  for (const [index, { lane, mode }] of requests.entries())
    after.set(`${lane} ${mode}`, next[index] ?? firstTurn(mode));
  counts.claimed += claims.length;
  for (const claim of claims) leasedUntilMs.set(claim, nowMs + leaseSeconds * 1_000);
  return claims;
}

/** Keeps the leases of everything that is held. To be called every `heartbeatMs`. */
export async function renewLeases({ database, leasedUntilMs, monotonicMs }: DeliveryWork): Promise<void> {
  const untilMs = monotonicMs() + leaseSeconds * 1_000;
  const taken = [...leasedUntilMs.keys()];
  if (taken.length === 0) return;
  const still = new Set(await updateLeases(database, taken, leaseSeconds));
  for (const claim of taken) {
    if (leasedUntilMs.has(claim)) leasedUntilMs.set(claim, still.has(claim.deliveryId) ? untilMs : 0);
  }
}

/** Lets those stand with the due ones whose time has come, and postpones what waits for hanging ones. @returns how many */
export function promoteDue({ database, places }: DeliveryWork): Promise<number> {
  postponeHanging(places);
  return updateDue(database, promotedMax);
}

/** What this process holds at this moment. */
export function workFigures({ places }: DeliveryWork) {
  const taken = Object.values(places.taken).reduce((total, each) => total + each, 0);
  return { taken, inFlight: places.underWay.size, endpoints: places.endpoints.size };
}
