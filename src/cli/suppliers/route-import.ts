import { setRoutes } from "../../domain/suppliers/administration.ts";
import type { LineFault, ListedRoute } from "../../domain/suppliers/routing/route-list.ts";
import { isShortened } from "../../kernel/typed-text.ts";
import { exportAsText } from "../../platform/given-csv.ts";
import { costWord, countWord, heardWord, productIdWord } from "../arguments.ts";
import { warnOfLosses } from "../catalogue/loss-warnings.ts";
import { wrong } from "../failures.ts";
import { type GivenRecord, readRecordsUpTo } from "../given-records.ts";
import type { OperatorCommand } from "../operator-command.ts";
import { type JsonOption, printJson, printLine } from "../printing.ts";
import { codeWithout } from "./route-code.ts";

/** A price list of a supplier has some hundred lines. */
const linesMax = 10_000;
const usualPriority = 100;
const wanted = "The first line names the columns product, code, cost and, where wanted, priority.";

export function addRouteImport(route: OperatorCommand): void {
  route
    .command("import")
    .description(
      "many routes of a supplier at once, all or none, with each fault named by its line; what is off stays off; warns as route set does",
    )
    .argument(
      "<file>",
      "CSV whose first line names product, code, cost and, where wanted, priority; no code where the supplier has none",
    )
    .requiredOption("--supplier <name>", "whose they are")
    .does(async ({ database }, file: string, { supplier, json }: JsonOption & { supplier: string }) => {
      const rows = await readRows(file);
      // A list without the column is one of a supplier that has no codes.
      const code = rows.some(({ record }) => "code" in record) ? "" : await codeWithout(database, supplier);
      const list = readRoutes(rows, { supplier, code });
      const enabled = await setRoutes(database, list);
      const { routes } = list;
      const off = routes.length - enabled.length;
      if (json) printJson({ supplier, routes: routes.length, off });
      else {
        printLine(`${enabled.length} products go to ${supplier}.`);
        if (off > 0) printLine(`${off} more could go there; their routes are off, as they were.`);
      }
      await warnOfLosses(database, enabled);
    });
}

/** @throws Refusal naming what is wrong with the file as a whole */
async function readRows(file: string): Promise<readonly GivenRecord[]> {
  const rows = await readRecordsUpTo(linesMax, file);
  const [first] = rows;
  if (first === undefined) throw wrong(`The file ${file} names no route. ${wanted}`);
  const lacking = ["product", "cost"].filter((name) => !(name in first.record));
  if (lacking.length > 0) {
    throw wrong(`The file ${file} has no column ${lacking.join(", ")}. ${wanted}`);
  }
  return rows;
}

/** Lines that can't be read are faults, which `setRoutes` tells together with those that it finds. */
function readRoutes(rows: readonly GivenRecord[], given: { readonly supplier: string; readonly code: string }) {
  const routes: ListedRoute[] = [];
  const faults: LineFault[] = [];
  for (const { record, line } of rows) {
    const read = readRoute({ code: given.code, ...record }, given.supplier, line);
    if ("sentence" in read) faults.push(read);
    else routes.push(read);
  }
  return { routes, faults };
}

function readRoute(record: Readonly<Record<string, string>>, supplier: string, line: number): ListedRoute | LineFault {
  const { product = "", code = "", cost = "", priority = "" } = record;
  const complaints: string[] = [];
  const heard = <T>(read: () => T) => heardWord(complaints, read);
  const productId = heard(() => productIdWord(product));
  if (code.includes("\0")) complaints.push("The code holds a character that is no text.");
  if (isShortened(code)) complaints.push(`A spreadsheet has shortened the code. ${exportAsText}`);
  const price = heard(() => costWord(cost));
  const order = priority === "" ? usualPriority : heard(() => countWord(999)(priority));
  if (productId !== null && price !== null && order !== null && complaints.length === 0) {
    return { productId, supplier, supplierCode: code, cost: price, priority: order, line };
  }
  const shown = [product, code, cost].join(", ").replaceAll("\0", "?");
  return { line, sentence: `Line ${line} (${shown}): ${complaints.join(" ")}` };
}
