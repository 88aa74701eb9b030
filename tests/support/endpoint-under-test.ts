import { expect } from "vitest";
import type { CategorySlug } from "../../src/categories/category-slugs.ts";
import { hideCategory } from "../../src/domain/catalogue/changes/administration.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { ProblemCode } from "../../src/kernel/problems.ts";
import { type Answer, type RequestOptions, startApp, type TestApp } from "./app.ts";
import { expectProblem, lagosInstant } from "./wire-expectations.ts";

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
  /** One malformed field each: the field's value, the code, and the field or fields that `errors` names. */
  readonly malformed: readonly (readonly [change: Fields, code: ProblemCode, named: string | readonly string[]])[];
}

/** An endpoint under test: the app, and merchants in the states that purchases are refused in. */
export class EndpointUnderTest {
  readonly endpoint: PurchaseEndpoint;
  app!: TestApp;
  /** The key of a merchant whose sandbox wallet pays for all that the tests buy. */
  key = "";
  /** A merchant all of whose requests are refused. */
  careless!: RegisteredMerchant;
  /** A merchant whose sandbox wallet holds one kobo. */
  poor!: RegisteredMerchant;
  /** A merchant from whom the category is hidden. */
  excluded!: RegisteredMerchant;
  #references = 0;

  constructor(endpoint: PurchaseEndpoint) {
    this.endpoint = endpoint;
  }

  async open(): Promise<void> {
    this.app = await startApp();
    this.key = (await this.app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;
    this.careless = await this.app.createMerchant();
    this.poor = await this.app.createMerchant();
    this.excluded = await this.app.createMerchant();
    const { database } = this.app.services;
    const amount = kobo(-9_999_999n);
    await creditMerchant({ database }, { merchantId: this.poor.id, mode: "test", amount, reason: "test" });
    await hideCategory(database, this.excluded.id, this.endpoint.category);
  }

  reference(): string {
    this.#references += 1;
    return `ref-${this.#references}`;
  }

  /** Sends the endpoint's complete request with these changes; `undefined` leaves a field out. */
  send(changes: Fields = {}, key = this.key): Promise<Answer> {
    const body = { reference: this.reference(), ...this.endpoint.body, ...changes };
    return this.app.call(key, this.endpoint.path, { body });
  }

  /** As the careless merchant, always under one reference unless the change is about it. */
  sendCarelessly(changes: Fields): Promise<Answer> {
    return this.send({ reference: "careless", ...changes }, this.careless.testKey);
  }

  raw(options: RequestOptions, key: string | null = this.key): Promise<Answer> {
    return this.app.call(key, this.endpoint.path, options);
  }

  requery(reference: string, key = this.key): Promise<Answer> {
    return this.app.call(key, `/transactions/${reference}`);
  }

  /** A new merchant's first purchase, with these changes: exactly these fields, and those of any that succeeded. */
  async expectWhole(changes: Fields, fields: Fields): Promise<void> {
    const { testKey } = await this.app.createMerchant();
    const { body } = await this.send({ reference: "whole:1", ...changes }, testKey);
    expect(body).toEqual({
      status: "successful",
      reference: "whole:1",
      channel: "api",
      transaction_id: expect.stringMatching(/^SBX/),
      category: this.endpoint.category,
      message: expect.stringMatching(/^[A-Z].*\.$/),
      balance_before: "100000.00",
      provider_reference: expect.stringMatching(/\S/),
      purchased_at: expect.stringMatching(lagosInstant),
      error_code: null,
      refunded: false,
      refunded_at: null,
      completed_at: expect.stringMatching(lagosInstant),
      bulk_reference: null,
      metadata: null,
      sandbox: true,
      ...fields,
    });
  }

  async balance(key = this.key): Promise<string> {
    return (await this.app.call(key, "/wallet/balance")).body.balance;
  }

  /** Nothing is charged meanwhile, and afterwards the reference buys as if it had never been sent. */
  async expectNothingHappened(reference: string, act: () => Promise<void>, key = this.key): Promise<void> {
    const before = await this.balance(key);
    await act();
    expect(await this.balance(key)).toBe(before);
    expectProblem(await this.requery(reference, key), 404, "TRANSACTION_NOT_FOUND");
  }
}
