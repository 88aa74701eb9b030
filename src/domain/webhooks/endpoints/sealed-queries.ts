import type { MerchantId } from "../../../kernel/ids.ts";
import { statement } from "../../../platform/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealed-places.ts";
import { secretIdentity } from "./secret.ts";

interface Row {
  readonly bucket: number;
  readonly merchantId: MerchantId;
  readonly endpointNumber: number;
  readonly stored: string;
}

function placeOf(column: "secret" | "previous_secret" | "url_query", name: string): SealedPlace {
  return sealedPlace<Row>({
    name,
    first: [-1, -1, -1],
    keyOf: (row) => [row.bucket, row.merchantId, row.endpointNumber],
    rewrapped: rewrapFor((row: Row) => secretIdentity(row)),
    count: statement(
      `count_webhook_${column}_by_key`,
      `select split_part(${column}, '.', 2) as "keyId", count(*) as rows
         from webhook_endpoints
        where ${column} is not null
        group by 1`,
    ),
    list: statement(
      `list_sealed_webhook_${column}`,
      `select bucket, merchant_id as "merchantId", endpoint_number as "endpointNumber", ${column} as stored
         from webhook_endpoints
        where (bucket, merchant_id, endpoint_number) > ($1, $2, $3) and ${column} is not null
        order by bucket, merchant_id, endpoint_number
        limit $4`,
    ),
    update: statement(
      `update_sealed_webhook_${column}`,
      `update webhook_endpoints w
          set ${column} = i.fresh
         from unnest($1::smallint[], $2::integer[], $3::integer[], $4::text[], $5::text[])
                as i (bucket, merchant_id, endpoint_number, stored, fresh)
        where w.bucket = i.bucket and w.merchant_id = i.merchant_id and w.endpoint_number = i.endpoint_number
          and w.${column} = i.stored`,
    ),
  });
}

/** Where merchants' webhook secrets are, and the queries of their webhooks' URLs. */
export const webhookSecretPlaces: readonly SealedPlace[] = [
  placeOf("secret", "webhook secrets"),
  placeOf("previous_secret", "previous webhook secrets"),
  placeOf("url_query", "queries of webhook URLs"),
];
