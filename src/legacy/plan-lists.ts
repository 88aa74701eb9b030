import { type Static, Type } from "typebox";
import type { CategorySlug } from "../categories/category-slugs.ts";
import type { Product } from "../categories/product/product.ts";
import { quote } from "../domain/catalogue/pricing.ts";
import type { NetworkNumbers } from "../domain/merchants/legacy-settings.ts";
import { type CatalogueView, isOnSale } from "../http/catalogue-view.ts";
import { integer, money, text } from "../http/schemas/schemas.ts";
import { assert } from "../kernel/assert.ts";
import { formatNaira } from "../kernel/money.ts";
import type { Network } from "../kernel/phone.ts";
import { planIdOf } from "./endpoints/data.ts";
import { cableNames, networkIdSchema, networkNameSchema } from "./fields.ts";

export const planRow = Type.Object(
  {
    id: integer({ minimum: 1, maximum: 2_147_483_647 }, "What `/api/data` takes as `plan`.", 1_002),
    dataplan_id: Type.String({
      pattern: "^[0-9]+$",
      maxLength: 10,
      description: "The same, as text.",
      examples: ["1002"],
    }),
    network: networkIdSchema,
    plan_type: text(40, "What the network calls this kind of plan.", "SME"),
    plan_network: networkNameSchema,
    month_validate: text(40, "How long it lasts.", "30 days"),
    plan: text(150, "The plan.", "1GB"),
    plan_amount: money("What this account pays.", "640.00"),
  },
  { "x-component": "LegacyPlan" },
);
export type PlanRow = Static<typeof planRow>;

export const plans = Type.Array(planRow, { maxItems: 10_000 });

const cableRow = Type.Object(
  {
    id: integer({ minimum: 1, maximum: 2_147_483_647 }, "What `/api/cablesub` takes as `cableplan`.", 4_004),
    cableplan_id: text(10, "The same, as text.", "4004"),
    cable: text(20, "The operator.", "DSTV"),
    package: text(150, "The bouquet.", "Compact"),
    plan_amount: money("What this account pays for one period.", "18791.00"),
  },
  { "x-component": "LegacyBouquet" },
);
const bouquets = Type.Array(cableRow, { maxItems: 10_000 });

export const cableplan = Type.Object({
  GOTVPLAN: bouquets,
  DSTVPLAN: bouquets,
  STARTIMEPLAN: bouquets,
  SHOWMAXPLAN: bouquets,
  cablename: Type.Array(
    Type.Object({
      id: integer({ minimum: 1, maximum: 99 }, "What `/api/cablesub` takes as `cablename`.", 2),
      name: text(20, "The operator.", "DSTV"),
    }),
    { maxItems: 10 },
  ),
});

/** The products that the buyer can buy now: these lists are for choosing from. */
export function onSale(view: CatalogueView, category: CategorySlug): readonly Product[] {
  return view.snapshot
    .billers(view.buyer)
    .filter(({ biller }) => biller.category === category)
    .flatMap(({ products }) => products.filter((product) => isOnSale(product, view)));
}

function planRowOf({ snapshot, buyer }: CatalogueView, product: Product, numbers: NetworkNumbers): PlanRow {
  const { network } = product.biller;
  assert(network !== null, "every data biller has its network");
  const price = quote(product, snapshot.priceOf(product, buyer), { amount: product.minAmount, quantity: 1 });
  return {
    id: planIdOf(product),
    dataplan_id: String(planIdOf(product)),
    network: numbers[network],
    plan_type: product.planType ?? "",
    plan_network: network,
    month_validate: product.validity ?? "",
    plan: product.plan ?? product.name,
    plan_amount: formatNaira(price.total),
  };
}

/** The data plans that can be bought now, those of one network after the other. */
export function dataPlansOf(view: CatalogueView, numbers: NetworkNumbers): (network: Network) => PlanRow[] {
  const rows = onSale(view, "data").map((product) => planRowOf(view, product, numbers));
  return (network) => rows.filter((row) => row.plan_network === network);
}

/** The bouquets that can be bought now, by operator; none of those for renewals, which need an amount. */
export function cablePlansOf(view: CatalogueView): Static<typeof cableplan> {
  const products = onSale(view, "cable").filter(({ amountType }) => amountType === "fixed");
  const of = (slug: string) =>
    products.filter(({ biller }) => biller.slug === slug).map((product) => bouquetOf(view, product));
  return {
    GOTVPLAN: of("gotv"),
    DSTVPLAN: of("dstv"),
    STARTIMEPLAN: of("startimes"),
    SHOWMAXPLAN: of("showmax"),
    cablename: Object.values(cableNames).map(({ number, name }) => ({ id: number, name })),
  };
}

function bouquetOf({ snapshot, buyer }: CatalogueView, product: Product): Static<typeof cableRow> {
  const price = quote(product, snapshot.priceOf(product, buyer), { amount: null, quantity: 1 });
  return {
    id: product.id,
    cableplan_id: String(product.id),
    cable: cableNames[product.biller.slug]?.name ?? product.biller.name,
    package: product.plan ?? product.name,
    plan_amount: formatNaira(price.total),
  };
}
