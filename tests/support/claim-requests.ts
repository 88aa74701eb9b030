import {
  type ClaimRequest,
  claimDeliveries,
  type DeliveryClaim,
  type DueLane,
  dueLanes,
  firstTurn,
} from "../../src/domain/webhooks/delivery/claim-queries.ts";
import type { FinishedAttempt } from "../../src/domain/webhooks/delivery/lease-queries.ts";
import { endpointName } from "../../src/domain/webhooks/endpoints/endpoint.ts";
import type { WalletKey } from "../../src/kernel/ids.ts";
import { modes } from "../../src/kernel/mode.ts";
import { type Database, type Queryable, statement } from "../../src/platform/database/database.ts";
import { setEndpoint } from "./endpoints.ts";
import { walletKey } from "./wallet.ts";
import { mintDeliveryId } from "./webhooks.ts";

/** What asks for everything that is due in these lanes, of both modes, the lanes in this order. */
export function requestsFor(lanes: readonly DueLane[], given: Partial<ClaimRequest> = {}): readonly ClaimRequest[] {
  const bounds = { perEndpoint: 10, limit: 100, room: new Map<string, number>() };
  return lanes.flatMap((lane) => modes.map((mode) => ({ ...bounds, after: firstTurn(mode), lane, mode, ...given })));
}

/** Leases what is due in all lanes of both modes: first what was asked for by hand. */
export async function claimAll(database: Queryable, given: Partial<ClaimRequest> = {}): Promise<DeliveryClaim[]> {
  return (await claimDeliveries(database, requestsFor(dueLanes, given), 90)).claims;
}

let merchants = 100;

/** Another merchant's wallet, with an endpoint. Nothing is owed to anybody any more. */
export async function newOwner(database: Database): Promise<WalletKey> {
  merchants += 1;
  const wallet = walletKey(merchants);
  await setEndpoint(database, wallet, "http://127.0.0.1:9/hook");
  await database.query(forgetAllDue, []);
  return wallet;
}

const forgetAllDue = statement("delete_webhook_outbox", "delete from webhook_outbox");

/** A delivery to a merchant's first endpoint, as it is claimed for its first attempt. */
export function claimTo(wallet: WalletKey, given: Partial<DeliveryClaim> = {}): DeliveryClaim {
  return {
    wallet,
    endpointNumber: 1,
    endpointName: endpointName({ merchantId: wallet.merchantId, endpointNumber: given.endpointNumber ?? 1 }),
    deliveryId: mintDeliveryId(),
    epoch: 1,
    attempt: 1,
    lane: "event",
    isFailing: false,
    isBreakerOpen: false,
    isProbe: false,
    event: "transaction.successful",
    body: "{}",
    isExample: false,
    ...given,
  };
}

/** An attempt as its claim's holder made it: a success, unless told otherwise. */
export function finishedAttempt(claim: DeliveryClaim, given: Partial<FinishedAttempt> = {}): FinishedAttempt {
  const { wallet, endpointNumber, deliveryId, lane, attempt, epoch, event } = claim;
  return {
    ...{ wallet, endpointNumber, deliveryId, lane, attempt, epoch, event },
    url: "http://127.0.0.1:9/hook",
    urlVersion: 1,
    successful: true,
    httpStatus: 200,
    durationMs: 5,
    error: null,
    errorDetail: null,
    responseBody: "OK",
    waitMs: null,
    ...given,
  };
}
