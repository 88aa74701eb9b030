import type { Instant } from "../../kernel/clock.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { ChangeId } from "../staff/change-queries.ts";
import type { PlannedPrice } from "./planned.ts";

declare const moveIdBrand: unique symbol;
/** The number of a move. */
export type MoveId = number & { readonly [moveIdBrand]: true };

/** A move, without its merchants. */
export interface MoveIn {
  readonly id: MoveId;
  /** SHA-256 of the plan by which the merchants came, in hexadecimal. */
  readonly digest: string;
  /** The same of the switch; null before it. */
  readonly switchDigest: string | null;
  /** Merchants and prices are here; the switch was asked for and waits for a second person; balances and tokens are here; all is taken back. */
  readonly state: "prepared" | "waiting" | "moved" | "undone";
  readonly madeBy: string;
  readonly switchedBy: string | null;
  readonly approvedBy: string | null;
  /** As `formatNetworkNumbers` writes them; null: the usual numbers. */
  readonly networks: string | null;
  readonly priceChangeId: ChangeId | null;
  readonly madeAt: Instant;
  /** When it was switched. */
  readonly movedAt: Instant | null;
  readonly undoneAt: Instant | null;
  /** How many are not left out. */
  readonly merchants: number;
  /** How many of them bring a token. */
  readonly tokens: number;
  /** The sum of the opening balances, in kobo: 0 before the switch. */
  readonly balance: Kobo;
  readonly prices: number;
}

const moveColumns = `v.id,
          encode(v.digest, 'hex') as digest,
          encode(v.switch_digest, 'hex') as "switchDigest",
          case when v.state = 'prepared' and v.switch_digest is not null then 'waiting' else v.state end as state,
          v.made_by as "madeBy",
          v.switched_by as "switchedBy",
          v.approved_by as "approvedBy",
          v.networks,
          v.price_change_id as "priceChangeId",
          v.made_at as "madeAt",
          v.moved_at as "movedAt",
          v.undone_at as "undoneAt",
          s.merchants,
          s.tokens,
          s.balance,
          (select count(*)::integer from move_in_prices p where p.move_id = v.id) as prices`;

const list = statement(
  "list_move_ins",
  `select ${moveColumns}
     from move_ins v
    cross join lateral (
            select count(*)::integer as merchants,
                   count(l.token_hash)::integer as tokens,
                   coalesce(sum(l.balance), 0)::bigint as balance
              from move_in_merchants l
             where l.move_id = v.id
               and not l.is_left_out
          ) s
    where ($1::integer is null or v.id = $1)
      and ($2::text is null or (v.digest = decode($2, 'hex') and v.state <> 'undone'))
    order by v.id desc
    limit 100`,
);

/** Moves, the last one first. */
export function listMoves(db: Queryable): Promise<MoveIn[]> {
  return db.query<MoveIn>(list, [null, null]);
}

export async function findMove(db: Queryable, id: MoveId): Promise<MoveIn | null> {
  return (await db.query<MoveIn>(list, [id, null]))[0] ?? null;
}

/** The move of a plan, unless it was taken back. */
export async function findMoveOf(db: Queryable, digest: string): Promise<MoveIn | null> {
  return (await db.query<MoveIn>(list, [null, digest]))[0] ?? null;
}

const insertMove = statement(
  "insert_move_in",
  `insert into move_ins (digest, networks, made_by, made_at)
   values (decode($1, 'hex'), $2, $3, $4)
   returning id`,
);

const insertPrices = statement(
  "insert_move_in_prices",
  `insert into move_in_prices (move_id, product_id, tier, price)
   select $1, l."productId", l.tier, (l.price * 100)::bigint
     from jsonb_to_recordset($2::jsonb) as l ("productId" integer, tier smallint, price numeric)`,
);

/** Keeps a move and its prices. Its merchants are inserted by `insertMoveLines`. @returns the move's number */
export async function insertMoveIn(
  tx: Tx,
  plan: { readonly digest: string; readonly prices: readonly PlannedPrice[]; readonly networks: string | null },
  { madeBy, now }: { readonly madeBy: string; readonly now: Instant },
): Promise<MoveId> {
  const [row] = await tx.query<{ id: MoveId }>(insertMove, [plan.digest, plan.networks, madeBy, new Date(now)]);
  const { id } = row as { id: MoveId };
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

/** SHA-256 of all that a waiting switch is to do, in hexadecimal: what was approved is what is carried out. */
export async function findMoveHash(db: Queryable, id: MoveId): Promise<string | null> {
  return (await db.query<{ hash: string }>(findHash, [id]))[0]?.hash ?? null;
}

const updateWaiting = statement(
  "update_move_in_waiting",
  `update move_ins
      set switch_digest = decode($2, 'hex'),
          switched_by = $3
    where id = $1
      and state = 'prepared'
   returning id`,
);

/** Marks a move as about to be switched by a plan, and locks it. False where it was switched or taken back. */
export async function updateMoveWaiting(
  tx: Tx,
  id: MoveId,
  { digest, by }: { readonly digest: string; readonly by: string },
): Promise<boolean> {
  return (await tx.query(updateWaiting, [id, digest, by])).length === 1;
}

const updateMoved = statement(
  "update_move_in_moved",
  `update move_ins
      set state = 'moved',
          approved_by = $2,
          moved_at = $3
    where id = $1
      and state = 'prepared'
   returning switched_by as "switchedBy", networks`,
);

/** Marks a move as switched, in the transaction that does it, and locks it. Null where it waits no more. */
export async function updateMoveMoved(
  tx: Tx,
  id: MoveId,
  { approvedBy, now }: { readonly approvedBy: string | null; readonly now: Instant },
): Promise<{ readonly switchedBy: string; readonly networks: string | null } | null> {
  const values = [id, approvedBy, new Date(now)];
  return (await tx.query<{ switchedBy: string; networks: string | null }>(updateMoved, values))[0] ?? null;
}

const updateUndone = statement(
  "update_move_in_undone",
  `update move_ins
      set state = 'undone',
          undone_by = $3,
          undone_at = $4
    where id = $1
      and state = case $2 when 'waiting' then 'prepared' else $2 end
   returning id`,
);

/** Marks a move of this state as taken back, in the transaction that does it, and locks it. False where it has another one. */
export async function updateMoveUndone(
  tx: Tx,
  { id, state }: Pick<MoveIn, "id" | "state">,
  { by, now }: { readonly by: string; readonly now: Instant },
): Promise<boolean> {
  return (await tx.query(updateUndone, [id, state, by, new Date(now)])).length === 1;
}

const updatePriceChange = statement(
  "update_move_in_price_change",
  `update move_ins
      set price_change_id = $2
    where id = $1`,
);

export async function updateMovePriceChange(tx: Tx, id: MoveId, changeId: ChangeId): Promise<void> {
  await tx.query(updatePriceChange, [id, changeId]);
}
