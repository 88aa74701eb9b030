import type { Instant } from "../../kernel/clock.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PriceChangeId } from "../catalogue/price-changes/price-change-queries.ts";
import type { PlannedMerchant, PlannedPrice } from "./planned.ts";

declare const moveIdBrand: unique symbol;
/** The number of a move. */
export type MoveId = number & { readonly [moveIdBrand]: true };

/** A move, without its merchants. */
export interface MoveIn {
  readonly id: MoveId;
  /** SHA-256 of its plan, in hexadecimal. */
  readonly digest: string;
  readonly state: "waiting" | "moved" | "undone";
  readonly madeBy: string;
  readonly approvedBy: string | null;
  /** As `formatNetworkNumbers` writes them; null: the usual numbers. */
  readonly networks: string | null;
  readonly priceChangeId: PriceChangeId | null;
  readonly madeAt: Instant;
  readonly movedAt: Instant | null;
  readonly merchants: number;
  /** The sum of the opening balances, in kobo. */
  readonly balance: Kobo;
  readonly prices: number;
}

const moveColumns = `v.id,
          encode(v.digest, 'hex') as digest,
          v.state,
          v.made_by as "madeBy",
          v.approved_by as "approvedBy",
          v.networks,
          v.price_change_id as "priceChangeId",
          v.made_at as "madeAt",
          v.moved_at as "movedAt",
          (select count(*)::integer from move_in_merchants l where l.move_id = v.id) as merchants,
          (select coalesce(sum(l.balance), 0)::bigint from move_in_merchants l where l.move_id = v.id) as balance,
          (select count(*)::integer from move_in_prices p where p.move_id = v.id) as prices`;

const findByDigest = statement(
  "find_move_in_by_digest",
  `select ${moveColumns}
     from move_ins v
    where v.digest = decode($1, 'hex')
      and v.state in ('waiting', 'moved')`,
);

/** The move of a plan, unless it was taken back. */
export async function findMoveOf(db: Queryable, digest: string): Promise<MoveIn | null> {
  return (await db.query<MoveIn>(findByDigest, [digest]))[0] ?? null;
}

const listOpen = statement(
  "list_move_ins",
  `select ${moveColumns}
     from move_ins v
    where v.state in ('waiting', 'moved')
    order by v.id
    limit 100`,
);

/** Moves that were not taken back, the first one first. */
export function listOpenMoves(db: Queryable): Promise<MoveIn[]> {
  return db.query<MoveIn>(listOpen);
}

const findOne = statement(
  "find_move_in",
  `select ${moveColumns}
     from move_ins v
    where v.id = $1`,
);

export async function findMove(db: Queryable, id: MoveId): Promise<MoveIn | null> {
  return (await db.query<MoveIn>(findOne, [id]))[0] ?? null;
}

const insertMove = statement(
  "insert_move_in",
  `insert into move_ins (digest, networks, made_by, made_at)
   values (decode($1, 'hex'), $2, $3, $4)
   returning id`,
);

const insertMerchants = statement(
  "insert_move_in_merchants",
  `insert into move_in_merchants (
     move_id, line, older_id, name, email, balance, token_hash, token_first, token_last, price_tier, blocked_by
   )
   select $1, l.line, l."olderId", l.name, l.email, (l.balance * 100)::bigint, decode(l."tokenHash", 'hex'),
          l."tokenFirst", l."tokenLast", l."priceTier", l."blockedBy"
     from jsonb_to_recordset($2::jsonb) as l (
            line integer, "olderId" text, name text, email text, balance numeric, "tokenHash" text, "tokenFirst" text,
            "tokenLast" text, "priceTier" smallint, "blockedBy" text
          )
    order by l.line`,
);

const insertPrices = statement(
  "insert_move_in_prices",
  `insert into move_in_prices (move_id, product_id, tier, price)
   select $1, l."productId", l.tier, (l.price * 100)::bigint
     from jsonb_to_recordset($2::jsonb) as l ("productId" integer, tier smallint, price numeric)`,
);

