import { describe, expect, test, vi } from "vitest";
import type { CategorySlug } from "../../src/categories/category-slugs.ts";
import { hideCategory, setPrice, withdrawProduct } from "../../src/domain/catalogue/changes/administration.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { expectPurchase } from "../support/wire-expectations.ts";

const priced = 1002 as ProductId;
const withdrawn = 5001 as ProductId;
const suffixes = ["1111", "0002", "0003"] as const;
const statuses = { "1111": "successful", "0002": "failed", "0003": "pending" } as const;

const bought = new Map<string, Answer>();

function send(category: CategorySlug, reference: string, changes: object): Promise<Answer> {
  const { path, body } = sampleOf(category);
  return app.call(key, path, { body: { reference, ...body, ...changes } });
}

const changed: readonly (readonly [what: string, category: CategorySlug, status: number, code: string])[] = [
  ["a new price", "data", 409, "PRICE_CHANGED"],
  ["a hidden category", "voice", 403, "CATEGORY_NOT_ALLOWED"],
  ["a withdrawn product", "education", 503, "PRODUCT_UNAVAILABLE"],
  ["an empty wallet", "airtime", 402, "INSUFFICIENT_BALANCE"],
];

/** Buys, and then changes everything that can change. */
const app = closing(await startApp());
const merchant = await app.createMerchant();
const key = merchant.testKey;
for (const [, category] of changed) {
  for (const suffix of suffixes) {
    const answer = await send(category, `${category}-${suffix}`, sampleOf(category).numbered(suffix));
    expectPurchase(answer, category, { status: statuses[suffix] });
    bought.set(`${category}-${suffix}`, answer);
  }
}
const { database, catalogue } = app.services;
const scope = { of: "merchant", merchantId: merchant.id } as const;
await setPrice(database, { productId: priced, scope, price: { kind: "fixed", kobo: kobo(70_000n) } });
await hideCategory(database, merchant.id, "voice");
await withdrawProduct(database, withdrawn, null);
const onSale = async () => (await catalogue.current()).findProduct(withdrawn)?.available;
await vi.waitUntil(async () => (await onSale()) === false, { timeout: 60_000, interval: 20 });
const { balance } = (await app.call(key, "/wallet/balance")).body;
const amount = kobo(-BigInt(balance.replace(".", "")));
await creditMerchant({ database }, { merchantId: merchant.id, mode: "test", amount, reason: "emptied" });

describe.each(changed)("%s", (_what, category, status, code) => {
  test.each(suffixes)("never turns the replay of a purchase ending in %s into an error", async (suffix) => {
    const reference = `${category}-${suffix}`;
    const changes = { ...sampleOf(category).numbered(suffix), expected_price: "640.00" };
    const replayed = await send(category, reference, changes);
    expectPurchase(replayed, category, { status: statuses[suffix], replayed: true });
    expect(replayed.body).toEqual(bought.get(reference)?.body);
    const calls = await app.call(key, `/transactions/${reference}`);
    const { code: _ofA422, ...reply } = replayed.body;
    expect(calls.body).toMatchObject(reply);
  });

  test("is felt by a new purchase", async () => {
    const expected = code === "PRICE_CHANGED" ? { expected_price: "640.00" } : {};
    const answer = await send(category, `${category}-new`, expected);
    expect([answer.status, answer.body.code]).toEqual([status, code]);
  });

  test("leaves a different purchase under the same reference the conflict that it is", async () => {
    const answer = await send(category, `${category}-1111`, sampleOf(category).numbered("2222"));
    expect([answer.status, answer.body.code]).toEqual([409, "REFERENCE_CONFLICT"]);
  });
});
