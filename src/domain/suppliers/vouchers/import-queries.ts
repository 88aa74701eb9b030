import type { Instant } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { type Queryable, statement, type Tx } from "../../../platform/database/database.ts";

declare const importIdBrand: unique symbol;
/** An import's number. */
export type ImportId = number & { readonly [importIdBrand]: true };

/** Lines of a file that are no new vouchers. */
export interface ImportFaults {
  /** How many by the reason, most of them first. */
  readonly counts: readonly { readonly because: string; readonly lines: number }[];
  /** The first of them: what has to be mended before what is only left out. */
  readonly lines: readonly { readonly line: number; readonly because: string }[];
}

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
  readonly faults: ImportFaults;
  readonly isNotRounded: boolean;
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
          i.faults,
          i.is_not_rounded as "isNotRounded",
          i.fault,
          i.started_at as "startedAt",
          i.seen_at as "seenAt",
          i.ended_at as "endedAt"`;

const insertVoucherImport = statement(
  "insert_voucher_import",
  `insert into voucher_imports (product_id, batch, made_by, is_not_rounded, lines_total, started_at, seen_at)
   values ($1, $2, $3, $4, $5, $6, $6)
   returning id`,
);

const updateSealed = statement("update_voucher_import_sealed", "update voucher_imports set sealed = $2 where id = $1");

/** Stores an import with its file, sealed for its number. @returns the number */
export async function insertImport(
  tx: Tx,
  made: Pick<VoucherImport, "batch" | "madeBy" | "isNotRounded" | "linesTotal"> & {
    readonly productId: number;
    readonly now: Instant;
  },
  seal: (id: ImportId) => string,
): Promise<ImportId> {
  const { productId, batch, madeBy, isNotRounded, linesTotal, now } = made;
  const values = [productId, batch, madeBy, isNotRounded, linesTotal, new Date(now)];
  const { id } = (await tx.query<{ id: ImportId }>(insertVoucherImport, values))[0] as { id: ImportId };
  await tx.query(updateSealed, [id, seal(id)]);
  return id;
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
  `select ${columns},
          i.sealed
     from voucher_imports i
     join products p on p.id = i.product_id
    where i.id = $1
      for update of i`,
);

/** The import, locked until the transaction ends, with its file, which is sealed. */
export async function claimImport(
  tx: Tx,
  id: ImportId,
): Promise<(VoucherImport & { readonly sealed: string | null }) | null> {
  return (await tx.query<VoucherImport & { readonly sealed: string | null }>(claimVoucherImport, [id]))[0] ?? null;
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
export async function updateRead(db: Queryable, id: ImportId, linesRead: number, now: Instant): Promise<boolean> {
  return (await db.query(updateProgress, [id, linesRead, new Date(now)])).length > 0;
}

const updateFinished = statement(
  "update_voucher_import_ready",
  `update voucher_imports
      set state = 'ready',
          lines_total = $2,
          lines_read = $2,
          vouchers = $3,
          faults = $4::jsonb,
          seen_at = $5
    where id = $1 and state = 'reading'`,
);

/** All of the file was read. */
export async function updateReady(
  db: Queryable,
  id: ImportId,
  read: Pick<VoucherImport, "linesRead" | "vouchers" | "faults"> & { readonly now: Instant },
): Promise<void> {
  const { linesRead, vouchers, faults, now } = read;
  await db.query(updateFinished, [id, linesRead, vouchers, JSON.stringify(faults), new Date(now)]);
}

const updateUnread = statement(
  "update_voucher_import_unreadable",
  `update voucher_imports
      set state = 'unreadable', sealed = null, fault = $2, seen_at = $3
    where id = $1 and state = 'reading'`,
);

export async function updateUnreadable(db: Queryable, id: ImportId, fault: string, now: Instant): Promise<void> {
  await db.query(updateUnread, [id, fault.slice(0, 400), new Date(now)]);
}

const updateEnd = statement(
  "update_voucher_import_ended",
  "update voucher_imports set state = $2, sealed = null, ended_at = $3 where id = $1",
);

/** The caller holds the import. */
export async function updateEnded(tx: Tx, id: ImportId, state: "on_sale" | "cancelled", now: Instant): Promise<void> {
  await tx.query(updateEnd, [id, state, new Date(now)]);
}

const deleteOldImports = statement(
  "delete_old_voucher_imports",
  `delete from voucher_imports
    where id in (select i.id from voucher_imports i where i.started_at < $1 order by i.id limit $2)
   returning id`,
);

/** With their files. @returns how many */
export async function deleteImportsBefore(db: Queryable, before: Instant, limit: number): Promise<number> {
  return (await db.query(deleteOldImports, [new Date(before), limit])).length;
}
