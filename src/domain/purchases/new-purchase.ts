import { walletIdOf } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Kobo } from "../../kernel/money.ts";
import { rowOf, type Value } from "../../platform/database/database.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { type PurchaseTerms, type TermSource, termColumns, termFields } from "./purchase.ts";

/** A purchase to accept, with what is known of its outcome already. */
export interface NewPurchase {
  readonly terms: PurchaseTerms;
  /** The simulator's outcome, known before the charge; null for a live purchase. */
  readonly foreseen: VendOutcome | null;
  /** The success that is stored with the charge, so that one commit is enough; null where it ends later. */
  readonly vended: { readonly providerReference: string | null; readonly fulfilment: JsonObject | null } | null;
  /** What the due-work loop does when nobody settled the purchase by then. */
  readonly step: "queued" | "dispatch" | "requery";
  readonly dueSeconds: number;
  /** Kobo a day; null where no limit applies. */
  readonly dayLimit: Kobo | null;
  /** What the supplier takes for it in kobo, and why it was chosen; null in sandbox. */
  readonly cost: Kobo | null;
  /** The cost in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreignCost: string | null;
  readonly routeReason: string | null;
}

/** A column of the type `new_purchase`. */
interface NewPurchaseColumn {
  readonly name: string;
  /** `order`: all lines of a bulk order share it, or it follows from the line's place. For the others see `TermColumn`. */
  readonly source: TermSource | "order";
  /** Whether a column of `purchases` takes it as it is. */
  readonly isStored: boolean;
  readonly value: (purchase: NewPurchase) => Value;
}

function stored(name: string, source: NewPurchaseColumn["source"], value: NewPurchaseColumn["value"]) {
  return { name, source, isStored: true, value };
}

function unstored(name: string, value: NewPurchaseColumn["value"]): NewPurchaseColumn {
  return { name, source: "kind", isStored: false, value };
}

/** All that is known before the charge, in the order of the type's columns, which a test compares with this list. */
export const newPurchaseColumns: readonly NewPurchaseColumn[] = [
  stored("wallet_id", "order", ({ terms }) => walletIdOf(terms.wallet)),
  stored("bulk_reference", "order", ({ terms }) => (terms.bulk === null ? null : terms.bulk.reference)),
  stored("bulk_line", "order", ({ terms }) => (terms.bulk === null ? null : terms.bulk.line)),
  stored("provider_reference", "line", ({ vended }) => (vended === null ? null : vended.providerReference)),
  stored("fulfilment", "kind", ({ vended }) => (vended === null ? null : jsonText(vended.fulfilment))),
  stored("cost", "kind", ({ cost }) => cost),
  stored("foreign_cost", "kind", ({ foreignCost }) => foreignCost),
  stored("route_reason", "kind", ({ routeReason }) => routeReason),
  unstored("settled", ({ vended }) => vended !== null),
  unstored("step", ({ step }) => step),
  unstored("due_seconds", ({ dueSeconds }) => dueSeconds),
  unstored("day_limit", ({ dayLimit }) => dayLimit),
  ...termFields.map((field) => {
    const { name, source } = termColumns[field];
    return stored(name, source, ({ terms }) => storedValue(terms[field], source));
  }),
];

/** A row of the type `new_purchase`. */
export function newPurchaseRow(purchase: NewPurchase): string {
  return rowOf(newPurchaseColumns.map(({ value }) => value(purchase)));
}

function storedValue(value: Value | JsonObject, source: TermSource): Value {
  if (typeof value !== "object" || value === null) return value;
  // The merchant's own fields are kept to the letter: a replay echoes an empty object, too.
  return source === "sent" ? JSON.stringify(value) : jsonText(value);
}

/** Stored JSON. An empty object says no more than null, and a null costs a bit. */
export function jsonText(value: JsonObject | null): string | null {
  if (value === null) return null;
  const text = JSON.stringify(value);
  return text === "{}" ? null : text;
}
