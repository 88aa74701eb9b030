import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { type CategorySlug, categoryOf, categorySlugs } from "../../../src/categories/category-slugs.ts";
import type { Product } from "../../../src/categories/product/product.ts";
import { setPrice, withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import { quote } from "../../../src/domain/catalogue/pricing.ts";
import { loadStartingCatalogue, startingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import type { JsonObject } from "../../../src/kernel/json.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { networks } from "../../../src/kernel/phone.ts";
import { ask } from "../../categories/ask.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { newBuyer, startProcess } from "./open.ts";

const fresh = closing(await freshDatabase());
const process = closing(startProcess(fresh));
await loadStartingCatalogue(process.database);
const snapshot = await process.catalogue.current();
const buyer = await newBuyer(fresh);

/** The product that a purchase with this body buys. */
function bought(category: CategorySlug, body: JsonObject): Product {
  return snapshot.resolve(ask(categoryOf(category), body).selector, category, buyer);
}

describe("what a new deployment sells", () => {
  test("every row of the starting catalogue is in the database", () => {
    expect(snapshot.products.map((product) => product.code).sort()).toEqual(
      startingCatalogue.products.map((product) => product.code).sort(),
    );
    expect(
      snapshot
        .billers(buyer)
        .map(({ biller }) => biller.slug)
        .sort(),
    ).toEqual(startingCatalogue.billers.map((biller) => biller.slug).sort());
  });

  test("every category has billers, and no biller is without products", () => {
    const views = snapshot.billers(buyer);
    expect(new Set(views.map(({ biller }) => biller.category))).toEqual(new Set(categorySlugs));
    expect(views.filter(({ products }) => products.length === 0)).toEqual([]);
  });

  test("every product can be bought for its least and its largest amount and quantity", () => {
    for (const product of snapshot.products) {
      const price = snapshot.priceOf(product, buyer);
      for (const amount of [product.minAmount, product.maxAmount]) {
        for (const quantity of [product.minQuantity, product.maxQuantity]) {
          const { total, amount: nominal, discount } = quote(product, price, { amount, quantity });
          expect(total, product.code).toBeGreaterThan(0n);
          // No starting price gives more than a fifth away or costs more than the nominal amount and its fee.
          expect(discount * 5n, product.code).toBeLessThan(nominal);
        }
      }
    }
  });

  test("an id means the product that it meant when it was first shipped", () => {
    const shipped: Record<string, string> = JSON.parse(
      readFileSync(new URL("../../fixtures/starting-product-ids.json", import.meta.url), "utf8"),
    );
    const present = Object.fromEntries(startingCatalogue.products.map(({ id, code }) => [String(id), code]));
    expect(present).toEqual(shipped);
  });
});

describe("names", () => {
  test("no two products of the starting catalogue have the same", () => {
    const names = startingCatalogue.products.map(({ name }) => name);
    expect(names.filter((name, index) => names.indexOf(name) !== index)).toEqual([]);
  });

  test("Airtel's gifting plans at resellers' prices are called gifting, and the codes in lists of routes stay", () => {
    const plans = [1623, 1624, 1625, 1626].map((id) => snapshot.findProduct(id as ProductId));
    expect(plans.map((plan) => [plan?.planType, plan?.name, plan?.code])).toEqual(
      ["2GB", "8GB", "10GB", "25GB"].map((size) => [
        "GIFTING",
        `Airtel ${size} GIFTING reseller (30 days)`,
        `airtel-corporate-gifting-${size.toLowerCase()}-30d`,
      ]),
    );
  });

  test("Showmax with its sports alone says so", () => {
    expect(snapshot.findProduct(4302 as ProductId)).toMatchObject({
      name: "Showmax Sports only",
      plan: "Sports only",
      code: "showmax-sports-mobile",
    });
  });
});

describe("requests that name no product find exactly one", () => {
  test.each(networks)("airtime by network: %s", (network) => {
    const product = bought("airtime", { network, phone: "08031234567", amount: 100 });
    expect([product.biller.network, product.amountType]).toEqual([network, "variable"]);
  });

  test("electricity by disco and meter type, twelve discos each way", () => {
    const discos = snapshot.billers(buyer).filter(({ biller }) => biller.category === "electricity");
    expect(discos).toHaveLength(12);
    for (const { biller } of discos) {
      for (const meterType of ["prepaid", "postpaid"]) {
        const body = { meter_number: "45012345678", amount: 5_000, phone: "08031234567" };
        const product = bought("electricity", { ...body, biller: biller.slug, meter_type: meterType });
        expect([product.biller.slug, product.meterType]).toEqual([biller.slug, meterType]);
      }
    }
  });

  test.each(["dstv", "gotv", "startimes"])("a renewal of %s by the amount that verify answered", (biller) => {
    const body = { smartcard_number: "7032145678", phone: "08031234567", subscription_type: "renew", amount: 4_400 };
    expect(bought("cable", { ...body, biller }).code).toBe(`${biller}-renewal`);
  });

  test("every betting operator by its slug", () => {
    for (const { biller } of snapshot.billers(buyer).filter((view) => view.biller.category === "betting")) {
      const product = bought("betting", { biller: biller.slug, customer_id: "1042377", amount: 500 });
      expect(product.biller.slug).toBe(biller.slug);
    }
  });

  test.each(["standard", "dnd"])("SMS by route: %s", (route) => {
    const body = { sender_id: "DISPENSE", message: "Hello", recipients: "08031234567" };
    expect(bought("sms", { ...body, route }).code).toBe(`sms-${route}`);
  });

  test("recharge PINs by network and denomination, each that is listed", () => {
    const pins = snapshot.products.filter((product) => product.biller.category === "recharge_pin");
    expect(pins).toHaveLength(15);
    for (const pin of pins) {
      const body = { network: pin.biller.network, denomination: Number(pin.face) / 100, quantity: 1 };
      expect(bought("recharge_pin", body).id).toBe(pin.id);
    }
  });
});

test("loading again adds nothing and leaves the operator's prices and withdrawals alone", async () => {
  const [cheap, gone] = [1002 as ProductId, 1003 as ProductId];
  const price = { kind: "fixed", kobo: kobo(12_345n) } as const;
  await setPrice(process.database, { productId: cheap, scope: { of: "everyone" }, price });
  await withdrawProduct(process.database, gone, cheap);

  expect(await loadStartingCatalogue(process.database)).toBe(0);

  await process.watch.refresh();
  const after = await process.catalogue.current();
  const product = after.findProduct(cheap);
  expect(product && after.priceOf(product, buyer)).toMatchObject(price);
  expect(after.findProduct(gone)).toMatchObject({ available: false, replacedBy: cheap });
});

test("what is missing is added, from several processes at once, and each row once", async () => {
  await fresh.pool.query("delete from products where id in (8001, 8002)");
  const added = await Promise.all([1, 2, 3].map(() => loadStartingCatalogue(process.database)));
  expect(added.reduce((sum, count) => sum + count, 0)).toBe(2);
});
