import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import { type RememberedEach, type RevisionWatch, rememberEach } from "../../../platform/revisions.ts";
import {
  type Endpoint,
  type EndpointKey,
  type EndpointOwner,
  firstEndpointNumber,
  firstEndpointOf,
} from "./endpoint.ts";

/** The selected columns of `webhook_endpoints w`. */
export const endpointColumns = `
       w.endpoint_number as "endpointNumber",
       w.url,
       w.url_query as "urlQuery",
       w.url_version as "urlVersion",
       w.mode,
       w.description,
       w.events,
       w.notify,
       w.secret,
       w.secret_hint as "secretHint",
       w.previous_secret as "previousSecret",
       w.previous_secret_expires_at as "previousSecretExpiresAt",
       w.disabled_at as "disabledAt",
       w.disabled_reason as "disabledReason",
       w.updated_at as "updatedAt"`;

/** An endpoint as the first two values of a statement. */
export function endpointKeyOf({ merchantId, endpointNumber }: EndpointKey) {
  return [merchantId, endpointNumber];
}

const findEndpointOf = statement(
  "find_webhook_endpoint",
  `select ${endpointColumns}
     from webhook_endpoints w
    where w.merchant_id = $1 and w.endpoint_number = $2`,
);

/** Null when the merchant has no endpoint of this number. */
export async function findEndpoint(db: Queryable, key: EndpointKey): Promise<Endpoint | null> {
  const [row] = await db.query<Endpoint>(findEndpointOf, endpointKeyOf(key));
  return row ?? null;
}

const listEndpointsOf = statement(
  "list_webhook_endpoints",
  `select i.ordinal,${endpointColumns}
     from unnest($1::integer[]) with ordinality as i (merchant_id, ordinal)
     join webhook_endpoints w
       on w.merchant_id = i.merchant_id
    order by w.endpoint_number`,
);

/** The endpoints of each owner, in the order of the owners and of the numbers. One round trip for all. */
export async function listEndpoints(
  db: Queryable,
  owners: readonly EndpointOwner[],
): Promise<readonly (readonly Endpoint[])[]> {
  const rows = await db.query<Endpoint & { ordinal: bigint }>(listEndpointsOf, [
    arrayOf(owners.map((owner) => owner.merchantId)),
  ]);
  const found: Endpoint[][] = owners.map(() => []);
  for (const { ordinal, ...endpoint } of rows) found[Number(ordinal) - 1]?.push(endpoint);
  return found;
}

const insertBlankEndpoint = statement(
  "insert_webhook_endpoint",
  `insert into webhook_endpoints (merchant_id, endpoint_number)
   values ($1, $2)
       on conflict (merchant_id, endpoint_number) do nothing
   returning endpoint_number as "endpointNumber"`,
);

const insertLogRows = statement(
  "insert_webhook_logs",
  `insert into webhook_logs (wallet_id)
   values ($1::integer), (-$1::integer)
       on conflict (wallet_id) do nothing`,
);

const findFirstLocked = statement(
  "find_webhook_endpoint_for_update",
  `select w.last_endpoint_number as "lastEndpointNumber"
     from webhook_endpoints w
    where w.merchant_id = $1 and w.endpoint_number = 1
      for no key update`,
);

/** A merchant's endpoints, held until the transaction ends. */
export interface RememberedEndpoints {
  readonly endpoints: readonly Endpoint[];
  /** None was ever set: the first one's row was made just now. */
  readonly isNew: boolean;
  /** The highest number given so far. */
  readonly lastEndpointNumber: number;
}

/**
 * The merchant's endpoints, nobody else changing any of them until the transaction ends. Makes the row of the first one,
 * and the logs of both modes, where there is none, and locks that row: two first settings at one time wait for each
 * other.
 */
