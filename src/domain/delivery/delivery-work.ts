import { type Batcher, batcher } from "../../platform/database/batcher.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Endpoint } from "../webhooks/endpoints/endpoint.ts";
import type { Endpoints } from "../webhooks/endpoints/remembered-endpoints.ts";
import { type DeliveryClaim, type Turn, updateDue } from "./claim-queries.ts";
import type { Deliver } from "./deliver.ts";
import { type AttemptRecording, recordAttempts } from "./delivery-line.ts";
import type { FinishedAttempt } from "./finish-queries.ts";
import { type PostponedClaim, updateLeases, updateLeasesEnded, updatePostponed } from "./lease-queries.ts";
import { closePlaces, openPlaces, type PoolName, type Places, postponeHanging } from "./places.ts";

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
const recordsMax = 512;
const promotedPerBucket = 200;

/** One process's share of the delivering. */
export interface DeliveryWork extends DeliveryServices {
  readonly places: Places;
  readonly leasedUntilMs: Map<DeliveryClaim, number>;
  /** Attempts that were made and are not recorded yet, by when they ended, the oldest first. */
  readonly unrecorded: Map<DeliveryClaim, number>;
  readonly record: Batcher<FinishedAttempt, boolean>;
  readonly returnLease: Batcher<DeliveryClaim, void>;
  readonly postpone: Batcher<PostponedClaim, void>;
  readonly counts: DeliveryCounts;
  /** Endpoints that answered 410, as they are remembered until everybody knows that they are off. */
  readonly gone: WeakSet<Endpoint>;
  /** Where the next claim for each pool begins. */
  readonly after: Map<PoolName, Turn>;
}

/** Opens the work of one process. `onRoom` is called when more could be claimed. */
export function openDeliveryWork(services: DeliveryServices, onRoom: () => void): DeliveryWork {
  const { database, monotonicMs } = services;
  const batched = { sizeMax: recordsMax, waitingMax: inWorkMax };
  const each = <Claim extends DeliveryClaim>(act: (db: Database, claims: readonly Claim[]) => Promise<void>) =>
    batcher<Claim, void>({
      ...batched,
      run: async (claims) => {
        await act(database, claims);
        return claims.map(() => undefined);
      },
    });
  return {
    ...services,
    places: openPlaces({ sizes, monotonicMs, onRoom }),
    leasedUntilMs: new Map(),
    unrecorded: new Map(),
    record: batcher({ ...batched, run: (items) => recordAttempts(services, items) }),
    returnLease: each(updateLeasesEnded),
    postpone: each(updatePostponed),
    counts: { ...nothingDone },
    gone: new WeakSet(),
    after: new Map(),
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

/** Lets those stand with the due ones whose time has come, and postpones what nobody gets to. @returns how many */
export function promoteDue({ database, places }: DeliveryWork): Promise<number> {
  postponeHanging(places);
  return updateDue(database, promotedPerBucket);
}

/** Gives back what has not begun, and what is claimed from now on. What is not recorded is tried once more. */
export function closeWork({ places }: DeliveryWork): void {
  closePlaces(places);
}

/** What this process holds at this moment. */
export function workFigures({ places }: DeliveryWork) {
  const held = Object.values(places.held).reduce((total, each) => total + each, 0);
  return { held, inFlight: places.underWay.size, endpoints: places.endpoints.size };
}
