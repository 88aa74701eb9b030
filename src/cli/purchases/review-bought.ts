import { amountOf, type Purchase } from "../../domain/purchases/purchase.ts";
import type { SoldProduct } from "../../domain/purchases/sold-product.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import { printLine, printTable } from "../printing.ts";

/** A longer fact has a line of its own below the table. */
const cellMax = 60;

/** What was bought, for whom and for how much: everything needed to fulfil the purchase by hand. */
export type BoughtTold = ReturnType<typeof boughtTold>;

export function boughtTold({ product, category }: SoldProduct, purchase: Purchase, cost: string | null) {
  const { details, quantity, unitAmount, customerRef, phone, fee, total } = purchase;
  return {
    category: category.title,
    product_id: product.id,
    product: product.name,
    plan: product.plan,
    validity: product.validity,
    biller: product.biller.name,
    network: product.biller.network,
    quantity,
    unit_amount: formatNaira(unitAmount),
    amount: formatNaira(amountOf(purchase)),
    card_value: cardValue(product, details),
    customer_number: customerRef,
    customer_number_is: product.biller.customerLabel,
    phone,
    meter_type: product.meterType ?? details.meter_type ?? null,
    details,
    fee: formatNaira(fee),
    paid_by_the_merchant: formatNaira(total),
    cost,
  };
}

/** The value of one card in its own currency; null for cards in naira. */
function cardValue({ faceCurrency, foreignFace }: SoldProduct["product"], { value }: JsonObject): string | null {
  if (faceCurrency === "NGN") return null;
  const amount = foreignFace === null ? value : formatNaira(kobo(foreignFace));
  return typeof amount === "string" ? `${amount} ${faceCurrency}` : null;
}

/** For a person: short facts as a table, an SMS's text and recipients below it. */
export function printBought({ details, ...facts }: BoughtTold): void {
  const more = Object.entries(details).filter(([name]) => !Object.hasOwn(facts, name));
  const told = [...Object.entries(facts), ...more]
    .filter(([, value]) => value !== null)
    .map(([name, value]) => [name.replaceAll("_", " "), wordsOf(value)] as const);
  const isShort = ([, words]: readonly [string, string]) => words.length <= cellMax && !words.includes("\n");
  printTable(["what was bought", ""], told.filter(isShort));
  for (const [name, words] of told.filter((fact) => !isShort(fact))) printLine(`${name}: ${words}`);
}

function wordsOf(value: Json): string {
  if (Array.isArray(value)) return value.map(wordsOf).join(", ");
  if (typeof value !== "object" || value === null) return String(value);
  // A recipient of an SMS.
  const { phone, error_code: errorCode } = value as JsonObject;
  if (typeof phone !== "string") return JSON.stringify(value);
  return errorCode === null ? phone : `${phone} (not sent to: ${errorCode})`;
}
