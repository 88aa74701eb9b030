import { assert } from "../../kernel/assert.ts";
import { basisPoints, kobo } from "../../kernel/money.ts";
import type { Fee, Price } from "./pricing.ts";
import type { PriceRow } from "./queries.ts";
import type { StartingBiller, StartingProduct } from "./starting-product.ts";

/** A biller as `insertBillers` takes it. */
export function rowOfBiller(biller: StartingBiller) {
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

/** A product as `insertProducts` takes it. */
export function rowOfProduct(product: StartingProduct) {
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
    amount_type: product.range === undefined ? ("fixed" as const) : ("variable" as const),
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

/** A price as its columns say it; a constraint keeps exactly one form filled. */
export function priceOfRow(row: PriceRow): Price {
  if (row.price !== null) return { kind: "fixed", kobo: kobo(row.price), fee: feeOfRow(row) };
  assert(row.price_basis_points !== null, "a price is fixed or a percentage");
  return { kind: "percent", basisPoints: basisPoints(BigInt(row.price_basis_points)), fee: feeOfRow(row) };
}

export function feeOfRow(row: PriceRow): Fee | null {
  if (row.fee !== null) return { kind: "flat", kobo: kobo(row.fee) };
  if (row.fee_basis_points === null) return null;
  const cap = row.fee_cap === null ? null : kobo(row.fee_cap);
  return { kind: "percent", basisPoints: basisPoints(BigInt(row.fee_basis_points)), cap };
}

export function rowOfPrice(price: Price): PriceRow {
  const { fee } = price;
  return {
    price: price.kind === "fixed" ? price.kobo : null,
    price_basis_points: price.kind === "percent" ? Number(price.basisPoints) : null,
    fee: fee?.kind === "flat" ? fee.kobo : null,
    fee_basis_points: fee?.kind === "percent" ? Number(fee.basisPoints) : null,
    fee_cap: fee?.kind === "percent" ? fee.cap : null,
  };
}
