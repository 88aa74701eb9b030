import type { Clock } from "../../kernel/clock.ts";
import { type Batcher, batcher } from "../../platform/batcher.ts";
import type { Database } from "../../platform/database.ts";
import type { Logger } from "../../platform/log.ts";
import { type Claim, claimDeliveries, endpointOf, firstTurn, type Turn, updateDue } from "./claim-queries.ts";
import type { Deliver, Outcome } from "./deliver.ts";
import {
  closeDesk,
  type Desk,
  forgetClaim,
  leaveDesk,
  makeWay,
  noteClaims,
  openDesk,
  roomAt,
  roomByHandAt,
  takeTurn,
  turnAway,
} from "./desk.ts";
import { disableEndpoint } from "./disable.ts";
import { type Endpoint, endpointOfNumber, isOnFor } from "./endpoint.ts";
import { insertBreaker } from "./failing-queries.ts";
import { type FinishedAttempt, updateFinished } from "./finish-queries.ts";
import { deleteClaimed, deleteOwed, deleteUnwanted, updateLeases, updateLeasesEnded } from "./lease-queries.ts";
import type { Endpoints } from "./remembered-endpoints.ts";
import { nextWaitMs } from "./retry-schedule.ts";

export interface DeliveryServices {
  /** With plans for batches: claims and records are few statements with long arrays. */
  readonly database: Database;
  readonly endpoints: Endpoints;
  readonly deliver: Deliver;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  /** In [0, 1). */
  readonly chance: () => number;
  readonly log: Logger;
}

/** What this process has done so far. */
export interface DeliveryCounts {
  claimed: number;
  successful: number;
  failed: number;
  /** Attempts made whose lease was lost before they were recorded. */
  lost: number;
  givenBack: number;
  breakersOpened: number;
  disabled: number;
}

const leaseSeconds = 90;
export const heartbeatMs = 15_000;
/** An attempt is only begun while so much of the lease is left that it ends within it. */
const leaseMarginMs = 20_000;
/** Held at one time, from claim to record. */
export const heldMax = 2_048;
const slots = { live: 1_024, test: 256, manual: 64 } as const;
const lanesMax = 512;
/** Claimed of a merchant that nothing is known of. Few, as it may never answer; a backlog gets more the next time. */
const perLane = 4;
const claimMax = 512;
const manualMax = 32;
/** Held of one merchant of what was asked for by hand: who asks for thousands takes few of the places at a time. */
const perLaneByHand = 4;
const recordsMax = 512;
const promotedPerBucket = 200;
const droppedAtOnce = 5_000;
const breaker = { seconds: 30, secondsMax: 300 } as const;

/** One process's share of the delivering. */
export interface DeliveryWork extends DeliveryServices {
  readonly desk: Desk;
  readonly leasedUntilMs: Map<Claim, number>;
  readonly record: Batcher<FinishedAttempt, boolean>;
  readonly giveBack: Batcher<Claim, void>;
  readonly counts: DeliveryCounts;
  /** Endpoints that answered 410, as they are remembered until everybody knows that they are off. */
  readonly gone: WeakSet<Endpoint>;
  after: Readonly<Record<Claim["lane"], Turn>>;
}

/** Opens the work of one process. `onRoom` is called when more could be claimed. */
export function openDeliveryWork(services: DeliveryServices, onRoom: () => void): DeliveryWork {
  const { database, monotonicMs } = services;
  const batched = { sizeMax: recordsMax, waitingMax: 4 * heldMax };
  return {
    ...services,
    desk: openDesk({ slots, monotonicMs, onRoom }),
    leasedUntilMs: new Map(),
    record: batcher({ ...batched, run: (items) => updateFinished(database, items) }),
    giveBack: batcher({
      ...batched,
      run: async (items) => {
        await updateLeasesEnded(database, items);
        return items.map(() => undefined);
      },
    }),
    counts: { claimed: 0, successful: 0, failed: 0, lost: 0, givenBack: 0, breakersOpened: 0, disabled: 0 },
    gone: new WeakSet(),
    after: { event: firstTurn, manual: firstTurn },
  };
}

/**
 * Leases due deliveries: at most `limit` events, and beside them a few of what was asked for by hand. Begins with the
 * merchant behind the last one of the claim before.
 */
export async function claimDue(work: DeliveryWork, limit: number): Promise<readonly Claim[]> {
  const { database, desk, counts, leasedUntilMs } = work;
  const untilMs = work.monotonicMs() + leaseSeconds * 1_000;
  const room = roomAt(desk);
  const roomByHand = roomByHandAt(desk, perLaneByHand);
  const { claims, next } = await claimDeliveries(database, {
    lanesMax,
    leaseSeconds,
    event: { after: work.after.event, perLane, limit: Math.min(limit, claimMax), room },
    manual: { after: work.after.manual, perLane: perLaneByHand, limit: Math.min(limit, manualMax), room: roomByHand },
  });
  work.after = next;
  noteClaims(desk, claims, room, perLane);
  counts.claimed += claims.length;
  for (const claim of claims) leasedUntilMs.set(claim, untilMs);
  return claims;
}

