import { createHash } from "node:crypto";
import { promisify } from "node:util";
import { deflateRaw, inflateRaw, type ZlibOptions } from "node:zlib";
import type { Category } from "../../../categories/category.ts";
import { findCategory } from "../../../categories/category-slugs.ts";
import { linesMax, orderReferenceLengthMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder, listSoldBefore } from "../../../domain/bulk-orders/queries.ts";
import type { PricedIntent } from "../../../domain/purchases/buying/prepare-purchase.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { parseReference, purchaseTime, type Reference } from "../../../kernel/ids.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { countLineEnds } from "../../../platform/csv.ts";
import { fileOrLinesIn } from "../../kit/file-or-lines.tsx";
import { bulkFormBytesMax, type Form, formOf, onceField } from "../../kit/form.ts";
import { countText, grouped } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import type { CheckBody } from "../buy/selling.tsx";
import type { MerchantServices } from "../services.ts";
import { repairSentences } from "./read-cells.ts";
import { type ReadLine, readLines } from "./read-lines.ts";
import { correctedText, readList, tooManyLines } from "./read-list.ts";

export type OrderServices = MerchantServices & { readonly checkLine: CheckBody };

/** Why a line may be one too many: another line for the number, or the same sale of the last day. */
export type Doubt = { readonly sameAs: number } | { readonly soldAt: Instant };

export interface CheckedLine extends ReadLine {
  readonly doubt: Doubt | null;
  /** Somebody ticked that it is meant. */
  readonly isKept: boolean;
  /** Somebody wants to change it, whether it is right or not. */
  readonly isOpen: boolean;
}

/** A line that would be bought. */
export type ReadyLine = CheckedLine & { readonly sound: NonNullable<CheckedLine["sound"]> };

/** An order as it was typed, checked line by line. */
export interface CheckedOrder {
  readonly category: Category;
  readonly reference: Reference;
  /** The list's file; "" where it was pasted. */
  readonly fileName: string;
  /** The whole list, with what was corrected. */
  readonly text: string;
  readonly header: string | null;
  readonly lines: readonly CheckedLine[];
  readonly ready: readonly ReadyLine[];
  /** What was repaired and how the list was read, in sentences. */
  readonly notes: readonly string[];
  /** What the ready lines cost. */
  readonly total: Kobo;
  readonly amount: Kobo;
}

/** How long the same sale again is more likely a mistake than the next one. */
const doubtMs = 24 * 3_600_000;

/**
 * Reads and prices all lines. Of an order that is being paid for, the reference may be taken by itself: it was sent before.
 * @throws Refusal where the order itself is wrong
 */
export async function checkOrder(
  services: OrderServices,
  visit: ModeVisit,
  form: Form,
  { isPaid = false }: { readonly isPaid?: boolean } = {},
): Promise<CheckedOrder> {
  const category = findCategory(form.text("category"));
  if (category?.paths.bulk === undefined) throw refuseField("VALIDATION_ERROR", "category", "Choose what to buy.");
  if (form.text("file") !== "" && form.text("lines") !== "") {
    throw refuseField(
      "VALIDATION_ERROR",
      "lines",
      "You chose a file too. Clear this box to use the file, or leave the file out.",
    );
  }
  const principal = visit.buyer;
  const bounds = boundsOf(visit);
  // Counted before anything of it is read: whoever sends one list after another is told to wait first.
  const sent = await listIn(form, bounds.bytes);
  services.bulkBudget.expect(principal.merchantId, Buffer.byteLength(sent));
  if (countLineEnds(sent, rowsMax) > rowsMax) throw tooManyLines(`More than ${grouped(rowsMax)}`, bounds.lines);
  const reading = { linesMax: bounds.lines, pause: services.yieldToEventLoop };
  const given = await readList(sent, category, reading);
  const text = correctedText(given, form);
  const list = text === given.before + given.rows.join("\n") ? given : await readList(text, category, reading);
  const made = madeReference(form, visit, text);
  const reference = isPaid ? orderReference(form, made) : await freeReference(services, visit, form, made);
  const { length } = list.lines;
  if (length === 0) throw refuseField("VALIDATION_ERROR", "lines", "Paste at least one line, or choose a file.");
  const bytes = Buffer.byteLength(text);
  await services.bulkBudget.take({ merchantId: principal.merchantId, lines: length, bytes });
  const check = (body: Readonly<Record<string, unknown>>) => services.checkLine(category, body);
  const catalogue = await services.catalogue.current();
  const { yieldToEventLoop } = services;
  const read = await readLines(list.lines, { category, principal, catalogue, reference, check, yieldToEventLoop });
  const lines = marked(await withDoubts(services, visit, { reference, lines: read.lines }), form);
  const ready = lines.filter(isReady);
  const sum = (priceOf: (one: PricedIntent) => Kobo) =>
    ready.reduce((total, { sound }) => add(total, priceOf(sound.priced)), zeroKobo);
  const repairs = [...read.repaired].map(([repair, count]) => repairSentences[repair](countText(count, "line")));
  return {
    ...{ category, reference, text, header: list.header, lines, ready, notes: [...list.notes, ...repairs] },
    fileName: form.text("file-name").slice(0, 100),
    total: sum(({ price }) => price.total),
    amount: sum(({ price }) => price.amount),
  };
}

/** A list that is longer than this travels packed: the page and each check of it are a quarter as large. */
const plainMax = 65_536;

/** The fields in which the list waits in the page of its check. */
export async function fieldsOfList(text: string): Promise<Readonly<Record<string, string>>> {
  if (text.length <= plainMax) return { lines: text };
  return { packed: (await promisify(deflateRaw)(text)).toString("base64") };
}

