import { expect } from "vitest";
import { type CategorySlug, categorySlugs } from "../../../../src/categories/category-slugs.ts";
import { hideCategory } from "../../../../src/domain/catalogue/changes/administration.ts";
import { creditMerchant } from "../../../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../../../src/domain/merchants/registration.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import type { ProblemCode } from "../../../../src/kernel/problems.ts";
import type { Answer, TestApp } from "../../../support/app.ts";
import { sharedApp } from "../../../support/shared-app.ts";
import { expectProblem, expectPurchase } from "../../../support/wire-expectations.ts";

export type Fields = Readonly<Record<string, unknown>>;

/** What the purchase endpoints differ in, as far as their common promises go. */
export interface PurchaseEndpoint {
  readonly path: string;
  readonly category: CategorySlug;
  /** A complete request but for its reference. Costs `total` and succeeds. */
  readonly body: Fields;
  readonly total: string;
  /** The fields that carry the customer's number, with one that ends so. */
  readonly numbered: (suffix: string) => Fields;
  /** Fields that alone are refused as missing. */
  readonly required: readonly string[];
  /** The same purchase in another spelling. */
  readonly respelled: Fields;
  /** Another purchase: its reference may not be the same. */
  readonly different: Fields;
  /** One malformed field each: its value, the code, the field or fields that `errors` names, and `meta` where it is told. */
  readonly malformed: readonly (readonly [
    change: Fields,
    code: ProblemCode,
    named: string | readonly string[],
    meta?: Fields,
  ])[];
  /** What else it sells: the name, the change in the request, and the answer's fields that show it. */
  readonly buys: readonly (readonly [what: string, change: Fields, shown: Fields])[];
  /** What is changed in the request that `whole` answers. */
  readonly wholeOf?: Fields;
  /** The answer's fields, but those that are null, one or nothing, and what follows from unit amount and quantity. */
  readonly whole: Fields & { readonly unit_amount: string };
}

/** Merchants in the states that purchases are made and refused in; all endpoints sell to them. */
export interface Shop {
  readonly app: TestApp;
  /** Its sandbox wallet pays for all that the tests buy. */
  readonly rich: RegisteredMerchant;
  /** Its sandbox wallet holds one kobo. */
  readonly poor: RegisteredMerchant;
  /** Every category is hidden from it. */
  readonly excluded: RegisteredMerchant;
}

/** Asked for on a file's top level. */
export async function openShop(): Promise<Shop> {
  const app = await sharedApp();
  const rich = await app.createMerchant({ testCredit: kobo(10_000_000_000n) });
  const [poor, excluded] = [await app.createMerchant(), await app.createMerchant()];
  const { database } = app.services;
  await creditMerchant({ database }, { merchantId: poor.id, mode: "test", amount: kobo(-9_999_999n), reason: "test" });
  for (const category of categorySlugs) await hideCategory(database, excluded.id, category);
  return { app, rich, poor, excluded };
}

let references = 0;

/** An endpoint of the shop under test. */
export class EndpointUnderTest {
  readonly endpoint: PurchaseEndpoint;
  readonly shop: Shop;
  /** The key of the rich merchant. */
  readonly key: string;

  constructor(shop: Shop, endpoint: PurchaseEndpoint) {
    this.shop = shop;
    this.endpoint = endpoint;
    this.key = shop.rich.testKey;
  }

  reference(): string {
    references += 1;
    return `ref-${references}`;
  }

  /** Sends the endpoint's complete request with these changes; `undefined` leaves a field out. */
  send(changes: Fields = {}, key: string | null = this.key): Promise<Answer> {
    const body = { reference: this.reference(), ...this.endpoint.body, ...changes };
    return this.shop.app.call(key, this.endpoint.path, { body });
  }

  /** Sends it and expects success. @returns the transaction */
  async buy(changes: Fields = {}): Promise<Answer["body"]> {
    const answer = await this.send(changes);
    expectPurchase(answer, this.endpoint.category, { status: "successful" });
    return answer.body;
  }

  requery(reference: string, key: string | null = this.key): Promise<Answer> {
    return this.shop.app.call(key, `/transactions/${reference}`);
  }

  async balance(key: string | null = this.key): Promise<string> {
    return (await this.shop.app.call(key, "/wallet/balance")).body.balance;
  }

  /** Nothing is charged meanwhile, and afterwards the reference buys as if it had never been sent. */
  async expectNothingHappened(reference: string, act: () => Promise<void>, key: string | null = this.key) {
    const before = await this.balance(key);
    await act();
    expect(await this.balance(key)).toBe(before);
    expectProblem(await this.requery(reference, key), 404, "TRANSACTION_NOT_FOUND");
  }
}
