import { assert } from "../../kernel/assert.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { categoryOf } from "../category-slugs.ts";
import { type Product, vendAttributes } from "../product/product.ts";
import type { VendRequest, VerifyRequest } from "../supplier-request.ts";

/** A biller's products, withdrawn ones too, by id. */
type ProductsOf = (billerSlug: string) => Promise<readonly Product[]>;

/**
 * The simulator's fulfilments: each category makes up its own, with dates in the deployment's zone. Without
 * `productsOf` every product means itself.
 */
export function simulatedFulfilment(
  zone: WallTime,
  productsOf: ProductsOf = async () => [],
): (request: VendRequest) => Promise<JsonObject> {
  return async (request) => {
    const category = categoryOf(request.category);
    const meant = category.resolvesTo?.(request, await productsOf(request.billerSlug)) ?? null;
    if (meant === null) return category.simulate(request, zone);
    const { plan, name: productName } = meant;
    return category.simulate({ ...request, plan, productName, attributes: vendAttributes(meant) }, zone);
  };
}

/** The simulator's findings about a number: each category makes up its own. */
export function simulatedFindings(zone: WallTime): (request: VerifyRequest) => JsonObject {
  return (request) => {
    const { verify } = categoryOf(request.category);
    assert(verify !== undefined, "a verify request names a category that verifies");
    return verify.simulate(request, zone) as JsonObject;
  };
}
