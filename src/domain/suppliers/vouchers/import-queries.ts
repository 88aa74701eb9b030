import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { arrayOf, type Queryable, type Statement, statement, type Tx } from "../../../platform/database/database.ts";
import type { RefusedRow, SealedRow } from "./import.ts";

declare const importIdBrand: unique symbol;
/** An import's number. */
export type ImportId = number & { readonly [importIdBrand]: true };

/** An uploaded file of vouchers, and what became of it. */
export interface VoucherImport {
  readonly id: ImportId;
  readonly productId: ProductId;
  readonly product: string;
  /** The file's name. */
  readonly batch: string;
  readonly madeBy: string;
  readonly state: "reading" | "ready" | "unreadable" | "on_sale" | "cancelled";
  readonly linesTotal: number;
  readonly linesRead: number;
  /** How many of its lines are new vouchers; 0 until it is read. */
  readonly vouchers: number;
  /** Null until it is read. */
  readonly digest: Buffer | null;
  readonly fault: string | null;
  readonly startedAt: Instant;
  readonly seenAt: Instant;
  readonly endedAt: Instant | null;
}

const columns = `i.id,
          i.product_id as "productId",
          p.name as product,
          i.batch,
          i.made_by as "madeBy",
          i.state,
          i.lines_total as "linesTotal",
          i.lines_read as "linesRead",
          i.vouchers,
          i.digest,
          i.fault,
          i.started_at as "startedAt",
          i.seen_at as "seenAt",
          i.ended_at as "endedAt"`;

const insertVoucherImport = statement(
  "insert_voucher_import",
  `insert into voucher_imports (product_id, batch, made_by, lines_total, started_at, seen_at)
   values ($1, $2, $3, $4, $5, $5)
   returning id`,
);

/** @returns its number */
export async function insertImport(
  tx: Tx,
  made: Pick<VoucherImport, "batch" | "madeBy" | "linesTotal"> & { readonly productId: number; readonly now: Instant },
): Promise<ImportId> {
  const values = [made.productId, made.batch, made.madeBy, made.linesTotal, new Date(made.now)];
  return ((await tx.query<{ id: ImportId }>(insertVoucherImport, values))[0] as { id: ImportId }).id;
}

const findVoucherImport = statement(
  "find_voucher_import",
  `select ${columns}
     from voucher_imports i
     join products p on p.id = i.product_id
    where i.id = $1`,
);

/** Null for an unknown one. */
export async function findImport(db: Queryable, id: ImportId): Promise<VoucherImport | null> {
  return (await db.query<VoucherImport>(findVoucherImport, [id]))[0] ?? null;
}

const claimVoucherImport = statement(
  "claim_voucher_import",
  `select ${columns}
     from voucher_imports i
     join products p on p.id = i.product_id
    where i.id = $1
      for update of i`,
);

/** The import, locked until the transaction ends. */
export async function claimImport(tx: Tx, id: ImportId): Promise<VoucherImport | null> {
  return (await tx.query<VoucherImport>(claimVoucherImport, [id]))[0] ?? null;
}

const listVoucherImports = statement(
  "list_voucher_imports",
  `select ${columns}
     from voucher_imports i
     join products p on p.id = i.product_id
    order by i.id desc
    limit $1`,
);

/** The latest first. */
export function listImports(db: Queryable, limit: number): Promise<VoucherImport[]> {
  return db.query<VoucherImport>(listVoucherImports, [limit]);
}

const updateProgress = statement(
  "update_voucher_import_progress",
  `update voucher_imports
      set lines_read = $2, seen_at = $3
    where id = $1 and state = 'reading'
   returning id`,
);

/** @returns false where it is read no more, as somebody cancelled it */
export async function updateRead(tx: Tx, id: ImportId, linesRead: number, now: Instant): Promise<boolean> {
  return (await tx.query(updateProgress, [id, linesRead, new Date(now)])).length > 0;
}

// The first of two lines with one code takes the place; a code of the stock takes none.
const insertSealedRows = statement(
  "insert_voucher_import_rows",
  `with given as (
     select g.line, g.fingerprint, g.sealed, g.expires_on, v.product_id as known
       from unnest($3::integer[], $4::bytea[], $5::text[], $6::date[]) as g (line, fingerprint, sealed, expires_on)
       left join vouchers v on v.fingerprint = g.fingerprint
   ),
   stored as (
     insert into voucher_import_rows (import_id, line, product_id, fingerprint, sealed, expires_on)
     select $1, g.line, $2, g.fingerprint, g.sealed, g.expires_on
       from given g
      where g.known is null
      order by g.line
         on conflict (import_id, fingerprint) do nothing
     returning line
   )
   insert into voucher_import_faults (import_id, line, because)
   select $1,
          g.line,
          case when g.known is null then 'repeated in the file'
               when g.known = $2 then 'duplicate'
               else 'of another product'
          end
     from given g
    where not exists (select 1 from stored s where s.line = g.line)`,
);

/** Keeps vouchers of an import, which nobody can buy yet; those that are no news become faults of their lines. */
export async function insertRows(
  tx: Tx,
  { id, productId, rows }: { readonly id: ImportId; readonly productId: number; readonly rows: readonly SealedRow[] },
): Promise<void> {
  await tx.query(insertSealedRows, [
    id,
    productId,
    rows.map(({ line }) => line),
    arrayOf(rows.map(({ fingerprint }) => `\\x${fingerprint.toString("hex")}`)),
    arrayOf(rows.map(({ sealed }) => sealed)),
    arrayOf(rows.map(({ expiresOn }) => expiresOn)),
  ]);
}

