import { breakerPauseMs } from "../../../kernel/breaker.ts";
import { isDatabaseAway } from "../../../platform/database/refuse-when-away.ts";
import { keepTrying } from "../../../platform/keep-trying.ts";
import { type Endpoint, endpointOfNumber, isOnFor } from "../endpoints/endpoint.ts";
import { disableEndpoint } from "../endpoints/failing/failing-endpoints.ts";
import { insertBreaker } from "../endpoints/failing/failing-queries.ts";
import { nextWaitMs } from "../log/delivery-state.ts";
import { type DeliveryClaim, endpointOf } from "./claim-queries.ts";
import type { Outcome } from "./deliver.ts";
import type { DeliveryWork } from "./delivery-work.ts";
import { deleteDue, deleteUnneeded, type FinishedAttempt } from "./lease-queries.ts";
import { awaitTurn, endAttempt, giveBackWaiting, leave } from "./places.ts";

/** An attempt is only begun while so much of the lease is left that it ends within it. */
const leaseMarginMs = 20_000;
/** An attempt that could not be recorded within ten seconds is tried again after so long, until it is. */
const recordPauseMs = 1_000;
const droppedAtOnce = 5_000;

/** Waits for the claim's turn, makes the attempt and records it; or leaves it to later, or to others, unsent. */
export async function carryOut(work: DeliveryWork, claim: DeliveryClaim): Promise<void> {
  const { places, counts, leasedUntilMs } = work;
  try {
    const turn = await awaitTurn(places, claim);
    if (turn === "begin") return await attempt(work, claim).finally(() => leave(places, claim));
    counts[turn === "postpone" ? "postponed" : "givenBack"] += 1;
    await work.returnLease({ ...claim, isPostponed: turn === "postpone" });
  } finally {
    leasedUntilMs.delete(claim);
  }
}

async function attempt(work: DeliveryWork, claim: DeliveryClaim): Promise<void> {
  const { places, counts, log } = work;
  const sent = await send(work, claim).catch((error: unknown) => {
    endAttempt(places, claim, "not_made");
    throw error;
  });
  if (sent === null) return void endAttempt(places, claim, "not_made");
  const { outcome: made, endpoint } = sent;
  const outcome = made.successful ? "successful" : "failed";
  counts[outcome] += 1;
  const opensBreaker = endAttempt(places, claim, outcome);
  if (opensBreaker) {
    // The breaker first: when the attempt is recorded, no process claims more for this endpoint.
    await openBreaker(work, claim).catch((error: unknown) =>
      log.error({ event: "webhook.breaker_not_opened", error: String(error) }),
    );
  }
  const isRecorded = await recordWhenPossible(work, claim, finished(work, claim, made));
  if (!isRecorded) counts.lost += 1;
  else if (made.httpStatus === 410) await disableGone(work, claim, endpoint);
}

/**
 * As long as the database is away, what an attempt came to is kept here, in the place that it holds: nothing is claimed
 * meanwhile, so there are never more than there are places.
 */
async function recordWhenPossible(work: DeliveryWork, claim: DeliveryClaim, made: FinishedAttempt): Promise<boolean> {
  const { places, unrecorded, record } = work;
  unrecorded.set(claim, work.monotonicMs());
  const mayPass = (error: unknown) => !places.isClosed && isDatabaseAway(error);
  try {
    return await keepTrying(() => record(made), { mayPass, pauseMs: recordPauseMs });
  } finally {
    unrecorded.delete(claim);
  }
}

/** Makes the attempt; null where there is nothing to send, nobody to send it to, or no time left to. */
async function send(
  work: DeliveryWork,
  claim: DeliveryClaim,
): Promise<{ readonly outcome: Outcome; readonly endpoint: Endpoint } | null> {
  const { body, wallet, endpointNumber } = claim;
  const endpoint = endpointOfNumber(await work.endpoints.find(wallet), endpointNumber);
  if (body === null || endpoint === null || !isOnFor(wallet.mode, endpoint) || work.gone.has(endpoint)) {
    await dropDelivery(work, claim, endpoint);
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

/** Forgets a delivery without a body, or whose endpoint is off as far as is remembered; gives it back where it is on. */
async function dropDelivery(work: DeliveryWork, claim: DeliveryClaim, endpoint: Endpoint | null): Promise<void> {
  // Said again for as long as it is remembered as on: what was to switch it off after its 410 may have failed.
  if (endpoint !== null && work.gone.has(endpoint)) await disableGone(work, claim, endpoint);
  // The remembered endpoint may be a second old: one that was set meanwhile gets its delivery.
  if (await deleteUnneeded(work.database, claim)) await dropPending(work, claim);
  else await work.returnLease({ ...claim, isPostponed: false });
}

function finished({ clock, chance }: DeliveryWork, claim: DeliveryClaim, made: Outcome): FinishedAttempt {
  const { retryAfter, ...logged } = made;
  const { wallet, endpointNumber, deliveryId, lane, attempt, event, epoch, isExample } = claim;
  const isLast = made.successful || isExample;
  const failed = { mode: wallet.mode, attempt, retryAfter, now: clock.now() };
  const waitMs = isLast ? null : nextWaitMs(failed, chance());
  return { wallet, endpointNumber, deliveryId, lane, attempt, event, epoch, waitMs, ...logged };
}

async function openBreaker({ counts, database, log }: DeliveryWork, claim: DeliveryClaim): Promise<void> {
  const key = endpointOf(claim);
  const { first, longest } = breakerPauseMs;
  counts.breakersOpened += 1;
  await insertBreaker(database, key, { seconds: first / 1_000, secondsMax: longest / 1_000, isProbe: claim.isProbe });
  const { merchantId, endpointNumber } = key;
  log.warn({ event: "webhook.breaker_opened", merchantId, endpointNumber });
}

async function disableGone(work: DeliveryWork, claim: DeliveryClaim, seen: Endpoint): Promise<void> {
  const key = endpointOf(claim);
  if (!(await disableEndpoint(work, key, { seen, reason: "gone" }))) return;
  work.counts.disabled += 1;
  const { merchantId, endpointNumber } = key;
  work.log.warn({ event: "webhook.disabled", reason: "gone", merchantId, endpointNumber });
  await dropPending(work, claim);
}

async function dropPending({ places, database, log }: DeliveryWork, claim: DeliveryClaim): Promise<void> {
  const key = endpointOf(claim);
  giveBackWaiting(places, claim);
  const dropped = await deleteDue(database, key, droppedAtOnce);
  const { merchantId, endpointNumber } = key;
  if (dropped > 0) log.info({ event: "webhook.owed_dropped", merchantId, endpointNumber, deliveries: dropped });
}
