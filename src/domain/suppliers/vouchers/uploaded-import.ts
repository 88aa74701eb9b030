import type { Clock, Instant } from "../../../kernel/clock.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import { countLineEnds } from "../../../platform/csv.ts";
import type { Database } from "../../../platform/database/database.ts";
import { inOneTransaction } from "../../../platform/database/joined-database.ts";
import { openYieldToEventLoop } from "../../../platform/pacing.ts";
import { Unopenable } from "../../../platform/sealing/secret-box.ts";
import { type ImportServices, importVouchers, type RefusedRow, type SealedRow, sealRows } from "./import.ts";
import {
  claimImport,
  deleteImportsBefore,
  type ImportFaults,
  type ImportId,
  insertImport,
  updateEnded,
  updateRead,
  updateReady,
  updateUnreadable,
  type VoucherImport,
} from "./import-queries.ts";
import { listKnown } from "./queries.ts";
import { findVoucherShelf } from "./stock.ts";
import { importIdentity } from "./voucher-format.ts";
import { readVoucherText } from "./voucher-text.ts";

/** Rows that are compared with the stock at a time while a file is read. */
const setSize = 5_000;
/** Rows that are sealed in one go: some milliseconds. */
const sliceSize = 100;
/** A file is put on sale in one commit: some ten seconds for so many. */
export const linesMax = 200_000;
/** A process that reads says so with each set; after so long without a word it has died. */
const silentMs = 60_000;
const keptMs = 30 * 86_400_000;
/** Lines with faults that are kept; all of them are counted. */
const faultsKept = 100;

interface Uploaded {
  readonly productId: number;
  /** The file's name. */
  readonly batch: string;
  readonly madeBy: string;
  readonly text: string;
  /** Numbers that end in zeros after the fifteenth digit are right as they are. */
  readonly isNotRounded: boolean;
}

/**
 * Begins an import of an uploaded file, which is kept sealed: nothing of it is read yet.
 * @throws Refusal PRODUCT_NOT_FOUND, VALIDATION_ERROR where the category hands over no vouchers or the file is too long
 */
export async function startImport(
  { database, clock, secretBox }: Pick<ImportServices, "database" | "clock" | "secretBox">,
  { text, ...uploaded }: Uploaded,
): Promise<ImportId> {
  const linesTotal = countLineEnds(text, linesMax) + 1;
  if (linesTotal > linesMax) throw refuse("VALIDATION_ERROR", { message: `A file has at most ${linesMax} lines.` });
  await findVoucherShelf(database, uploaded.productId);
  const seal = (id: ImportId) => secretBox.seal(text, importIdentity(id));
  return database.transaction((tx) => insertImport(tx, { ...uploaded, linesTotal, now: clock.now() }, seal));
}

/**
 * Reads an import's file and judges each line, also by the stock, which it leaves as it is. Word of how far it is comes with
 * each set. What the file is refused for stands in the import. @throws what is no refusal
 */
export async function readUpload(
  services: ImportServices,
  id: ImportId,
  { productId, text, isNotRounded }: Pick<Uploaded, "productId" | "text" | "isNotRounded">,
): Promise<void> {
  const { database, clock } = services;
  const faults: RefusedRow[] = [];
  const fresh = new Set<string>();
  const set: SealedRow[] = [];
  let line = 0;
  let rowsRead = 0;
  const pause = openYieldToEventLoop();
  const compare = async () => {
    const rows = set.splice(0);
    const productOf = await listKnown(database, rows);
    for (const { line: at, fingerprint } of rows) {
      const code = fingerprint.toString("hex");
      const known = productOf.get(code);
      if (known !== undefined) {
        faults.push({ line: at, because: known === productId ? "duplicate" : "of another product" });
      } else if (fresh.has(code)) faults.push({ line: at, because: "repeated in the file" });
      else fresh.add(code);
    }
    return updateRead(database, id, line, clock.now());
  };
  try {
    for await (const row of sealRows(services, { productId, rows: readVoucherText(text), isNotRounded })) {
      line = row.line;
      rowsRead += 1;
      // Purchases of the same process go in between.
      if (rowsRead % sliceSize === 0) await pause();
      if ("because" in row) faults.push(row);
      else set.push(row);
      if (rowsRead % setSize === 0 && !(await compare())) return;
    }
    if (!(await compare())) return;
    const found = { linesRead: line, vouchers: fresh.size, faults: faultsOf(faults), now: clock.now() };
    await updateReady(database, id, found);
  } catch (error) {
    const isRefused = error instanceof Refusal;
    const sentence = isRefused ? sentenceOf(error) : "It could not be read to its end. Upload it again.";
    await updateUnreadable(database, id, sentence, clock.now());
    if (!isRefused) throw error;
  }
}

