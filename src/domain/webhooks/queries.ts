import type { Instant } from "../../kernel/clock.ts";
import type { WalletKey } from "../../kernel/ids.ts";
import { modes } from "../../kernel/mode.ts";
import type { Queryable, Tx } from "../../platform/database.ts";
import { arrayOf, statement } from "../../platform/database.ts";
import type { Endpoint, EndpointOwner } from "./endpoint.ts";

/** Of `webhook_endpoints w`. */
export const endpointColumns = `
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

/** A wallet as the first three values of a statement. */
export function keyOf({ bucket, merchantId, mode }: WalletKey) {
  return [bucket, merchantId, mode];
}

const findEndpointOf = statement(
  "find_webhook_endpoint",
  `select ${endpointColumns}
     from webhook_endpoints w
    where w.bucket = $1 and w.merchant_id = $2`,
);

/** Null when the merchant never set a webhook. */
export async function findEndpoint(db: Queryable, owner: EndpointOwner): Promise<Endpoint | null> {
  const [row] = await db.query<Endpoint>(findEndpointOf, [owner.bucket, owner.merchantId]);
  return row ?? null;
}

const listEndpointsOf = statement(
  "list_webhook_endpoints",
  `select i.ordinal,${endpointColumns}
     from unnest($1::smallint[], $2::integer[]) with ordinality as i (bucket, merchant_id, ordinal)
     join webhook_endpoints w
       on w.bucket = i.bucket and w.merchant_id = i.merchant_id`,
);

/** In the order of the owners; null where there is none. One round trip for all. */
export async function listEndpoints(
  db: Queryable,
  owners: readonly EndpointOwner[],
): Promise<readonly (Endpoint | null)[]> {
  const rows = await db.query<Endpoint & { ordinal: bigint }>(listEndpointsOf, [
    arrayOf(owners.map((owner) => owner.bucket)),
    arrayOf(owners.map((owner) => owner.merchantId)),
  ]);
  const found: (Endpoint | null)[] = owners.map(() => null);
  for (const { ordinal, ...endpoint } of rows) found[Number(ordinal) - 1] = endpoint;
  return found;
}

const insertBlankEndpoint = statement(
  "insert_webhook_endpoint",
  `insert into webhook_endpoints (bucket, merchant_id)
   values ($1, $2)
       on conflict (bucket, merchant_id) do nothing`,
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
    where w.bucket = $1 and w.merchant_id = $2
      for no key update`,
);

/**
 * The merchant's endpoint, its row locked until the transaction ends and made, with the logs of both modes, where there
 * is none: two first settings at one time wait for each other.
 */
export async function findEndpointForUpdate(tx: Tx, owner: EndpointOwner): Promise<Endpoint> {
  const key = [owner.bucket, owner.merchantId];
  await tx.query(insertBlankEndpoint, key);
  await tx.query(insertLogRows, [...key, arrayOf(modes)]);
  const [row] = await tx.query<Endpoint>(findEndpointLocked, key);
  return row as Endpoint;
}

const updateEndpointOf = statement(
  "update_webhook_endpoint",
  `update webhook_endpoints
      set url = $3,
          events = $4,
          notify = $5,
          secret = $6,
          secret_hint = $7,
          previous_secret = $8,
          previous_secret_expires_at = $9,
          disabled_at = $10,
          disabled_reason = $11,
          updated_at = $12
    where bucket = $1 and merchant_id = $2`,
);

/** Writes all settings. The caller holds the row (`findEndpointForUpdate`). */
export async function updateEndpoint(tx: Tx, owner: EndpointOwner, endpoint: Endpoint): Promise<void> {
  const { previousSecretExpiresAt, disabledAt, updatedAt } = endpoint;
  await tx.query(updateEndpointOf, [
    owner.bucket,
    owner.merchantId,
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
