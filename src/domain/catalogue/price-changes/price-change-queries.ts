import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";

declare const changeIdBrand: unique symbol;
/** The number of a change of prices. */
export type PriceChangeId = number & { readonly [changeIdBrand]: true };

/** A change of prices, without its lines. */
export interface PriceChange {
  readonly id: PriceChangeId;
  readonly state: "draft" | "scheduled" | "done" | "stopped" | "cancelled";
  /** As in the audit log; null: by a command. */
  readonly madeBy: string | null;
  readonly reason: string;
  readonly undoes: PriceChangeId | null;
  /** The done change that took this one back. */
  readonly undoneBy: PriceChangeId | null;
  readonly createdAt: Instant;
  readonly startsAt: Instant | null;
  readonly endedAt: Instant | null;
  readonly prices: number;
}

const changeColumns = `c.id,
          c.state,
          c.made_by as "madeBy",
          c.reason,
          c.undoes,
          (select max(u.id) from price_changes u where u.undoes = c.id and u.state = 'done') as "undoneBy",
          c.created_at as "createdAt",
          c.starts_at as "startsAt",
          c.ended_at as "endedAt",
          c.prices`;

const findOne = statement(
  "find_price_change",
  `select ${changeColumns}
     from price_changes c
    where c.id = $1`,
);

export async function findPriceChange(db: Queryable, id: PriceChangeId): Promise<PriceChange | null> {
  return (await db.query<PriceChange>(findOne, [id]))[0] ?? null;
}

const listChanges = statement(
  "list_price_changes",
  `select ${changeColumns}
     from price_changes c
    where c.state <> 'draft'
      and c.id < $1
      and ($2::text is null or c.state = $2)
    order by c.id desc
    limit $3`,
);

/** Above any change's number. */
const afterAll = 2_147_483_647;

/** Changes that were at least scheduled, the newest first, below a number and in one state where these are given. */
export function listPriceChanges(
  db: Queryable,
  {
    before = null,
    state = null,
    limit,
  }: { readonly before?: number | null; readonly state?: PriceChange["state"] | null; readonly limit: number },
): Promise<PriceChange[]> {
  return db.query<PriceChange>(listChanges, [before ?? afterAll, state, limit]);
}

const insertChange = statement(
  "insert_price_change",
  `insert into price_changes (state, made_by, reason, undoes, prices, ended_at)
   values ($1, $2, $3, $4, $5, case when $1 = 'done' then now() end)
   returning id`,
);

/** @returns its number */
export async function insertPriceChange(
  tx: Tx,
  change: Pick<PriceChange, "madeBy" | "reason" | "undoes" | "prices"> & { readonly state: "draft" | "done" },
): Promise<PriceChangeId> {
  const { state, madeBy, reason, undoes, prices } = change;
  const rows = await tx.query<{ id: PriceChangeId }>(insertChange, [state, madeBy, reason, undoes, prices]);
  return (rows[0] as { id: PriceChangeId }).id;
}

const updateState = statement(
  "update_price_change_state",
  `update price_changes
      set state = $3,
          made_by = coalesce($4, made_by),
          reason = coalesce($5, reason),
          starts_at = coalesce($6, starts_at),
          ended_at = case when $3 <> 'scheduled' then now() end
    where id = $1
      and state = any ($2::text[])
   returning id`,
);

/** Moves a change on from one of these states, and locks its row. @returns whether it was in one of them */
export async function updateChangeState(
  tx: Tx,
  id: PriceChangeId,
  {
    from,
    to,
    madeBy = null,
    reason = null,
    startsAt = null,
  }: {
    readonly from: readonly ("draft" | "scheduled")[];
    readonly to: Exclude<PriceChange["state"], "draft">;
    readonly madeBy?: string | null;
    readonly reason?: string | null;
    readonly startsAt?: Instant | null;
  },
): Promise<boolean> {
  const at = startsAt === null ? null : new Date(startsAt);
  return (await tx.query(updateState, [id, arrayOf(from), to, madeBy, reason, at])).length === 1;
}

const findDue = statement(
  "find_due_price_change",
  `select id, made_by as "madeBy", prices
     from price_changes
    where state = 'scheduled'
      and starts_at <= now()
    order by starts_at, id
    limit 1`,
);

/** The scheduled change that is due first, by the database's clock. */
export async function findDueChange(db: Queryable): Promise<Pick<PriceChange, "id" | "madeBy" | "prices"> | null> {
  return (await db.query<Pick<PriceChange, "id" | "madeBy" | "prices">>(findDue))[0] ?? null;
}

const deleteDrafts = statement(
  "delete_price_change_drafts",
  `delete from price_changes
    where id in (
            select d.id
              from price_changes d
             where d.state = 'draft'
               and d.created_at < now() - interval '7 days'
             order by d.created_at
             limit 100
          )`,
);

/** Deletes a hundred drafts of over a week ago: an approval that names one has expired. */
export async function deleteOldDrafts(db: Queryable): Promise<void> {
  await db.query(deleteDrafts);
}
