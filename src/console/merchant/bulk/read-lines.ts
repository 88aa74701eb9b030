import { CsvError, parse } from "csv-parse/sync";
import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { BulkLine } from "../../../domain/bulk-orders/bulk-order.ts";
import { lineErrors, type ReadLine } from "../../../domain/bulk-orders/lines.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Principal } from "../../../domain/merchants/merchant.ts";
import { parseReference } from "../../../kernel/ids.ts";
import { networkHint, parsePhone } from "../../../kernel/phone.ts";
import { type FieldErrors, Refusal, refuseField } from "../../../kernel/problems.ts";
import { isShortened, typedPhone, typedText } from "../../../kernel/typed-text.ts";
import { csvOptions, exportAsText, foreignContent, saveAsCsv, separatedText } from "../../../platform/csv.ts";
import { amountOf } from "../buy/fields.tsx";

/** A line of a pasted list that is not empty and no heading, by its number in the list, from 1. */
export interface TypedLine {
  readonly number: number;
  readonly text: string;
  readonly fields: Readonly<Record<string, string>>;
}

const columnNames: Readonly<Record<string, string>> = {
  phone: "phone",
  number: "phone",
  "phone number": "phone",
  product: "value",
  plan: "value",
  product_id: "value",
  amount: "value",
  network: "network",
  reference: "reference",
};
const usualColumns = ["phone", "value", "reference"];

/**
 * Reads a pasted list: cells between commas, semicolons or tabs; a first line of names says what each is.
 * @throws Refusal where it is no text, or where its amounts may have been split
 */
export function readTyped(pasted: string, category: Category): readonly TypedLine[] {
  const foreign = foreignContent(pasted);
  if (foreign !== null) {
    throw refuseField("VALIDATION_ERROR", "lines", `This is ${foreign}, no list: ${saveAsCsv}, and take that file.`);
  }
  const { separator, text } = separatedText(pasted);
  const rows = text.split(newLine);
  const first = rows.findIndex(isFilled);
  const named = cellsOf(rows[first] ?? "", separator).map((cell) => columnNames[cell.toLowerCase()]);
  const hasNames = named.length > 1 && named.every((name) => name !== undefined);
  const columns = hasNames ? named : usualColumns;
  const lines = rows.flatMap((row, index) => {
    if (!isFilled(row) || (hasNames && index === first)) return [];
    const cells = cellsOf(row, separator);
    const fields = Object.fromEntries(cells.map((cell, at) => [columns[at] ?? `column ${at + 1}`, cell]));
    return [{ number: index + 1, text: row, fields }];
  });
  if (!hasNames && "amount" in category.body.properties) refuseSplitAmounts(lines, separator);
  return lines;
}

export const newLine = /\r\n|\r|\n/;

