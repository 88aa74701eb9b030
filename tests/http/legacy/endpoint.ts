import { afterAll, expect } from "vitest";
import { hideCategory } from "../../../src/domain/catalogue/changes/administration.ts";
import { creditMerchant } from "../../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../../src/domain/merchants/registration.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type Answer, startApp, type TestApp } from "../../support/app.ts";
import { type FakeSupplier, openFakeSupplier } from "../../support/fake-supplier.ts";
import {
  callLegacy,
  expectLegacyError,
  type Fields,
  type LegacyForm,
  postLegacy,
} from "../../support/legacy-endpoint.ts";
import { endpoints, type LegacyEndpoint } from "./endpoints.ts";

/** A service with a live supplier, and merchants in the states that purchases are made and refused in. */
export interface LegacyShop {
  readonly supplier: FakeSupplier;
  readonly app: TestApp;
  /** The key of a merchant whose sandbox wallet pays for all that the tests buy. */
  readonly key: string;
  /** Its sandbox wallet holds one kobo. */
  readonly poor: RegisteredMerchant;
  /** May buy in none of the categories, from the first look at the catalogue on. */
  readonly excluded: RegisteredMerchant;
}

/** Asked for on a file's top level, which closes it. */
export async function openLegacyShop(options: { sandboxPendingSeconds?: number } = {}): Promise<LegacyShop> {
  const supplier = openFakeSupplier();
  const app = await startApp({ suppliers: [supplier], ...options });
  afterAll(() => app.close());
  const { testKey } = await app.createMerchant({ testCredit: kobo(10_000_000_000n) });
  const [poor, excluded] = [await app.createMerchant(), await app.createMerchant()];
  const { services } = app;
  await creditMerchant(services, { merchantId: poor.id, mode: "test", amount: kobo(-9_999_999n), reason: "test" });
  for (const { category } of endpoints) await hideCategory(services.database, excluded.id, category);
  return { supplier, app, key: testKey, poor, excluded };
}

let idents = 0;

export class LegacyUnderTest {
  readonly shop: LegacyShop;
  readonly endpoint: LegacyEndpoint;

  constructor(shop: LegacyShop, endpoint: LegacyEndpoint) {
    this.shop = shop;
    this.endpoint = endpoint;
  }

  ident(): string {
    idents += 1;
    return `Ident${idents}`;
  }

  /** The usual request with these changes, and with an ident of its own, so that equal purchases don't meet. */
  send(
    changes: Fields = {},
    options: { as?: string | null; form?: LegacyForm; path?: string; at?: TestApp } = {},
  ): Promise<Answer> {
    const { as = this.shop.key, form = "json", path = `${this.endpoint.path}/`, at = this.shop.app } = options;
    return postLegacy(at, as ?? "", path, { ...this.endpoint.usual, ident: this.ident(), ...changes }, form);
  }

  raw(type: string, body: string | FormData): Promise<Answer> {
    const headers: Record<string, string> = type === "" ? {} : { "content-type": type };
    return callLegacy(this.shop.app, this.shop.key, `${this.endpoint.path}/`, { method: "POST", body, headers });
  }

  /** Asks for a purchase by its id. */
  ask(id: string | number, as: string | null = this.shop.key): Promise<Answer> {
    return callLegacy(this.shop.app, as, `${this.endpoint.path}/${id}`);
  }

  async balance(key: string | null = this.shop.key): Promise<string> {
    return (await this.shop.app.call(key, "/wallet/balance")).body.balance;
  }

  /** Nothing is charged meanwhile, and afterwards the ident buys as if it had never been sent. */
  async expectRefused(change: Fields, texts: readonly string[]): Promise<void> {
    const [ident, before] = [this.ident(), await this.balance()];
    expectLegacyError(await this.send({ ident, ...change }), 400, texts);
    expect(await this.balance()).toBe(before);
    const bought = await this.send({ ident });
    expect([bought.status, bought.headers.get("idempotent-replayed")]).toEqual([200, null]);
  }
}