export async function listEndpointsForUpdate(tx: Tx, owner: EndpointOwner): Promise<RememberedEndpoints> {
  const first = endpointKeyOf(firstEndpointOf(owner));
  const isNew = (await tx.query(insertBlankEndpoint, first)).length > 0;
  await tx.query(insertLogRows, [owner.merchantId]);
  const [row] = await tx.query<{ lastEndpointNumber: number }>(findFirstLocked, [owner.merchantId]);
  // A statement of its own: what the lock was waited for is read by it.
  const [endpoints = []] = await listEndpoints(tx, [owner]);
  return { endpoints, isNew, lastEndpointNumber: row?.lastEndpointNumber ?? firstEndpointNumber };
}

const updateLastNumber = statement(
  "update_webhook_endpoint_last_number",
  `update webhook_endpoints
      set last_endpoint_number = $2
    where merchant_id = $1 and endpoint_number = 1`,
);

/**
 * Makes an endpoint's row, unless it is the first one's, which is there. The caller holds the endpoints
 * (`listEndpointsForUpdate`). @returns the endpoint, with nothing set
 */
export async function insertEndpoint(tx: Tx, key: EndpointKey): Promise<Endpoint> {
  if (key.endpointNumber !== firstEndpointNumber) {
    await tx.query(updateLastNumber, endpointKeyOf(key));
    await tx.query(insertBlankEndpoint, endpointKeyOf(key));
  }
  const endpoint = await findEndpoint(tx, key);
  assert(endpoint !== null, "an endpoint whose row was made is there");
  return endpoint;
}

const deleteEndpointOf = statement(
  "delete_webhook_endpoint",
  "delete from webhook_endpoints where merchant_id = $1 and endpoint_number = $2",
);

/** Deletes another endpoint than the first. The caller holds the endpoints (`listEndpointsForUpdate`). */
export async function deleteEndpoint(tx: Tx, key: EndpointKey): Promise<void> {
  await tx.query(deleteEndpointOf, endpointKeyOf(key));
}

const updateEndpointOf = statement(
  "update_webhook_endpoint",
  `update webhook_endpoints
      set url = $3,
          url_query = $4,
          url_version = $5,
          mode = $6,
          description = $7,
          events = $8,
          notify = $9,
          secret = $10,
          secret_hint = $11,
          previous_secret = $12,
          previous_secret_expires_at = $13,
          disabled_at = $14,
          disabled_reason = $15,
          updated_at = $16
    where merchant_id = $1 and endpoint_number = $2`,
);

/** Writes all settings. The caller holds the endpoints (`listEndpointsForUpdate`). */
export async function updateEndpoint(tx: Tx, owner: EndpointOwner, endpoint: Endpoint): Promise<void> {
  await tx.query(updateEndpointOf, [
    ...endpointKeyOf({ merchantId: owner.merchantId, endpointNumber: endpoint.endpointNumber }),
    endpoint.url,
    endpoint.urlQuery,
    endpoint.urlVersion,
    endpoint.mode,
    endpoint.description,
    arrayOf(endpoint.events),
    endpoint.notify,
    endpoint.secret,
    endpoint.secretHint,
    endpoint.previousSecret,
    dateOf(endpoint.previousSecretExpiresAt),
    dateOf(endpoint.disabledAt),
    endpoint.disabledReason,
    dateOf(endpoint.updatedAt),
  ]);
}

function dateOf(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}

/** Finds a merchant's endpoints, in the order of their numbers; removed and disabled ones may be among them. */
export type Endpoints = Pick<RememberedEach<EndpointOwner, readonly Endpoint[]>, "find">;

/** Remembers merchants' endpoints until any of them changes. It asks for nothing until one is sought. */
export function openEndpoints(options: { readonly database: Queryable; readonly watch: RevisionWatch }): Endpoints {
  return rememberEach({
    watch: options.watch,
    subject: "webhooks",
    nameOf: ({ merchantId }) => merchantId,
    readAll: (owners) => listEndpoints(options.database, owners),
    // Half a kilobyte an endpoint; nearly all have one.
    valuesMax: 50_000,
  });
}
