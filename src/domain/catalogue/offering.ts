import type { ProductId } from "../../kernel/ids.ts";
import { formatNaira, type Kobo, kobo } from "../../kernel/money.ts";
import { refuse, refuseField } from "../../kernel/problems.ts";
import { arrayOf, type Database, type Queryable } from "../../platform/database/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { changeCatalogue } from "./changes/change.ts";
import { insertProductChanges } from "./changes/change-queries.ts";
import {
  insertFxRate,
  listFxRates,
  listProductIdsOfBiller,
  ratesOf,
  updateBillerStatus,
  updateFxRates,
} from "./offering-queries.ts";
import { updateProductTimes } from "./queries.ts";

/** Kobo for one whole unit, as the tables bound it. */
const rateMax = kobo(10_000_000n);

/** How far a rate moves in one step before somebody has to say that it is meant: to the half, or the double. */
const leap = 2n;

/**
 * Sets what one whole unit of a foreign currency costs, in kobo, for all products in it and all costs of suppliers. What
 * is bought already keeps its price. Returns the rates before and the products that changed. Safe to repeat.
 * @throws Refusal VALIDATION_ERROR, also for less than half or more than double the rate unless `mayLeap`
 */
export async function setFxRate(
  database: Database,
  currency: string,
  rate: Kobo,
  { mayLeap }: { readonly mayLeap: boolean } = { mayLeap: false },
): Promise<{ readonly previous: readonly Kobo[]; readonly changed: readonly ProductId[] }> {
  return changeCatalogue(database, async (tx) => {
    const previous = await checkFxRate(tx, { currency, rate, mayLeap });
    const changed = await updateFxRates(tx, currency, rate);
    await insertFxRate(tx, currency, rate);
    await bumpRevision(tx, "routes");
    await insertProductChanges(tx, "rate", changed);
    return { previous, changed };
  });
}

/** Refuses a rate as `setFxRate` does, and sets none. @returns the rates that the currency has now */
export async function checkFxRate(
  db: Queryable,
  { currency, rate, mayLeap }: { readonly currency: string; readonly rate: Kobo; readonly mayLeap: boolean },
): Promise<readonly Kobo[]> {
  if (currency === "NGN") throw refuseField("VALIDATION_ERROR", "currency", "Must be another than naira.");
  if (rate > rateMax) throw refuseField("VALIDATION_ERROR", "rate", "Must be at most 100000.00 naira for one unit.");
  const present = ratesOf(await listFxRates(db), currency);
  if (!mayLeap) for (const before of present) checkLeap(currency, before, rate);
  return present;
}

function checkLeap(currency: string, before: Kobo, rate: Kobo): void {
  if (rate * leap >= before && rate <= before * leap) return;
  const message = `One ${currency} costs ${formatNaira(before)} now, and ${formatNaira(rate)} is less than half or more than double of that: confirm it if it is meant.`;
  throw refuse("VALIDATION_ERROR", { message });
}

/**
 * Offers or withholds everything of a biller; what its products were offered as stays with them, and each of them tells
 * when it changed. False when it was so already. @throws Refusal BILLER_NOT_FOUND
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
    if (!changed) return false;
    await tx.query(updateProductTimes, [arrayOf(ids)]);
    await insertProductChanges(tx, "availability", ids);
    return true;
  });
}
