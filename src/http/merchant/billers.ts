import { type Static, Type } from "typebox";
import { categorySlugs } from "../../categories/category-slugs.ts";
import { ifSent, networkField, networkOf } from "../../categories/fields.ts";
import { textFact } from "../../categories/fulfilment/made-up.ts";
import type { Product } from "../../categories/product/product.ts";
import { harmonisedLoadCode } from "../../categories/recharge-pin.ts";
import { unitFee, unitPrice } from "../../domain/catalogue/pricing.ts";
import type { BillerView, CatalogueSnapshot } from "../../domain/catalogue/snapshot.ts";
import type { WallTime } from "../../kernel/clock.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import type { Network } from "../../kernel/phone.ts";
import { refuse } from "../../kernel/problems.ts";
import { type CatalogueView, isOnSale, viewOf } from "../catalogue-view.ts";
import { operation } from "../openapi/operation.ts";
import { sendJson } from "../request-context.ts";
import { pathParameter } from "../schemas/schemas.ts";
import type { RouteServices, TypedServer } from "../services.ts";
import { billersAnswer, denominationsAnswer, productsAnswer, rememberAnswers } from "./biller-answers.ts";
import { choiceFilter, wordsFilter } from "./list-filters.ts";

const billersQuery = Type.Object({
  category: choiceFilter(categorySlugs, "INVALID_CATEGORY"),
  q: wordsFilter("Words of the biller's name, slug or network.", "mtn"),
});

const productsDescription = `Every product of the biller, at the price that this account pays. A \`product_id\` never changes meaning, so it can be stored; prices and availability change, and \`catalogue.updated\` tells when.

What a purchase costs, and takes as \`expected_price\`, follows from the product:

1. A unit of a variable product is worth the \`amount\` that you send, times \`fx_rate\` unless that is null, rounded down to a kobo; a unit of a fixed one \`face_amount\`, or \`api_price\` where that is null. Times the quantity, this is the nominal amount.
2. The price is the nominal amount less \`discount_percent\` of it; where that is null, \`api_price\` times the quantity.
3. The fee is \`fee_percent\` of the nominal amount, at most \`fee_cap\`; where it is null, \`fee\` once a purchase.
4. The sum of both, each exact until here, is rounded down to a kobo.`;

const billersSchema = operation({
  id: "listBillers",
  tag: "Catalogue",
  summary: "List billers",
  description:
    "Whom you can buy of: networks, discos, TV operators, exam boards. Categories that the account cannot use are left out. `customer_field` and `customer_label` say what to ask the customer for.",
  querystring: billersQuery,
  responses: { 200: billersAnswer },
});

const productsSchema = operation({
  id: "listProducts",
  tag: "Catalogue",
  summary: "List a biller's products",
  description: productsDescription,
  params: Type.Object({
    slug: pathParameter("The biller's slug.", "mtn-data"),
  }),
  querystring: Type.Object({}),
  responses: { 200: productsAnswer },
  problems: ["BILLER_NOT_FOUND"],
});

const denominationsSchema = operation({
  id: "listDenominations",
  tag: "Catalogue",
  summary: "List recharge card denominations",
  description: "What recharge PINs there are, with their prices and the code that loads them.",
  querystring: Type.Object({ network: Type.Optional(networkField) }),
  responses: { 200: denominationsAnswer },
});

/** The catalogue as the key's merchant sees it: its billers, their products at its prices, recharge card denominations. */
export function billerRoutes(app: TypedServer, services: RouteServices): void {
  const { wallTime } = services;
  const answers = rememberAnswers<CatalogueSnapshot>();

  app.get("/billers", { schema: billersSchema }, async (request, reply) => {
    const view = await viewOf(services, request);
    const { query } = request;
    const list = () => ({ billers: billersOf(view, query) });
    if (query.q !== undefined) return list();
    return sendJson(reply, answers(view.snapshot, `${keyOf(view)}/billers/${query.category ?? ""}`, list));
  });

  app.get("/billers/:slug/products", { schema: productsSchema }, async (request, reply) => {
    const view = await viewOf(services, request);
    const { slug } = request.params;
    const found = view.snapshot.findBiller(slug, view.buyer);
    if (found === null) throw refuse("BILLER_NOT_FOUND");
    const list = () => productsOf(view, found, wallTime);
    return sendJson(reply, answers(view.snapshot, `${keyOf(view)}/products/${slug}`, list));
  });

  app.get("/recharge-pin/denominations", { schema: denominationsSchema }, async (request) => {
    const { query } = request;
    const network = ifSent(query.network, networkOf);
    return { denominations: denominationsOf(await viewOf(services, request), network) };
  });
}

