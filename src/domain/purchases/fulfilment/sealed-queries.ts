import { type PurchaseId, type WalletId, walletOfId } from "../../../kernel/ids.ts";
import { statement } from "../../../platform/database/database.ts";
import { type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import { rewrappedFulfilment } from "./sealed-fulfilment.ts";

interface Row {
  readonly id: PurchaseId;
  readonly walletId: WalletId;
  readonly stored: string;
}

/** Where fulfilments of live purchases are that hand something over. */
export const fulfilmentPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "fulfilments",
    first: [-1, 0],
    keyOf: (row) => [row.id, row.walletId],
    rewrapped(box, { id, walletId, stored }) {
      return rewrappedFulfilment(box, { wallet: walletOfId(walletId), id }, stored);
    },
    count: statement(
      "count_fulfilments_by_key",
      `select split_part(p.fulfilment ->> 'sealed', '.', 2) as "keyId", count(*) as rows
         from purchases p
        where p.wallet_id > 0 and p.supplier is not null and p.fulfilment ->> 'sealed' is not null
        group by 1`,
    ),
    // Several merchants' purchases may have one id, though processes mint them apart.
    list: statement(
      "list_sealed_fulfilments",
      `select p.id, p.wallet_id as "walletId", p.fulfilment::text as stored
         from purchases p
        where p.wallet_id > 0
          and p.id >= $1
          and (p.id, p.wallet_id) > ($1, $2)
          and p.supplier is not null
          and p.fulfilment ->> 'sealed' is not null
        order by p.id, p.wallet_id
        limit $3`,
    ),
    update: statement(
      "update_sealed_fulfilments",
      `update purchases p
          set fulfilment = i.fresh::json
         from unnest($1::bigint[], $2::integer[], $3::text[], $4::text[])
                as i (id, wallet_id, stored, fresh)
        where p.wallet_id = i.wallet_id
          and p.id = i.id
          and p.fulfilment::text = i.stored`,
    ),
  }),
];
