import { describe, expect, test } from "vitest";
import { offerProduct, withdrawProduct } from "../../../src/domain/catalogue/changes/administration.ts";
import { addBiller, addProduct, type NewProduct } from "../../../src/domain/catalogue/changes/new-product.ts";
import { startingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { StartingProduct } from "../../../src/domain/catalogue/starting-product.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { amount, refusedLater, share, startProcess } from "./open.ts";

const fresh = closing(await freshDatabase());
const here = closing(startProcess(fresh));

const rows = async (sql: string) => (await fresh.pool.query(sql)).rows;

/** What an operator would have to say to get a product of the starting catalogue. */
function wishFor(product: StartingProduct): NewProduct {
  const { price, range, foreignFace, fxRate, legacyPlanId, id: _id, description: _said, ...rest } = product;
  const face = foreignFace ?? product.face;
  return {
    ...rest,
    price,
    fee: price.fee,
    ...(face === undefined ? {} : { face }),
    ...(range === undefined ? {} : { min: range[0], max: range[1] }),
    ...(fxRate === undefined ? {} : { fxRate }),
    ...(legacyPlanId === undefined ? {} : { legacyPlan: legacyPlanId }),
  };
}

/** One of each kind: of a category, a way of saying its worth, and the facts that it has. */
const kinds = new Map(
  startingCatalogue.products.map((product) => {
    const category = startingCatalogue.billers.find(({ slug }) => slug === product.biller)?.category;
    const facts = Object.entries(product)
      .filter(([, value]) => value !== undefined)
      .map(([name]) => name);
    return [JSON.stringify([category, facts, product.currency, Object.keys(product.attributes ?? {})]), product];
  }),
);

describe("what the starting catalogue sells, an operator can add", () => {
  test("every biller, as it is there", async () => {
    for (const {
      customerField: _field,
      supportsBulk: _bulk,
      description: _said,
      ...biller
    } of startingCatalogue.billers) {
      await addBiller(here.database, { requiresVerification: false, ...biller });
    }
    const stored = await rows(
      "select slug, customer_field, supports_bulk, meter_types, status from billers order by slug",
    );
    expect(stored).toEqual(
      startingCatalogue.billers
        .map(({ slug, customerField, supportsBulk = false, meterTypes = null }) => ({
          slug,
          customer_field: customerField,
          supports_bulk: supportsBulk,
          meter_types: meterTypes,
          status: "available",
        }))
        .sort((a, b) => (a.slug < b.slug ? -1 : 1)),
    );
  });

  test("a product of every kind, in ids of its own, announced", async () => {
    expect(kinds.size).toBeGreaterThan(20);
    for (const wish of kinds.values()) await addProduct(here.database, wishFor(wish));
    const { products } = await here.present();
    expect(products.map(({ id }) => Number(id))).toEqual([...kinds.keys()].map((_, index) => 100_000 + index));
    expect(products.map(({ code, maxQuantity, attributes }) => ({ code, maxQuantity, attributes }))).toEqual(
      [...kinds.values()].map(({ code, maxQuantity = 1, attributes = {} }) => ({ code, maxQuantity, attributes })),
    );
    const reply = await rows("select kind, product_id from catalogue_changes order by id");
    expect(reply).toEqual(products.map(({ id }) => ({ kind: "availability", product_id: id })));
  });
});

describe("what cannot be sold is refused, and nothing is stored", () => {
  const plan: NewProduct = { code: "new-plan", biller: "mtn-data", name: "A plan", price: amount(50_000n), fee: null };
  const card = { ...plan, biller: "amazon-us", price: share(9_900n) };
  const ofAirtime = { ...plan, biller: "mtn-airtime", price: share(9_700n), min: 5_000n, max: 100_000n };
  const meter = { ...ofAirtime, biller: "eko-electric" };

  test.each<[string, NewProduct, RegExp]>([
    ["a biller that is not there", { ...plan, biller: "nobody" }, /BILLER_NOT_FOUND/],
    ["a code that another has", { ...plan, code: [...kinds.values()][0]?.code ?? "" }, /code/],
    ["a code that cannot be", { ...plan, code: "Has Blanks" }, /code/],
    ["an id of the starting catalogue", { ...plan, id: 1_002 as ProductId }, /id/],
    ["an id that another has", { ...plan, id: 100_000 as ProductId }, /id/],
    ["a name without a letter", { ...plan, name: "" }, /name/],
    ["a share of nothing", { ...plan, price: share(9_800n) }, /price/],
    ["a price of nothing", { ...plan, price: amount(0n) }, /price/],
    ["an amount of a data plan's client", { ...plan, min: 100n, max: 200n }, /min/],
    ["airtime of one amount", { ...ofAirtime, min: undefined, max: undefined, price: amount(100n) } as never, /min/],
    ["a range with one end", { ...ofAirtime, max: undefined } as never, /min/],
    ["a range that is upside down", { ...ofAirtime, min: 200_000n }, /max/],
    ["a range and a face value", { ...ofAirtime, face: 5_000n }, /face/],
    ["a fixed price of a range", { ...ofAirtime, price: amount(100n) }, /price/],
    ["a card that says no value", { ...card, price: amount(100n) }, /face/],
    ["a rate of naira", { ...card, face: 2_500n, fxRate: kobo(1n) }, /fx_rate/],
    ["a second rate of a currency", { ...card, face: 2_500n, currency: "USD", fxRate: kobo(1n) }, /fx_rate/],
    ["a currency without a rate", { ...card, face: 2_500n, currency: "JPY" }, /fx_rate/],
    ["a data plan in dollars", { ...plan, currency: "USD", face: 2_500n }, /currency/],
    ["more than the endpoint takes", { ...plan, maxQuantity: 2 }, /max_quantity/],
    ["a plan number of a card", { ...card, face: 2_500n, legacyPlan: 900 }, /legacy_plan/],
    ["a meter type of a data plan", { ...plan, meterType: "prepaid" }, /meter_type/],
    ["electricity of no meter", meter, /meter_type/],
    ["a fact that nobody reads", { ...plan, attributes: { colour: "yellow" } }, /VALIDATION_ERROR/],
    ["SMS by no route", { ...plan, biller: "sms-dnd" }, /VALIDATION_ERROR/],
    ["a fee of nothing", { ...plan, fee: { kind: "flat", kobo: kobo(0n) } }, /fee/],
  ])("a product: %s is refused", async (_name, wish, reason) => {
    const count = "select count(*)::integer as count from products";
    const before = await rows(count);
    expect(await refusedLater(addProduct(here.database, wish))).toMatch(reason);
    expect(await rows(count)).toEqual(before);
  });

  test.each([
    ["a network that data does not name", { slug: "n1", name: "N", category: "data" } as const, /network/],
    ["a network of a cable company", { slug: "n1", name: "N", category: "cable", network: "MTN" } as const, /network/],
    [
      "meters of a bookmaker",
      { slug: "n1", name: "N", category: "betting", meterTypes: ["prepaid"] } as const,
      /meter/,
    ],
    ["a slug that another has", { slug: "dstv", name: "N", category: "cable" } as const, /slug/],
    ["a slug that cannot be", { slug: "Dstv 2", name: "N", category: "cable" } as const, /slug/],
  ])("a biller: %s is refused", async (_name, biller, reason) => {
    expect(await refusedLater(addBiller(here.database, biller))).toMatch(reason);
  });
});

test("an id among those of the starting catalogue is refused with the least that an operator may give", async () => {
  const wish = {
    code: "low",
    biller: "mtn-data",
    name: "Low",
    price: amount(50_000n),
    fee: null,
    id: 99_999 as ProductId,
  };
  await expect(addProduct(here.database, wish)).rejects.toThrow("must be at least 100000, or left out.");
});

test("what a request means without naming a product stays one product, whether the other is added or put back", async () => {
  const second = {
    code: "airtel-awuf",
    biller: "airtel-airtime",
    name: "Airtel Awuf",
    price: share(9_700n),
    fee: null,
    min: 5_000n,
    max: 100_000n,
  };
  const [first] = (await here.present()).products.filter(({ biller }) => biller.slug === "airtel-airtime");
  const old = first?.id ?? (0 as ProductId);
  await expect(addProduct(here.database, second)).rejects.toThrow(
    `A request that says airtime of network AIRTEL means product ${old}`,
  );
  await withdrawProduct(here.database, old, null);
  const added = await addProduct(here.database, second);
  await expect(offerProduct(here.database, old)).rejects.toThrow(`means product ${added.id}`);
  expect((await here.present()).findProduct(old)?.available).toBe(false);
  await withdrawProduct(here.database, added.id, null);
  await offerProduct(here.database, old);
});