/** A spreadsheet leaves rows of separators below a list. */
function isFilled(row: string): boolean {
  return /[^\s,;"]/.test(row);
}

/** In a line that was corrected, another separator may stand. */
function cellsOf(row: string, usual: string): readonly string[] {
  const delimiter = row.includes(usual) ? usual : separatedText(row).separator;
  return (row.includes('"') ? quotedCells(row, delimiter) : row.split(delimiter)).map(typedText);
}

function quotedCells(row: string, delimiter: string): readonly string[] {
  try {
    return parse(row, { ...csvOptions, info: false, delimiter })[0] ?? [];
  } catch (error) {
    // A quote without its other one: what it leaves is told of the cells.
    if (error instanceof CsvError) return row.split(delimiter);
    throw error;
  }
}

/** `1,500` without quotes is a cell of 1 and a reference of 500; `100,00` is 100 and 00. */
function refuseSplitAmounts(lines: readonly TypedLine[], separator: string): void {
  const split = lines.find(({ fields: { value = "", reference = "" } }) =>
    /^(?:(?:₦|NGN|N)? ?[0-9]{1,3}\/[0-9]{3}(?:\.[0-9]{1,2})?|[^/]*[0-9]\/[0-9]{2})$/i.test(`${value}/${reference}`),
  );
  if (split === undefined) return;
  const shown = `${split.fields.value}${separator}${split.fields.reference}`.replace("\t", " ");
  throw refuseField(
    "VALIDATION_ERROR",
    "lines",
    `Line ${split.number}: “${shown}” may be one amount that was split, or an amount and a reference. Write amounts without commas, or begin with a line of names: phone, amount, reference.`,
  );
}

interface Reading {
  readonly category: Category;
  readonly principal: Principal;
  readonly catalogue: CatalogueSnapshot;
  /** @throws Refusal with the faults of a line's fields */
  readonly check: (body: Readonly<Record<string, unknown>>) => void;
  readonly yieldToEventLoop: () => Promise<void>;
}

const linesPerSlice = 50;

/** A line as the API would have it: of a wrong one, its faults. */
export async function readLines(
  lines: readonly TypedLine[],
  reading: Reading,
): Promise<{ readonly lines: readonly ReadLine[]; readonly found: FieldErrors }> {
  const found: Record<string, readonly string[]> = {};
  const read: ReadLine[] = [];
  const namesOf = productNames(reading);
  for (const [index, line] of lines.entries()) {
    if (index % linesPerSlice === linesPerSlice - 1) await reading.yieldToEventLoop();
    const key = `line.${line.number}`;
    const { phone: written = "", value = "", network = "", reference = "", ...unknown } = line.fields;
    const phone = typedPhone(written);
    const named = { key, reference: parseReference(reference), fieldKey: (field: string) => `${key}.${field}` };
    const extra = Object.values(unknown).some((cell) => cell !== "");
    try {
      if (isShortened(phone)) throw refuseField("INVALID_PHONE", "phone", `“${phone}” was shortened. ${exportAsText}`);
      const body = {
        phone,
        ...(reference === "" ? {} : { reference }),
        ...bodyOf(reading.category, { phone, value, network }, namesOf),
      };
      reading.check(body);
      if (extra) found[`${key}.line`] = ["Has more columns than phone, product or amount, and reference."];
      read.push({ ...named, requested: extra ? null : reading.category.read(body as never) });
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
      Object.assign(found, lineErrors(named as Pick<BulkLine, "fieldKey">, error));
      read.push({ ...named, requested: null });
    }
  }
  return { lines: read, found };
}

/** What the second column says: a product where the category sells plans, an amount where the customer names one. */
function bodyOf(
  category: Category,
  { phone, value, network }: { readonly phone: string; readonly value: string; readonly network: string },
  productNamed: (text: string, network: string | null) => number | string,
): Record<string, unknown> {
  const number = parsePhone(phone);
  const ofNetwork = network === "" ? (number === null ? null : networkHint(number)) : network;
  if (!("amount" in category.body.properties)) {
    return value === "" ? {} : { product_id: productNamed(value, ofNetwork) };
  }
  return {
    ...(value === "" ? {} : { amount: amountOf("amount", value) }),
    ...(ofNetwork === null ? {} : { network: ofNetwork }),
  };
}

/** Finds a product by its id, code, plan or name; of the number's network, where several have the plan. */
function productNames({ category, principal, catalogue }: Reading) {
  const byName = new Map<string, Product[]>();
  const offered = catalogue
    .billers(principal)
    .filter(({ biller }) => biller.category === category.slug)
    .flatMap(({ products }) => products.filter(({ available }) => available));
  for (const product of offered) {
    for (const name of new Set([product.code, product.name, product.plan ?? product.name].map(plain))) {
      byName.set(name, [...(byName.get(name) ?? []), product]);
    }
  }
  return (text: string, network: string | null): number | string => {
    if (/^[0-9]+$/.test(text)) return text;
    const named = byName.get(plain(text)) ?? [];
    const fitting =
      named.length === 1 ? named : named.filter(({ biller }) => biller.network === network?.toUpperCase());
    const [only, another] = fitting;
    if (only !== undefined && another === undefined) return only.id;
    const sentence =
      named.length === 0
        ? "Is no product on offer: use its number."
        : "Fits several products: use the product's number.";
    throw new Refusal("VALIDATION_ERROR", { errors: { product: [sentence] } });
  };
}

function plain(text: string): string {
  return text.toLowerCase().replace(/\s+/g, " ").trim();
}
