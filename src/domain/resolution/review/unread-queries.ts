import type { Instant } from "../../../kernel/clock.ts";
import {
  type MerchantId,
  type PurchaseId,
  type WalletId,
  type WalletKey,
  walletIdOf,
  walletOfId,
} from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, statement } from "../../../platform/database/database.ts";
import { sealedColumn } from "../../../platform/sealing/sealed-columns.ts";
import type { Purchase } from "../../purchases/purchase.ts";

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

// Stored whatever the lease: some suppliers say it once.
const insertAnswers = statement(
  "insert_unread_answers",
  `insert into unread_answers (wallet_id, purchase_id, attempt, epoch, supplier, sealed, at)
   select i.wallet_id, i.purchase_id, i.attempt, i.epoch, i.supplier, i.sealed, $8
     from unnest(
            $1::integer[], $2::bigint[], $3::smallint[], $4::integer[], $5::text[],
            $6::text[], $7::boolean[]
          ) as i (wallet_id, purchase_id, attempt, epoch, supplier, sealed, is_for_person)
    where i.is_for_person
       or 3 > (
            select count(*)
              from unread_answers u
             where u.purchase_id = i.purchase_id
               and u.wallet_id = i.wallet_id
               and u.attempt = i.attempt
          )
       on conflict do nothing`,
);

/** Keeps answers. Safe to repeat. */
export async function insertUnread(db: Queryable, items: readonly UnreadAnswer[], now: Instant): Promise<void> {
  const column = (read: (item: UnreadAnswer) => string | number | bigint | boolean) => arrayOf(items.map(read));
  await db.query(insertAnswers, [
    arrayOf(items.map(({ wallet }) => walletIdOf(wallet))),
    column((item) => item.id),
    column((item) => item.attempt),
    column((item) => item.epoch),
    column((item) => item.supplier),
    column((item) => item.sealed),
    column((item) => item.isForPerson),
    new Date(now),
  ]);
}

const listAnswers = statement(
  "list_unread_answers",
  `select u.attempt, u.supplier, u.sealed, u.at
     from unread_answers u
    where u.wallet_id = $1 and u.purchase_id = $2
    order by u.at, u.attempt, u.epoch`,
);

export function listUnread(
  db: Queryable,
  { wallet, id }: Pick<Purchase, "wallet" | "id">,
): Promise<(Pick<UnreadAnswer, "attempt" | "supplier" | "sealed"> & { readonly at: Instant })[]> {
  return db.query(listAnswers, [walletIdOf(wallet), id]);
}

/** The place that an answer is sealed for. */
export function unreadIdentity(merchantId: MerchantId, id: PurchaseId): string {
  return `unread_answers/${merchantId}/${id}`;
}

interface Row {
  readonly purchase_id: PurchaseId;
  readonly wallet_id: WalletId;
}

/** Where answers are that nobody could make out. */
export const unreadColumns = [
  sealedColumn<Row>({
    name: "unread answers",
    table: "unread_answers",
    key: { purchase_id: "bigint", wallet_id: "integer", attempt: "smallint", epoch: "integer" },
    column: "sealed",
    identity: (row) => unreadIdentity(walletOfId(row.wallet_id).merchantId, row.purchase_id),
  }),
];
