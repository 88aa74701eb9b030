import { listLimitTiers } from "../../../domain/merchants/limits/queries.ts";
import { listPriceTiers } from "../../../domain/merchants/tiers/queries.ts";
import { tierTitle } from "../../../domain/merchants/tiers/tiers.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { choice } from "../../kit/field-kinds.tsx";
import { moneyText } from "../../kit/parts/text.tsx";

export type Tiers = Awaited<ReturnType<typeof readTiers>>;

/** The tiers that a merchant may be in, to choose from. */
export async function readTiers(db: Queryable) {
  const [limits, prices] = [await listLimitTiers(db), await listPriceTiers(db)];
  return {
    limits: limits.map((row) => ({
      value: row.tier,
      label: `${tierTitle(row)}: ${moneyText(row.perTransaction)} a sale, ${moneyText(row.perDay)} a day`,
    })),
    prices: prices.map((row) => ({ value: row.tier, label: tierTitle(row) })),
  };
}

const unread = "Choose a tier.";

export function limitTierField({ limits }: Tiers, initial?: number) {
  return choice("Limit tier", limits, { initial, unread });
}

export function priceTierField({ prices }: Tiers, initial?: number, hint?: string) {
  return choice("Price tier", prices, { initial, unread, hint });
}
