import type { BulkLine } from "../../../domain/bulk-orders/bulk-order.ts";
import { lineErrors, type ReadLine } from "../../../domain/bulk-orders/lines.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Category } from "../../../domain/categories/category.ts";
import type { Product } from "../../../domain/categories/product/product.ts";
import type { Principal } from "../../../domain/merchants/merchant.ts";
import { parseReference } from "../../../kernel/ids.ts";
import { networkHint, parsePhone } from "../../../kernel/phone.ts";
import { type FieldErrors, Refusal } from "../../../kernel/problems.ts";

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

/** Reads a pasted list: cells between commas, semicolons or tabs; a first line of names says what each is. */
export function readTyped(text: string): readonly TypedLine[] {
  const rows = text.split(/\r\n|\r|\n/).map((row) => row.trim());
  const first = rows.findIndex((row) => row !== "");
  const named = cellsOf(rows[first] ?? "").map((cell) => columnNames[cell.toLowerCase()]);
  const hasNames = named.length > 1 && named.every((name) => name !== undefined);
  const columns = hasNames ? named : usualColumns;
  return rows.flatMap((row, index) => {
    if (row === "" || (hasNames && index === first)) return [];
    const fields = Object.fromEntries(cellsOf(row).map((cell, at) => [columns[at] ?? `column ${at + 1}`, cell]));
    return [{ number: index + 1, text: row, fields }];
  });
}

/** As spreadsheets write them: a cell in quotes may hold a separator, and two quotes are one. */
function cellsOf(row: string): string[] {
  const separator = row.includes("\t") ? "\t" : row.includes(";") ? ";" : ",";
  const cells: string[] = [];
  let cell = "";
  let isQuoted = false;
  for (let at = 0; at < row.length; at += 1) {
    const character = row.charAt(at);
    if (character === '"' && isQuoted && row.charAt(at + 1) === '"') {
      cell += '"';
      at += 1;
    } else if (character === '"') isQuoted = !isQuoted;
    else if (character === separator && !isQuoted) {
      cells.push(cell.trim());
      cell = "";
    } else cell += character;
  }
  return [...cells, cell.trim()];
}

interface Reading {
  readonly category: Category;
  readonly principal: Principal;
  readonly catalogue: CatalogueSnapshot;
  /** @throws Refusal with the faults of a line's fields */
  readonly check: (body: Readonly<Record<string, unknown>>) => void;
  readonly yieldToEventLoop: () => Promise<void>;
}

const linesPerSlice = 250;

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
    const { phone = "", value = "", network = "", reference = "", ...unknown } = line.fields;
    const named = { key, reference: parseReference(reference), fieldKey: (field: string) => `${key}.${field}` };
    const extra = Object.values(unknown).some((cell) => cell !== "");
    try {
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
  const amount = value.replace(/[₦,\s]/g, "");
  return { ...(amount === "" ? {} : { amount }), ...(ofNetwork === null ? {} : { network: ofNetwork }) };
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
