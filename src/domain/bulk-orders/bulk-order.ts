import { type TObject, Type } from "typebox";
import type { Category, PurchaseIntent } from "../../categories/category.ts";
import { referenceField } from "../../categories/fields.ts";
import type { Instant } from "../../kernel/clock.ts";
import type { PurchaseId, Reference, WalletKey } from "../../kernel/ids.ts";
import type { Kobo } from "../../kernel/money.ts";
import type { Principal } from "../merchants/merchant.ts";

/** The most lines of an order. */
export const linesMax = 10_000;
/** Shorter than a purchase's, so that `{reference}-10000` still is one. */
export const orderReferenceLengthMax = 90;

/** The lines and bytes that a merchant's bulk orders may have in a minute, or that one of them has. */
export interface BulkLimits {
  readonly lines: number;
  readonly bytes: number;
}

/** The contract's, where an operator sets nothing else. */
export const usualBulkLimits: BulkLimits = { lines: 100_000, bytes: 40_000_000 };

/** What a line may hold: what a purchase of the category does, and a reference of its own. */
export function lineBody(category: Category): TObject {
  return Type.Object({ ...category.body.properties, reference: Type.Optional(referenceField(100)) });
}

/** A line as the client sent it, parsed. */
export interface BulkLine {
  readonly requested: PurchaseIntent;
  /** Null: `{order's reference}-{n}`, n from 1. */
  readonly reference: Reference | null;
  /** Where its faults are reported: `items.3` or `phones.3`. */
  readonly key: string;
  /** Under what a fault of this field of the line is reported. */
  readonly fieldKey: (field: string) => string;
}

export interface BulkCommand {
  readonly principal: Principal;
  readonly category: Category;
  readonly reference: Reference;
  readonly lines: readonly BulkLine[];
}

/** A bulk order as it was placed. What became of it is what became of its lines. */
export interface BulkOrder {
  readonly wallet: WalletKey;
  readonly id: PurchaseId;
  readonly reference: Reference;
  readonly category: string;
  readonly fingerprint: string;
  readonly lines: number;
  /** Nominal price of all lines. */
  readonly amount: Kobo;
  /** What the wallet paid for all lines. */
  readonly total: Kobo;
  readonly balanceBefore: Kobo;
  readonly createdAt: Instant;
}

/** An order that is still to be placed: the rest is known once it is. */
export type NewBulkOrder = Omit<BulkOrder, "wallet" | "lines" | "balanceBefore" | "createdAt">;

/** How an order's lines stand, counted from the purchases themselves. */
export interface LineCounts {
  readonly successful: number;
  readonly pending: number;
  readonly failed: number;
  readonly refunded: Kobo;
  readonly lastCompletedAt: Instant | null;
}

type BulkStatus = "processing" | "completed" | "partially_completed" | "failed";

export function bulkStatusOf({ successful, pending, failed }: LineCounts): BulkStatus {
  if (pending > 0) return "processing";
  if (failed === 0) return "completed";
  return successful === 0 ? "failed" : "partially_completed";
}
