import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { assert } from "../../kernel/assert.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { VendRequest, VerifyRequest } from "../../providers/contract.ts";
import { airtime } from "./airtime.ts";
import { betting } from "./betting.ts";
import { cable } from "./cable.ts";
import type { Category } from "./category.ts";
import { data } from "./data.ts";
import { education } from "./education.ts";
import { electricity } from "./electricity.ts";
import { esim } from "./esim.ts";
import { giftcard } from "./giftcard.ts";
import { internet } from "./internet.ts";
import { type CategorySlug, type Product, vendAttributes } from "./product.ts";
import { rechargePin } from "./recharge-pin.ts";
import { sms } from "./sms.ts";
import { voice } from "./voice.ts";

/** Every category the service sells. A new one is its file and its line here. */
export const categories: readonly Category[] = [
  data,
  airtime,
  electricity,
  cable,
  education,
  giftcard,
  esim,
  betting,
  internet,
  voice,
  sms,
  rechargePin,
];

const bySlug = new Map<string, Category>(categories.map((category) => [category.slug, category]));

/** The category that a biller, a purchase or a beneficiary names. */
export function categoryOf(slug: CategorySlug): Category {
  const category = bySlug.get(slug);
  assert(category !== undefined, "every category is registered");
  return category;
}

/** A biller's products, withdrawn ones too, by id. */
type ProductsOf = (billerSlug: string) => Promise<readonly Product[]>;

/**
 * What the simulator hands out: each category's own made-up goods, with dates in the deployment's zone. Without
 * `productsOf` every product means itself.
 */
export function simulatedFulfilment(
  zone: WallTime,
  productsOf: ProductsOf = async () => [],
): (request: VendRequest) => Promise<JsonObject> {
  return async (request) => {
    const category = bySlug.get(request.category);
    assert(category !== undefined, "a vend request names a category");
    const meant = category.resolvesTo?.(request, await productsOf(request.billerSlug)) ?? null;
    if (meant === null) return category.simulate(request, zone);
    const { plan, name: productName } = meant;
    return category.simulate({ ...request, plan, productName, attributes: vendAttributes(meant) }, zone);
  };
}

/** What the simulator knows of a number: each category's own made-up findings. */
export function simulatedFindings(zone: WallTime): (request: VerifyRequest) => JsonObject {
  return (request) => {
    const verify = bySlug.get(request.category)?.verify;
    assert(verify !== undefined, "a verify request names a category that verifies");
    return verify.simulate(request, zone) as JsonObject;
  };
}

/** Says of something that a supplier tells whether it has the shape that its category promises. */
type Fits = (category: string, told: JsonObject | null) => boolean;

/** Of goods. Each schema is compiled once. */
export function fulfilmentFits(): Fits {
  return fitting(({ fulfilment }) => fulfilment);
}

/** Of what was found out about a number. */
export function findingsFit(): Fits {
  return fitting(({ verify }) => verify?.findings);
}

function fitting(shapeOf: (category: Category) => TSchema | undefined): Fits {
  const validators = new Map<string, Validator>();
  return (slug, told) => {
    const category = bySlug.get(slug);
    const shape = category && shapeOf(category);
    if (shape === undefined) return false;
    const validator = validators.get(slug) ?? Compile(shape);
    validators.set(slug, validator);
    return validator.Check(told);
  };
}
