import type { Category } from "../../src/categories/category.ts";
import type { Product } from "../../src/categories/product/product.ts";
import { startingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import type { JsonObject } from "../../src/kernel/json.ts";
import { kobo } from "../../src/kernel/money.ts";
import { ask, makeProduct } from "./ask.ts";

export interface Example {
  readonly body: JsonObject;
  readonly product: Product;
}

/** A complete request of the category, and the product that it buys. */
export function exampleOf(category: Category): Example {
  return written[category.slug] ?? firstExample(category);
}

/** The customer's number of that request; a phone's where the request names none. */
export function customerNumberOf(category: Category): string {
  return ask(category, exampleOf(category).body).customerRef ?? "08031234567";
}

/** Requests that say more than the first example of the category's own file. */
const written: Readonly<Record<string, Example>> = {
  data: {
    body: { product_id: 41, phone: "08031234567" },
    product: makeProduct({ amountType: "fixed", face: kobo(150_000n), plan: "1.8GB" }),
  },
  airtime: {
    body: { product_id: 41, phone: "08031234567", amount: "100.00" },
    product: makeProduct({ biller: { network: "MTN" } }),
  },
  electricity: {
    body: { product_id: 41, meter_number: "45012345678", amount: "5000.00", phone: "08031234567" },
    product: makeProduct({ meterType: "prepaid", biller: { slug: "ikeja-electric", category: "electricity" } }),
  },
  cable: {
    body: { product_id: 41, smartcard_number: "7032145678", phone: "08031234567" },
    product: makeProduct({ amountType: "fixed", face: kobo(1_900_000n), plan: "Compact", biller: { slug: "dstv" } }),
  },
  education: {
    body: { product_id: 41, quantity: 3, phone: "08031234567" },
    product: makeProduct({
      amountType: "fixed",
      face: kobo(350_000n),
      attributes: { exam: "WAEC", serial_prefix: "WRN", check_url: "https://waecdirect.example" },
    }),
  },
  giftcard: {
    body: { product_id: 41, quantity: 2, recipient_phone: "08031234567" },
    product: makeProduct({
      amountType: "fixed",
      faceCurrency: "USD",
      foreignFace: 2_500n,
      fxRate: kobo(165_000n),
      biller: { name: "Amazon US" },
    }),
  },
  esim: {
    body: { product_id: 41, quantity: 2, phone: "08031234567" },
    product: makeProduct({
      amountType: "fixed",
      validity: "7 days",
      attributes: { data_mb: 1_024, coverage: ["GB"], apn: "internet" },
    }),
  },
  betting: {
    body: { product_id: 41, customer_id: "1042377", amount: 1500 },
    product: makeProduct({ biller: { slug: "bet9ja" } }),
  },
  internet: {
    body: { product_id: 41, account_number: "0702123456" },
    product: makeProduct({
      amountType: "fixed",
      face: kobo(510_000n),
      plan: "5GB",
      attributes: { delivers_pins: true },
    }),
  },
  voice: {
    body: { product_id: 41, phone: "08031234567" },
    product: makeProduct({ amountType: "fixed", face: kobo(51_000n) }),
  },
  sms: {
    body: { sender_id: "DISPENSE", message: "Hello", recipients: ["08031234567", "0803", "0805 123 4567"] },
    product: makeProduct({ amountType: "fixed", face: kobo(600n), attributes: { route: "standard" } }),
  },
  recharge_pin: {
    body: { product_id: 41, quantity: 3, business_name: "Corner Shop" },
    product: makeProduct({ amountType: "fixed", face: kobo(10_000n), biller: { network: "MTN" } }),
  },
};

/** What the category's file shows first, and its product of the starting catalogue. */
function firstExample({ slug, examples }: Category): Example {
  const [body = {}] = Object.values(examples);
  const billers = startingCatalogue.billers.filter(({ category }) => category === slug).map((biller) => biller.slug);
  const products = startingCatalogue.products.filter(({ biller }) => billers.includes(biller));
  const product = products.find(({ id }) => id === body.product_id) ?? products[0];
  if (product === undefined) throw new Error(`the starting catalogue has nothing of ${slug}`);
  const { face = null, plan = null, validity = null, attributes = {}, biller } = product;
  const amountType = product.range === undefined ? "fixed" : "variable";
  return {
    body: body as JsonObject,
    product: makeProduct({ amountType, face, plan, validity, attributes, biller: { slug: biller, category: slug } }),
  };
}
