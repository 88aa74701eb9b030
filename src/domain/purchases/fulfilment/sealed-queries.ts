import type { MerchantId, PurchaseId, WalletKey } from "../../../kernel/ids.ts";
import { statement } from "../../../platform/database/database.ts";
import { type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import { rewrappedFulfilment } from "./sealed-fulfilment.ts";

interface Row {
  readonly id: PurchaseId;
  readonly bucket: WalletKey["bucket"];
  readonly merchantId: MerchantId;
  readonly stored: string;
}

/** Where fulfilments of live purchases are that hand something over. */
export const fulfilmentPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "fulfilments",
    first: [-1, -1, -1],
    keyOf: (row) => [row.id, row.bucket, row.merchantId],
    rewrapped(box, { id, bucket, merchantId, stored }) {
      return rewrappedFulfilment(box, { wallet: { bucket, merchantId, mode: "live" }, id }, stored);
    },
    count: statement(
      "count_fulfilments_by_key",
      `select split_part(p.fulfilment ->> 'sealed', '.', 2) as "keyId", count(*) as rows
         from purchases p
        where p.mode = 'live' and p.supplier is not null and p.fulfilment ->> 'sealed' is not null
        group by 1`,
    ),
    // Several merchants' purchases may have one id, though processes mint them apart.
    list: statement(
      "list_sealed_fulfilments",
      `select p.id, p.bucket, p.merchant_id as "merchantId", p.fulfilment::text as stored
         from purchases p
        where p.mode = 'live'
          and p.id >= $1
          and (p.id, p.bucket, p.merchant_id) > ($1, $2, $3)
          and p.supplier is not null
          and p.fulfilment ->> 'sealed' is not null
        order by p.id, p.bucket, p.merchant_id
        limit $4`,
    ),
    update: statement(
      "update_sealed_fulfilments",
      `update purchases p
          set fulfilment = i.fresh::json
         from unnest($1::bigint[], $2::smallint[], $3::integer[], $4::text[], $5::text[])
                as i (id, bucket, merchant_id, stored, fresh)
        where p.bucket = i.bucket
          and p.merchant_id = i.merchant_id
          and p.mode = 'live'
          and p.id = i.id
          and p.id > 0
          and p.fulfilment::text = i.stored`,
    ),
  }),
];
