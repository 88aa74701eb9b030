import { readAmount } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened } from "../../../kernel/typed-text.ts";
import { exportAsText } from "../../../platform/csv.ts";
import { checkColumn, readCsvText } from "../../../platform/csv-text.ts";
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

/** Reads a statement that was pasted or uploaded, line by line. @throws Refusal VALIDATION_ERROR at the fields of a form */
export async function* readStatementText(
  given: string,
  columns: StatementColumns,
  ownName: (reference: string) => string,
): AsyncGenerator<StatementLine> {
  const field = "statement";
  const checkHeading = (names: readonly string[]) => {
    checkColumn(names, "reference_column", columns.referenceColumn);
    checkColumn(names, "amount_column", columns.amountColumn);
  };
  let sale = 0;
  for await (const { line, record } of readCsvText(given, { field, checkHeading })) {
    const complain = (sentence: string) => refuseField("VALIDATION_ERROR", field, `Line ${line} ${sentence}`);
    sale += 1;
    yield statementLine(record, sale, { ...columns, ownName, complain });
  }
}
