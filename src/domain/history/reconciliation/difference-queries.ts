import type { Instant } from "../../../kernel/clock.ts";
import type { PurchaseId } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { arrayOf, type Queryable, statement, type Tx, type Value } from "../../../platform/database/database.ts";
import type { Difference } from "./reconcile-supplier.ts";

/** A difference as it is kept first. */
export interface NewDifference extends Omit<Difference, "transactionId"> {
  readonly key: Buffer;
  readonly purchaseId: PurchaseId | null;
}

const keep = statement(
  "insert_reconciliation_differences",
  `insert into reconciliation_differences as d (
     supplier, from_day, to_day, found_by, key, kind, reference, purchase_id, attempt, provider_reference, ours, theirs,
     note
   )
   select $1, $2, $3, $4, decode(i.key, 'hex'), i.kind, i.reference, i.purchase_id, i.attempt, i.provider_reference,
          i.ours, i.theirs, i.note
     from unnest(
            $5::text[], $6::text[], $7::text[], $8::bigint[], $9::smallint[], $10::text[], $11::bigint[], $12::bigint[],
            $13::text[]
          ) as i (key, kind, reference, purchase_id, attempt, provider_reference, ours, theirs, note)
       on conflict (supplier, key) do update
          set seen_at = now()
   returning (d.xmax = 0) as "isNew"`,
);

/** Keeps differences; one that is kept already stays as it is, with its end. @returns how many are new */
export async function insertDifferences(
  tx: Tx,
  of: { readonly supplier: string; readonly fromDay: string; readonly toDay: string; readonly by: string },
  differences: readonly NewDifference[],
): Promise<number> {
  const column = (read: (each: NewDifference) => Value) => arrayOf(differences.map(read));
  const rows = await tx.query<{ isNew: boolean }>(keep, [
    ...[of.supplier, of.fromDay, of.toDay, of.by],
    column(({ key }) => key.toString("hex")),
    column(({ set }) => set),
    column(({ reference }) => reference),
    column(({ purchaseId }) => purchaseId),
    column(({ attempt }) => attempt),
    column(({ providerReference }) => providerReference),
    column(({ ours }) => ours),
    column(({ theirs }) => theirs),
    column(({ note }) => note),
  ]);
  return rows.filter(({ isNew }) => isNew).length;
}

export interface DifferenceEnd {
  readonly endedAs: "ours" | "theirs" | "written_off";
  readonly act: "fulfil" | "review" | "refund" | "take_back" | "accept" | null;
  readonly reason: string;
  readonly caseNumber: string | null;
  readonly endedBy: string;
  readonly approvedBy: string | null;
}

export interface KeptDifference extends Omit<NewDifference, "key" | "set"> {
  readonly id: number;
  readonly supplier: string;
  readonly kind: Difference["set"];
  readonly fromDay: string;
  readonly toDay: string;
  readonly foundAt: Instant;
  readonly foundBy: string;
  readonly seenAt: Instant;
  /** Null while it is open. */
  readonly end: (DifferenceEnd & { readonly endedAt: Instant }) | null;
}

type End = NonNullable<KeptDifference["end"]>;
type Row = Omit<KeptDifference, "end"> & { readonly [Name in keyof End]: End[Name] | null };

const columns = `d.id, d.supplier, d.kind, d.reference, d.purchase_id as "purchaseId", d.attempt,
          d.provider_reference as "providerReference", d.ours, d.theirs, d.note, d.from_day::text as "fromDay",
          d.to_day::text as "toDay", d.found_at as "foundAt", d.found_by as "foundBy", d.seen_at as "seenAt",
          d.ended_as as "endedAs", d.act, d.reason, d.case_number as "caseNumber", d.ended_at as "endedAt",
          d.ended_by as "endedBy", d.approved_by as "approvedBy"`;

