import type { Product } from "../../../categories/product/product.ts";
import type { ProductId, Reference } from "../../../kernel/ids.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Principal } from "../../merchants/merchant.ts";
import type { RouteChoice } from "../../suppliers/routing/choose-route.ts";
import type { Amounts } from "../../suppliers/routing/route.ts";
import type { Routing } from "../../suppliers/routing/routing.ts";

/** The supplier that a purchase is sent to. */
export interface Route {
  /** Kept with the purchase, so that the same supplier is asked about it. Null, like all else, for the simulator. */
  readonly supplier: string | null;
  readonly supplierCode: string | null;
  /** What the supplier takes for the whole purchase, in kobo. */
  readonly cost: Kobo | null;
  /** The cost in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreignCost: string | null;
  /** Why this supplier was chosen. */
  readonly reason: string | null;
  /** Vending costs nothing and touches nobody, so its outcome may be known before the charge: one commit, not two. */
  readonly predictable: boolean;
}

/**
 * The route of a new purchase; its reference is null where it has none yet and is only asked about. @throws Refusal
 * PRODUCT_UNAVAILABLE, BILLER_UNAVAILABLE: nothing was charged
 */
export type RouteFor = (
  buyer: Pick<Principal, "mode" | "merchantId">,
  product: Product,
  amounts: Amounts,
  reference: Reference | null,
) => Promise<Route>;

const toSimulator: Route = {
  supplier: null,
  supplierCode: null,
  cost: null,
  foreignCost: null,
  reason: null,
  predictable: true,
};
const nobodyTried: ReadonlySet<string> = new Set();

/** As long as a breaker stays open at first. */
const openRetrySeconds = 30;
/** Until a supplier tells its balance again. */
const limitedRetrySeconds = 300;
const unservedRetrySeconds = 300;

/**
 * Sandbox goes to the simulator, whatever suppliers there are; live to the supplier that routing chooses. `onUnserved` is
 * told of each sale that none can be asked for, with its face value.
 */
export function openRouteFor(
  routing: Pick<Routing, "choose">,
  onUnserved?: (productId: ProductId, amount: Kobo) => void,
): RouteFor {
  return async function routeFor({ mode, merchantId }, product, amounts, reference) {
    if (mode === "test") return toSimulator;
    const to = { merchantId, reference: reference ?? "", tried: nobodyTried };
    const choice = await routing.choose(product, amounts, to);
    if (choice.kind !== "chosen" && reference !== null) onUnserved?.(product.id, amounts.faceAmount);
    return routeOf(choice);
  };
}

/** @throws Refusal PRODUCT_UNAVAILABLE, BILLER_UNAVAILABLE */
function routeOf(choice: RouteChoice): Route {
  if (choice.kind === "all_open") throw refuse("BILLER_UNAVAILABLE", { retryAfterSeconds: openRetrySeconds });
  if (choice.kind === "all_limited") throw refuse("BILLER_UNAVAILABLE", { retryAfterSeconds: limitedRetrySeconds });
  if (choice.kind !== "chosen") throw refuse("PRODUCT_UNAVAILABLE", { retryAfterSeconds: unservedRetrySeconds });
  const { supplier, supplierCode, cost, foreignCost, reason } = choice;
  return { supplier, supplierCode, cost, foreignCost, reason, predictable: false };
}
