import type { Instant } from "../../../kernel/clock.ts";
import { type PurchaseId, walletIdOf } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import type { Queryable, Statement } from "../../../platform/database/database.ts";
import { arrayOf, statement } from "../../../platform/database/database.ts";
import type { Purchase } from "../../purchases/purchase.ts";
import { type PurchaseRow, purchaseColumns, purchaseOf } from "../../purchases/queries.ts";

const listInReview = statement(
  "list_in_review",
  `select ${purchaseColumns}
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where f.step = 'review'
    order by f.purchase_id
    limit $1`,
);

/** Purchases that wait for a person, oldest first. Reads what is in flight: thousands at most. */
export async function listReview(db: Queryable, limit: number): Promise<Purchase[]> {
  const rows = await db.query<PurchaseRow>(listInReview, [limit]);
  return rows.map(purchaseOf);
}

const listAnswers = statement(
  "list_review_answers",
  `select f.purchase_id as id, f.last_answer as "lastAnswer"
     from inflight f
    where f.wallet_id > 0 and f.step = 'review'
    order by f.purchase_id
    limit $1`,
);

/** What suppliers said last about purchases that wait for a person, redacted; null where they said nothing. */
export async function listReviewAnswers(
  db: Queryable,
  limit: number,
): Promise<ReadonlyMap<Purchase["id"], string | null>> {
  const rows = await db.query<{ id: Purchase["id"]; lastAnswer: string | null }>(listAnswers, [limit]);
  return new Map(rows.map(({ id, lastAnswer }) => [id, lastAnswer]));
}

/** How a pending purchase is being waited for. */
export interface Waiting {
  readonly step: "queued" | "dispatch" | "requery" | "reroute" | "review";
  readonly tries: number;
  readonly dueAt: Instant;
  /** What the supplier said when it was asked last, redacted; null before it said anything. */
  readonly lastAnswer: string | null;
  /** The cost of the present attempt, in kobo for the whole purchase. */
  readonly cost: bigint | null;
  readonly foreignCost: string | null;
  readonly routeReason: string | null;
}

const findInflight = statement(
  "find_inflight",
  `select f.step, f.tries, f.due_at as "dueAt", f.last_answer as "lastAnswer", p.cost,
          p.foreign_cost as "foreignCost", p.route_reason as "routeReason"
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where f.wallet_id = $1 and f.purchase_id = $2`,
);

export async function findWaiting(
  db: Queryable,
  { wallet, id }: Pick<Purchase, "wallet" | "id">,
): Promise<Waiting | null> {
  const [row] = await db.query<Waiting>(findInflight, [walletIdOf(wallet), id]);
  return row ?? null;
}

/** A sale that a statement names, with what it is compared by. */
export interface NamedSale {
  readonly purchase: Purchase;
  /** Null where it has ended. */
  readonly step: Waiting["step"] | null;
  /** What the attempt costs, in kobo or in hundredths of the supplier's currency; null where nobody knows. */
  readonly cost: Kobo | null;
}

type NamedRow = PurchaseRow & Pick<NamedSale, "step" | "cost">;

const namedColumns = `${purchaseColumns},
          f.step,
          coalesce(replace(split_part(p.foreign_cost, ' ', 2), '.', '')::bigint, p.cost) as cost`;

const listNamedByIds = statement(
  "list_sales_by_ids",
  `select ${namedColumns}
     from unnest($1::bigint[]) as named (id)
     join purchases p
       on p.id = named.id and p.wallet_id > 0
     left join inflight f
       on f.wallet_id = p.wallet_id and f.purchase_id = p.id`,
);

/** The live sales of these ids, each once if its id is given once. */
export function listSalesByIds(db: Queryable, ids: readonly PurchaseId[]): Promise<NamedSale[]> {
  return listNamed(db, listNamedByIds, [arrayOf(ids)]);
}

const listNamedPending = statement(
  "list_pending_sales_by_provider_references",
  `select ${namedColumns}
     from inflight f
     join purchases p
       on p.wallet_id = f.wallet_id and p.id = f.purchase_id
    where f.wallet_id > 0
      and p.supplier = $1
      and p.provider_reference = any ($2::text[])`,
);

/** The pending live sales at a supplier that it calls by these names. Reads what is in flight. */
export function listPendingSalesNamed(
  db: Queryable,
  supplier: string,
  references: readonly string[],
): Promise<NamedSale[]> {
  return listNamed(db, listNamedPending, [supplier, arrayOf(references)]);
}

async function listNamed(db: Queryable, listing: Statement, values: readonly unknown[]): Promise<NamedSale[]> {
  const rows = await db.query<NamedRow>(listing, values);
  return rows.map((row) => ({ purchase: purchaseOf(row), step: row.step, cost: row.cost }));
}
