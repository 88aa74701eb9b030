import type { Kobo } from "../../src/kernel/money.ts";
import type { StoredPurchase } from "../verdict.ts";

/** A purchase with what decides what a supplier must have been asked for. */
export interface BoughtWare extends StoredPurchase {
  readonly quantity: number;
  readonly faceAmount: Kobo;
  /** `value`: of one gift card, in its own currency. */
  readonly details: { readonly value?: string | null } | null;
}

/** An attempt as our database has it. */
export interface StoredAttempt {
  readonly id: bigint;
  readonly supplier: string;
  readonly supplierReference: string;
  readonly supplierCode: string | null;
  readonly verdict: "vended" | "declined";
}
