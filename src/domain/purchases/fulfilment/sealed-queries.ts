import { type PurchaseId, type WalletId, walletOfId } from "../../../kernel/ids.ts";
import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import { fulfilmentIdentity, rewrappedFulfilment } from "./sealed-fulfilment.ts";

/** Where fulfilments of live purchases are that hand something over. */
export const fulfilmentColumns = [
  sealedColumn<{ readonly id: PurchaseId; readonly wallet_id: WalletId }>({
    name: "fulfilments",
    table: "purchases",
    key: { id: "bigint", wallet_id: "integer" },
    column: "fulfilment",
    identity: (row) => fulfilmentIdentity({ id: row.id, wallet: walletOfId(row.wallet_id) }),
    json: {
      property: "sealed",
      filter: "wallet_id > 0 and supplier is not null",
      rewrapped: rewrappedFulfilment,
    },
  }),
];
