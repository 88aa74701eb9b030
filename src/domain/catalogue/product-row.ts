import { assert } from "../../kernel/assert.ts";
import type { ProductId } from "../../kernel/ids.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { basisPoints, kobo } from "../../kernel/money.ts";
import type { Fee, Price } from "./pricing.ts";
import { type AddedProduct, type PriceRow, productColumns } from "./queries.ts";
import type { StartingProduct } from "./starting-product.ts";

/** A product as it is added, its price apart. */
export function addedProduct(product: StartingProduct): AddedProduct {
  const { biller, range, face, currency, ...same } = product;
  return {
    plan: null,
    planType: null,
    validity: null,
    legacyPlanId: null,
    maxQuantity: 1,
    foreignFace: null,
    fxRate: null,
    meterType: null,
    attributes: {},
    ...same,
    id: product.id as ProductId,
    billerSlug: biller,
    amountType: range === undefined ? "fixed" : "variable",
    faceAmount: face ?? null,
    minAmount: range?.[0] ?? null,
    maxAmount: range?.[1] ?? null,
    minQuantity: 1,
    faceCurrency: currency ?? "NGN",
  };
}

/** A product as `insertProducts` takes it: an object with the columns as keys. */
export function rowOfProduct(product: StartingProduct): JsonObject {
  const added = addedProduct(product);
  const fields = Object.entries(productColumns) as [keyof AddedProduct, string][];
  const columns = Object.fromEntries(fields.map(([field, column]) => [column, added[field]]));
  const row = { ...columns, ...rowOfPrice(product.price), description: product.description ?? "" };
  return Object.fromEntries(Object.entries(row).map(([column, value]) => [column, jsonOf(value)]));
}

/** Amounts travel as JSON numbers: the table's bounds keep them far below 2^53. */
function jsonOf(value: Json | bigint): Json {
  return typeof value === "bigint" ? Number(value) : value;
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
