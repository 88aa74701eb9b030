import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  clearPrice,
  hideCategory,
  offerProduct,
  setPrice,
  showCategory,
  withdrawProduct,
} from "../../../src/domain/catalogue/administration.ts";
import type { Fee } from "../../../src/domain/catalogue/pricing.ts";
import type { Buyer, CatalogueSnapshot } from "../../../src/domain/catalogue/snapshot.ts";
import { loadStartingCatalogue } from "../../../src/domain/catalogue/starting-catalogue.ts";
import type { ProductSelector } from "../../../src/domain/categories/category.ts";
import { byProduct } from "../../../src/domain/categories/category.ts";
import type { CategorySlug } from "../../../src/domain/categories/product.ts";
import type { MerchantId, ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import type { Refusal } from "../../../src/kernel/problems.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { freshDatabase } from "../../support/database.ts";
import { refused } from "../categories/ask.ts";
import type { CatalogueProcess } from "./open.ts";
import { newBuyer, startProcess } from "./open.ts";

const airtime = 2001 as ProductId; // variable, 96.8 %
const resellerPlan = 1002 as ProductId; // fixed, no face value, ₦640
const retailPlan = 1062 as ProductId; // fixed, face ₦1,500, 98 %
const otherPlan = 1063 as ProductId;
const jamb = 5051 as ProductId;
const nobody = 2_000_000_000 as MerchantId;

let fresh: FreshDatabase;
let here: CatalogueProcess;
let there: CatalogueProcess;

beforeAll(async () => {
  fresh = await freshDatabase();
  here = startProcess(fresh);
  there = startProcess(fresh);
  await loadStartingCatalogue(here.database);
});

afterAll(async () => {
  await here.close();
  await there.close();
  await fresh.drop();
});

/** The catalogue as of now, without waiting for the watch's next question. */
async function present(process = here): Promise<CatalogueSnapshot> {
  await process.watch.refresh();
  return process.catalogue.load();
}

const amount = (value: bigint) => ({ kind: "fixed", kobo: kobo(value) }) as const;
const share = (value: bigint) => ({ kind: "percent", basisPoints: basisPoints(value) }) as const;

async function priceOf(productId: ProductId, buyer: Buyer) {
  const snapshot = await present();
  const product = snapshot.findProduct(productId);
  return product && snapshot.priceOf(product, buyer);
}

async function resolved(selector: ProductSelector, category: CategorySlug, buyer: Buyer): Promise<string> {
  const snapshot = await present();
  return refused(() => snapshot.resolve(selector, category, buyer));
}

describe("prices", () => {
  test("a merchant's own price wins over its tier's, and that over the base price", async () => {
    const [plain, tiered, own] = await Promise.all([newBuyer(fresh, 1), newBuyer(fresh, 3), newBuyer(fresh, 3)]);
    await setPrice(here.database, { productId: airtime, scope: { of: "tier", tier: 3 }, price: share(9_600n) });
    await setPrice(here.database, { productId: airtime, scope: { of: "merchant", ...own }, price: share(9_500n) });
    expect(await priceOf(airtime, plain)).toMatchObject(share(9_680n));
    expect(await priceOf(airtime, tiered)).toMatchObject(share(9_600n));
    expect(await priceOf(airtime, own)).toMatchObject(share(9_500n));

    expect(await clearPrice(here.database, { productId: airtime, scope: { of: "merchant", ...own } })).toBe(true);
    expect(await priceOf(airtime, own)).toMatchObject(share(9_600n));
    expect(await clearPrice(here.database, { productId: airtime, scope: { of: "tier", tier: 3 } })).toBe(true);
    expect(await priceOf(airtime, own)).toMatchObject(share(9_680n));
    expect(await clearPrice(here.database, { productId: airtime, scope: { of: "tier", tier: 3 } })).toBe(false);
  });

  test("a price keeps the fee that goes with it unless another is given", async () => {
    const buyer = await newBuyer(fresh);
    const fee: Fee = { kind: "percent", basisPoints: basisPoints(150n), cap: kobo(10_000n) };
    await setPrice(here.database, { productId: retailPlan, scope: { of: "everyone" }, price: share(9_800n), fee });
    await setPrice(here.database, {
      productId: retailPlan,
      scope: { of: "merchant", ...buyer },
      price: amount(140_000n),
    });
    expect(await priceOf(retailPlan, buyer)).toEqual({ ...amount(140_000n), fee });

    const flat: Fee = { kind: "flat", kobo: kobo(5_000n) };
    const scope = { of: "merchant", ...buyer } as const;
    await setPrice(here.database, { productId: retailPlan, scope, price: share(9_900n), fee: flat });
    await setPrice(here.database, { productId: retailPlan, scope, price: share(9_700n) });
    expect(await priceOf(retailPlan, buyer)).toEqual({ ...share(9_700n), fee: flat });
    await setPrice(here.database, { productId: retailPlan, scope, price: share(9_700n), fee: null });
    expect(await priceOf(retailPlan, buyer)).toEqual({ ...share(9_700n), fee: null });
  });

  test.each([
    ["an amount for airtime", airtime, amount(10_000n), "VALIDATION_ERROR price"],
    ["a percentage without a face value", resellerPlan, share(9_000n), "VALIDATION_ERROR price"],
    ["a percentage that rounds to nothing", airtime, share(99n), "VALIDATION_ERROR price"],
    ["an amount of nothing", resellerPlan, amount(0n), "VALIDATION_ERROR price"],
    ["an amount beyond the tables' bound", resellerPlan, amount(1_000_000_000_001n), "VALIDATION_ERROR price"],
    ["an unknown product", 999_999 as ProductId, amount(100n), "PRODUCT_NOT_FOUND"],
  ] as const)("a price that cannot be is refused: %s", async (_case, productId, price, code) => {
    const order = { productId, scope: { of: "everyone" }, price } as const;
    expect(await refusedLater(setPrice(here.database, order))).toBe(code);
  });

  test("a price for a merchant or a tier that does not exist is refused", async () => {
    const order = { productId: airtime, price: share(9_000n) };
    const merchant = { of: "merchant", merchantId: nobody } as const;
    expect(await refusedLater(setPrice(here.database, { ...order, scope: merchant }))).toBe("NOT_FOUND");
    expect(await refusedLater(setPrice(here.database, { ...order, scope: { of: "tier", tier: 10 } }))).toBe(
      "VALIDATION_ERROR tier",
    );
    expect(await refusedLater(hideCategory(here.database, nobody, "data"))).toBe("NOT_FOUND");
  });
});

describe("hidden categories", () => {
  test("are gone from the merchant's billers and refused in its purchases, and nobody else's", async () => {
    const [buyer, other] = await Promise.all([newBuyer(fresh), newBuyer(fresh)]);
    expect(await hideCategory(here.database, buyer.merchantId, "data")).toBe(true);
    expect(await hideCategory(here.database, buyer.merchantId, "data")).toBe(false);

    const snapshot = await present();
    const slugsOf = (of: Buyer) => snapshot.billers(of).map(({ biller }) => biller.slug);
    expect(slugsOf(buyer)).not.toContain("mtn-data");
    expect(slugsOf(buyer)).toContain("mtn-airtime");
    expect(slugsOf(other)).toContain("mtn-data");
    expect(snapshot.findBiller("mtn-data", buyer)).toBeNull();
    expect(snapshot.termsKey(buyer)).not.toBe(snapshot.termsKey(other));
    expect(await resolved(byProduct(resellerPlan), "data", buyer)).toBe("CATEGORY_NOT_ALLOWED");
    expect(await resolved(byProduct(resellerPlan), "data", other)).toBe("accepted");

    expect(await showCategory(here.database, buyer.merchantId, "data")).toBe(true);
    expect(await showCategory(here.database, buyer.merchantId, "data")).toBe(false);
    expect(await resolved(byProduct(resellerPlan), "data", buyer)).toBe("accepted");
  });
});

describe("what a request can mean", () => {
  const biller = (slug: string): ProductSelector => ({ by: "biller", biller: slug, field: "biller", claims: [] });

  test("an unknown product, and one of another category than the endpoint's, are not found", async () => {
    const buyer = await newBuyer(fresh);
    expect(await resolved(byProduct(999_999), "data", buyer)).toBe("PRODUCT_NOT_FOUND");
    expect(await resolved(byProduct(airtime), "data", buyer)).toBe("PRODUCT_NOT_FOUND");
  });

  test("an unknown biller, and one of another category, are not found", async () => {
    const buyer = await newBuyer(fresh);
    expect(await resolved(biller("nobody"), "betting", buyer)).toBe("BILLER_NOT_FOUND");
    expect(await resolved(biller("dstv"), "betting", buyer)).toBe("BILLER_NOT_FOUND");
  });

  test("a biller with several fitting products, or none, is refused on its field", async () => {
    const buyer = await newBuyer(fresh);
    const none = { ...biller("dstv"), claims: [{ field: "x", holds: () => false }] };
    expect(await resolved(biller("dstv"), "cable", buyer)).toBe("VALIDATION_ERROR biller");
    expect(await resolved(none, "cable", buyer)).toBe("VALIDATION_ERROR biller");
    expect(await resolved(biller("bet9ja"), "betting", buyer)).toBe("accepted");
  });

  test("a withdrawn product is unavailable with its successor named, and is still found for old purchases", async () => {
    const buyer = await newBuyer(fresh);
    await withdrawProduct(here.database, retailPlan, otherPlan);
    const snapshot = await present();
    const refusal = thrown(() => snapshot.resolve(byProduct(retailPlan), "data", buyer));
    expect(refusal).toMatchObject({
      code: "PRODUCT_UNAVAILABLE",
      detail: { retryAfterSeconds: 60, meta: { replaced_by: otherPlan } },
    });
    expect(snapshot.findProduct(retailPlan)).toMatchObject({ available: false, biller: { slug: "mtn-data" } });

    await offerProduct(here.database, retailPlan);
    expect(await resolved(byProduct(retailPlan), "data", buyer)).toBe("accepted");
    expect((await present()).findProduct(retailPlan)?.replacedBy).toBeNull();
  });

  test("a biller's only product, withdrawn, is unavailable rather than a client's mistake", async () => {
    const buyer = await newBuyer(fresh);
    const bangbet = 6002 as ProductId;
    await withdrawProduct(here.database, bangbet, null);
    expect(await resolved(biller("bangbet"), "betting", buyer)).toBe("PRODUCT_UNAVAILABLE");
    await offerProduct(here.database, bangbet);
  });

  test("of two fitting products of which one is withdrawn, the other is meant", async () => {
    const buyer = await newBuyer(fresh);
    const claims = [{ field: "x", holds: (product: { id: number }) => [4001, 4002].includes(product.id) }];
    await withdrawProduct(here.database, 4001 as ProductId, null);
    const snapshot = await present();
    expect(snapshot.resolve({ ...biller("dstv"), claims }, "cable", buyer).id).toBe(4002);
    await offerProduct(here.database, 4001 as ProductId);
  });

  test("every product of a biller that is switched off is refused as the biller's", async () => {
    const buyer = await newBuyer(fresh);
    await fresh.pool.query("update billers set status = 'unavailable' where slug = 'jamb'");
    await fresh.pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
    expect(await resolved(byProduct(jamb), "education", buyer)).toBe("BILLER_UNAVAILABLE");
  });

  test("a product replaced by nothing that exists, or by itself, cannot be", async () => {
    expect(await refusedLater(withdrawProduct(here.database, otherPlan, 999_999 as ProductId))).toBe(
      "VALIDATION_ERROR replaced_by",
    );
    expect(await refusedLater(withdrawProduct(here.database, otherPlan, otherPlan))).toBe(
      "VALIDATION_ERROR replaced_by",
    );
    expect(await refusedLater(withdrawProduct(here.database, 999_999 as ProductId, null))).toBe("PRODUCT_NOT_FOUND");
    expect((await present()).findProduct(otherPlan)?.available).toBe(true);
  });
});

describe("the memory of several processes", () => {
  test("a change in one process is felt by another within a second, and reading waits for nothing in between", async () => {
    const buyer = await newBuyer(fresh);
    const scope = { of: "merchant", ...buyer } as const;
    await present(there);
    expect(there.catalogue.peek()).not.toBeNull();

    await setPrice(here.database, { productId: resellerPlan, scope, price: amount(50_000n) });
    const changedAt = performance.now();
    const seen = async () => {
      const snapshot = there.catalogue.peek() ?? (await there.catalogue.load());
      const product = snapshot.findProduct(resellerPlan);
      return product && snapshot.priceOf(product, buyer);
    };
    await expect.poll(seen, { timeout: 5_000, interval: 20 }).toMatchObject(amount(50_000n));
    expect(performance.now() - changedAt).toBeLessThan(1_000);
  });

  test("an unchanged catalogue stays the same object, so that nothing is rendered twice", async () => {
    const before = await present();
    expect(await present()).toBe(before);
    await hideCategory(here.database, (await newBuyer(fresh)).merchantId, "sms");
    expect(await present()).not.toBe(before);
  });

  test("prices set at the same time from many sides are all kept", async () => {
    const buyers = await Promise.all(Array.from({ length: 12 }, () => newBuyer(fresh)));
    await Promise.all(
      buyers.map((buyer, index) =>
        setPrice([here, there][index % 2]!.database, {
          productId: airtime,
          scope: { of: "merchant", ...buyer },
          price: share(BigInt(9_000 + index)),
        }),
      ),
    );
    const prices = await Promise.all(buyers.map((buyer) => priceOf(airtime, buyer)));
    expect(prices).toEqual(buyers.map((_, index) => ({ ...share(BigInt(9_000 + index)), fee: null })));
  });
});

async function refusedLater(act: Promise<unknown>): Promise<string> {
  const outcome = await act.then(
    () => null,
    (error: unknown) => error,
  );
  return refused(() => {
    if (outcome !== null) throw outcome;
  });
}

function thrown(act: () => unknown): Refusal | null {
  try {
    act();
    return null;
  } catch (error) {
    return error as Refusal;
  }
}
