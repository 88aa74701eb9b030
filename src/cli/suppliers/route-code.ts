import { readRouteTable } from "../../domain/suppliers/routing/route-table.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { takesCodes } from "../../providers/registry.ts";
import { wrong } from "../failures.ts";

/** Stands for the code where a supplier's connector has none. */
const noCode = "-";

/** The code of a route for which the operator gave none. @throws Refusal where the supplier needs one, or is unknown */
export async function codeWithout(database: Queryable, supplier: string): Promise<string> {
  const known = (await readRouteTable(database)).findSupplier(supplier);
  if (known === null) throw refuse("NOT_FOUND", { message: "There is no such supplier." });
  if (!takesCodes(known.connector)) return noCode;
  throw wrong(`${supplier} calls products by codes: say with --code what it calls this one.`);
}
