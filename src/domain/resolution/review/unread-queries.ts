import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId, PurchaseId, WalletKey } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement } from "../../../platform/database/database.ts";
import { rewrapFor, type SealedPlace, sealedPlace } from "../../../platform/sealing/sealed-places.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { walletColumns, walletValues } from "../../wallet/wallet-values.ts";

/** A supplier's answer whose goods nobody could make out, sealed. */
export interface UnreadAnswer {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly attempt: number;
  /** Of the lease under which it was asked. */
  readonly epoch: number;
  readonly supplier: string;
  readonly sealed: string;
  /** What only follows later is told again and again: a few of those say enough. */
  readonly isForPerson: boolean;
}

// Whoever holds the lease by now: some suppliers say it once.
const insertAnswers = statement(
  "insert_unread_answers",
  `insert into unread_answers (bucket, merchant_id, mode, purchase_id, attempt, epoch, supplier, sealed)
   select i.bucket, i.merchant_id, i.mode, i.purchase_id, i.attempt, i.epoch, i.supplier, i.sealed
     from unnest(
            $1::smallint[], $2::integer[], $3::text[], $4::bigint[], $5::smallint[], $6::integer[], $7::text[],
            $8::text[], $9::boolean[]
          ) as i (bucket, merchant_id, mode, purchase_id, attempt, epoch, supplier, sealed, is_for_person)
    where i.is_for_person
       or 3 > (
            select count(*)
              from unread_answers u
             where u.purchase_id = i.purchase_id
               and u.bucket = i.bucket
               and u.merchant_id = i.merchant_id
               and u.mode = i.mode
               and u.attempt = i.attempt
          )
       on conflict do nothing`,
);

/** Keeps answers. Safe to repeat. */
export async function insertUnread(db: Queryable, items: readonly UnreadAnswer[]): Promise<void> {
  const column = (read: (item: UnreadAnswer) => string | number | bigint | boolean) => arrayOf(items.map(read));
  await db.query(insertAnswers, [
    ...walletColumns(items.map(({ wallet }) => wallet)),
    column((item) => item.id),
    column((item) => item.attempt),
    column((item) => item.epoch),
    column((item) => item.supplier),
    column((item) => item.sealed),
    column((item) => item.isForPerson),
  ]);
}

const listAnswers = statement(
  "list_unread_answers",
  `select u.attempt, u.supplier, u.sealed, u.at
     from unread_answers u
    where u.bucket = $1 and u.merchant_id = $2 and u.mode = $3 and u.purchase_id = $4
    order by u.at, u.attempt, u.epoch`,
);

export function listUnread(
  db: Queryable,
  { wallet, id }: Pick<Purchase, "wallet" | "id">,
): Promise<(Pick<UnreadAnswer, "attempt" | "supplier" | "sealed"> & { readonly at: Instant })[]> {
  return db.query(listAnswers, [...walletValues(wallet), id]);
}

/** The place that an answer is sealed for. */
export function unreadIdentity(merchantId: MerchantId, id: PurchaseId): string {
  return `unread_answers/${merchantId}/${id}`;
}

interface Row extends WalletKey {
  readonly id: PurchaseId;
  readonly attempt: number;
  readonly epoch: number;
  readonly stored: string;
}

/** Where answers are that nobody could make out. */
export const unreadPlaces: readonly SealedPlace[] = [
  sealedPlace<Row>({
    name: "unread answers",
    first: [-1, -1, -1, -1, -1],
    keyOf: (row) => [row.id, row.bucket, row.merchantId, row.attempt, row.epoch],
    rewrapped: rewrapFor((row: Row) => unreadIdentity(row.merchantId, row.id)),
    count: statement(
      "count_unread_by_key",
      `select split_part(u.sealed, '.', 2) as "keyId", count(*) as rows
         from unread_answers u
        group by 1`,
    ),
    list: statement(
      "list_sealed_unread",
      `select u.purchase_id as id, u.bucket, u.merchant_id as "merchantId", u.attempt, u.epoch, u.sealed as stored
         from unread_answers u
        where (u.purchase_id, u.bucket, u.merchant_id, u.attempt, u.epoch) > ($1, $2, $3, $4, $5)
        order by u.purchase_id, u.bucket, u.merchant_id, u.attempt, u.epoch
        limit $6`,
    ),
    update: statement(
      "update_sealed_unread",
      `update unread_answers u
          set sealed = i.fresh
         from unnest($1::bigint[], $2::smallint[], $3::integer[], $4::smallint[], $5::integer[], $6::text[], $7::text[])
                as i (id, bucket, merchant_id, attempt, epoch, stored, fresh)
        where u.purchase_id = i.id
          and u.bucket = i.bucket
          and u.merchant_id = i.merchant_id
          and u.attempt = i.attempt
          and u.epoch = i.epoch
          and u.sealed = i.stored`,
    ),
  }),
];
