import { createHash } from "node:crypto";
import type { Category } from "../../../categories/category.ts";
import { findCategory } from "../../../categories/category-slugs.ts";
import { type BulkLine, linesMax, orderReferenceLengthMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { checkLines, findAlikeOrder, type ReadLine } from "../../../domain/bulk-orders/lines.ts";
import type { LineFacts } from "../../../domain/bulk-orders/queries.ts";
import type { PricedIntent } from "../../../domain/purchases/buying/prepare-purchase.ts";
import { parseReference, type Reference } from "../../../kernel/ids.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { type FieldErrors, refuse, refuseField } from "../../../kernel/problems.ts";
import { type Form, onceField } from "../../kit/form.ts";
import type { ModeVisit } from "../access.ts";
import type { CheckBody } from "../buy/selling.tsx";
import type { MerchantServices } from "../services.ts";
import { newLine, readLines, readTyped, type TypedLine } from "./read-lines.ts";

/** An order as it was typed, checked line by line. */
export interface CheckedOrder {
  readonly category: Category;
  readonly reference: Reference;
  /** The whole list, with what was corrected. */
  readonly text: string;
  readonly typed: readonly CheckedLine[];
  readonly lines: readonly ReadLine[];
  /** The faults by the line's number. */
  readonly faults: ReadonlyMap<number, readonly string[]>;
  /** What the right lines cost. */
  readonly total: Kobo;
  /** Another order of the last day with the same lines. */
  readonly alike: Reference | null;
}

/** A line of the list, and what would be bought by it where that is known. */
export interface CheckedLine extends TypedLine {
  readonly priced: PricedIntent | null;
  /** The first line with the same number, where that is another. */
  readonly sameAs: number | null;
}

export type OrderServices = MerchantServices & { readonly checkLine: CheckBody };

/** Reads and prices all lines. @throws Refusal where the order itself is wrong */
export async function checkOrder(services: OrderServices, visit: ModeVisit, form: Form): Promise<CheckedOrder> {
  const category = findCategory(form.text("category"));
  if (category?.paths.bulk === undefined) throw refuseField("VALIDATION_ERROR", "category", "Choose what to buy.");
  const text = corrected(form);
  const reference = orderReference(form, visit, text);
  const typed = readTyped(text, category);
  if (typed.length === 0) throw refuseField("VALIDATION_ERROR", "lines", "Paste at least one line.");
  if (typed.length > linesMax) {
    throw refuseField("TOO_MANY_ITEMS", "lines", `An order has at most ${linesMax} lines; these are ${typed.length}.`);
  }
  const principal = visit.buyer;
  await services.bulkBudget.take({
    merchantId: principal.merchantId,
    lines: typed.length,
    bytes: Buffer.byteLength(text),
  });
  const catalogue = await services.catalogue.current();
  const { yieldToEventLoop } = services;
  const check = (body: Readonly<Record<string, unknown>>) => services.checkLine(category, body);
  const { lines, found } = await readLines(typed, { category, principal, catalogue, check, yieldToEventLoop });
  const checked = await checkLines({ catalogue, principal, category, lines, found, reference, yieldToEventLoop });
  const faults = faultsByLine(checked.errors);
  const right = checkedLines(typed, lines, checked.priced);
  const bought = right.flatMap(({ number, priced }) => (priced === null || faults.has(number) ? [] : [priced]));
  const total = bought.reduce((sum, { price }) => add(sum, price.total), zeroKobo);
  const facts = bought.map(factsOfLine);
  const order = { wallet: visit.wallet, category: category.slug, reference, lines: facts, now: services.clock.now() };
  const alike = faults.size === 0 ? await findAlikeOrder(services.database, order) : null;
  return { category, reference, text, typed: right, lines, faults, total, alike };
}

function checkedLines(
  typed: readonly TypedLine[],
  lines: readonly ReadLine[],
  priced: readonly PricedIntent[],
): readonly CheckedLine[] {
  const byIntent = new Map(priced.map((one) => [one.requested, one]));
  const firsts = new Map<string, number>();
  return typed.map((line, at) => {
    const requested = lines[at]?.requested ?? null;
    const number = requested?.customerRef ?? null;
    const first = number === null ? undefined : firsts.get(number);
    if (number !== null && first === undefined) firsts.set(number, line.number);
    return { ...line, priced: (requested && byIntent.get(requested)) ?? null, sameAs: first ?? null };
  });
}

function factsOfLine({ requested, soldProduct, price }: PricedIntent): LineFacts {
  return { productId: soldProduct.product.id, customerRef: requested.customerRef, amount: price.amount };
}

/** The ticks that an order needs before it is bought, by the field's name, each with what it confirms. */
export function ticksOf({ typed, alike }: CheckedOrder): Readonly<Record<string, string>> {
  const again = typed.filter(({ sameAs }) => sameAs !== null).length;
  return {
    ...(again === 0 ? {} : { twice: `Buy again for numbers that are in the list more than once: ${again}` }),
    ...(alike === null ? {} : { again: `Buy all of it again: order ${alike} of the last 24 hours has the same lines` }),
  };
}

/** @throws Refusal where a tick is missing, or was for another order */
export function refuseUnticked(order: CheckedOrder, form: Form): void {
  const missing = Object.keys(ticksOf(order)).filter(
    (name) => !form.has(name) || (name === "again" && form.text("alike") !== order.alike),
  );
  if (missing.length === 0) return;
  const errors = Object.fromEntries(missing.map((name) => [name, ["Tick this if you mean it."]]));
  throw refuse("VALIDATION_ERROR", {
    message: "Possible duplicates have to be confirmed. Nothing was charged.",
    errors,
  });
}

/** The list with the lines that were corrected in place: `line-17` is the seventeenth. One that was emptied is left out. */
function corrected(form: Form): string {
  const rows = form.raw("lines").split(newLine);
  for (const [name] of form.fields) {
    const number = Number(/^line-([0-9]{1,6})$/.exec(name)?.[1] ?? 0);
    if (number >= 1 && number <= rows.length) rows[number - 1] = form.text(name).replace(/[\r\n]+/g, " ");
  }
  return rows.join("\n");
}

/** As typed, or made of this form and its list: a reload or the back button names the same order. */
function orderReference(form: Form, { wallet, session }: ModeVisit, text: string): Reference {
  const typed = form.text("reference");
  const facts = JSON.stringify([form.text(onceField), wallet.merchantId, wallet.mode, session.person.id, text]);
  const made = `bulk-${createHash("sha256").update(facts).digest("hex").slice(0, 16)}`;
  const reference = parseReference(typed === "" ? made : typed);
  if (reference !== null && reference.length <= orderReferenceLengthMax) return reference;
  const sentence = `Must be 1 to ${orderReferenceLengthMax} letters, digits, dots, dashes, underscores or colons.`;
  throw refuseField("INVALID_REFERENCE", "reference", sentence);
}

/** `line.17.phone` is a fault of line 17. */
export function faultsByLine(errors: FieldErrors): ReadonlyMap<number, readonly string[]> {
  const faults = new Map<number, readonly string[]>();
  for (const [key, messages] of Object.entries(errors)) {
    const [, number, field] = /^line\.([0-9]+)(?:\.(.+))?$/.exec(key) ?? [];
    if (number === undefined) continue;
    const shown = messages.map((message) =>
      field === undefined ? message : `${field.replaceAll("_", " ")}: ${message}`,
    );
    faults.set(Number(number), [...(faults.get(Number(number)) ?? []), ...shown]);
  }
  return faults;
}

export function isSound(line: ReadLine): line is BulkLine {
  return line.requested !== null;
}
