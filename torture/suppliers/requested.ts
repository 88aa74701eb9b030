import { formatHundredths, type Kobo, kobo } from "../../src/kernel/money.ts";
import type { StubRecord } from "../../tests/support/suppliers/stub-dialect.ts";
import type { StoredPurchase } from "../verdict.ts";

/** Fields in which suppliers are told an amount, in naira or in dollars. */
const amountFields = /^(amount|unitprice|value)$/i;
const countFields = /^(quantity|count)$/i;

/**
 * How what a supplier was asked for differs from what was bought; null where it does not. Each amount must be one that
 * the purchase has: of one unit or of the whole, in naira or in the card's own currency. To the kobo, and to the cent.
 */
export function faultIn(
  { calls }: StubRecord,
  bought: { readonly purchase: StoredPurchase; readonly code: string | null; readonly supplier: string },
): string | null {
  const { purchase, code, supplier } = bought;
  const fields = fieldsIn(calls.body);
  const values = new Set(fields.map(([, value]) => value));
  // Some part of a code only chooses the address, or is for verifying.
  const isProduct = (code ?? "").split("/").some((part) => values.has(part));
  if (!isProduct && !isSaidOtherwise(supplier, purchase)) return `it was not asked for ${code}`;
  const allowed = amountsOf(purchase);
  for (const [name, value] of fields) {
    if (amountFields.test(name) && !allowed.has(hundredthsOf(value))) {
      return `it was asked for ${name} ${value} instead of one of ${[...allowed].map((each) => formatHundredths(each)).join(", ")}`;
    }
    if (countFields.test(name) && Number(value) !== purchase.quantity) {
      return `it was asked for ${name} ${value} instead of ${purchase.quantity}`;
    }
  }
  return null;
}

/** Suppliers of texts whose route names a product that no request to them does. */
const textsWithoutCode: ReadonlySet<string> = new Set(["dispense", "africas-talking"]);

function isSaidOtherwise(supplier: string, { category }: StoredPurchase): boolean {
  return category === "sms" && textsWithoutCode.has(supplier);
}

function amountsOf({ unitAmount, faceAmount, details }: StoredPurchase): ReadonlySet<bigint> {
  const own = details?.value == null ? [] : [hundredthsOf(details.value)];
  return new Set<bigint>([unitAmount, faceAmount, ...own]);
}

function hundredthsOf(value: string): Kobo {
  return kobo(BigInt(Math.round(Number(value) * 100)));
}

/** Everything in it that is a text, a number or a yes, with its name. */
function fieldsIn(value: unknown, name = ""): [string, string][] {
  if (typeof value !== "object" || value === null) return [[name, String(value)]];
  return Object.entries(value).flatMap(([key, inner]) => fieldsIn(inner, Array.isArray(value) ? name : key));
}
