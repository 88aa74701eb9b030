import { assert } from "../../kernel/assert.ts";
import { basisPoints, kobo } from "../../kernel/money.ts";
import type { Fee, Price } from "./pricing.ts";
import type { PriceRow } from "./queries.ts";

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