/** Waits for the claim's turn, makes the attempt and records it; or gives it back unsent. */
export async function carryOut(work: DeliveryWork, claim: Claim): Promise<void> {
  try {
    if (await takeTurn(work.desk, claim)) {
      await attempt(work, claim);
    } else {
      work.counts.givenBack += 1;
      await work.giveBack(claim);
    }
  } finally {
    work.leasedUntilMs.delete(claim);
    forgetClaim(work.desk, claim);
  }
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

/** Lets those stand with the due ones whose next attempt has come, and gives back what nobody gets to. @returns how many */
export function promoteDue({ database, desk }: DeliveryWork): Promise<number> {
  makeWay(desk);
  return updateDue(database, promotedPerBucket);
}

/** Turns away what has not begun: it is given back, and so is what is claimed from now on. */
export function closeWork({ desk }: DeliveryWork): void {
  closeDesk(desk);
}

/** What this process holds at this moment. */
export function workFigures({ desk }: DeliveryWork) {
  return { held: desk.held, inFlight: desk.underWay.size, endpoints: desk.endpoints.size };
}

async function attempt(work: DeliveryWork, claim: Claim): Promise<void> {
  const { desk, counts } = work;
  const sent = await send(work, claim).catch((error: unknown) => {
    leaveDesk(desk, claim, "not_made");
    throw error;
  });
  if (sent === null) return void leaveDesk(desk, claim, "not_made");
  const { outcome: made, endpoint } = sent;
  const outcome = made.successful ? "successful" : "failed";
  counts[outcome] += 1;
  // The breaker first: when the attempt is recorded, no process claims more for this endpoint.
  if (leaveDesk(desk, claim, outcome)) await openBreaker(work, claim);
  const isRecorded = await work.record(finished(work, claim, made));
  if (!isRecorded) counts.lost += 1;
  else if (made.httpStatus === 410) await disableGone(work, claim, endpoint);
}

/** Makes the attempt; null where there is nothing to send, nobody to send it to, or no time left to. */
async function send(
  work: DeliveryWork,
  claim: Claim,
): Promise<{ readonly outcome: Outcome; readonly endpoint: Endpoint } | null> {
  const { body, wallet, endpointNumber } = claim;
  const found = work.endpoints.find(wallet);
  const endpoint = endpointOfNumber(found instanceof Promise ? await found : found, endpointNumber);
  if (endpoint === null || !isOnFor(wallet.mode, endpoint) || work.gone.has(endpoint)) {
    await letGo(work, claim, endpoint);
    return null;
  }
  if (body === null) {
    await deleteClaimed(work.database, [claim]);
    return null;
  }
  // A process that was stopped for a while may hold what somebody else has claimed since.
  if ((work.leasedUntilMs.get(claim) ?? 0) - work.monotonicMs() < leaseMarginMs) {
    work.counts.lost += 1;
    return null;
  }
  const outcome = await work.deliver({ ...claim, body }, endpoint);
  if (outcome.httpStatus === 410) work.gone.add(endpoint);
  return { outcome, endpoint };
}

/** Forgets a delivery whose endpoint is off as far as this process remembers; gives it back where it is on after all. */
async function letGo(work: DeliveryWork, claim: Claim, endpoint: Endpoint | null): Promise<void> {
  // Said again for as long as it is remembered as on: what was to switch it off after its 410 may have failed.
  if (endpoint !== null && work.gone.has(endpoint)) await disableGone(work, claim, endpoint);
  // What is remembered may be a second old: an endpoint that was set meanwhile gets its delivery.
  if (await deleteUnwanted(work.database, claim)) await forgetOwed(work, claim);
  else await work.giveBack(claim);
}

function finished({ clock, chance }: DeliveryWork, claim: Claim, made: Outcome): FinishedAttempt {
  const { retryAfter, ...logged } = made;
  const { wallet, endpointNumber, deliveryId, lane, attempt, event, epoch, isExample } = claim;
  const isLast = made.successful || isExample;
  const failed = { mode: wallet.mode, attempt, retryAfter, now: clock.now() };
  const waitMs = isLast ? null : nextWaitMs(failed, chance());
  return { wallet, endpointNumber, deliveryId, lane, attempt, event, epoch, waitMs, ...logged };
}

async function openBreaker({ counts, database, log }: DeliveryWork, claim: Claim): Promise<void> {
  const key = endpointOf(claim);
  counts.breakersOpened += 1;
  await insertBreaker(database, key, { ...breaker, isProbe: claim.isProbe });
  const { merchantId, endpointNumber } = key;
  log.warn({ event: "webhook.breaker_opened", merchantId, endpointNumber });
}

async function disableGone(work: DeliveryWork, claim: Claim, seen: Endpoint): Promise<void> {
  const key = endpointOf(claim);
  if (!(await disableEndpoint(work, key, { seen, reason: "gone" }))) return;
  work.counts.disabled += 1;
  const { merchantId, endpointNumber } = key;
  work.log.warn({ event: "webhook.disabled", reason: "gone", merchantId, endpointNumber });
  await forgetOwed(work, claim);
}

async function forgetOwed({ desk, database, log }: DeliveryWork, claim: Claim): Promise<void> {
  const key = endpointOf(claim);
  turnAway(desk, key);
  const dropped = await deleteOwed(database, key, droppedAtOnce);
  const { merchantId, endpointNumber } = key;
  if (dropped > 0) log.info({ event: "webhook.owed_dropped", merchantId, endpointNumber, deliveries: dropped });
}
