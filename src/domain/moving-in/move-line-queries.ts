import type { MerchantId } from "../../kernel/ids.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { MoveId } from "./move-in-queries.ts";
import type { PlannedMerchant, PlannedPrice } from "./planned.ts";

/** A merchant of a move. */
export interface MoveLine extends Omit<PlannedMerchant, "phone" | "token"> {
  readonly line: number;
  readonly tokenHash: string | null;
  readonly tokenFirst: string | null;
  readonly tokenLast: string | null;
  /** The merchant here: null before it is moved. */
  readonly merchantId: MerchantId | null;
}

const listLines = statement(
  "list_move_in_merchants",
  `select l.line,
          l.older_id as "olderId",
          l.name,
          l.email,
          l.balance,
          encode(l.token_hash, 'hex') as "tokenHash",
          l.token_first as "tokenFirst",
          l.token_last as "tokenLast",
          l.price_tier as "priceTier",
          l.blocked_by as "blockedBy",
          l.merchant_id as "merchantId"
     from move_in_merchants l
    where l.move_id = $1
    order by l.line
    limit $2`,
);

/** The first merchants of a move, in its order. */
export function listMoveLines(db: Queryable, id: MoveId, limit: number): Promise<MoveLine[]> {
  return db.query<MoveLine>(listLines, [id, limit]);
}

const listPrices = statement(
  "list_move_in_prices",
  `select product_id as "productId", tier, price
     from move_in_prices
    where move_id = $1
    order by product_id, tier`,
);

/** All prices of a move: as many as there are products and tiers. */
export function listMovePrices(db: Queryable, id: MoveId): Promise<PlannedPrice[]> {
  return db.query<PlannedPrice>(listPrices, [id]);
}

const updateLines = statement(
  "update_move_in_merchants",
  `update move_in_merchants l
      set merchant_id = given.merchant_id,
          seq_after = w.seq
     from unnest($2::integer[], $3::integer[]) as given (line, merchant_id)
     join wallets w on w.wallet_id = given.merchant_id
    where l.move_id = $1
      and l.line = given.line`,
);

/** Keeps which merchant each line became, and the last entry of its live wallet. */
export async function updateMoveLines(
  tx: Tx,
  id: MoveId,
  moved: readonly { readonly line: number; readonly merchantId: MerchantId }[],
): Promise<void> {
  const [lines, ids] = [moved.map(({ line }) => line), moved.map(({ merchantId }) => merchantId)];
  await tx.query(updateLines, [id, arrayOf(lines), arrayOf(ids)]);
}

/** A merchant here that has the email of a line. */
export interface MerchantWithEmail {
  readonly email: string;
  readonly merchantId: MerchantId;
  /** It is what a move has left that was taken back, and may be moved in again. */
  readonly isMovedBack: boolean;
  /** The move that it came by; null where it came by none, or that was taken back. */
  readonly movedBy: MoveId | null;
}

const listWithEmails = statement(
  "list_merchants_with_emails",
  `select lower(m.email) as email,
          m.id as "merchantId",
          v.move_id as "movedBy",
          v.merchant_id is not null and v.move_id is null and m.status = 'suspended' and m.api_approved_at is null
            and w.balance = 0 as "isMovedBack"
     from merchants m
     join wallets w on w.wallet_id = m.id
     left join (
            select l.merchant_id, max(l.move_id) filter (where i.state = 'moved') as move_id
              from move_in_merchants l
              join move_ins i on i.id = l.move_id
             group by l.merchant_id
          ) v on v.merchant_id = m.id
    where lower(m.email) = any ($1::text[])
    order by m.id`,
);

/** The merchants here that have these emails, in lower case. Reads all merchants and moves: no index has emails so. */
export function listMerchantsWithEmails(db: Queryable, emails: readonly string[]): Promise<MerchantWithEmail[]> {
  return db.query<MerchantWithEmail>(listWithEmails, [arrayOf(emails)]);
}

const listChanged = statement(
  "list_move_in_merchants_changed",
  `select l.merchant_id as "merchantId", w.seq - l.seq_after as entries
     from move_in_merchants l
     join wallets w on w.wallet_id = l.merchant_id
    where l.move_id = $1
      and w.seq <> l.seq_after
    order by l.merchant_id
    limit 5`,
);

/** Moved merchants whose live wallet has entries since the move. The caller has locked the wallets before. */
export function listChangedWallets(
  tx: Tx,
  id: MoveId,
): Promise<{ readonly merchantId: MerchantId; readonly entries: bigint }[]> {
  return tx.query(listChanged, [id]);
}
