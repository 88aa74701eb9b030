import { refuse, refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { SpendingLimits } from "../limits/limits.ts";
import { insertLimitTier } from "../limits/queries.ts";
import { insertPriceTierName } from "./queries.ts";

/** Tiers of each kind: as the tables bound them. */
export const tierMax = 9;
const nameMax = 40;

/** A tier's name; null where it is empty. @throws Refusal VALIDATION_ERROR */
export function readTierName(text: string): string | null {
  const name = text.normalize("NFC").trim().replace(/\s+/g, " ");
  if (name === "") return null;
  if (name.length <= nameMax && /^\P{C}+$/u.test(name)) return name;
  throw refuseField("VALIDATION_ERROR", "name", `Use up to ${nameMax} characters.`);
}

/** How people call a tier: by its name, or by its number. */
export function tierTitle({ tier, name }: { readonly tier: number; readonly name: string | null }): string {
  return name === null ? `Tier ${tier}` : `${name} (tier ${tier})`;
}

/** Adds a limit tier after the last one. @returns its number. @throws Refusal VALIDATION_ERROR */
export function createLimitTier(
  database: Database,
  given: SpendingLimits & { readonly name: string },
): Promise<number> {
  refuseShortDay(given);
  return database.transaction(async (tx) => {
    const tier = await insertLimitTier(tx, { ...given, tierMax });
    if (tier !== null) return tier;
    throw refuse("VALIDATION_ERROR", { message: `There are ${tierMax} limit tiers, as many as there may be.` });
  });
}

/** @throws Refusal VALIDATION_ERROR */
export function refuseShortDay(limits: SpendingLimits): void {
  if (limits.perDay >= limits.perTransaction) return;
  throw refuseField("VALIDATION_ERROR", "per_day", "A day’s limit is at least that of one sale.");
}

/** Names a price tier; null: it is called by its number. */
export function namePriceTier(database: Database, tier: number, name: string | null): Promise<void> {
  return database.transaction((tx) => insertPriceTierName(tx, tier, name));
}