/** With the empty ones that a spreadsheet leaves below a list. */
const rowsMax = 2 * linesMax;
/** A person who hasn’t confirmed an email may be anybody: enough to try the sandbox out. */
const unconfirmedBounds = { bytes: 65_536, lines: 200 };

function boundsOf({ session }: ModeVisit): { readonly bytes: number; readonly lines: number } {
  return session.person.emailVerifiedAt === null ? unconfirmedBounds : { bytes: bulkFormBytesMax, lines: linesMax };
}

/** The list as it was sent. @throws Refusal where it is longer than so many bytes, or can't be unpacked */
async function listIn(form: Form, bytesMax: number): Promise<string> {
  const packed = form.raw("packed");
  if (packed === "") {
    const text = fileOrLinesIn(form, "lines");
    if (text.length <= bytesMax) return text;
    throw refuseField("VALIDATION_ERROR", "lines", "Confirm your email first: until then a list has 64 KiB at most.");
  }
  const bytes = await unpacked(Buffer.from(packed, "base64"), { maxOutputLength: bytesMax }).catch(() => {
    throw refuseField("VALIDATION_ERROR", "lines", "The list didn’t come whole. Upload it again.");
  });
  return bytes.toString();
}

/** To write more into a page holds everybody up. */
const boxBytesMax = 1_048_576;

/** The same form with its list as it is shown in a box. */
export async function withPlainList(visit: ModeVisit, form: Form): Promise<Form> {
  if (form.raw("packed") === "") return form;
  const text = await listIn(form, Math.min(boxBytesMax, boundsOf(visit).bytes)).catch(() => "");
  // A text box holds what an order may have, and not what only a packed form can.
  const shown = countLineEnds(text, rowsMax) > rowsMax ? "" : text;
  return formOf([
    ...[...form.fields].flatMap(([name, values]) => values.map((value) => [name, value] as const)),
    ["lines", shown],
  ]);
}

const unpacked = promisify<Buffer, ZlibOptions, Buffer>(inflateRaw);

export function isReady(line: CheckedLine): line is ReadyLine {
  return line.sound !== null && !line.isOpen && (line.doubt === null || line.isKept);
}

/** The lines with what makes them doubtful: their number came before in the list, or was sold the same in the last day. */
async function withDoubts(
  { database, clock }: OrderServices,
  { wallet }: ModeVisit,
  { reference, lines }: { readonly reference: Reference; readonly lines: readonly ReadLine[] },
): Promise<readonly (ReadLine & { readonly doubt: Doubt | null })[]> {
  const facts = lines.flatMap(({ number, sound }) => {
    if (sound === null) return [];
    const { requested, soldProduct, price } = sound.priced;
    return [{ number, productId: soldProduct.product.id, customerRef: requested.customerRef, amount: price.amount }];
  });
  const now = clock.now();
  const period = { since: (now - doubtMs) as Instant, now: (now + 60_000) as Instant };
  const sold = await listSoldBefore(database, { wallet, reference }, facts, period);
  const soldBefore = new Map([...sold].map(([place, id]) => [facts[place]?.number, id]));
  const firsts = new Map<string, number>();
  return lines.map((line) => {
    if (line.sound === null) return { ...line, doubt: null };
    const customer = line.sound.priced.requested.customerRef ?? "";
    const sameAs = firsts.get(customer);
    if (sameAs !== undefined) return { ...line, doubt: { sameAs } };
    firsts.set(customer, line.number);
    const id = soldBefore.get(line.number);
    return { ...line, doubt: id === undefined ? null : { soldAt: purchaseTime(id) } };
  });
}

/** What was ticked and opened, line by line: `kept` are those ticked before whose ticks this page didn't show. */
function marked(lines: readonly (ReadLine & { readonly doubt: Doubt | null })[], form: Form): readonly CheckedLine[] {
  const kept = new Set([...form.text("kept").split(" "), ...form.all("keep")]);
  const isKept = (number: number) => kept.has("all") || kept.has(String(number));
  const open = new Set(form.all("edit"));
  return lines.map((line) => ({ ...line, isKept: isKept(line.number), isOpen: open.has(String(line.number)) }));
}

/** Made of this form and its list: a reload or the back button names the same order. */
function madeReference(form: Form, { wallet, session }: ModeVisit, text: string): string {
  const facts = JSON.stringify([form.text(onceField), wallet.merchantId, wallet.mode, session.person.id, text]);
  return `bulk-${createHash("sha256").update(facts).digest("hex").slice(0, 16)}`;
}

/** As typed, or made. */
function orderReference(form: Form, made: string): Reference {
  const reference = parseReference(form.text("reference") || made);
  if (reference !== null && reference.length <= orderReferenceLengthMax) return reference;
  const sentence = `Use 1 to ${orderReferenceLengthMax} letters, digits, dots, dashes, underscores or colons.`;
  throw refuseField("INVALID_REFERENCE", "reference", sentence);
}

/** One that no order has: who goes back to the check of an order that was started begins another one with what is left. */
async function freeReference(
  { database }: OrderServices,
  { wallet }: ModeVisit,
  form: Form,
  made: string,
): Promise<Reference> {
  const reference = orderReference(form, made);
  if ((await findBulkOrder(database, wallet, reference)) === null) return reference;
  // This very form and list: whoever came back to it sees the order.
  if (reference === made)
    throw refuseField("REFERENCE_CONFLICT", "reference", "You started this order.", { started: made });
  const another = parseReference(made);
  if (/^bulk-[0-9a-f]{16}$/.test(reference) && another !== null) return another;
  const sentence = `You started order ${reference} before. Choose a new reference.`;
  throw refuseField("REFERENCE_CONFLICT", "reference", sentence);
}
