import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { LineFault } from "../route-lists/line-faults.ts";
import { type Accepted, type AcceptedLine, acceptDifferences } from "./accept.ts";
import { amountsOf, choiceOf, hasOff } from "./marked-file.ts";
import { findStoredList } from "./queries.ts";

/** A difference that a person chose in the list that is kept. */
export interface ChosenLine {
  /** Its place in the list, from 1. */
  readonly line: number;
  /** Of something new: our product's number, as it was typed. */
  readonly product: string;
}

/**
 * Applies differences that a person chose in the list that is kept, all or none, by `acceptDifferences`.
 * @param reportedAt the list that the person was shown
 * @throws Refusal VALIDATION_ERROR where the list was asked for, or something of it accepted, meanwhile, and whatever
 * `acceptDifferences` refuses
 */
export async function acceptChosen(
  database: Database,
  given: {
    readonly supplier: string;
    readonly shown: string;
    readonly chosen: readonly ChosenLine[];
    /** `off`: take the cost, and turn the route off. */
    readonly verdict: AcceptedLine["verdict"];
    readonly mayShrink: boolean;
  },
): Promise<Accepted> {
  const { supplier, verdict, mayShrink } = given;
  const kept = await findStoredList(database, supplier);
  if (kept === null || kept.differences === null || listText(kept) !== given.shown) {
    throw refuse("VALIDATION_ERROR", { message: "The list changed meanwhile. Here’s the current one: choose again." });
  }
  const { differences } = kept;
  const lines: AcceptedLine[] = [];
  const faults: LineFault[] = [];
  for (const { line, product } of given.chosen) {
    const row = differences[line - 1];
    if (row === undefined) throw refuse("VALIDATION_ERROR", { message: `The list has no line ${line}.` });
    const { change: kind, category, supplier_code: supplierCode } = row;
    const typed = row.product_id === null ? product : String(row.product_id);
    const [said, choice] = [amountsOf(row), choiceOf({ product_id: typed, priority: "" })];
    const complaints = [
      ...said.complaints,
      ...choice.complaints,
      ...(kind === "new" && product === "" ? ["type the number of our product."] : []),
      ...(kind === "new" && verdict === "off" ? ["something new can’t be turned off."] : []),
    ];
    if (complaints.length > 0) faults.push({ line, sentence: `Line ${line}: ${complaints.join(" ")}` });
    else
      lines.push({
        ...{ line, kind, category, supplierCode, verdict: hasOff(kind) ? verdict : "yes" },
        ...{ ...choice.read, ...said.read },
      });
  }
  return acceptDifferences(database, { supplier, lines, faults, mayShrink });
}

/** A kept list in one text: another text is another list, or one of which something was accepted. */
export function listText({
  reportedAt,
  counts,
}: Pick<NonNullable<Awaited<ReturnType<typeof findStoredList>>>, "reportedAt" | "counts">): string {
  return [reportedAt, ...Object.values(counts)].join(" ");
}
