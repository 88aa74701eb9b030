import { refuse } from "../../kernel/problems.ts";
import { tierMax } from "../merchants/tiers/tiers.ts";

/** Which price tier each type of user comes into. */
export interface Tiers {
  /** Null for a type that is unknown. */
  tierOf(userType: string): number | null;
}

/** The types of the older scripts, from the one that pays most to the one that pays least. */
const usualTiers: ReadonlyMap<string, number> = new Map([
  ...["", "1", "smart earner", "smartearner", "user", "subscriber", "customer"].map((type) => [type, 1] as const),
  ...["2", "affilliate", "affiliate", "agent", "reseller"].map((type) => [type, 2] as const),
  ...["3", "topuser", "top user", "vendor"].map((type) => [type, 3] as const),
  ["api", 4],
]);

/** A type and its tier, as they are typed: `reseller=2`. Null for what is none. */
export function parseTypeTier(text: string): readonly [type: string, tier: number] | null {
  const [, type = "", digit = ""] = /^([^=]*)=\s*([1-9])\s*$/.exec(text) ?? [];
  const tier = Number(digit);
  return digit === "" || tier > tierMax ? null : [typeKey(type), tier];
}

function typeKey(type: string): string {
  return type.trim().toLowerCase();
}

/** The usual tiers, but for the types that are given another. @throws Refusal VALIDATION_ERROR for a type given twice */
export function tiersOf(given: readonly (readonly [type: string, tier: number])[]): Tiers {
  const chosen = new Map(given);
  if (chosen.size < given.length) throw refuse("VALIDATION_ERROR", { message: "A type was given two tiers." });
  return { tierOf: (type) => chosen.get(typeKey(type)) ?? usualTiers.get(typeKey(type)) ?? null };
}
