import { type Claim, type ClaimWish, type DueLane, firstTurn } from "../../src/domain/webhooks/claim-queries.ts";
import type { FinishedAttempt } from "../../src/domain/webhooks/finish-queries.ts";
import { modes } from "../../src/kernel/mode.ts";

/** What asks for everything that is due in these lanes, of both modes, the lanes in this order. */
export function wishesFor(lanes: readonly DueLane[], given: Partial<ClaimWish> = {}): readonly ClaimWish[] {
  const bounds = { after: firstTurn, endpointsMax: 512, perEndpoint: 10, limit: 100, room: {} };
  return lanes.flatMap((lane) => modes.map((mode) => ({ ...bounds, lane, mode, ...given })));
}

/** An attempt as its claim's holder made it: a success, unless told otherwise. */
export function finishedAttempt(claim: Claim, given: Partial<FinishedAttempt> = {}): FinishedAttempt {
  const { wallet, endpointNumber, deliveryId, lane, attempt, epoch, event } = claim;
  return {
    ...{ wallet, endpointNumber, deliveryId, lane, attempt, epoch, event },
    url: "http://127.0.0.1:9/hook",
    urlVersion: 1,
    successful: true,
    httpStatus: 200,
    durationMs: 5,
    error: null,
    responseBody: "OK",
    waitMs: null,
    ...given,
  };
}