function keptOf(row: Row): KeptDifference {
  const { endedAs, act, reason, caseNumber, endedAt, endedBy, approvedBy, ...kept } = row;
  const isOpen = endedAs === null || endedAt === null || reason === null || endedBy === null;
  return { ...kept, end: isOpen ? null : { endedAs, act, reason, caseNumber, endedAt, endedBy, approvedBy } };
}

const listKept = statement(
  "list_reconciliation_differences",
  `select ${columns}
     from reconciliation_differences d
    where (d.ended_as is null) = $1
      and d.id < $2
    order by d.id desc
    limit $3`,
);

/** The latest, open or ended, below a number. */
export async function listDifferences(
  db: Queryable,
  { areOpen, below, limit }: { readonly areOpen: boolean; readonly below: number; readonly limit: number },
): Promise<KeptDifference[]> {
  return (await db.query<Row>(listKept, [areOpen, below, limit])).map(keptOf);
}

const listByKeys = statement(
  "list_reconciliation_differences_by_keys",
  `select encode(d.key, 'hex') as key, ${columns}
     from reconciliation_differences d
    where d.supplier = $1
      and d.key = any (select decode(k.key, 'hex') from unnest($2::text[]) as k (key))`,
);

/** The kept differences of these keys, by key in hexadecimal. */
export async function listDifferencesByKeys(
  db: Queryable,
  supplier: string,
  keys: readonly Buffer[],
): Promise<ReadonlyMap<string, KeptDifference>> {
  const values = [supplier, arrayOf(keys.map((key) => key.toString("hex")))];
  const rows = await db.query<Row & { readonly key: string }>(listByKeys, values);
  return new Map(rows.map(({ key, ...row }) => [key, keptOf(row)]));
}

const listByIds = statement(
  "list_reconciliation_differences_by_ids",
  `select ${columns}
     from reconciliation_differences d
    where d.id = any ($1::integer[])
    order by d.id`,
);

export async function listDifferencesByIds(db: Queryable, ids: readonly number[]): Promise<KeptDifference[]> {
  return (await db.query<Row>(listByIds, [arrayOf(ids)])).map(keptOf);
}

const end = statement(
  "update_reconciliation_differences_ended",
  `update reconciliation_differences d
      set ended_as = $2,
          act = $3,
          reason = $4,
          case_number = $5,
          ended_by = $6,
          approved_by = $7,
          ended_at = now()
    where d.id = any ($1::integer[])
      and d.ended_as is null
   returning 1`,
);

/** Ends those that are open. @returns how many were */
export async function updateDifferencesEnded(tx: Tx, ids: readonly number[], given: DifferenceEnd): Promise<number> {
  const { endedAs, act, reason, caseNumber, endedBy, approvedBy } = given;
  return (await tx.query(end, [arrayOf(ids), endedAs, act, reason, caseNumber, endedBy, approvedBy])).length;
}

const findMoved = statement(
  "find_reconciliation_difference_moved",
  `select d.id
     from reconciliation_differences d
    where d.purchase_id = $1 and d.act = $2`,
);

/** The difference by which a sale was refunded or taken back already; null for none. */
export async function findMovedBy(db: Queryable, purchaseId: PurchaseId, act: string): Promise<number | null> {
  return (await db.query<{ id: number }>(findMoved, [purchaseId, act]))[0]?.id ?? null;
}

const count = statement(
  "count_open_reconciliation_differences",
  `select count(*)::integer as count, min(d.found_at) as since,
          coalesce(sum(abs(coalesce(d.theirs, 0) - coalesce(d.ours, 0))), 0)::bigint as between
     from reconciliation_differences d
    where d.ended_as is null`,
);

/** What is open: how many, since when, and how far the two sides are apart in all. */
export interface OpenDifferences {
  readonly count: number;
  readonly since: Instant | null;
  readonly between: Kobo;
}

export async function countOpenDifferences(db: Queryable): Promise<OpenDifferences> {
  return (await db.query<OpenDifferences>(count))[0] as OpenDifferences;
}
