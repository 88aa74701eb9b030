import { describe, expect, test } from "vitest";
import { clearPrice, setPrice } from "../../../src/domain/catalogue/changes/administration.ts";
import { merchantPricesMax } from "../../../src/domain/catalogue/changes/change.ts";
import type { Fee } from "../../../src/domain/catalogue/pricing.ts";
import type { Buyer } from "../../../src/domain/catalogue/snapshot.ts";
import { loadStartingCatalogue } from "../../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { ProductId } from "../../../src/kernel/ids.ts";
import { basisPoints, kobo } from "../../../src/kernel/money.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { amount, newBuyer, nobody, refusedLater, samples, share, startProcess } from "./open.ts";

const { airtime, resellerPlan, retailPlan, otherPlan } = samples;

const fresh = closing(await freshDatabase());
const here = closing(startProcess(fresh));
await loadStartingCatalogue(here.database);

async function priceOf(productId: ProductId, buyer: Buyer) {
  const snapshot = await here.present();
  const product = snapshot.findProduct(productId);
  return product && snapshot.priceOf(product, buyer);
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
  });
});

test("merchants' own prices have a bound, past which only those that are there can be changed", async () => {
  const [first, late] = await Promise.all([newBuyer(fresh), newBuyer(fresh)]);
  const of = (buyer: Buyer) => ({ of: "merchant", merchantId: buyer.merchantId }) as const;
  const order = { productId: otherPlan, price: share(9_000n) };
  await setPrice(here.database, { ...order, scope: of(first) });
  await fresh.pool.query(
    "insert into merchants (name, email) select 'T', 't@example.com' from generate_series(1, 200)",
  );
  await fresh.pool.query(
    `insert into merchant_prices (merchant_id, product_id, price)
     select m.id, p.id, 100
       from merchants m, products p
      where m.id <> $1
      limit $2
     on conflict do nothing`,
    [late.merchantId, merchantPricesMax],
  );

  expect(await refusedLater(setPrice(here.database, { ...order, scope: of(late) }))).toBe("VALIDATION_ERROR merchant");
  await setPrice(here.database, { ...order, scope: of(first), price: share(9_100n) });
  await setPrice(here.database, { ...order, scope: { of: "tier", tier: 9 } });
  expect(await priceOf(otherPlan, first)).toMatchObject(share(9_100n));
});
