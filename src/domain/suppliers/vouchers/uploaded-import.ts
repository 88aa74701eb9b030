import type { Clock, Instant } from "../../../kernel/clock.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { countLineEnds } from "../../../platform/csv.ts";
import type { Database } from "../../../platform/database/database.ts";
import { openYieldToEventLoop } from "../../../platform/pacing.ts";
import { type ImportServices, type RefusedRow, type SealedRow, sealRows } from "./import.ts";
import {
  claimImport,
  countFaultsOf,
  deleteImportsBefore,
  deleteRows,
  type FaultCount,
  type ImportId,
  insertFaults,
  insertImport,
  insertRows,
  insertVouchersOf,
  readDigest,
  updateEnded,
  updateRead,
  updateReady,
  updateUnreadable,
  type VoucherImport,
} from "./import-queries.ts";
import { claimVoucherShelf, findVoucherShelf } from "./stock.ts";
import { readVoucherText } from "./voucher-text.ts";

/** Rows of one transaction while a file is read. */
const setSize = 5_000;
/** Rows that are sealed in one go: some milliseconds. */
const sliceSize = 100;
/** A file is put on sale in one statement: some ten seconds for so many. */
export const linesMax = 200_000;
/** A process that reads says so with each set; after so long without a word it has died. */
const silentMs = 60_000;
const keptMs = 30 * 86_400_000;

interface Uploaded {
  readonly productId: number;
  /** The file's name. */
  readonly batch: string;
  readonly madeBy: string;
  readonly text: string;
}

/**
 * Begins an import of an uploaded file: nothing of it is read yet.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the category hands over no vouchers or the file is too long
 */
export async function startImport(
  { database, clock }: Pick<ImportServices, "database" | "clock">,
  { productId, batch, madeBy, text }: Uploaded,
): Promise<ImportId> {
  const linesTotal = countLineEnds(text, linesMax) + 1;
  if (linesTotal > linesMax) throw refuse("VALIDATION_ERROR", { message: `A file has at most ${linesMax} lines.` });
  await findVoucherShelf(database, productId);
  return database.transaction((tx) => insertImport(tx, { productId, batch, madeBy, linesTotal, now: clock.now() }));
}

/**
 * Reads an import's file, a set of lines per transaction, encrypted before they reach the database: nobody can buy any of it
 * yet. Each set leaves word of how far it is. What the file is refused for stands in the import. @throws what is no refusal
 */
export async function readUpload(
  services: ImportServices,
  id: ImportId,
  { productId, text, isNotRounded }: { productId: number; text: string; isNotRounded: boolean },
): Promise<void> {
  const { database, clock } = services;
  const rows: SealedRow[] = [];
  const faults: RefusedRow[] = [];
  let line = 0;
  let rowsRead = 0;
  const pause = openYieldToEventLoop();
  const store = () =>
    database.transaction(async (tx) => {
      if (!(await updateRead(tx, id, line, clock.now()))) return false;
      await insertRows(tx, { id, productId, rows: rows.splice(0) });
      await insertFaults(tx, id, faults.splice(0));
      return true;
    });
  try {
    for await (const row of sealRows(services, { productId, rows: readVoucherText(text), isNotRounded })) {
      line = row.line;
      rowsRead += 1;
      // Purchases of the same process go in between.
      if (rowsRead % sliceSize === 0) await pause();
      if ("because" in row) faults.push(row);
      else rows.push(row);
      if (rows.length + faults.length === setSize && !(await store())) return;
    }
    if (await store()) await updateReady(database, id, line, clock.now());
  } catch (error) {
    const isRefused = error instanceof Refusal;
    const sentence = isRefused ? sentenceOf(error) : "It could not be read to its end. Upload it again.";
    await updateUnreadable(database, id, sentence, clock.now());
    if (!isRefused) throw error;
  }
}

function sentenceOf({ message, detail }: Refusal): string {
  return Object.values(detail.errors ?? {}).flat()[0] ?? message;
}

/** Whether nobody reads an import any more that was never read to its end. */
export function hasStopped({ state, seenAt }: VoucherImport, now: Instant): boolean {
  return state === "reading" && now - seenAt > silentMs;
}

/** What is left out of an import, and hinders nothing: the stock has it, or the file has it twice. */
export function isLeftOut({ because }: Pick<FaultCount, "because">): boolean {
  return because === "duplicate" || because === "repeated in the file";
}

/**
 * Puts all vouchers of an import on sale, or none, in one transaction that locks the import and the product's shelf.
 * `digest`, in hex: the vouchers that were looked at and approved. @throws Refusal VALIDATION_ERROR where it can't be
 */
export function putOnSale(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: ImportId,
  digest: string,
): Promise<VoucherImport> {
  return database.transaction(async (tx) => {
    const found = await claimImport(tx, id);
    if (found?.state === "on_sale") throw complain("These vouchers are on sale already.");
    if (found === null || found.state !== "ready") throw complain("This import can’t be put on sale any more.");
    if ((await readDigest(tx, id))?.toString("hex") !== digest || found.digest?.toString("hex") !== digest) {
      throw complain("These are not the vouchers that were looked at. Upload the file again.");
    }
    if ((await countFaultsOf(tx, id)).some((fault) => !isLeftOut(fault))) {
      throw complain("Some lines are wrong. Fix the file and upload it again.");
    }
    await claimVoucherShelf(tx, found.productId);
    const stored = await insertVouchersOf(tx, found);
    if (stored === 0 || stored !== found.vouchers) {
      throw complain("Some of these vouchers came into the stock meanwhile. Upload the file again.");
    }
    await updateEnded(tx, id, "on_sale", clock.now());
    return found;
  });
}

/** Gives an import up, before any of it is for sale. @returns false where it was over already */
export function cancelImport(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: ImportId,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const found = await claimImport(tx, id);
    if (found === null || !["reading", "ready"].includes(found.state)) return false;
    await deleteRows(tx, id);
    await updateEnded(tx, id, "cancelled", clock.now());
    return true;
  });
}

/** Deletes imports that are older than 30 days, with the vouchers that were never put on sale. @returns how many */
export function purgeImports(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deleteImportsBefore(database, clock.now() - keptMs, limit);
}

function complain(sentence: string): Refusal {
  return refuse("VALIDATION_ERROR", { message: sentence });
}