/** Equal for those who are shown the same. */
function keyOf({ snapshot, buyer, reach }: CatalogueView): string {
  return `${reach.key}/${snapshot.termsKey(buyer)}`;
}

function billersOf(
  view: CatalogueView,
  { category, q = "" }: Static<typeof billersQuery>,
): Static<typeof billersAnswer>["billers"] {
  const words = q.toLowerCase().split(/\s+/).filter(Boolean);
  return view.snapshot
    .billers(view.buyer)
    .filter(({ biller }) => category === undefined || biller.category === category)
    .filter(({ biller }) => {
      const text = `${biller.name} ${biller.slug} ${biller.network ?? ""}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .map(({ biller, products }) => ({
      slug: biller.slug,
      name: biller.name,
      category: biller.category,
      network: biller.network,
      customer_field: biller.customerField,
      customer_label: biller.customerLabel,
      requires_verification: biller.requiresVerification,
      supports_bulk: biller.supportsBulk,
      meter_types: biller.meterTypes === null ? null : [...biller.meterTypes],
      min_amount: decimalOrNull(biller.minAmount),
      max_amount: decimalOrNull(biller.maxAmount),
      status: products.some((product) => isOnSale(product, view)) ? biller.status : "unavailable",
      product_count: products.length,
    }));
}

function productsOf(
  view: CatalogueView,
  { biller, products }: BillerView,
  wallTime: WallTime,
): Static<typeof productsAnswer> {
  return {
    biller: { slug: biller.slug, name: biller.name, category: biller.category },
    products: products.map((product) => productOf(view, product, wallTime)),
  };
}

function productOf(
  view: CatalogueView,
  product: Product,
  wallTime: WallTime,
): Static<typeof productsAnswer>["products"][number] {
  const price = view.snapshot.priceOf(product, view.buyer);
  return {
    product_id: product.id,
    code: product.code,
    name: product.name,
    plan: product.plan,
    plan_type: product.planType,
    validity: product.validity,
    amount_type: product.amountType,
    face_amount: decimalOrNull(product.face),
    api_price: decimalOrNull(unitPrice(product, price)),
    discount_percent: price.kind === "percent" ? percentText(10_000n - price.basisPoints) : null,
    fee: formatNaira(unitFee(product, price)),
    fee_percent: price.fee?.kind === "percent" ? percentText(price.fee.basisPoints) : null,
    fee_cap: price.fee?.kind === "percent" ? decimalOrNull(price.fee.cap) : null,
    min_amount: decimalOrNull(product.foreignFace ?? product.minAmount),
    max_amount: decimalOrNull(product.foreignFace ?? product.maxAmount),
    min_quantity: product.minQuantity,
    max_quantity: product.maxQuantity,
    currency: "NGN",
    face_currency: product.faceCurrency,
    fx_rate: decimalOrNull(product.fxRate),
    available: isOnSale(product, view),
    replaced_by: product.replacedBy,
    updated_at: wallTime.format(product.updatedAt),
  };
}

function denominationsOf(
  view: CatalogueView,
  network: Network | null,
): Static<typeof denominationsAnswer>["denominations"] {
  const { snapshot, buyer } = view;
  return snapshot
    .billers(buyer)
    .filter(({ biller }) => biller.category === "recharge_pin" && (network === null || biller.network === network))
    .flatMap(({ products }) => products)
    .map((product) => ({
      product_id: product.id,
      network: product.biller.network,
      biller_slug: product.biller.slug,
      face_amount: decimalOrNull(product.face),
      api_price: decimalOrNull(unitPrice(product, snapshot.priceOf(product, buyer))),
      min_quantity: product.minQuantity,
      max_quantity: product.maxQuantity,
      in_stock: isOnSale(product, view),
      load_code: textFact(product.attributes, "load_code") ?? harmonisedLoadCode,
    }));
}

/** Hundredths of a percent have two decimals as kobo do. */
function percentText(basisPoints: bigint): string {
  return formatNaira(kobo(basisPoints));
}

/** Hundredths of any currency with two decimals. */
function decimalOrNull(amount: bigint | null): string | null {
  return amount === null ? null : formatNaira(kobo(amount));
}
