import { type Kobo, kobo } from "../../kernel/money.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import type { Database } from "../../platform/database.ts";
import { changeCatalogue } from "./change.ts";
import { insertProductChanges } from "./change-queries.ts";
import { listFxRates, listProductIdsOfBiller, updateBillerStatus, updateFxRates } from "./offering-queries.ts";

/** Kobo for one whole unit, as the tables bound it. */
const rateMax = kobo(10_000_000n);

/**
 * Sets what one whole unit of a foreign currency costs, in kobo, for all products in it. What is bought already keeps its
 * price. Returns how many products changed. Safe to repeat. @throws Refusal NOT_FOUND, VALIDATION_ERROR
 */
export async function setFxRate(database: Database, currency: string, rate: Kobo): Promise<number> {
  if (rate > rateMax) throw refuseField("VALIDATION_ERROR", "rate", "Must be at most 100000.00 naira for one unit.");
  return changeCatalogue(database, async (tx) => {
    if (!(await listFxRates(tx)).some((row) => row.currency === currency)) {
      throw refuse("NOT_FOUND", { message: `No product is in ${currency}; fx-rate list names the currencies.` });
    }
    const ids = await updateFxRates(tx, currency, rate);
    await insertProductChanges(tx, "rate", ids);
    return ids.length;
  });
}

/**
 * Offers or withholds everything of a biller; what its products were offered as stays with them. False when it was so
 * already. @throws Refusal BILLER_NOT_FOUND
 */
export function setBillerStatus(
  database: Database,
  slug: string,
  status: "available" | "unavailable",
): Promise<boolean> {
  return changeCatalogue(database, async (tx) => {
    const ids = await listProductIdsOfBiller(tx, slug);
    if (ids === null) throw refuse("BILLER_NOT_FOUND");
    const changed = await updateBillerStatus(tx, slug, status);
    if (changed) await insertProductChanges(tx, "availability", ids);
    return changed;
  });
}
