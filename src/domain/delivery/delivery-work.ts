import { type Batcher, batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Endpoint } from "../webhooks/endpoints/endpoint.ts";
import type { Endpoints } from "../webhooks/endpoints/remembered-endpoints.ts";
import { type DeliveryClaim, type Turn, updateDue } from "./claim-queries.ts";
import type { Deliver } from "./deliver.ts";
import { type AttemptRecording, recordAttempts } from "./delivery-line.ts";
import type { PoolSize } from "./delivery-pools.ts";
import {
  closeScheduler,
  type DeliveryScheduler,
  evictStalled,
  openScheduler,
  type PoolName,
} from "./delivery-scheduler.ts";
import type { FinishedAttempt } from "./finish-queries.ts";
import { updateLeases, updateLeasesEnded, updateSetAside } from "./lease-queries.ts";

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
  /** Left to the lane of slow endpoints. */
  setAside: 0,
  breakersOpened: 0,
  disabled: 0,
};
export type DeliveryCounts = typeof nothingDone;

export const leaseSeconds = 90;
export const heartbeatMs = 15_000;
/** Requests at one time, and deliveries held from claim to record. No pool ever takes a place of another. */
const pools = {
  live: { places: 1_536, heldMax: 2_048 },
  test: { places: 1_024, heldMax: 1_280 },
  manual_live: { places: 64, heldMax: 96 },
  manual_test: { places: 64, heldMax: 96 },
} as const satisfies Record<PoolName, PoolSize>;
const sum = (read: (size: PoolSize) => number) => Object.values(pools).reduce((total, size) => total + read(size), 0);
/** Requests of this process at one time. No more connections are ever open. */
export const underWayMax = sum(({ places }) => places);
export const heldMax = sum((size) => size.heldMax);
const recordsMax = 512;
const promotedPerBucket = 200;

/** One process's share of the delivering. */
export interface DeliveryWork extends DeliveryServices {
  readonly scheduler: DeliveryScheduler;
  readonly leasedUntilMs: Map<DeliveryClaim, number>;
  /** Attempts that were made and are not recorded yet, by when they ended, the oldest first. */
  readonly unrecorded: Map<DeliveryClaim, number>;
  readonly record: Batcher<FinishedAttempt, boolean>;
  readonly returnLease: Batcher<DeliveryClaim, void>;
  readonly setAside: Batcher<DeliveryClaim, void>;
  readonly counts: DeliveryCounts;
  /** Endpoints that answered 410, as they are remembered until everybody knows that they are off. */
  readonly gone: WeakSet<Endpoint>;
  /** Where the next claim of each lane and mode begins. */
  readonly after: Map<string, Turn>;
  slowClaimedAtMs: number;
}

/** Opens the work of one process. `onRoom` is called when more could be claimed. */
export function openDeliveryWork(services: DeliveryServices, onRoom: () => void): DeliveryWork {
  const { database, monotonicMs } = services;
  const batched = { sizeMax: recordsMax, waitingMax: 2 * heldMax };
  const each = (act: (db: Database, claims: readonly DeliveryClaim[]) => Promise<void>) =>
    batcher<DeliveryClaim, void>({
      ...batched,
      run: async (claims) => {
        await act(database, claims);
        return claims.map(() => undefined);
      },
    });
  return {
    ...services,
    scheduler: openScheduler({ pools, monotonicMs, onRoom }),
    leasedUntilMs: new Map(),
    unrecorded: new Map(),
    record: batcher({ ...batched, run: (items) => recordAttempts(services, items) }),
    returnLease: each(updateLeasesEnded),
    setAside: each(updateSetAside),
    counts: { ...nothingDone },
    gone: new WeakSet(),
    after: new Map(),
    slowClaimedAtMs: Number.NEGATIVE_INFINITY,
  };
}

/** Keeps the leases of everything that is held. To be called every `heartbeatMs`. */
export async function renewLeases({ database, leasedUntilMs, monotonicMs }: DeliveryWork): Promise<void> {
  const untilMs = monotonicMs() + leaseSeconds * 1_000;
  const held = [...leasedUntilMs.keys()];
  if (held.length === 0) return;
  const still = new Set(await updateLeases(database, held, leaseSeconds));
  for (const claim of held) {
    if (leasedUntilMs.has(claim)) leasedUntilMs.set(claim, still.has(claim.deliveryId) ? untilMs : 0);
  }
}

/** Lets those stand with the due ones whose next attempt has come, and sets aside what nobody gets to. @returns how many */
export function promoteDue({ database, scheduler }: DeliveryWork): Promise<number> {
  evictStalled(scheduler);
  return updateDue(database, promotedPerBucket);
}

/** Gives back what has not begun, and what is claimed from now on. What is not recorded is tried once more. */
export function closeWork({ scheduler }: DeliveryWork): void {
  closeScheduler(scheduler);
}

/** What this process holds at this moment. */
export function workFigures({ scheduler }: DeliveryWork) {
  const held = Object.values(scheduler.pools).reduce((total, pool) => total + pool.held, 0);
  return { held, inFlight: scheduler.underWay.size, endpoints: scheduler.endpoints.size };
}
