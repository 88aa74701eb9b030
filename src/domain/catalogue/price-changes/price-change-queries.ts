import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { ChangeId, ChangeState } from "../../staff/change-queries.ts";

/** A change of prices, without its lines. */
export interface PriceChange {
  readonly id: ChangeId;
  readonly state: ChangeState | "draft";
  /** Somebody had to be asked for it. */
  readonly isRequested: boolean;
  readonly isAlone: boolean;
  /** As in the audit log; null: by a command. */
  readonly madeBy: string | null;
  readonly reason: string;
  readonly undoes: ChangeId | null;
  readonly prices: number;
  /** When it was asked for or, once it is over, made or ended. */
  readonly at: Instant;
  readonly endsAt: Instant;
  /** The moment for which it is scheduled. */
  readonly dueAt: Instant | null;
  readonly outcome: string | null;
  readonly progress: string | null;
}

/** A change of prices with its lines as JSON; null for one that was made at once, which history has. */
export interface WholePriceChange extends PriceChange {
  readonly lines: string | null;
  /** The done change that took this one back. */
  readonly undoneBy: ChangeId | null;
}

/** How a change of prices is called among the others. */
export const priceChangeKind = "change prices";

const columns = `c.id,
          c.state,
          c.requested_by is not null as "isRequested",
          c.is_alone as "isAlone",
          c.fields::json ->> 'made_by' as "madeBy",
          c.fields::json ->> 'reason' as reason,
          (c.fields::json ->> 'undoes')::integer as undoes,
          (c.fields::json ->> 'prices')::integer as prices,
          case
            when c.state in ('agreed', 'done') then greatest(c.decided_at, c.due_at)
            else coalesce(c.decided_at, c.requested_at)
          end as at,
          c.ends_at as "endsAt",
          c.due_at as "dueAt",
          c.outcome,
          c.progress`;

const findOne = statement(
  "find_price_change",
  `select ${columns},
          c.lines,
          (
            select max(u.id)
              from changes u
             where u.kind = c.kind and u.state = 'done' and u.id > c.id
               and u.fields::json ->> 'undoes' = c.id::text
          ) as "undoneBy"
     from changes c
    where c.id = $1
      and c.kind = $2`,
);

const countAlone = statement(
  "count_prices_set_alone",
  `select coalesce(sum((c.fields::json ->> 'prices')::integer), 0)::integer as count
     from changes c
    where c.kind = $1
      and c.is_alone
      and c.state in ('agreed', 'done')
      and c.requested_at > now() - interval '1 day'
      and c.fields::json ->> 'made_by' = $2`,
);

/** How many prices a person, named as in the audit log, changed in the last 24 hours without a second person. */
export async function countSetAlone(db: Queryable, madeBy: string): Promise<number> {
  const [row] = await db.query<{ count: number }>(countAlone, [priceChangeKind, madeBy]);
  return row?.count ?? 0;
}

const findDraftOf = statement(
  "find_price_draft",
  `select d.id, 'draft' as state, false as "isRequested", false as "isAlone", d.made_by as "madeBy", '' as reason, d.undoes,
          json_array_length(d.lines::json) as prices, d.created_at as at, d.created_at as "endsAt", null as "dueAt",
          null as outcome, null as progress, d.lines, null as "undoneBy"
     from price_drafts d
    where d.id = $1`,
);

/** A change of prices, or the preview of one. */
export async function findPriceChange(db: Queryable, id: ChangeId): Promise<WholePriceChange | null> {
  const [change] = await db.query<WholePriceChange>(findOne, [id, priceChangeKind]);
  return change ?? (await db.query<WholePriceChange>(findDraftOf, [id]))[0] ?? null;
}

const listChanges = statement(
  "list_price_changes",
  `select ${columns}
     from changes c
    where c.kind = $1
      and c.id < $2
      and ($3::text is null or c.state = $3)
    order by c.id desc
    limit $4`,
);

/** Above any change's number. */
const afterAll = 2_147_483_647;

/** Changes of prices, the newest first, below a number and in one state where these are given. */
export function listPriceChanges(
  db: Queryable,
  {
    before,
    state,
    limit,
  }: { readonly before: number | null; readonly state: ChangeState | null; readonly limit: number },
): Promise<PriceChange[]> {
  return db.query<PriceChange>(listChanges, [priceChangeKind, before ?? afterAll, state, limit]);
}

const listShort = statement(
  "list_price_changes_that_left_prices_out",
  `select ${columns}
     from changes c
    where c.kind = $1
      and c.state = 'done'
      and c.due_at > $2
      and (c.progress::json -> 'counts' ->> 'set')::integer < (c.progress::json ->> 'all')::integer
    order by c.id desc
    limit $3`,
);

/** Scheduled changes that left prices out, or all of them, since then. */
export function listShortChanges(db: Queryable, since: Instant, limit: number): Promise<PriceChange[]> {
  return db.query<PriceChange>(listShort, [priceChangeKind, new Date(since), limit]);
}

const countOpen = statement(
  "count_open_change_subjects",
  `select count(*)::integer as prices, c.id as "changeId", c.state
     from change_subjects s
     join changes c
       on c.id = s.change_id
    where s.subject = any ($1::text[])
      and c.id <> $2
      and (c.state = 'agreed' or c.ends_at > now())
    group by c.id
    order by c.id
    limit 1`,
);

/** The first other change that is open about some of these prices, and about how many. */
export async function findOpenChange(
  db: Queryable,
  { id, subjects }: { readonly id: ChangeId; readonly subjects: readonly string[] },
): Promise<{ readonly prices: number; readonly changeId: ChangeId; readonly state: "waiting" | "agreed" } | null> {
  const rows = await db.query<{ prices: number; changeId: ChangeId; state: "waiting" | "agreed" }>(countOpen, [
    arrayOf(subjects),
    id,
  ]);
  return rows[0] ?? null;
}

const insertDraft = statement(
  "insert_price_draft",
  `insert into price_drafts (made_by, undoes, lines)
   values ($1, $2, $3)
   returning id`,
);

/** @returns the number that the change will have */
export async function insertPriceDraft(
  db: Queryable,
  draft: { readonly madeBy: string; readonly undoes: ChangeId | null; readonly lines: string },
): Promise<ChangeId> {
  const rows = await db.query<{ id: ChangeId }>(insertDraft, [draft.madeBy, draft.undoes, draft.lines]);
  return (rows[0] as { id: ChangeId }).id;
}

const deleteDraft = statement("delete_price_draft", "delete from price_drafts where id = $1 returning undoes, lines");

/** Takes a preview away as it is decided, waiting for whoever decides it just now. Null where it was decided before. */
export async function deletePriceDraft(
  tx: Tx,
  id: ChangeId,
): Promise<{ readonly undoes: ChangeId | null; readonly lines: string } | null> {
  return (await tx.query<{ undoes: ChangeId | null; lines: string }>(deleteDraft, [id]))[0] ?? null;
}

const deleteDrafts = statement(
  "delete_old_price_drafts",
  `delete from price_drafts
    where id in (
            select d.id
              from price_drafts d
             where d.created_at < now() - interval '7 days'
             order by d.created_at
             limit 100
          )`,
);

/** Deletes a hundred previews of over a week ago. */
export async function deleteOldDrafts(db: Queryable): Promise<void> {
  await db.query(deleteDrafts);
}
