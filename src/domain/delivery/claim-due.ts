import { type DeliveryClaim, claimDeliveries, firstTurn } from "./claim-queries.ts";
import { type DeliveryWork, leaseSeconds } from "./delivery-work.ts";
import { poolNames, pools, takeRooms } from "./places.ts";

/** Claimed of an endpoint that nothing is known of. Few, as it may never answer; a backlog gets more the next time. */
const perEndpoint = 4;
const claimMax = 512;
/** With attempts that wait for so long to be recorded, nothing more is sent: the database is away, or can't keep up. */
const unrecordedMsMax = 2_000;

/**
 * Leases due deliveries, first what somebody asked for by hand, of each pool as many as it has places for. Begins with the
 * endpoint behind the last one of the claim before.
 */
export async function claimDue(work: DeliveryWork): Promise<readonly DeliveryClaim[]> {
  const { database, places, counts, leasedUntilMs, after } = work;
  const nowMs = work.monotonicMs();
  const [unrecordedSinceMs] = work.unrecorded.values();
  if (nowMs - (unrecordedSinceMs ?? nowMs) > unrecordedMsMax) return [];
  const rooms = takeRooms(places);
  const requests = poolNames
    .map((pool) => ({
      pool,
      ...pools[pool],
      after: after.get(pool) ?? firstTurn,
      perEndpoint,
      limit: Math.min(claimMax, places.sizes[pool] - places.held[pool]),
      room: rooms[pool],
    }))
    .filter(({ limit }) => limit > 0);
  if (requests.length === 0) return [];
  const { claims, next } = await claimDeliveries(database, requests, leaseSeconds);
  for (const [index, { pool }] of requests.entries()) after.set(pool, next[index] ?? firstTurn);
  counts.claimed += claims.length;
  for (const claim of claims) leasedUntilMs.set(claim, nowMs + leaseSeconds * 1_000);
  return claims;
}
