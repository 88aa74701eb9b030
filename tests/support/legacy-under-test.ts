import { expect } from "vitest";
import type { CategorySlug } from "../../src/categories/category-slugs.ts";
import { hideCategory } from "../../src/domain/catalogue/changes/administration.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp, type TestApp } from "./app.ts";
import type { Fields } from "./endpoint-under-test.ts";
import { callLegacy, expectLegacyError, type LegacyForm, postLegacy } from "./legacy-endpoint.ts";
import { openToldSupplier } from "./told-supplier.ts";

/** What the two legacy endpoints that buy differ in, as far as their common promises go. */
export interface LegacyPurchaseEndpoint {
  /** Without its trailing slash. */
  readonly path: string;
  readonly category: CategorySlug;
  /** A complete request for MTN, but for its ident. Costs `total` and succeeds. */
  readonly usual: Fields;
  readonly total: string;
  /** The same purchase with every number and boolean as a string. */
  readonly asStrings: Fields;
  /** Another purchase: its ident may not be the same. */
  readonly different: Fields;
  /** The same purchase at the merchant API. */
  readonly successor: { readonly path: string; readonly body: Fields };
  /** Fields that are refused when they are missing, in their order. */
  readonly required: readonly string[];
  /** One wrong field each, and the text of its refusal. */
  readonly malformed: readonly (readonly [change: Fields, text: string])[];
}

/** An endpoint under test: the app, and merchants in the states that purchases are refused in. */
export class LegacyUnderTest {
  readonly endpoint: LegacyPurchaseEndpoint;
  readonly supplier = openToldSupplier();
  app!: TestApp;
  /** The key of a merchant whose sandbox wallet pays for all that the tests buy. */
  key = "";
  poor!: RegisteredMerchant;
  excluded!: RegisteredMerchant;
  #idents = 0;

  constructor(endpoint: LegacyPurchaseEndpoint) {
    this.endpoint = endpoint;
  }

  async open(): Promise<void> {
    this.app = await startApp({ suppliers: [this.supplier] });
    this.key = (await this.app.createMerchant({ testCredit: kobo(1_000_000_000n) })).testKey;
    [this.poor, this.excluded] = [await this.app.createMerchant(), await this.app.createMerchant()];
    const { services } = this.app;
    const amount = kobo(-9_999_999n);
    await creditMerchant(services, { merchantId: this.poor.id, mode: "test", amount, reason: "test" });
    await hideCategory(services.database, this.excluded.id, this.endpoint.category);
  }

  ident(): string {
    this.#idents += 1;
    return `Data${this.#idents}`;
  }

  /** The usual request with these changes, and with an ident of its own, so that equal purchases don't meet. */
  send(changes: Fields = {}, options: { as?: string; form?: LegacyForm; path?: string } = {}): Promise<Answer> {
    const { as = this.key, form = "json", path = `${this.endpoint.path}/` } = options;
    return postLegacy(this.app, as, path, { ...this.endpoint.usual, ident: this.ident(), ...changes }, form);
  }

  raw(type: string, body: string | FormData): Promise<Answer> {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    return callLegacy(this.app, this.key, `${this.endpoint.path}/`, { method: "POST", body, headers });
  }

  async balance(key = this.key): Promise<string> {
    return (await this.app.call(key, "/wallet/balance")).body.balance;
  }

  /** Nothing is charged meanwhile, and afterwards the ident buys as if it had never been sent. */
  async expectRefused(change: Fields, status: number, texts: readonly string[]): Promise<void> {
    const [ident, before] = [this.ident(), await this.balance()];
    expectLegacyError(await this.send({ ident, ...change }), status, texts);
    expect(await this.balance()).toBe(before);
    const bought = await this.send({ ident });
    expect([bought.status, bought.headers.get("idempotent-replayed")]).toEqual([200, null]);
  }
}
