import type { ProductId } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database.ts";
import { bumpRevision } from "../../platform/revisions.ts";
import { insertProductChanges } from "./change-queries.ts";
import { rowOfPrice } from "./price-row.ts";
import { insertStartingBillers, insertStartingProducts } from "./queries.ts";
import { airtelData } from "./starting-catalogue/airtel-data.ts";
import { airtime } from "./starting-catalogue/airtime.ts";
import { betting } from "./starting-catalogue/betting.ts";
import { cable } from "./starting-catalogue/cable.ts";
import { education } from "./starting-catalogue/education.ts";
import { electricity } from "./starting-catalogue/electricity.ts";
import { esims } from "./starting-catalogue/esims.ts";
import { giftCards } from "./starting-catalogue/gift-cards.ts";
import { gloData } from "./starting-catalogue/glo-data.ts";
import { internet } from "./starting-catalogue/internet.ts";
import { mtnData } from "./starting-catalogue/mtn-data.ts";
import { rechargePins } from "./starting-catalogue/recharge-pins.ts";
import { sms } from "./starting-catalogue/sms.ts";
import type { StartingBiller, StartingPart, StartingProduct } from "./starting-catalogue/starting-product.ts";
import { t2Data } from "./starting-catalogue/t2-data.ts";
import { voice } from "./starting-catalogue/voice.ts";

const parts: readonly StartingPart[] = [
  mtnData,
  gloData,
  t2Data,
  airtelData,
  airtime,
  electricity,
  cable,
  education,
  betting,
  internet,
  voice,
  sms,
  rechargePins,
  giftCards,
  esims,
];

/** What a new deployment sells. Figures are samples from public pages; the operator sets its own. */
export const startingCatalogue: StartingPart = {
  billers: parts.flatMap((part) => part.billers),
  products: parts.flatMap((part) => part.products),
};

/**
 * Adds what is missing of the starting catalogue; what is there stays as its operator left it, prices included. Two
 * statements in one transaction. Safe to repeat and to run from several processes at once.
 * @returns how many products were added
 */
export async function loadStartingCatalogue(database: Database): Promise<number> {
  return database.transaction(async (tx) => {
    const billers = await tx.query(insertStartingBillers, [JSON.stringify(startingCatalogue.billers.map(billerRow))]);
    const products = await tx.query<{ id: ProductId }>(insertStartingProducts, [
      JSON.stringify(startingCatalogue.products.map(productRow)),
    ]);
    if (billers.length + products.length > 0) await bumpRevision(tx, "catalogue");
    // A catalogue that is all new has no readers yet.
    const isNew = products.length === startingCatalogue.products.length;
    if (!isNew) await insertProductChanges(tx, "availability", products.map(idOf));
    return products.length;
  });
}

const idOf = ({ id }: { readonly id: ProductId }) => id;

function billerRow(biller: StartingBiller) {
  return {
    slug: biller.slug,
    name: biller.name,
    category: biller.category,
    network: biller.network ?? null,
    customer_field: biller.customerField,
    customer_label: biller.customerLabel,
    requires_verification: biller.requiresVerification ?? false,
    supports_bulk: biller.supportsBulk ?? false,
    meter_types: biller.meterTypes ?? null,
    description: biller.description ?? "",
  };
}

function productRow(product: StartingProduct) {
  const price = rowOfPrice(product.price);
  return {
    id: product.id,
    code: product.code,
    biller_slug: product.biller,
    name: product.name,
    plan: product.plan ?? null,
    plan_type: product.planType ?? null,
    validity: product.validity ?? null,
    legacy_plan_id: product.legacyPlanId ?? null,
    amount_type: product.range === undefined ? "fixed" : "variable",
    face_amount: numberOf(product.face),
    min_amount: numberOf(product.range?.[0]),
    max_amount: numberOf(product.range?.[1]),
    min_quantity: 1,
    max_quantity: product.maxQuantity ?? 1,
    face_currency: product.currency ?? "NGN",
    foreign_face: numberOf(product.foreignFace),
    fx_rate: numberOf(product.fxRate),
    meter_type: product.meterType ?? null,
    attributes: product.attributes ?? {},
    price: numberOf(price.price),
    price_basis_points: price.price_basis_points,
    fee: numberOf(price.fee),
    fee_basis_points: price.fee_basis_points,
    fee_cap: numberOf(price.fee_cap),
    description: product.description ?? "",
  };
}

/** Amounts travel as JSON numbers: the table's bounds keep them far below 2^53. */
function numberOf(amount: bigint | null | undefined): number | null {
  return amount === null || amount === undefined ? null : Number(amount);
}
