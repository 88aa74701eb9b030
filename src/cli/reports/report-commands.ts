import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream, type Stats } from "node:fs";
import { open, realpath, rename, rm, stat } from "node:fs/promises";
import { finished } from "node:stream/promises";
import { Argument, Option } from "commander";
import { stringify } from "csv-stringify";
import { stringify as stringifyAll } from "csv-stringify/sync";
import {
  type Reconciled,
  type ReconciledSet,
  type ReconcileOrder,
  reconcileSupplier,
  type StatementLine,
  type Totals,
} from "../../domain/history/reconciliation/reconcile-supplier.ts";
import { ownNames, statementLine } from "../../domain/history/reconciliation/statement-text.ts";
import {
  type Dimension,
  dimensions,
  readSalesReport,
  reportColumns,
} from "../../domain/history/reports/sales-report.ts";
import { findNamedSupplier } from "../../domain/suppliers/asking.ts";
import type { Instant } from "../../kernel/clock.ts";
import { formatNaira, type Kobo, kobo, readAmount, zeroKobo } from "../../kernel/money.ts";
import type { Refusal } from "../../kernel/problems.ts";
import { orComplain, type Span, spanned, spanOf } from "../arguments.ts";
import { readGivenRecords } from "../given-records.ts";
import { type Interruption, interruptible, type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { type JsonOption, printLine, printRows, printWarning, progressBar } from "../printing.ts";

interface ReportOptions extends JsonOption, Span {
  readonly per: ReadonlySet<Dimension>;
  readonly csv?: true;
}

interface ReconcileOptions extends JsonOption, Span {
  readonly referenceColumn: string;
  readonly amountColumn: string;
  readonly by: ReconcileOrder["by"];
  readonly tolerance?: Kobo;
  readonly out?: string;
}

/** Commands that compare what was sold with what it cost, and with what suppliers say. */
export function addReportCommands(program: OperatorCommand): void {
  spanned(program.command("report"))
    .description("live sales, what they cost and what is left, of purchases made in a time")
    .option("--per <list>", `what to tell apart: ${dimensions.join(",")}`, perValue, new Set(dimensions))
    .option("--csv", "as CSV, for a spreadsheet")
    .does(report);
  spanned(program.command("reconcile"))
    .description("compare a supplier's statement with ours; ends with code 1 where they do not agree")
    .argument("<supplier>", "the supplier")
    .addArgument(new Argument("<file>", "its statement: CSV with a heading, one line a sale"))
    .option("--reference-column <name>", "the heading over the reference", "reference")
    .option("--amount-column <name>", "the heading over what it charged, in naira", "amount")
    .addOption(
      new Option("--by <which>", "whose reference that is: ours, or the supplier's own")
        .choices(["reference", "provider_reference"])
        .default("reference"),
    )
    .option(
      "--tolerance <naira>",
      `amounts that differ by no more are the same one, rounded: 0.01 to ${formatNaira(toleranceMax)}; unless given, none`,
      toleranceValue,
    )
    .option("--out <file>", "write whatever does not agree to this CSV file")
    .does((session, supplier: string, file: string, options: ReconcileOptions) =>
      interruptible((interruption) => reconcile(session, { supplier, file }, { ...options, interruption })),
    );
}

/** More than this is no rounding. */
const toleranceMax = kobo(1_000n);

function toleranceValue(text: string): Kobo {
  const amount = readAmount(text);
  const complaint = `It must be an amount in naira from 0.01 to ${formatNaira(toleranceMax)}.`;
  return orComplain(amount !== null && amount <= toleranceMax ? amount : null, complaint);
}

function perValue(text: string): ReadonlySet<Dimension> {
  const names = text.split(",");
  const known = dimensions.filter((dimension) => names.includes(dimension));
  return new Set(orComplain(known.length === names.length ? known : null, `It must be of ${dimensions.join(",")}.`));
}

async function report(session: Session, options: ReportOptions): Promise<void> {
  const { reads, asOf } = await session.reports();
  const rows = await readSalesReport(reads, spanOf(session, options), options.per);
  if (asOf !== null) printWarning(`As of ${session.wallTime.format(asOf)}, read at the standby.`);
  if (options.csv && !options.json) {
    process.stdout.write(stringifyAll(rows, { header: true, columns: reportColumns(options.per) }));
  } else printRows(rows, { absent: "-", none: "Nothing was sold in that time." }, options);
}

async function reconcile(
  session: Session,
  { supplier, file }: { readonly supplier: string; readonly file: string },
  options: ReconcileOptions & { readonly interruption: Interruption },
): Promise<number> {
  const { signal, exitCode } = options.interruption;
  const { by, tolerance = zeroKobo } = options;
  const order = { supplier, by, tolerance, ...spanOf(session, options) };
  const { connector } = await findNamedSupplier(session, supplier);
  const lines = readStatement(file, { ...options, signal, ownName: ownNames(connector, by) });
  const out = options.out === undefined ? null : await openDifferencesFile(options.out, file);
  const progress = progressBar(order.before - order.from);
  try {
    const print = (found: Reconciled) => {
      if (found.set !== "both" && !signal.aborted) out?.write(found);
    };
    const onRead = (until: Instant) => progress.update(until - order.from);
    const comparing = reconcileSupplier(session.database, order, lines, print, onRead);
    // Not only between two lines: our side is read first, which may take minutes.
    const totals = await Promise.race([comparing, once(signal, "abort").then(() => null)]);
    progress.stop();
    if (totals === null || signal.aborted) {
      printWarning(`Interrupted: nothing is told${out === null ? "" : `, and ${options.out} is as it was`}.`);
      return exitCode();
    }
    await out?.finish();
    return printTotals(totals, options);
  } finally {
    progress.stop();
    await out?.discard();
  }
}

/** @returns the exit code: 0 where both sides agree on every sale */
function printTotals(
  totals: Readonly<Record<ReconciledSet, Totals>>,
  options: JsonOption & Pick<ReconcileOptions, "tolerance">,
): number {
  const tolerance = options.tolerance === undefined ? null : formatNaira(options.tolerance);
  const rows = Object.entries(totals).map(([set, { count, rounded, ours, theirs }]) => ({
    set,
    count,
    ours: formatNaira(ours),
    theirs: formatNaira(theirs),
    ...(tolerance === null ? {} : { rounded, tolerance }),
  }));
  printRows(rows, { columns: ["set", "count", "ours", "theirs"] }, options);
  if (tolerance !== null && !options.json) {
    const { rounded, ours, theirs } = totals.both;
    const between = formatNaira(kobo(ours > theirs ? ours - theirs : theirs - ours));
    printLine(`Amounts up to ${tolerance} naira apart count as the same: ${rounded} are, ${between} naira in all.`);
  }
  const agree = totals.ours_only.count + totals.theirs_only.count + totals.amounts_differ.count === 0;
  return agree ? 0 : 1;
}

/** Reads a statement line by line. @throws Refusal VALIDATION_ERROR when it is not one */
async function* readStatement(
  file: string,
  options: ReconcileOptions & { readonly signal: AbortSignal; readonly ownName: (reference: string) => string },
): AsyncGenerator<StatementLine> {
  const { referenceColumn, amountColumn, signal, ownName } = options;
  const columns = (names: readonly string[]) => {
    if (names.length === 0) throw wrong(`${file} is empty: a statement has at least a line of headings.`);
    demandColumn(names, "--reference-column", referenceColumn);
    demandColumn(names, "--amount-column", amountColumn);
    return names;
  };
  let sale = 0;
  for await (const { line, record } of readGivenRecords(file, { columns, signal })) {
    const complain = (sentence: string) => wrong(`Line ${line} of ${file} ${sentence}`);
    sale += 1;
    yield statementLine(record, sale, { referenceColumn, amountColumn, ownName, complain });
  }
}

/** @throws Refusal VALIDATION_ERROR where a statement has no such column: without one, every line would differ */
function demandColumn(names: readonly string[], option: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw wrong(`There is no column ${column}: say ${option}, one of ${there}.`);
}

/** A CSV file of what does not agree: nobody sees it, nor loses the one before, until all is in it. */
interface DifferencesFile {
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
async function openDifferencesFile(file: string, statement: string): Promise<DifferencesFile> {
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
