import { rememberLosses } from "../../../domain/suppliers/selling-prices/margin.ts";
import type { OperatorServices } from "../services.ts";
import type { PriceTable } from "./price-query.ts";

export type ReadTable = () => Promise<PriceTable>;

/** The table of prices from memory, at most a second old. What is below cost is found once for each of its states. */
export function openPriceTable({ catalogue, routes }: Pick<OperatorServices, "catalogue" | "routes">): ReadTable {
  const lossesOf = rememberLosses();
  return async () => {
    const [present, table] = await Promise.all([catalogue.current(), routes.current()]);
    return { catalogue: present, routes: table, losses: lossesOf(present, table) };
  };
}
