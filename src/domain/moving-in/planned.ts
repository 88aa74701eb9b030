import type { ProductId } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Place } from "./older-users.ts";

/** Merchants of one move. */
export const merchantsMax = 500_000;

const portionMax = 10_000;

/** As many at a time as one statement takes in a few seconds. */
export function portionsOf<T>(all: readonly T[]): (readonly T[])[] {
  const count = Math.ceil(all.length / portionMax);
  return Array.from({ length: count }, (_, at) => all.slice(at * portionMax, (at + 1) * portionMax));
}

/** A merchant as it would be moved. */
export interface PlannedMerchant {
  readonly olderId: string;
  readonly name: string;
  /** In lower case; no other merchant of the plan has it. */
  readonly email: string;
  readonly phone: string | null;
  readonly balance: Kobo;
  /** What is stored of its token; null: it gets no key. */
  readonly token: { readonly hash: string; readonly first: string; readonly last: string } | null;
  readonly priceTier: number;
  /** What in the export says so, such as `is_active f`; null for one that may buy. */
  readonly blockedBy: string | null;
}

/** A price as it would be set. */
export interface PlannedPrice {
  readonly productId: ProductId;
  readonly tier: number;
  readonly price: Kobo;
}

/** Something in the export that does not fit, and what is left out for it. */
export interface Misfit {
  readonly place: Place;
  /** The email or plan that it is about. */
  readonly about: string;
  readonly why: string;
  readonly leavesOut: "merchant" | "token" | "balance" | "phone" | "price";
}
