import { type Kobo, readAmount } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened } from "../../../kernel/typed-text.ts";
import { exportAsText } from "../../../platform/csv.ts";
import { checkColumn, readCsvText } from "../../../platform/csv-text.ts";

/** One line of a supplier's statement about what became of sales. */
export interface EndLine {
  /** As an editor counts them: the heading is line 1. */
  readonly line: number;
  /** As the statement has it. */
  readonly reference: string;
  readonly state: "vended" | "declined" | "unknown";
  /** Why the line can't be used, in a sentence; null where it can. */
  readonly fault: string | null;
  /** What the supplier charged, in kobo; null where that can't be read, undefined where no column says it. */
  readonly amount: Kobo | null | undefined;
  /** All cells by their headings: what was handed over, such as `token` or `pin`, is among them. */
  readonly cells: Readonly<Record<string, string>>;
}

/** The headings over what each line is about. */
export interface EndColumns {
  readonly reference: string;
  readonly state: string;
  /** Null where the statement says no amounts. */
  readonly amount: string | null;
}

export const usualColumns: EndColumns = { reference: "reference", state: "state", amount: null };

/** So many lines are ended at once. */
export const linesMax = 10_000;

const states: ReadonlyMap<string, EndLine["state"]> = new Map([
  ["delivered", "vended"],
  ["successful", "vended"],
  ["not delivered", "declined"],
  ["failed", "declined"],
  ["unknown", "unknown"],
  ["pending", "unknown"],
]);

/** Reads such a statement. @throws Refusal VALIDATION_ERROR at the fields of a form, where none of it can be read */
export async function readEndLines(text: string, columns: EndColumns): Promise<readonly EndLine[]> {
  const field = "statement";
  const checkHeading = (names: readonly string[]) => {
    checkColumn(names, "reference_column", columns.reference);
    checkColumn(names, "state_column", columns.state);
    if (columns.amount !== null) checkColumn(names, "amount_column", columns.amount);
  };
  const lines: EndLine[] = [];
  for await (const { line, record } of readCsvText(text, { field, checkHeading, rowsMax: linesMax })) {
    if (lines.length === linesMax) {
      const sentence = "is one too many: a statement has at most 10,000. Take the lines of the outage alone.";
      throw refuseField("VALIDATION_ERROR", field, `Line ${line} ${sentence}`);
    }
    const [reference, said] = [record[columns.reference] ?? "", record[columns.state] ?? ""];
    const state = states.get(said.toLowerCase().replaceAll("_", " "));
    const amount = columns.amount === null ? undefined : readAmount(record[columns.amount] ?? "");
    const fault = faultIn(reference, said, state);
    lines.push({ line, reference, state: state ?? "unknown", amount, cells: record, fault });
  }
  return lines;
}

function faultIn(reference: string, said: string, state: EndLine["state"] | undefined): string | null {
  if (reference === "") return "It names no sale";
  if (isShortened(reference)) return exportAsText;
  return state === undefined ? `Its state is “${said.slice(0, 40)}”. Write delivered, not delivered or unknown` : null;
}
