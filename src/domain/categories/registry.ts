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
import type { CategorySlug } from "./product.ts";
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

export function findCategory(slug: CategorySlug): Category | null {
  return bySlug.get(slug) ?? null;
}

/** What the simulator hands out: each category's own made-up goods, with dates in the deployment's zone. */
export function simulatedFulfilment(zone: WallTime): (request: VendRequest) => Promise<JsonObject> {
  return async (request) => {
    const category = bySlug.get(request.category);
    assert(category !== undefined, "a vend request names a category");
    return category.simulate(request, zone);
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

/** Says of goods whether their category hands out such: for what suppliers answer. Each schema is compiled once. */
export function fulfilmentFits(): (category: string, fulfilment: JsonObject | null) => boolean {
  const validators = new Map<string, Validator>();
  return (slug, fulfilment) => {
    const category = bySlug.get(slug);
    if (category === undefined) return false;
    const validator = validators.get(slug) ?? Compile(category.fulfilment);
    validators.set(slug, validator);
    return validator.Check(fulfilment);
  };
}