/** Keeps a plan as it is to be carried out. @returns the move's number */
export async function insertMoveIn(
  tx: Tx,
  plan: {
    readonly digest: string;
    readonly merchants: readonly PlannedMerchant[];
    readonly prices: readonly PlannedPrice[];
    readonly networks: string | null;
  },
  { madeBy, now }: { readonly madeBy: string; readonly now: Instant },
): Promise<MoveId> {
  const [row] = await tx.query<{ id: MoveId }>(insertMove, [plan.digest, plan.networks, madeBy, new Date(now)]);
  const { id } = row as { id: MoveId };
  const lines = plan.merchants.map(({ olderId, name, email, balance, token, priceTier, blockedBy }, at) => ({
    ...{ line: at + 1, olderId, name, email, balance: formatNaira(balance), priceTier, blockedBy },
    ...{ tokenHash: token?.hash ?? null, tokenFirst: token?.first ?? null, tokenLast: token?.last ?? null },
  }));
  await tx.query(insertMerchants, [id, JSON.stringify(lines)]);
  const prices = plan.prices.map(({ productId, tier, price }) => ({ productId, tier, price: formatNaira(price) }));
  await tx.query(insertPrices, [id, JSON.stringify(prices)]);
  return id;
}

const findHash = statement(
  "find_move_in_hash",
  `select encode(
            sha256(
              convert_to(
                coalesce(v.networks, '')
                || (select coalesce(string_agg(encode(sha256(convert_to(l::text, 'UTF8')), 'hex'), '' order by l.line), '')
                      from move_in_merchants l
                     where l.move_id = v.id)
                || (select coalesce(string_agg(encode(sha256(convert_to(p::text, 'UTF8')), 'hex'), '' order by p.product_id, p.tier), '')
                      from move_in_prices p
                     where p.move_id = v.id),
                'UTF8'
              )
            ),
            'hex'
          ) as hash
     from move_ins v
    where v.id = $1`,
);

/** SHA-256 of all that a waiting move is to do, in hexadecimal: what was approved is what is carried out. */
export async function findMoveHash(db: Queryable, id: MoveId): Promise<string | null> {
  return (await db.query<{ hash: string }>(findHash, [id]))[0]?.hash ?? null;
}

const updateMoved = statement(
  "update_move_in_moved",
  `update move_ins
      set state = 'moved',
          approved_by = $2,
          moved_at = $3
    where id = $1
      and state = 'waiting'
   returning made_by as "madeBy", networks`,
);

/** Marks a move as carried out, in the transaction that does it, and locks it. Null where it waits no more. */
export async function updateMoveMoved(
  tx: Tx,
  id: MoveId,
  { approvedBy, now }: { readonly approvedBy: string | null; readonly now: Instant },
): Promise<Pick<MoveIn, "madeBy" | "networks"> | null> {
  const values = [id, approvedBy, new Date(now)];
  return (await tx.query<Pick<MoveIn, "madeBy" | "networks">>(updateMoved, values))[0] ?? null;
}

const updateUndone = statement(
  "update_move_in_undone",
  `update move_ins
      set state = 'undone',
          undone_by = $2,
          undone_at = $3
    where id = $1
      and state in ('waiting', 'moved')
   returning id`,
);

/** Marks a move as taken back, in the transaction that does it, and locks it. False where it was before. */
export async function updateMoveUndone(
  tx: Tx,
  id: MoveId,
  { by, now }: { readonly by: string; readonly now: Instant },
): Promise<boolean> {
  return (await tx.query(updateUndone, [id, by, new Date(now)])).length === 1;
}

const updatePriceChange = statement(
  "update_move_in_price_change",
  `update move_ins
      set price_change_id = $2
    where id = $1`,
);

export async function updateMovePriceChange(tx: Tx, id: MoveId, changeId: PriceChangeId): Promise<void> {
  await tx.query(updatePriceChange, [id, changeId]);
}
