import { type Mode, modes } from "../../kernel/mode.ts";
import { type ClaimRequest, claimDeliveries, type DeliveryClaim, type DueLane, firstTurn } from "./claim-queries.ts";
import { noteClaims, placesToClaim, roomAmongSlow, roomByHand, roomForEvents } from "./claim-room.ts";
import { type DeliveryWork, leaseSeconds } from "./delivery-work.ts";

/** Endpoints that one claim looks at. Of slow ones fewer, as most of those it steps over: their breakers are open. */
const endpointsMax = { event: 512, manual: 512, slow: 128 } as const;
/** Claimed of an endpoint that nothing is known of. Few, as it may never answer; a backlog gets more the next time. */
const perEndpoint = 4;
const claimMax = 512;
const byHandMax = 32;
/** Held of one endpoint of what was asked for by hand: who asks for thousands takes few of the places at a time. */
const perEndpointByHand = 4;
/** How long slow endpoints wait at least between two looks at what waits for them: a look may find none that may begin. */
const slowEveryMs = 200;
/** With attempts that wait for so long to be recorded, nothing more is sent: the database is away, or can't keep up. */
const unrecordedMsMax = 2_000;

/**
 * Leases due deliveries, in each lane and mode as many as its pool has places for. Begins with the endpoint behind the
 * last one of the claim before.
 */
export async function claimDue(work: DeliveryWork): Promise<readonly DeliveryClaim[]> {
  const { database, scheduler, counts, leasedUntilMs } = work;
  const nowMs = work.monotonicMs();
  const [unrecordedSinceMs] = work.unrecorded.values();
  if (nowMs - (unrecordedSinceMs ?? nowMs) > unrecordedMsMax) return [];
  const requests = requestsOf(work, nowMs).filter(({ limit }) => limit > 0);
  if (requests.length === 0) return [];
  const untilMs = nowMs + leaseSeconds * 1_000;
  const { claims, next } = await claimDeliveries(database, requests, leaseSeconds);
  for (const [index, request] of requests.entries()) {
    work.after.set(turnName(request), next[index] ?? firstTurn);
    if (request.lane === "event") noteClaims(scheduler, claims, request);
  }
  counts.claimed += claims.length;
  for (const claim of claims) leasedUntilMs.set(claim, untilMs);
  return claims;
}

/** First what somebody asked for by hand, then what waits for slow endpoints, as both are few. */
function requestsOf(work: DeliveryWork, nowMs: number): readonly ClaimRequest[] {
  const { scheduler } = work;
  const isSlowDue = nowMs - work.slowClaimedAtMs >= slowEveryMs;
  if (isSlowDue) work.slowClaimedAtMs = nowMs;
  const request = (
    lane: DueLane,
    mode: Mode,
    bounds: Pick<ClaimRequest, "perEndpoint" | "limit" | "room">,
  ): ClaimRequest => {
    const after = work.after.get(turnName({ lane, mode })) ?? firstTurn;
    return { lane, mode, after, endpointsMax: endpointsMax[lane], ...bounds };
  };
  const byHand = roomByHand(scheduler, perEndpointByHand);
  const among = isSlowDue ? roomAmongSlow(scheduler) : new Map();
  return modes.flatMap((mode) => {
    const manual = Math.min(byHandMax, placesToClaim(scheduler, "manual", mode));
    const slow = isSlowDue ? placesToClaim(scheduler, "slow", mode) : 0;
    const events = Math.min(claimMax, placesToClaim(scheduler, "event", mode) - slow);
    return [
      request("manual", mode, { perEndpoint: perEndpointByHand, limit: manual, room: byHand }),
      request("slow", mode, { perEndpoint: 1, limit: slow, room: among }),
      request("event", mode, { perEndpoint, limit: events, room: roomForEvents(scheduler, mode) }),
    ];
  });
}

function turnName({ lane, mode }: Pick<ClaimRequest, "lane" | "mode">): string {
  return `${lane} ${mode}`;
}