function faultsOf(faults: readonly RefusedRow[]): ImportFaults {
  const counts = new Map<string, number>();
  for (const { because } of faults) counts.set(because, (counts.get(because) ?? 0) + 1);
  const rank = (fault: RefusedRow) => Number(isLeftOut(fault));
  const lines = faults.toSorted((one, other) => rank(one) - rank(other) || one.line - other.line);
  return {
    counts: [...counts].map(([because, count]) => ({ because, lines: count })).sort((a, b) => b.lines - a.lines),
    lines: lines.slice(0, faultsKept).map(({ line, because }) => ({ line, because })),
  };
}

function sentenceOf({ message, detail }: Refusal): string {
  return Object.values(detail.errors ?? {}).flat()[0] ?? message;
}

/** Whether nobody reads an import any more that was never read to its end. */
export function hasStopped({ state, seenAt }: VoucherImport, now: Instant): boolean {
  return state === "reading" && now - seenAt > silentMs;
}

/** What is left out of an import, and hinders nothing: the stock has it, or the file has it twice. */
export function isLeftOut({ because }: { readonly because: string }): boolean {
  return because === "duplicate" || because === "repeated in the file";
}

/**
 * Puts all new vouchers of an import on sale, or none, in one transaction that locks the import and the product's shelf, by
 * the file that was looked at. @throws Refusal VALIDATION_ERROR where it can't be
 */
export function putOnSale(services: ImportServices, id: ImportId): Promise<VoucherImport> {
  return inOneTransaction(services.database, async (tx, joined) => {
    const found = await claimImport(tx, id);
    if (found?.state === "on_sale") throw complain("These vouchers are on sale already.");
    if (found === null || found.state !== "ready") throw complain("This import can’t be put on sale any more.");
    if (hasWrongLines(found)) throw complain("Some lines are wrong. Fix the file and upload it again.");
    const rows = readVoucherText(openFile(services, found));
    const stored = await importVouchers({ ...services, database: joined }, { ...found, rows }, () => {});
    if (stored.imported === 0 || stored.imported !== found.vouchers) {
      const isKnown = [...stored.refused.keys()].every((because) => isLeftOut({ because }));
      throw complain(
        isKnown
          ? "Some of these vouchers came into the stock meanwhile. Upload the file again."
          : "Some of these vouchers can’t be sold any more. Upload the file again.",
      );
    }
    await updateEnded(tx, id, "on_sale", services.clock.now());
    return found;
  });
}

export function hasWrongLines({ faults }: Pick<VoucherImport, "faults">): boolean {
  return faults.counts.some((fault) => !isLeftOut(fault));
}

/** @throws Refusal where the file is not the one that was uploaded for this import */
function openFile(
  { secretBox }: Pick<ImportServices, "secretBox">,
  { id, sealed }: { readonly id: ImportId; readonly sealed: string | null },
): string {
  try {
    return secretBox.open(sealed ?? "", importIdentity(id));
  } catch (error) {
    if (!(error instanceof Unopenable)) throw error;
    throw complain("These are not the vouchers that were looked at. Upload the file again.");
  }
}

/** Gives an import up, before any of it is for sale. @returns false where it was over already */
export function cancelImport(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  id: ImportId,
): Promise<boolean> {
  return database.transaction(async (tx) => {
    const found = await claimImport(tx, id);
    if (found === null || !["reading", "ready"].includes(found.state)) return false;
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
