import { type WalletKey, walletIdOf } from "../../../kernel/ids.ts";
import { statement } from "../../../platform/database/database.ts";
import { purchaseColumns } from "../../purchases/queries.ts";
import { lastId } from "./count-queries.ts";
import {
  type AmountRange,
  type Count,
  type ListPage,
  offsetOf,
  type PurchaseFilter,
  readPurchases,
  readTotal,
} from "./list-queries.ts";

export type AmountFilter = PurchaseFilter & { readonly amount: AmountRange };

// No index and no count knows amounts: the purchases of a time are read, and every other filter is compared with them.
// `(select $1)`: see list_purchase_hours.
const ofAmount = `
     from purchases p
    where p.wallet_id = (select $1::integer)
      and p.id >= $2
      and p.id < $3
      and p.total >= $4
      and p.total <= $5
      and ($6::text is null or p.status = $6)
      and ($7::integer[] is null or p.product_id = any ($7))
      and ($8::text is null or p.channel = $8)
      and ($9::text is null or p.bulk_reference = $9)
      and ($10::text is null or p.phone = $10)
      and ($11::text is null or p.customer_ref = $11)
      and ($12::bigint[] is null or p.id = any ($12) or p.customer_ref = any ($13) or p.phone = any ($13))`;

const listOfAmount = statement(
  "list_purchases_of_amount",
  `select ${purchaseColumns}${ofAmount}
    order by p.id desc
    limit $14
   offset $15`,
);

const countOfAmount = statement("count_purchases_of_amount", `select count(*) as total${ofAmount}`);

function amountValues(wallet: WalletKey, filter: AmountFilter): unknown[] {
  const { amount, status, productIds, channel, bulkReference, phone, customerRef, sought, fromId, beforeId } = filter;
  return [
    ...[walletIdOf(wallet), fromId ?? 0n, beforeId ?? lastId, amount.from ?? 0n, amount.to ?? lastId],
    ...[status, productIds, channel, bulkReference, phone, customerRef],
    ...[sought?.ids ?? null, sought?.numbers ?? []],
  ];
}

/** A page of those whose total lies in a range. Reads every purchase of the filter's time. */
export const listPurchasesOfAmount: ListPage<AmountFilter> = (db, wallet, filter, page) =>
  readPurchases(db, listOfAmount, [...amountValues(wallet, filter), page.perPage, offsetOf(page)]);

/** Counts them. Reads as much. */
export const countPurchasesOfAmount: Count<AmountFilter> = (db, wallet, filter) =>
  readTotal(db, countOfAmount, amountValues(wallet, filter));
