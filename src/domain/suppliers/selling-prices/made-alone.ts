import type { Queryable } from "../../../platform/database/database.ts";
import { listFirstOfDay } from "../../catalogue/price-changes/price-history-queries.ts";
import { lineOf, nameOfLine, type PriceLine } from "../../catalogue/price-changes/price-lines.ts";
import { findMerchant } from "../../merchants/queries.ts";
import { type Known, type Preview, previewOf } from "./preview.ts";

/** What a person of the catalogue changes alone in 24 hours: so many prices, each by so many hundredths of a percent, none below cost. */
const aloneMax = { prices: 50, moved: 1_000n };

/**
 * Whether a change takes a second person: by all that its prices moved in 24 hours, whoever moved them and however, and by how
 * many prices its person set alone before it.
 */
export function needsSecondPerson({ lines, largest, belowCost }: Preview, setAlone = 0): boolean {
  return setAlone + lines.length > aloneMax.prices || largest > aloneMax.moved || belowCost > 0;
}

/** What a change comes to. Of one that is not made yet, the largest move is that against the prices of a day ago. */
export async function readPreview(
  db: Queryable,
  known: Known,
  lines: readonly PriceLine[],
  { isAhead }: { readonly isAhead: boolean },
): Promise<Preview> {
  const merchants = new Set(lines.flatMap(({ scope }) => (scope.of === "merchant" ? [scope.merchantId] : [])));
  const found = await Promise.all([...merchants].map((id) => findMerchant(db, id)));
  const tiers = found.flatMap((each) => (each === null ? [] : [[each.id, each.price_tier] as const]));
  const first = isAhead ? await listFirstOfDay(db, [...new Set(lines.map(({ productId }) => productId))]) : [];
  const past = first.map(lineOf).map((line) => [nameOfLine(line), line.before] as const);
  return previewOf(known, lines, { tiers: new Map(tiers), past: new Map(past) });
}
