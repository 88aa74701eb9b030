import type { Kobo } from "../kernel/money.ts";

/** A value of the answer and the one that was asked about. Null where one of them has none: these are not compared. */
interface Pair {
  readonly theirs: string | null;
  readonly ours: string | null;
}

interface Comparison {
  /** Our name for the attempt. */
  readonly reference: Pair;
  readonly products: readonly Pair[];
  /** The number that is bought for; where the supplier may mean another of ours by it, one of these. */
  readonly number: { readonly theirs: string | null; readonly ours: readonly (string | null)[] };
  /** Where it tells several amounts, one of them must be ours. */
  readonly amount: { readonly theirs: readonly (Kobo | null)[]; readonly ours: Kobo | null };
}

/**
 * How an answer shows that it is about another purchase than the one that was asked about; null where it does not. Two
 * deployments that share an account there may have sent one reference for different purchases.
 */
export function differenceIn({ reference, products, number, amount }: Comparison): string | null {
  if (differs(reference)) return "another reference";
  if (products.some(differs)) return "another product";
  const numbers = number.ours.flatMap((ours) => (ours === null ? [] : [plain(ours)]));
  if (number.theirs !== null && numbers.length > 0 && !numbers.includes(plain(number.theirs))) return "another number";
  const amounts = amount.theirs.filter((theirs) => theirs !== null);
  if (amount.ours !== null && amounts.length > 0 && !amounts.includes(amount.ours)) return "another amount";
  return null;
}

function differs({ theirs, ours }: Pair): boolean {
  return theirs !== null && ours !== null && theirs !== ours;
}

/** A phone number in any form, and a number that lost its leading zeros in JSON. */
function plain(number: string): string {
  const bare = number.replace(/[^A-Za-z0-9]/g, "").toLowerCase();
  return bare.replace(/^234(?=\d{10}$)/, "").replace(/^0+/, "");
}
