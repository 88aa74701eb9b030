import type { Instant } from "../../kernel/clock.ts";
import { type Queryable, statement, type Tx } from "../../platform/database/database.ts";
import type { PersonId } from "../identity/people/person.ts";

declare const approvalIdBrand: unique symbol;
export type ApprovalId = number & { readonly [approvalIdBrand]: true };

/** A change that one person asked for, and what became of it. */
export interface Approval {
  readonly id: ApprovalId;
  readonly kind: string;
  readonly summary: string;
  /** As JSON, frozen. */
  readonly payload: string;
  readonly payloadHash: Buffer;
  readonly makerId: PersonId;
  readonly makerName: string;
  readonly checkerName: string | null;
  /** One that waits beyond `endsAt` has expired. */
  readonly status: "waiting" | "done" | "refused" | "withdrawn";
  readonly isAlone: boolean;
  readonly createdAt: Instant;
  readonly endsAt: Instant;
  readonly decidedAt: Instant | null;
}

const columns = `a.id,
          a.kind,
          a.summary,
          a.payload,
          a.payload_hash as "payloadHash",
          a.maker_id as "makerId",
          m.name as "makerName",
          c.name as "checkerName",
          a.status,
          a.is_alone as "isAlone",
          a.created_at as "createdAt",
          a.ends_at as "endsAt",
          a.decided_at as "decidedAt"`;

const joins = `approvals a
     join people m on m.id = a.maker_id
     left join people c on c.id = a.checker_id`;

/** What an approval is made of. */
export interface NewApproval
  extends Pick<Approval, "kind" | "summary" | "payload" | "payloadHash" | "makerId" | "endsAt"> {
  readonly now: Instant;
}

const insertWaiting = statement(
  "insert_approval",
  `insert into approvals (kind, summary, payload, payload_hash, maker_id, created_at, ends_at)
   values ($1, $2, $3, $4, $5, $6, $7)
   returning id`,
);

const insertDone = statement(
  "insert_approval_done_alone",
  `insert into approvals (
     kind, summary, payload, payload_hash, maker_id, created_at, ends_at, status, is_alone, decided_at
   )
   values ($1, $2, $3, $4, $5, $6, $7, 'done', true, $6)
   returning id`,
);

function valuesOf(approval: NewApproval): unknown[] {
  const { kind, summary, payload, payloadHash, makerId, now, endsAt } = approval;
  return [kind, summary, payload, payloadHash, makerId, new Date(now), new Date(endsAt)];
}

export async function insertApproval(tx: Tx, approval: NewApproval): Promise<ApprovalId> {
  return ((await tx.query<{ id: ApprovalId }>(insertWaiting, valuesOf(approval)))[0] as { id: ApprovalId }).id;
}

/** Stores what one person did alone, as nobody else could have approved it. */
export async function insertDoneAlone(tx: Tx, approval: NewApproval): Promise<void> {
  await tx.query(insertDone, valuesOf(approval));
}

const find = statement(
  "find_approval",
  `select ${columns}
     from ${joins}
    where a.id = $1`,
);

export async function findApproval(db: Queryable, id: ApprovalId): Promise<Approval | null> {
  return (await db.query<Approval>(find, [id]))[0] ?? null;
}

const findLike = statement(
  "find_waiting_approval",
  `select ${columns}
     from ${joins}
    where a.kind = $1
      and a.status = 'waiting'
      and a.ends_at > $3
      and a.payload::jsonb @> $2::jsonb
    order by a.id
    limit 1`,
);

/** One of a kind that waits, with all of this in its payload; null where none does. */
export async function findWaitingLike(
  db: Queryable,
  { kind, payload, now }: Pick<NewApproval, "kind" | "now"> & { readonly payload: object },
): Promise<Approval | null> {
  return (await db.query<Approval>(findLike, [kind, JSON.stringify(payload), new Date(now)]))[0] ?? null;
}

const list = statement(
  "list_approvals",
  `select ${columns}
     from ${joins}
    where $3::integer is null or a.maker_id = $3
    order by (a.status = 'waiting' and a.ends_at > $1) desc, a.id desc
    limit $2`,
);

/** What waits first, then the others, the newest first: of all, or of one maker. */
export function listApprovals(
  db: Queryable,
  now: Instant,
  limit: number,
  makerId: PersonId | null = null,
): Promise<Approval[]> {
  return db.query<Approval>(list, [new Date(now), limit, makerId]);
}

const count = statement(
  "count_waiting_approvals",
  `select count(*)::integer as waiting
     from approvals a
    where a.status = 'waiting'
      and a.ends_at > $1
      and a.maker_id <> $2`,
);

/** How many wait for somebody else than this person. */
export async function countWaiting(db: Queryable, now: Instant, personId: PersonId): Promise<number> {
  return (await db.query<{ waiting: number }>(count, [new Date(now), personId]))[0]?.waiting ?? 0;
}

const decide = statement(
  "update_approval_decided",
  `update approvals
      set status = $2,
          checker_id = $3,
          decided_at = $4
    where id = $1
      and status = 'waiting'
      and ends_at > $4
      and maker_id <> $3
      and ($2 = 'refused' or payload_hash = sha256(convert_to(kind || E'\\n' || payload, 'UTF8')))
   returning 1`,
);

/** Decides one that waits: once, by somebody else than its maker, and done only as it was asked for. @returns whether it did */
export async function updateDecided(
  tx: Tx,
  decision: {
    readonly id: ApprovalId;
    readonly status: "done" | "refused";
    readonly checkerId: PersonId;
    readonly now: Instant;
  },
): Promise<boolean> {
  const { id, status, checkerId, now } = decision;
  return (await tx.query(decide, [id, status, checkerId, new Date(now)])).length === 1;
}

const withdraw = statement(
  "update_approval_withdrawn",
  `update approvals
      set status = 'withdrawn',
          decided_at = $3
    where id = $1
      and status = 'waiting'
      and maker_id = $2
   returning 1`,
);

/** Takes back what one asked for. @returns whether it still waited */
export async function updateWithdrawn(tx: Tx, id: ApprovalId, makerId: PersonId, now: Instant): Promise<boolean> {
  return (await tx.query(withdraw, [id, makerId, new Date(now)])).length === 1;
}

const findGrant = statement(
  "find_approval_granted",
  `select 1
     from approvals a
    where a.kind = $1
      and a.maker_id = $2
      and a.status = 'done'
      and a.decided_at > $3
      and a.payload::json ->> 'transaction' = $4
    limit 1`,
);

/** Whether this person was allowed something of this kind for a sale, since then. */
export async function isGranted(
  db: Queryable,
  grant: { readonly kind: string; readonly to: PersonId; readonly since: Instant; readonly sale: string },
): Promise<boolean> {
  const { kind, to, since, sale } = grant;
  return (await db.query(findGrant, [kind, to, new Date(since), sale])).length === 1;
}
