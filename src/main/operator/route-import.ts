import { readFile } from "node:fs/promises";
import { type Command, InvalidArgumentError } from "commander";
import { CsvError } from "csv-parse";
import { parse } from "csv-parse/sync";
import { type RouteToSet, setRoutes } from "../../domain/routing/administration.ts";
import { refuse } from "../../kernel/problems.ts";
import { costWord, countWord, productIdWord } from "./arguments.ts";
import { warnOfLosses } from "./loss-warnings.ts";
import { asJson, type JsonOption, printJson, printLine } from "./printing.ts";
import type { WithSession } from "./session.ts";

/** A price list of a supplier has some hundred lines. */
const linesMax = 10_000;
const usualPriority = 100;

export function addRouteImport(route: Command, withSession: WithSession): void {
  route
    .command("import")
    .description("many routes of a supplier at once, all or none; warns as route set does")
    .argument("<file>", "CSV whose first line names product, code, cost and, where wanted, priority")
    .requiredOption("--supplier <name>", "whose they are")
    .option(...asJson)
    .action((file: string, { supplier, json }: JsonOption & { supplier: string }) =>
      withSession(async ({ database }) => {
        const routes = await readRoutes(file, supplier);
        await setRoutes(database, routes);
        if (json) printJson({ supplier, routes: routes.length });
        else printLine(`${routes.length} products go to ${supplier}.`);
        await warnOfLosses(database, routes);
        return 0;
      }),
    );
}

/** Reads a supplier's routes from a CSV file. @throws Refusal naming what is wrong, and in which line */
async function readRoutes(file: string, supplier: string): Promise<readonly RouteToSet[]> {
  const text = await readFile(file, "utf8").catch(() => {
    throw refuse("VALIDATION_ERROR", { message: `The file ${file} can't be read.` });
  });
  const rows = recordsOf(text, file);
  if (rows.length > linesMax) throw refuse("VALIDATION_ERROR", { message: `At most ${linesMax} lines at a time.` });
  return rows.map((row, index) => ({ ...routeOf(row, index + 1), supplier, enabled: true }));
}

function recordsOf(text: string, file: string): readonly Record<string, string>[] {
  try {
    return parse(text, { columns: true, bom: true, trim: true, skip_empty_lines: true });
  } catch (error) {
    if (!(error instanceof CsvError)) throw error;
    throw refuse("VALIDATION_ERROR", { message: `${file} is no CSV: ${error.message}` });
  }
}

function routeOf({ product = "", code = "", cost = "", priority = "" }: Record<string, string>, line: number) {
  try {
    return {
      productId: productIdWord(product),
      supplierCode: code,
      cost: costWord(cost),
      priority: priority === "" ? usualPriority : countWord(999)(priority),
    };
  } catch (error) {
    if (!(error instanceof InvalidArgumentError)) throw error;
    const wanted = "The first line names the columns product, code, cost and, where wanted, priority.";
    const message = `Line ${line} (${product}, ${code}, ${cost}): ${error.message} ${wanted} No route was set.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
}
