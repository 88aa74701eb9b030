import type { Instant } from "../../../kernel/clock.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";
import type { AnswerTimes } from "../../suppliers/routing/answer-times.ts";

/** What the attempts at a supplier came to at their first answer, of one category in one hour. */
export interface CategoryHour {
  readonly category: string;
  /** The hour's first instant. */
  readonly hour: Instant;
  readonly vended: number;
  readonly declined: number;
  readonly unknown: number;
  /** What those cost us that were not declined at once. */
  readonly cost: Kobo;
  /** Empty for hours before answers were timed. */
  readonly answers: AnswerTimes;
}

const listHours = statement(
  "list_category_hours_of_supplier",
  `select category,
          hour,
          vended::float8 as vended,
          declined::float8 as declined,
          unknown::float8 as unknown,
          cost,
          answers::float8[] as answers
     from supplier_category_hours
    where supplier = $1
      and hour >= $2
    order by category, hour`,
);

/** A supplier's hours by category since one of them began: an hour without an attempt has no row. */
export function listCategoryHours(db: Queryable, supplier: string, since: Instant): Promise<CategoryHour[]> {
  return db.query<CategoryHour>(listHours, [supplier, new Date(since)]);
}

/** An attempt that a supplier declined. */
export interface DeclinedAttempt {
  /** The request and the answer, redacted. */
  readonly evidence: string;
  readonly endedAt: Instant;
  /** Why the purchase failed, where this attempt was its last. */
  readonly errorCode: string | null;
}

// Attempts are kept in the order of their purchases, whatever their suppliers: so many of the newest are looked at.
const listDeclines = statement(
  "list_declined_attempts_of_supplier",
  `select a.evidence,
          a.ended_at as "endedAt",
          case when p.attempt = a.attempt then p.error_code end as "errorCode"
     from (
            select v.wallet_id, v.purchase_id, v.attempt, v.supplier, v.verdict, v.evidence, v.ended_at
              from vend_attempts v
             where v.purchase_id >= $2
             order by v.purchase_id desc, v.attempt desc, v.wallet_id desc
             limit $3
          ) a
     join purchases p
       on p.wallet_id = a.wallet_id and p.id = a.purchase_id
    where a.supplier = $1
      and a.verdict = 'declined'
    order by a.ended_at desc
    limit $4`,
);

const findOldest = statement(
  "find_oldest_of_last_attempts",
  `select v.purchase_id as id
     from vend_attempts v
    where v.purchase_id >= $1
    order by v.purchase_id desc, v.attempt desc, v.wallet_id desc
   offset $2
    limit 1`,
);

/** The newest declines among the last attempts at all suppliers that belong to purchases from `from` on. */
export function listDeclinedAttempts(
  db: Queryable,
  supplier: string,
  among: { readonly from: PurchaseId; readonly attempts: number; readonly limit: number },
): Promise<DeclinedAttempt[]> {
  return db.query<DeclinedAttempt>(listDeclines, [supplier, among.from, among.attempts, among.limit]);
}

/** The purchase of the oldest of so many last attempts; null where there are fewer from `from` on. */
export async function findOldestOfLast(
  db: Queryable,
  { from, attempts }: { readonly from: PurchaseId; readonly attempts: number },
): Promise<PurchaseId | null> {
  return (await db.query<{ id: PurchaseId }>(findOldest, [from, attempts - 1]))[0]?.id ?? null;
}
