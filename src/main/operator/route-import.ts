import { type Command, InvalidArgumentError } from "commander";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { type ListedRoute, setRoutes } from "../../domain/routing/administration.ts";
import { refuse } from "../../kernel/problems.ts";
import { costWord, countWord, orComplain, productIdWord } from "./arguments.ts";
import { readGivenText } from "./given-files.ts";
import { warnOfLosses } from "./loss-warnings.ts";
import { asJson, type JsonOption, printJson, printLine } from "./printing.ts";
import type { WithSession } from "./session.ts";

/** A price list of a supplier has some hundred lines. */
const linesMax = 10_000;
const usualPriority = 100;
const wanted = "The first line names the columns product, code, cost and, where wanted, priority.";

export function addRouteImport(route: Command, withSession: WithSession): void {
  route
    .command("import")
    .description("many routes of a supplier at once, all or none; what is off stays off; warns as route set does")
    .argument("<file>", "CSV whose first line names product, code, cost and, where wanted, priority")
    .requiredOption("--supplier <name>", "whose they are")
    .option(...asJson)
    .action((file: string, { supplier, json }: JsonOption & { supplier: string }) =>
      withSession(async ({ database }) => {
        const routes = await readRoutes(file, supplier);
        const enabled = await setRoutes(database, routes);
        const off = routes.length - enabled.length;
        if (json) printJson({ supplier, routes: routes.length, off });
        else {
          printLine(`${enabled.length} products go to ${supplier}.`);
          if (off > 0) printLine(`${off} more could go there; their routes are off, as they were.`);
        }
        await warnOfLosses(database, enabled);
        return 0;
      }),
    );
}

/** Reads a supplier's routes from a CSV file. @throws Refusal naming what is wrong, and in which line */
async function readRoutes(file: string, supplier: string): Promise<readonly ListedRoute[]> {
  const rows = recordsOf(await readGivenText(file), file);
  if (rows.length === 0) throw refuse("VALIDATION_ERROR", { message: `The file ${file} names no route. ${wanted}` });
  if (rows.length > linesMax) throw refuse("VALIDATION_ERROR", { message: `At most ${linesMax} lines at a time.` });
  return rows.map(({ record, info }) => ({ ...routeOf(record, info.lines), supplier, line: info.lines }));
}

interface Listed {
  readonly record: Record<string, string>;
  /** As an editor counts them: the heading is line 1. */
  readonly info: { readonly lines: number };
}

function recordsOf(text: string, file: string): readonly Listed[] {
  const options = { columns: true, bom: true, trim: true, skip_empty_lines: true, info: true } as const;
  try {
    return parse(text, options) as unknown as Listed[];
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse("VALIDATION_ERROR", { message: `${file} is no CSV: ${error.message}` });
  }
}

function routeOf({ product = "", code = "", cost = "", priority = "" }: Record<string, string>, line: number) {
  try {
    return {
      productId: productIdWord(product),
      supplierCode: orComplain(code.includes("\0") ? null : code, "The code holds a character that is no text."),
      cost: costWord(cost),
      priority: priority === "" ? usualPriority : countWord(999)(priority),
    };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const shown = [product, code, cost].join(", ").replaceAll("\0", "?");
    const message = `Line ${line} (${shown}): ${error.message} ${wanted} No route was set.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
}
