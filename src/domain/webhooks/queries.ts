import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import { modes } from "../../kernel/mode.ts";
import type { Queryable, Tx } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { Endpoint, EndpointKey, EndpointOwner } from "./endpoint.ts";

/** Of `webhook_endpoints w`. */
export const endpointColumns = `
       w.endpoint_number as "endpointNumber",
       w.url,
       w.events,
       w.notify,
       w.secret,
       w.secret_hint as "secretHint",
       w.previous_secret as "previousSecret",
       w.previous_secret_expires_at as "previousSecretExpiresAt",
       w.disabled_at as "disabledAt",
       w.disabled_reason as "disabledReason",
       w.updated_at as "updatedAt"`;

/** An endpoint as the first three values of a statement. */
export function endpointKeyOf({ bucket, merchantId, endpointNumber }: EndpointKey) {
  return [bucket, merchantId, endpointNumber];
}

/** A wallet as the first three values of a statement. */
export function keyOf({ bucket, merchantId, mode }: WalletKey) {
  return [bucket, merchantId, mode];
}

const findEndpointOf = statement(
  "find_webhook_endpoint",
  `select ${endpointColumns}
     from webhook_endpoints w
    where w.bucket = $1 and w.merchant_id = $2 and w.endpoint_number = $3`,
);

/** Null when the merchant has no endpoint of this number. */
export async function findEndpoint(db: Queryable, key: EndpointKey): Promise<Endpoint | null> {
  const [row] = await db.query<Endpoint>(findEndpointOf, endpointKeyOf(key));
  return row ?? null;
}

const listEndpointsOf = statement(
  "list_webhook_endpoints",
  `select i.ordinal,${endpointColumns}
     from unnest($1::smallint[], $2::integer[]) with ordinality as i (bucket, merchant_id, ordinal)
     join webhook_endpoints w
       on w.bucket = i.bucket and w.merchant_id = i.merchant_id
    order by w.endpoint_number`,
);

/** The endpoints of each owner, in the order of the owners and of the numbers. One round trip for all. */
export async function listEndpoints(
  db: Queryable,
  owners: readonly EndpointOwner[],
): Promise<readonly (readonly Endpoint[])[]> {
  const rows = await db.query<Endpoint & { ordinal: bigint }>(listEndpointsOf, [
    arrayOf(owners.map((owner) => owner.bucket)),
    arrayOf(owners.map((owner) => owner.merchantId)),
  ]);
  const found: Endpoint[][] = owners.map(() => []);
  for (const { ordinal, ...endpoint } of rows) found[Number(ordinal) - 1]?.push(endpoint);
  return found;
}

const insertBlankEndpoint = statement(
  "insert_webhook_endpoint",
  `insert into webhook_endpoints (bucket, merchant_id, endpoint_number)
   values ($1, $2, $3)
       on conflict (bucket, merchant_id, endpoint_number) do nothing`,
);

const insertLogRows = statement(
  "insert_webhook_logs",
  `insert into webhook_logs (bucket, merchant_id, mode)
   select $1, $2, m.mode
     from unnest($3::text[]) as m (mode)
       on conflict (bucket, merchant_id, mode) do nothing`,
);

const findEndpointLocked = statement(
  "find_webhook_endpoint_for_update",
  `select ${endpointColumns}
     from webhook_endpoints w
    where w.bucket = $1 and w.merchant_id = $2 and w.endpoint_number = $3
      for no key update`,
);

/**
 * The endpoint, its row locked until the transaction ends and made, with the logs of both modes, where there is none:
 * two first settings at one time wait for each other.
 */
export async function findEndpointForUpdate(tx: Tx, key: EndpointKey): Promise<Endpoint> {
  await tx.query(insertBlankEndpoint, endpointKeyOf(key));
  await tx.query(insertLogRows, [key.bucket, key.merchantId, arrayOf(modes)]);
  const [row] = await tx.query<Endpoint>(findEndpointLocked, endpointKeyOf(key));
  return row as Endpoint;
}

const updateEndpointOf = statement(
  "update_webhook_endpoint",
  `update webhook_endpoints
      set url = $4,
          events = $5,
          notify = $6,
          secret = $7,
          secret_hint = $8,
          previous_secret = $9,
          previous_secret_expires_at = $10,
          disabled_at = $11,
          disabled_reason = $12,
          updated_at = $13
    where bucket = $1 and merchant_id = $2 and endpoint_number = $3`,
);

/** Writes all settings. The caller holds the row (`findEndpointForUpdate`). */
export async function updateEndpoint(tx: Tx, key: EndpointKey, endpoint: Endpoint): Promise<void> {
  const { previousSecretExpiresAt, disabledAt, updatedAt } = endpoint;
  await tx.query(updateEndpointOf, [
    ...endpointKeyOf(key),
    endpoint.url,
    arrayOf(endpoint.events),
    endpoint.notify,
    endpoint.secret,
    endpoint.secretHint,
    endpoint.previousSecret,
    dateOf(previousSecretExpiresAt),
    dateOf(disabledAt),
    endpoint.disabledReason,
    dateOf(updatedAt),
  ]);
}

function dateOf(instant: Instant | null): Date | null {
  return instant === null ? null : new Date(instant);
}
