import type { MerchantId } from "../../kernel/ids.ts";
import { formatNaira } from "../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import { type AccountRow, allowlistColumns, standingColumns } from "../merchants/queries.ts";
import type { MoveId, MoveIn } from "./move-in-queries.ts";
import { type PlannedMerchant, type PlannedPrice, portionsOf } from "./planned.ts";

/** A merchant of a move. */
export interface MoveLine extends Omit<PlannedMerchant, "phone"> {
  readonly line: number;
  /** The tier by the last export, where the user's type has changed since the merchant came. */
  readonly newTier: number | null;
  /** The last export has not the user, or something of it does not fit. */
  readonly isLeftOut: boolean;
  /** The merchant here: null before it came. */
  readonly merchantId: MerchantId | null;
}

const insertLines = statement(
  "insert_move_in_merchants",
  `insert into move_in_merchants as l (
     move_id, line, older_id, name, email, balance, token_hash, token_first, token_last, price_tier, blocked_by,
     merchant_id, seq_after
   )
   select $1, g.line, g."olderId", g.name, g.email, (g.balance * 100)::bigint, decode(g.token ->> 'hash', 'hex'),
          g.token ->> 'first', g.token ->> 'last', g."priceTier", g."blockedBy",
          g."merchantId", (select w.seq from wallets w where w.wallet_id = g."merchantId")
     from jsonb_to_recordset($2::jsonb) as g (
            line integer, "olderId" text, name text, email text, balance numeric, token jsonb, "priceTier" smallint,
            "blockedBy" text, "merchantId" integer
          )
       on conflict on constraint move_in_merchants_email_once do update
          set balance = excluded.balance,
              token_hash = excluded.token_hash,
              token_first = excluded.token_first,
              token_last = excluded.token_last,
              new_tier = nullif(excluded.price_tier, l.price_tier),
              blocked_by = excluded.blocked_by,
              is_left_out = false`,
);

/**
 * Keeps merchants behind those that a move has, and of one that is here the last entry of its live wallet, which has no
 * balance of the move yet. One that the move has already by its email gets what the export says of it now.
 */
export async function insertMoveLines(
  tx: Tx,
  { id, after }: { readonly id: MoveId; readonly after: number },
  merchants: readonly (PlannedMerchant & { readonly merchantId?: MerchantId })[],
): Promise<void> {
  let line = after;
  for (const some of portionsOf(merchants)) {
    const rows = some.map((merchant) => ({ ...merchant, line: ++line, balance: formatNaira(merchant.balance) }));
    await tx.query(insertLines, [id, JSON.stringify(rows)]);
  }
}

const deleteUnbrought = statement(
  "delete_move_in_merchants_unbrought",
  `delete from move_in_merchants
    where move_id = $1
      and merchant_id is null`,
);
const updateLeftOut = statement(
  "update_move_in_merchants_left_out",
  `update move_in_merchants l
      set is_left_out = true,
          balance = 0,
          token_hash = null,
          token_first = null,
          token_last = null,
          new_tier = null
    where move_id = $1
      and not exists (select from unnest($2::text[]) as given (email) where given.email = l.email)`,
);
const findLastLine = statement(
  "find_last_move_in_merchant",
  "select coalesce(max(line), 0) as line from move_in_merchants where move_id = $1",
);

/**
 * Makes what an export says now what a move brings: merchants that it has not are left out, and those that an earlier one
 * would have brought besides are forgotten.
 */
export async function replaceMoveLines(tx: Tx, id: MoveId, merchants: readonly PlannedMerchant[]): Promise<void> {
  await tx.query(deleteUnbrought, [id]);
  await tx.query(updateLeftOut, [id, arrayOf(merchants.map(({ email }) => email))]);
  const [last] = await tx.query<{ readonly line: number }>(findLastLine, [id]);
  await insertMoveLines(tx, { id, after: last?.line ?? 0 }, merchants);
}

const listLines = statement(
  "list_move_in_merchants",
  `select l.line,
          l.older_id as "olderId",
          l.name,
          l.email,
          l.balance,
          case
            when l.token_hash is null then null
            else jsonb_build_object(
                   'hash', encode(l.token_hash, 'hex'), 'first', l.token_first, 'last', l.token_last
                 )
          end as token,
          l.price_tier as "priceTier",
          l.new_tier as "newTier",
          l.blocked_by as "blockedBy",
          l.is_left_out as "isLeftOut",
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

/** Keeps which merchant each line became, and the last entry of its live wallet, which has no balance of the move yet. */
export async function updateMoveLines(
  tx: Tx,
  id: MoveId,
  moved: readonly { readonly line: number; readonly merchantId: MerchantId }[],
): Promise<void> {
  const [lines, ids] = [moved.map(({ line }) => line), moved.map(({ merchantId }) => merchantId)];
  await tx.query(updateLines, [id, arrayOf(lines), arrayOf(ids)]);
}

const listBlocked = statement(
  "list_move_in_merchants_suspended",
  `select l.merchant_id as "merchantId"
     from move_in_merchants l
     join merchants m on m.id = l.merchant_id
    where l.move_id = $1
      and l.blocked_by is null
      and not l.is_left_out
      and m.status = 'suspended'
      and starts_with(m.suspended_because, $2)`,
);

/** Merchants that the older script has let in again, and that are suspended here for a reason that begins so. */
export function listLetInAgain(tx: Tx, id: MoveId, reason: string): Promise<{ readonly merchantId: MerchantId }[]> {
  return tx.query(listBlocked, [id, reason]);
}

const listAwaited = statement(
  "list_accounts_by_awaited_token",
  `select encode(l.token_hash, 'hex') as hash,
          -m.id as key_id,
          'live' as mode,
          null::timestamptz as expires_at,
          ${standingColumns},
          ${allowlistColumns}
     from move_in_merchants l
     join move_ins v on v.id = l.move_id
     join merchants m on m.id = l.merchant_id
     join limit_tiers t on t.tier = m.limit_tier
     join platform_switches s on s.name = 'sandbox'
    where l.token_hash = any (select decode(given, 'hex') from unnest($1::text[]) as given)
      and v.state = 'prepared'`,
);

/** The accounts of tokens that will be keys from the switch on, as they will be then: for who sells nothing by them. */
export async function listAwaitedAccounts(database: Queryable, hashes: readonly string[]): Promise<AccountRow[]> {
  const rows = await database.query<AccountRow>(listAwaited, [arrayOf(hashes)]);
  return rows.map((row) => ({ ...row, api_approved: true }));
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
            select l.merchant_id, max(l.move_id) filter (where i.state <> 'undone') as move_id
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
  `select l.merchant_id as "merchantId"
     from move_in_merchants l
     join wallets w on w.wallet_id = l.merchant_id
    where l.move_id = $1
      and w.seq <> l.seq_after + case when $2 and l.balance > 0 then 1 else 0 end
    order by l.merchant_id
    limit 5`,
);

/**
 * Some moved merchants whose live wallet has other entries than the move's: one for each balance, once it is switched. To
 * decide by it, lock the wallets before.
 */
export function listChangedWallets(
  tx: Queryable,
  { id, state }: Pick<MoveIn, "id" | "state">,
): Promise<{ readonly merchantId: MerchantId }[]> {
  return tx.query(listChanged, [id, state === "moved"]);
}
