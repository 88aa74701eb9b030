import type { Product } from "../../categories/product/product.ts";
import type { ProductId } from "../../kernel/ids.ts";
import { formatNaira, zeroKobo } from "../../kernel/money.ts";
import { priceFault } from "../catalogue/changes/new-product.ts";
import type { CatalogueSnapshot } from "../catalogue/snapshot.ts";
import { networkNumbered, parseLegacyNetwork, usualNetworkNumbers } from "../merchants/legacy-settings.ts";
import { readExactly } from "./exact-amount.ts";
import type { OlderPrice, OlderScript } from "./older-script.ts";
import { placeText } from "./older-users.ts";
import type { Misfit, PlannedPrice } from "./planned.ts";
import type { Tiers } from "./tiers.ts";

/** Maps plans onto products by the number that clients order them by, and types of user onto tiers. */
export function planPrices(
  older: OlderScript,
  tiers: Tiers,
  catalogue: CatalogueSnapshot,
): { readonly prices: readonly PlannedPrice[]; readonly misfits: readonly Misfit[] } {
  const prices = new Map<string, PlannedPrice>();
  const misfits = new Map<string, Misfit>();
  for (const line of older.prices) {
    const { place } = line.price;
    // A plan that is none has four prices in one line, and one fault.
    const leaveOut = (why: string) =>
      misfits.set(`${place.file} ${placeText(place)} ${why}`, {
        place,
        about: `plan ${line.planId}`,
        why,
        leavesOut: "price",
      });
    const product = productOf(line.planId, catalogue);
    const tier = line.payer.of === "tier" ? tierNumbered(line.payer.name) : tiers.tierOf(line.payer.name);
    const price = readExactly(line.price.text);
    const other = product === null ? null : otherThing(line, product, older);
    if (product === null)
      leaveOut("No product here has the plan's number: give it to one by product rename --legacy-plan, or add one.");
    else if (other !== null) leaveOut(other);
    else if (tier === null) leaveOut(`The type or tier “${line.payer.name}” is unknown: give it one by --tier.`);
    else if (typeof price === "string") leaveOut(price);
    else {
      const why = price === zeroKobo ? "The price is zero." : priceFault({ kind: "fixed", kobo: price }, product);
      const key = `${product.id} ${tier}`;
      const first = prices.get(key);
      if (why !== null) leaveOut(why);
      else if (first === undefined) prices.set(key, { productId: product.id, tier, price });
      else if (first.price !== price) leaveOut(`Tier ${tier} pays ${formatNaira(first.price)} for it by another line.`);
    }
  }
  return { prices: [...prices.values()], misfits: [...misfits.values()] };
}

/** Below 1,000 the number of a plan, from there on a product's own. */
function productOf(planId: string, catalogue: CatalogueSnapshot): Product | null {
  if (!/^[1-9][0-9]{0,8}$/.test(planId)) return null;
  return catalogue.findLegacyPlan(Number(planId)) ?? catalogue.findProduct(Number(planId) as ProductId);
}

function tierNumbered(text: string): number | null {
  return /^[1-9]$/.test(text) ? Number(text) : null;
}

/** Why the product of a plan's number is another thing here than there; null where it is the same, as far as is said. */
function otherThing(line: OlderPrice, { biller, plan, name }: Product, { networks }: OlderScript): string | null {
  const network = /^[0-9]+$/.test(line.network)
    ? networkNumbered(networks ?? usualNetworkNumbers, Number(line.network))
    : parseLegacyNetwork(line.network);
  const here = `${biller.network ?? biller.name} ${plan ?? name}`;
  if (network !== null && network !== biller.network) return `The number is ${here} here, and ${network} there.`;
  const [there, ours] = [sizeOf(line.size), sizeOf(plan ?? name)];
  if (there === null || ours === null || there === ours) return null;
  return `The number is ${here} here, and ${there} there: its clients would buy something else.`;
}

/** `1.0 gb SME` is `1GB`. */
function sizeOf(text: string): string | null {
  const [, amount, unit] = /^\s*([0-9]+(?:\.[0-9]+)?)\s*(MB|GB|TB)/i.exec(text) ?? [];
  return amount === undefined || unit === undefined ? null : `${Number(amount)}${unit.toUpperCase()}`;
}
