import type { Instant } from "../../../kernel/clock.ts";
import { type Queryable, statement } from "../../../platform/database/database.ts";

declare const brand: unique symbol;
export type PlanId = number & { readonly [brand]: "review plan" };

export interface StoredPlan {
  /** As JSON. */
  readonly ends: string;
  readonly sealed: string | null;
}

const insert = statement(
  "insert_review_plan",
  `insert into review_plans (ends, sealed)
   values ($1, $2)
   returning id`,
);

export async function insertPlan(db: Queryable, { ends, sealed }: StoredPlan): Promise<PlanId> {
  return ((await db.query<{ id: PlanId }>(insert, [ends, sealed]))[0] as { id: PlanId }).id;
}

const deleteOld = statement(
  "delete_old_review_plans",
  `delete from review_plans
    where id in (select r.id from review_plans r where r.created_at < $1 order by r.id limit $2)
   returning id`,
);

/** @returns how many */
export async function deletePlansBefore(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(deleteOld, [new Date(before), limit])).length;
}

const find = statement(
  "find_review_plan",
  `select r.ends, r.sealed
     from review_plans r
    where r.id = $1`,
);

export async function findPlan(db: Queryable, id: PlanId): Promise<StoredPlan | null> {
  return (await db.query<StoredPlan>(find, [id]))[0] ?? null;
}
