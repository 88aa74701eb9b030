import type { MerchantId } from "../../../kernel/ids.ts";
import { statement } from "../../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import { secretIdentity } from "./endpoint.ts";

interface Row {
  readonly merchantId: MerchantId;
  readonly endpointNumber: number;
  readonly stored: string;
}

const shared = {
  first: [-1, -1],
  keyOf: (row: Row) => [row.merchantId, row.endpointNumber],
  rewrapped: rewrapFor((row: Row) => secretIdentity(row)),
};

/** Where merchants' webhook secrets are, and the queries of their webhooks' URLs. */
export const webhookSecretPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    ...shared,
    name: "webhook secrets",
    count: statement(
      "count_webhook_secrets_by_key",
      `select split_part(secret, '.', 2) as "keyId", count(*) as rows
         from webhook_endpoints
        where secret is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_webhook_secrets",
      `select merchant_id as "merchantId", endpoint_number as "endpointNumber", secret as stored
         from webhook_endpoints
        where (merchant_id, endpoint_number) > ($1, $2) and secret is not null
        order by merchant_id, endpoint_number
        limit $3`,
    ),
    update: statement(
      "update_sealed_webhook_secrets",
      `update webhook_endpoints w
          set secret = i.fresh
         from unnest($1::integer[], $2::integer[], $3::text[], $4::text[])
                as i (merchant_id, endpoint_number, stored, fresh)
        where w.merchant_id = i.merchant_id and w.endpoint_number = i.endpoint_number
          and w.secret = i.stored`,
    ),
  }),
  sealedPlace<Row>({
    ...shared,
    name: "previous webhook secrets",
    count: statement(
      "count_previous_webhook_secrets_by_key",
      `select split_part(previous_secret, '.', 2) as "keyId", count(*) as rows
         from webhook_endpoints
        where previous_secret is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_previous_webhook_secrets",
      `select merchant_id as "merchantId", endpoint_number as "endpointNumber",
              previous_secret as stored
         from webhook_endpoints
        where (merchant_id, endpoint_number) > ($1, $2) and previous_secret is not null
        order by merchant_id, endpoint_number
        limit $3`,
    ),
    update: statement(
      "update_sealed_previous_webhook_secrets",
      `update webhook_endpoints w
          set previous_secret = i.fresh
         from unnest($1::integer[], $2::integer[], $3::text[], $4::text[])
                as i (merchant_id, endpoint_number, stored, fresh)
        where w.merchant_id = i.merchant_id and w.endpoint_number = i.endpoint_number
          and w.previous_secret = i.stored`,
    ),
  }),
  sealedPlace<Row>({
    ...shared,
    name: "queries of webhook URLs",
    count: statement(
      "count_webhook_url_queries_by_key",
      `select split_part(url_query, '.', 2) as "keyId", count(*) as rows
         from webhook_endpoints
        where url_query is not null
        group by 1`,
    ),
    list: statement(
      "list_sealed_webhook_url_queries",
      `select merchant_id as "merchantId", endpoint_number as "endpointNumber",
              url_query as stored
         from webhook_endpoints
        where (merchant_id, endpoint_number) > ($1, $2) and url_query is not null
        order by merchant_id, endpoint_number
        limit $3`,
    ),
    update: statement(
      "update_sealed_webhook_url_queries",
      `update webhook_endpoints w
          set url_query = i.fresh
         from unnest($1::integer[], $2::integer[], $3::text[], $4::text[])
                as i (merchant_id, endpoint_number, stored, fresh)
        where w.merchant_id = i.merchant_id and w.endpoint_number = i.endpoint_number
          and w.url_query = i.stored`,
    ),
  }),
];
