import type { PriceOrder } from "../../domain/catalogue/changes/administration.ts";
import type { Fee } from "../../domain/catalogue/pricing.ts";
import { type Kobo, readAmount } from "../../kernel/money.ts";
import { amountOrShare, orComplain, parsePercent } from "../arguments.ts";
import { wrong } from "../failures.ts";

// How prices and fees are read from the words of a command.

export interface FeeOptions {
  /** `none` and not null: commander makes an empty text of null. */
  readonly fee?: Fee | "none";
  readonly feeCap?: Kobo;
}

export function feeOf({ fee, feeCap }: FeeOptions): { readonly fee?: Fee | null } {
  if (fee === undefined && feeCap === undefined) return {};
  if (fee === "none" && feeCap === undefined) return { fee: null };
  if (fee === undefined || fee === "none" || (fee.kind !== "percent" && feeCap !== undefined)) {
    throw wrong("--fee-cap belongs to a --fee in percent.");
  }
  return { fee: fee.kind === "percent" ? { ...fee, cap: feeCap ?? null } : fee };
}

export function priceWord(text: string): PriceOrder["price"] {
  return amountOrShare(text, "985.00");
}

export function feeWord(text: string): Fee | "none" {
  if (text === "none") return "none";
  const share = parsePercent(text);
  if (share !== null) return { kind: "percent", basisPoints: share, cap: null };
  return { kind: "flat", kobo: orComplain(readAmount(text), "It must be naira, a percentage such as 1.5%, or none.") };
}
