import { type WalletId, type WalletKey, walletOfId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import { type EndpointKey, endpointName } from "../endpoints/endpoint.ts";
import type { DeliveryId, EventName } from "../events/event.ts";

/** The lanes that are claimed from, in their order: first what somebody asked for by hand. */
export const dueLanes = ["manual", "postponed", "event"] as const;
export type DueLane = (typeof dueLanes)[number];

/** A delivery that this process leased, to make one attempt. */
export interface DeliveryClaim {
  readonly wallet: WalletKey;
  /** Which of the merchant's endpoints it goes to. */
  readonly endpointNumber: number;
  /** By `endpointName`: looked up several times for each delivery, so it is made once. */
  readonly endpointName: string;
  readonly deliveryId: DeliveryId;
  /** Proves the lease: every later claim raises it. */
  readonly epoch: number;
  /** Number of the attempt to make, from 1. */
  readonly attempt: number;
  readonly lane: DueLane;
  /** Its endpoint has failed and not succeeded since, as far as is recorded. */
  readonly isFailing: boolean;
  /** Its endpoint's breaker has opened since it last succeeded: until a probe does, events are to be postponed. */
  readonly isBreakerOpen: boolean;
  /** This attempt alone is made, to see whether its endpoint's breaker may close. */
  readonly isProbe: boolean;
  readonly event: EventName;
  /** Null once purged: there is nothing to send. */
  readonly body: string | null;
  /** Somebody asked for it to try out the receiver: one attempt is made. */
  readonly isExample: boolean;
}

/** Behind which endpoint of which wallet the next claim begins. */
export interface Turn {
  readonly walletId: number;
  readonly endpointNumber: number;
}

const walletIdMax = 2 ** 31 - 1;
/** The wallets of a mode: an id of the sandbox is below zero. */
const walletIds: Readonly<Record<Mode, { readonly before: number; readonly last: number }>> = {
  live: { before: 0, last: walletIdMax },
  test: { before: -walletIdMax, last: -1 },
};

/** Before all endpoints of a mode. */
export function firstTurn(mode: Mode): Turn {
  return { walletId: walletIds[mode].before, endpointNumber: 0 };
}

/** How much to claim of one lane and mode. */
export interface ClaimRequest {
  readonly lane: DueLane;
  readonly mode: Mode;
  readonly after: Turn;
  /** At most so many of each endpoint. */
  readonly perEndpoint: number;
  readonly limit: number;
  /** In place of `perEndpoint`, by `endpointName`: how many more this process has room for. */
  readonly room: Room;
}

/** How many more deliveries a process has room for, by `endpointName`. */
export type Room = ReadonlyMap<string, number>;

const claimDue = statement(
  "claim_webhook_requests",
  `select request,
          wallet_id as "walletId",
          endpoint_number as "endpointNumber",
          delivery_id as "deliveryId",
          epoch,
          attempts,
          is_failing as "isFailing",
          is_breaker_open as "isBreakerOpen",
          is_probe as "isProbe",
          event,
          body,
          is_example as "isExample"
     from claim_webhook_requests($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
);

interface ClaimRow extends Omit<DeliveryClaim, "wallet" | "endpointName" | "deliveryId" | "attempt" | "lane"> {
  /** Counts the requests from 1. */
  readonly request: number;
  readonly walletId: WalletId;
  /** Null in a row that tells behind which endpoint to go on. */
  readonly deliveryId: DeliveryId | null;
  readonly attempts: number;
}

/** Endpoints that one request looks at. */
const endpointsMax = 512;

/** The endpoint that a delivery goes to. */
export function endpointOf({ wallet, endpointNumber }: Pick<DeliveryClaim, "wallet" | "endpointNumber">): EndpointKey {
  const { merchantId } = wallet;
  return { merchantId, endpointNumber };
}

/** Leases due deliveries, endpoints in turns. @returns them, and where the next turn of each request begins */
export async function claimDeliveries(
  db: Queryable,
  requests: readonly ClaimRequest[],
  leaseSeconds: number,
): Promise<{ readonly claims: DeliveryClaim[]; readonly next: readonly Turn[] }> {
  const column = (read: (request: ClaimRequest) => string | number) => arrayOf(requests.map(read));
  const rows = await db.query<ClaimRow>(claimDue, [
    column(({ lane }) => lane),
    column(({ after }) => after.walletId),
    column(({ after }) => after.endpointNumber),
    column(({ mode }) => walletIds[mode].last),
    column(({ perEndpoint }) => perEndpoint),
    column(({ limit }) => limit),
    // One text: as elements of an array, all their quotes would have to be escaped.
    `[${requests.map(({ room }) => roomJson(room)).join()}]`,
    endpointsMax,
    leaseSeconds,
  ]);
  const claims: DeliveryClaim[] = [];
  const next: Turn[] = requests.map(({ mode }) => firstTurn(mode));
  for (const row of rows) {
    const { walletId, endpointNumber } = row;
    if (row.deliveryId === null) next[row.request - 1] = { walletId, endpointNumber };
    else claims.push(claimOf(row, row.deliveryId, requests[row.request - 1] as ClaimRequest));
  }
  return { claims, next };
}

/** Field by field: thousands are made a second, and spreading a row costs more than all the rest. */
function claimOf(row: ClaimRow, deliveryId: DeliveryId, { lane }: ClaimRequest): DeliveryClaim {
  const { request: _, walletId, attempts, ...claim } = row;
  const wallet = walletOfId(walletId);
  return {
    ...claim,
    wallet,
    endpointName: endpointName({ merchantId: wallet.merchantId, endpointNumber: claim.endpointNumber }),
    deliveryId,
    attempt: attempts + 1,
    lane,
  };
}

/** Names of endpoints have digits and a slash: nothing to escape. */
function roomJson(room: Room): string {
  return `{${[...room].map(([name, count]) => `"${name}":${count}`).join()}}`;
}

const promoteDue = statement(
  "update_webhook_outbox_due",
  `update webhook_outbox o
      set lane = 'event'
     from (
            select d.lane, d.wallet_id, d.endpoint_number, d.delivery_id
              from webhook_outbox d
             where d.lane = 'later' and d.due_at <= now()
             order by d.due_at
             limit $1
               for update skip locked
          ) due
    where o.lane = any (array[due.lane])
      and o.wallet_id = due.wallet_id
      and o.endpoint_number = due.endpoint_number
      and o.delivery_id = due.delivery_id
   returning 1 as promoted`,
);

/** Lets deliveries whose next attempt is due stand with the events. @returns how many */
export async function updateDue(db: Queryable, limit: number): Promise<number> {
  return (await db.query(promoteDue, [limit])).length;
}
