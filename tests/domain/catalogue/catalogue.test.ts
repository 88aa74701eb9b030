import { describe, expect, test } from "vitest";
import type { ProductSelector } from "../../../src/categories/category.ts";
import type { CategorySlug } from "../../../src/categories/category-slugs.ts";
import { byBiller, byProduct } from "../../../src/categories/product/selection.ts";
import {
  hideCategory,
  offerProduct,
  setPrice,
  showCategory,
  withdrawProduct,
} from "../../../src/domain/catalogue/changes/administration.ts";
import type { Buyer } from "../../../src/domain/catalogue/snapshot.ts";
import { loadStartingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { refused } from "../../categories/ask.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { amount, newBuyer, nobody, refusedLater, samples, share, startProcess } from "./open.ts";

const { airtime, resellerPlan, retailPlan, otherPlan, jamb } = samples;

const fresh = closing(await freshDatabase());
const here = closing(startProcess(fresh));
const there = closing(startProcess(fresh));
await loadStartingCatalogue(here.database);

const present = (process = here) => process.present();

async function resolved(selector: ProductSelector, category: CategorySlug, buyer: Buyer): Promise<string> {
  const snapshot = await present();
  return refused(() => snapshot.resolve(selector, category, buyer));
}

describe("hidden categories", () => {
  test("are gone from the merchant's billers and refused in its purchases, and nobody else's", async () => {
    const [buyer, other] = await Promise.all([newBuyer(fresh), newBuyer(fresh)]);
    expect(await hideCategory(here.database, buyer.merchantId, "data")).toBe(true);
    expect(await hideCategory(here.database, buyer.merchantId, "data")).toBe(false);
    expect(await refusedLater(hideCategory(here.database, nobody, "data"))).toBe("NOT_FOUND");

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

test("what only a newer version sells is left out, and everything else is sold", async () => {
  const buyer = await newBuyer(fresh);
  await fresh.pool.query(
    `insert into billers (slug, name, category, customer_field, customer_label)
     values ('lagos-lottery', 'Lagos Lottery', 'lottery', 'phone', 'Phone number')`,
  );
  await fresh.pool.query(
    `insert into products (id, code, biller_slug, name, amount_type, price)
     values (99900, 'lagos-lottery', 'lagos-lottery', 'A ticket', 'fixed', 10000)`,
  );
  await fresh.pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
  const snapshot = await present();
  expect(snapshot.findBiller("lagos-lottery", buyer)).toBeNull();
  expect(snapshot.findProduct(99900 as ProductId)).toBeNull();
  expect(await resolved(byProduct(99900), "data", buyer)).toBe("PRODUCT_NOT_FOUND");
  expect(await resolved(byProduct(resellerPlan), "data", buyer)).toBe("accepted");
});

describe("what a request can mean", () => {
  test("an unknown product, and one of another category than the endpoint's, are not found", async () => {
    const buyer = await newBuyer(fresh);
    expect(await resolved(byProduct(999_999), "data", buyer)).toBe("PRODUCT_NOT_FOUND");
    expect(await resolved(byProduct(airtime), "data", buyer)).toBe("PRODUCT_NOT_FOUND");
  });

  test("an unknown biller, and one of another category, are not found", async () => {
    const buyer = await newBuyer(fresh);
    expect(await resolved(byBiller("nobody"), "betting", buyer)).toBe("BILLER_NOT_FOUND");
    expect(await resolved(byBiller("dstv"), "betting", buyer)).toBe("BILLER_NOT_FOUND");
  });

  test("a biller with several fitting products, or none, is refused on its field", async () => {
    const buyer = await newBuyer(fresh);
    const none = byBiller("dstv", [{ field: "x", holds: () => false }]);
    expect(await resolved(byBiller("dstv"), "cable", buyer)).toBe("VALIDATION_ERROR biller");
    expect(await resolved(none, "cable", buyer)).toBe("VALIDATION_ERROR biller");
    expect(await resolved(byBiller("bet9ja"), "betting", buyer)).toBe("accepted");
  });

  test("a withdrawn product is unavailable with its successor named, and is still found for old purchases", async () => {
    const buyer = await newBuyer(fresh);
    await withdrawProduct(here.database, retailPlan, otherPlan);
    const snapshot = await present();
    const refusal = {
      code: "PRODUCT_UNAVAILABLE",
      detail: { retryAfterSeconds: 60, meta: { replaced_by: otherPlan } },
    };
    expect(() => snapshot.resolve(byProduct(retailPlan), "data", buyer)).toThrow(expect.objectContaining(refusal));
    expect(snapshot.findProduct(retailPlan)).toMatchObject({ available: false, biller: { slug: "mtn-data" } });

    await offerProduct(here.database, retailPlan);
    expect(await resolved(byProduct(retailPlan), "data", buyer)).toBe("accepted");
    expect((await present()).findProduct(retailPlan)?.replacedBy).toBeNull();
  });

  test("a biller's only product, withdrawn, is unavailable rather than a client's mistake", async () => {
    const buyer = await newBuyer(fresh);
    const bangbet = 6002 as ProductId;
    await withdrawProduct(here.database, bangbet, null);
    expect(await resolved(byBiller("bangbet"), "betting", buyer)).toBe("PRODUCT_UNAVAILABLE");
    await offerProduct(here.database, bangbet);
  });

  test("of two fitting products of which one is withdrawn, the other is meant", async () => {
    const buyer = await newBuyer(fresh);
    const claims = [{ field: "x", holds: (product: { id: number }) => [4001, 4002].includes(product.id) }];
    await withdrawProduct(here.database, 4001 as ProductId, null);
    const snapshot = await present();
    expect(snapshot.resolve(byBiller("dstv", claims), "cable", buyer).id).toBe(4002);
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
    let sentAt = changedAt;
    const seen = async () => {
      sentAt = performance.now();
      const snapshot = await there.catalogue.current();
      const product = snapshot.findProduct(resellerPlan);
      return product && snapshot.priceOf(product, buyer);
    };
    await expect.poll(seen, { interval: 20 }).toMatchObject(amount(50_000n));
    expect(sentAt - changedAt).toBeLessThan(1_000);
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
    const snapshot = await present();
    const product = snapshot.findProduct(airtime)!;
    const prices = buyers.map((buyer) => snapshot.priceOf(product, buyer));
    expect(prices).toEqual(buyers.map((_, index) => ({ ...share(BigInt(9_000 + index)), fee: null })));
  });
});
