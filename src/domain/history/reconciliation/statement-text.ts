import { Readable } from "node:stream";
import { CsvError, parse } from "csv-parse";
import { readAmount } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened, typedText } from "../../../kernel/typed-text.ts";
import { csvOptions, exportAsText, foreignContent, saveAsCsv, separatedText } from "../../../platform/csv.ts";
import { derivedNames } from "../../../providers/registry.ts";
import type { ReconcileOrder, StatementLine } from "./reconcile-supplier.ts";

/** Which columns of a statement say what, by their headings. */
export interface StatementColumns {
  readonly referenceColumn: string;
  readonly amountColumn: string;
}

/** Our name of an attempt by the reference in a statement, which some suppliers derive from ours. */
export function ownNames(connector: string, by: ReconcileOrder["by"]): (reference: string) => string {
  const here = (by === "reference" ? derivedNames(connector)?.here : null) ?? (() => null);
  return (reference) => here(reference) ?? reference;
}

/** @throws the fault that `complain` makes, where a spreadsheet cut the reference's digits off */
export function statementLine(
  record: Readonly<Record<string, string>>,
  line: number,
  {
    referenceColumn,
    amountColumn,
    ownName,
    complain,
  }: StatementColumns & {
    readonly ownName: (reference: string) => string;
    readonly complain: (sentence: string) => Error;
  },
): StatementLine {
  const { [referenceColumn]: reference = "", [amountColumn]: amount = "" } = record;
  if (isShortened(reference)) throw complain(`has the reference ${reference}. ${exportAsText}`);
  return { line, reference: ownName(reference), amount: readAmount(amount) };
}

const complainOf = (sentence: string) => refuseField("VALIDATION_ERROR", "statement", sentence);

/** Reads a statement that was pasted or uploaded, line by line. @throws Refusal VALIDATION_ERROR at the fields of a form */
export async function* readStatementText(
  given: string,
  columns: StatementColumns,
  ownName: (reference: string) => string,
): AsyncGenerator<StatementLine> {
  const foreign = foreignContent(given);
  if (foreign !== null) throw complainOf(`This is ${foreign}, not CSV: ${saveAsCsv}.`);
  const { separator, text } = separatedText(given);
  const parser = Readable.from(piecesOf(text)).pipe(parse({ ...csvOptions, bom: true, delimiter: separator }));
  let heading: readonly string[] | null = null;
  let sale = 0;
  try {
    for await (const { record: cells, info } of parser as AsyncIterable<{
      record: string[];
      info: { lines: number };
    }>) {
      if (cells.every((cell) => cell === "")) continue;
      if (heading === null) {
        heading = cells.map(typedText);
        demandColumn(heading, "reference_column", columns.referenceColumn);
        demandColumn(heading, "amount_column", columns.amountColumn);
        continue;
      }
      const record = Object.fromEntries(heading.map((name, at) => [name, typedText(cells[at] ?? "")]));
      const complain = (sentence: string) => complainOf(`Line ${info.lines} ${sentence}`);
      sale += 1;
      yield statementLine(record, sale, { ...columns, ownName, complain });
    }
  } catch (error) {
    // The parser's own sentence may quote the line.
    if (error instanceof CsvError) throw complainOf(`Isn’t CSV after line ${sale + 1} (${error.code}).`);
    throw error;
  }
  if (heading === null) throw complainOf("Is empty. A statement has a line of headings and a line for each sale.");
}

const pieceLength = 65_536;

function* piecesOf(text: string): Generator<string> {
  for (let at = 0; at < text.length; at += pieceLength) yield text.slice(at, at + pieceLength);
}

/** @throws Refusal VALIDATION_ERROR where a statement has no such column: without one, every line would differ */
function demandColumn(names: readonly string[], field: string, column: string): void {
  if (names.includes(column)) return;
  const there = names.join(", ").slice(0, 300);
  throw refuseField("VALIDATION_ERROR", field, `The file has no column “${column}”. It has: ${there}.`);
}
