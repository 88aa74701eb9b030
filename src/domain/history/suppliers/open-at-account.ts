import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { findSupplierNamed } from "../../suppliers/routing/route-table.ts";
import { countOpenAt } from "../reports/queries.ts";

/**
 * Why a supplier should not get another account now: what the present one is still to be asked about; null where nothing
 * is. `credentials`: null for those that it has.
 */
export async function openAtAccount(
  database: Queryable,
  { name, settings, credentials }: { name: string; settings: JsonObject; credentials: JsonObject | null },
): Promise<string | null> {
  const present = await findSupplierNamed(database, name);
  if (present === null || (credentials === null && present.settings.base_url === settings.base_url)) return null;
  const { purchases, questions } = await countOpenAt(database, name);
  if (purchases === 0 && questions === 0) return null;
  const open = [
    ...(purchases > 0 ? [`${purchases} purchases whose end is not known`] : []),
    ...(questions > 0 ? [`${questions} calls that it is still to be asked about`] : []),
  ].join(" and ");
  return `${name} has ${open}. Another account does not know them: they would be refunded, though they may have been vended, and what it took back would not be. New keys of the same account are fine.`;
}
