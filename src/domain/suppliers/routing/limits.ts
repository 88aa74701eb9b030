import { add, type Kobo } from "../../../kernel/money.ts";

/** How much of new purchases a supplier gets, as operators set it. Null: as much as there is. */
export interface SupplierLimits {
  /** What the purchases of a day may cost together. */
  readonly dayCost: Kobo | null;
  /** How many purchases of a day. */
  readonly dayPurchases: number | null;
  /** In hundredths of the account's currency. */
  readonly balanceFloor: bigint | null;
}

/** What a supplier's limits are compared with: all processes' purchases, as far as this one knows. */
export interface Standing {
  /** What it was sent today and did not decline at once. */
  readonly purchases: number;
  readonly cost: Kobo;
  /** What is left of our money, less what was sent since it told; null while that is unknown or old. */
  readonly balance: bigint | null;
}

/** A limit that keeps a purchase from a supplier. */
export type LimitName = "cap" | "floor";

/** The limit that a purchase of this cost would pass; null where it may go. */
export function passedLimit(limits: SupplierLimits, standing: Standing, cost: Kobo): LimitName | null {
  if (isPastCap(limits, standing, cost)) return "cap";
  return isBelowFloor(limits, standing) ? "floor" : null;
}

/** Whether the day's purchases would pass the cap with one more of this cost. */
export function isPastCap({ dayCost, dayPurchases }: SupplierLimits, standing: Standing, cost: Kobo): boolean {
  if (dayCost !== null && add(standing.cost, cost) > dayCost) return true;
  return dayPurchases !== null && standing.purchases >= dayPurchases;
}

/** An unknown balance is below no floor. */
export function isBelowFloor({ balanceFloor }: SupplierLimits, { balance }: Standing): boolean {
  return balanceFloor !== null && balance !== null && balance < balanceFloor;
}

/** Whether an operator set any. */
export function isLimited({ dayCost, dayPurchases, balanceFloor }: SupplierLimits): boolean {
  return dayCost !== null || dayPurchases !== null || balanceFloor !== null;
}