const insertLineFaults = statement(
  "insert_voucher_import_faults",
  `insert into voucher_import_faults (import_id, line, because)
   select $1, f.line, f.because
     from unnest($2::integer[], $3::text[]) as f (line, because)`,
);

export async function insertFaults(tx: Tx, id: ImportId, faults: readonly RefusedRow[]): Promise<void> {
  const values = [id, faults.map(({ line }) => line), arrayOf(faults.map(({ because }) => because))];
  await tx.query(insertLineFaults, values);
}

const digestOf = `sha256(coalesce((
            select string_agg(r.fingerprint, ''::bytea order by r.line) from voucher_import_rows r where r.import_id = $1
          ), ''::bytea))`;

const updateFinished = statement(
  "update_voucher_import_ready",
  `update voucher_imports
      set state = 'ready',
          lines_total = $2,
          lines_read = $2,
          seen_at = $3,
          vouchers = (select count(*)::integer from voucher_import_rows r where r.import_id = $1),
          digest = ${digestOf}
    where id = $1 and state = 'reading'`,
);

/** All of the file was read. */
export async function updateReady(db: Queryable, id: ImportId, lines: number, now: Instant): Promise<void> {
  await db.query(updateFinished, [id, lines, new Date(now)]);
}

const updateUnread = statement(
  "update_voucher_import_unreadable",
  `update voucher_imports
      set state = 'unreadable', fault = $2, seen_at = $3
    where id = $1 and state = 'reading'`,
);

export async function updateUnreadable(db: Queryable, id: ImportId, fault: string, now: Instant): Promise<void> {
  await db.query(updateUnread, [id, fault.slice(0, 400), new Date(now)]);
}

const updateEnd = statement(
  "update_voucher_import_ended",
  "update voucher_imports set state = $2, ended_at = $3 where id = $1",
);

/** The caller holds the import. */
export async function updateEnded(tx: Tx, id: ImportId, state: "on_sale" | "cancelled", now: Instant): Promise<void> {
  await tx.query(updateEnd, [id, state, new Date(now)]);
}

const deleteImportRows = statement(
  "delete_voucher_import_rows",
  "delete from voucher_import_rows where import_id = $1",
);

export async function deleteRows(tx: Tx, id: ImportId): Promise<void> {
  await tx.query(deleteImportRows, [id]);
}

const getDigest = statement("get_voucher_import_digest", `select ${digestOf} as digest`);

/** Of the rows as they are now: the caller holds the import. */
export async function readDigest(tx: Tx, id: ImportId): Promise<Buffer | null> {
  return (await tx.query<{ digest: Buffer }>(getDigest, [id]))[0]?.digest ?? null;
}

const insertImported: Statement = {
  name: "insert_vouchers_of_import",
  secondsMax: 120,
  text: `with taken as (
     delete from voucher_import_rows where import_id = $1
     returning line, fingerprint, sealed, expires_on
   ),
   stored as (
     insert into vouchers (product_id, number, fingerprint, sealed, expires_on, batch)
     select $2, last.number + row_number() over (order by t.line), t.fingerprint, t.sealed, t.expires_on, $3
       from taken t
      cross join (select coalesce(max(v.number), 0) as number from vouchers v where v.product_id = $2) last
         on conflict (fingerprint) do nothing
     returning 1
   )
   select count(*)::integer as count from stored`,
};

/** Puts an import's rows on the shelf, which the caller holds with the import. @returns how many were new */
export async function insertVouchersOf(tx: Tx, { id, productId, batch }: VoucherImport): Promise<number> {
  const [row] = await tx.query<{ count: number }>(insertImported, [id, productId, batch]);
  return row?.count ?? 0;
}

/** How many lines of an import have a fault, by the fault. */
export interface FaultCount {
  readonly because: string;
  readonly lines: number;
}

const countFaults = statement(
  "count_voucher_import_faults",
  `select f.because, count(*)::integer as lines
     from voucher_import_faults f
    where f.import_id = $1
    group by f.because
    order by count(*) desc, f.because`,
);

export function countFaultsOf(db: Queryable, id: ImportId): Promise<FaultCount[]> {
  return db.query<FaultCount>(countFaults, [id]);
}

const listFaults = statement(
  "list_voucher_import_faults",
  `select f.line, f.because
     from voucher_import_faults f
    where f.import_id = $1
    order by f.because in ('duplicate', 'repeated in the file'), f.line
    limit $2`,
);

/** What has to be mended before what is only left out, each in the order of lines. */
export function listFaultsOf(
  db: Queryable,
  id: ImportId,
  limit: number,
): Promise<{ readonly line: number; readonly because: string }[]> {
  return db.query(listFaults, [id, limit]);
}

const deleteOldImports = statement(
  "delete_old_voucher_imports",
  `delete from voucher_imports
    where id in (select i.id from voucher_imports i where i.started_at < $1 order by i.id limit $2)
   returning id`,
);

/** With their rows and faults. @returns how many */
export async function deleteImportsBefore(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(deleteOldImports, [new Date(before), limit])).length;
}
