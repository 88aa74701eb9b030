import { randomBytes } from "node:crypto";
import { createWriteStream, type Stats } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { stringify } from "csv-stringify";
import type { Reconciled } from "../../domain/history/reconciliation/reconcile-supplier.ts";
import type { Kobo } from "../../kernel/money.ts";
import { formatNaira } from "../../kernel/money.ts";
import type { Refusal } from "../../kernel/problems.ts";
import { wrong } from "../failures.ts";

/** A CSV file of what does not agree: nobody sees it, nor loses the one before, until all is in it. */
export interface DifferencesFile {
  write(found: Reconciled): void;
  /** Puts it in its place. @throws Refusal VALIDATION_ERROR where it could not be written */
  finish(): Promise<void>;
  /** Leaves nothing behind of one that was not finished. Safe to repeat. */
  discard(): Promise<void>;
}

const columns = ["set", "reference", "transaction_id", "ours", "theirs", "note", "supplier_reference"];

/**
 * Opens the file beside its place. @throws Refusal VALIDATION_ERROR where it can't be written there, or where that is
 * the statement itself
 */
export async function openDifferencesFile(file: string, statement: string): Promise<DifferencesFile> {
  const target = await placeOf(file, statement);
  const unfinished = `${target}.new-${randomBytes(6).toString("hex")}`;
  // The file has the permissions of the one that it replaces; a new one is readable by its owner alone.
  const mode = await stat(target).then(
    (present) => present.mode & 0o777,
    () => 0o600,
  );
  const handle = await open(unfinished, "wx", mode).catch((error: unknown) => {
    throw unwritable(file, error);
  });
  // A supplier chooses its references, and a spreadsheet works out whatever begins like a formula. No amount here is
  // negative, so none is taken for one.
  const rows = stringify({ header: true, columns, escape_formulas: true });
  const sink = rows.pipe(createWriteStream(unfinished, { fd: handle }));
  // A full disk is reported at the end: until then nothing waits for this promise.
  const written = finished(sink).then(
    () => null,
    (error: unknown) => error,
  );
  return {
    write({ set, reference, transactionId, ours, theirs, note, providerReference }) {
      rows.write([set, reference, transactionId ?? "", naira(ours), naira(theirs), note, providerReference ?? ""]);
    },
    async finish() {
      rows.end();
      const error = await written;
      if (error !== null) throw unwritable(file, error);
      await rename(unfinished, target).catch((failure: unknown) => {
        throw unwritable(file, failure);
      });
    },
    async discard() {
      sink.destroy();
      await written;
      await rm(unfinished, { force: true });
    },
  };
}

/** Where it will stand: at the end of a link, if there is one. */
async function placeOf(file: string, statement: string): Promise<string> {
  const [there, source] = await Promise.all([statOrNull(file), statOrNull(statement)]);
  if (there === null) return file;
  if (source !== null && there.dev === source.dev && there.ino === source.ino) {
    throw wrong(`--out ${file} is the statement itself: name another file for what does not agree.`);
  }
  if (!there.isFile()) {
    throw wrong(`--out ${file} is no file: name one that may be written anew.`);
  }
  return realpath(file);
}

function statOrNull(file: string): Promise<Stats | null> {
  // Why it can't be read is said by whoever opens it.
  return stat(file).catch(() => null);
}

function unwritable(file: string, error: unknown): Refusal {
  const { code } = error as NodeJS.ErrnoException;
  return wrong(`--out ${file} can't be written (${code}): name a file in a folder that you may write to.`);
}

function naira(amount: Kobo | null): string {
  return amount === null ? "" : formatNaira(amount);
}
