import type { Category } from "../../../categories/category.ts";
import type { Product } from "../../../categories/product/product.ts";
import type { BulkLine } from "../../../domain/bulk-orders/bulk-order.ts";
import { checkLines } from "../../../domain/bulk-orders/lines.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import type { Principal } from "../../../domain/merchants/merchant.ts";
import type { PricedIntent } from "../../../domain/purchases/buying/prepare-purchase.ts";
import { type ProductId, parseReference, type Reference } from "../../../kernel/ids.ts";
import { networkHint } from "../../../kernel/phone.ts";
import { type FieldErrors, Refusal } from "../../../kernel/problems.ts";
import { moneyText } from "../../kit/parts/text.tsx";
import { productFinder, type Repair, readAmount, readNetwork, readPhone, splitNetwork } from "./read-cells.ts";
import type { Column, TypedLine } from "./read-list.ts";

/** Why a line can't be bought, and the cell where that is put right; `line` where it is all of it. */
export interface Fault {
  readonly column: Column | "line";
  readonly sentence: string;
}

/** A line as the API would have it; of a wrong one, its faults. */
export interface ReadLine extends TypedLine {
  readonly phone: string | null;
  /** The product or amount, as far as that is known without a price. */
  readonly what: string;
  readonly faults: readonly Fault[];
  /** Null where something is wrong with it. */
  readonly sound: { readonly line: BulkLine; readonly priced: PricedIntent } | null;
}

type Unpriced = Omit<ReadLine, "sound"> & { readonly line: BulkLine | null };

interface Services {
  readonly category: Category;
  readonly principal: Principal;
  readonly catalogue: CatalogueSnapshot;
  readonly reference: Reference;
  /** @throws Refusal with the faults of a line's fields */
  readonly check: (body: Readonly<Record<string, unknown>>) => void;
  readonly yieldToEventLoop: () => Promise<void>;
}

const linesPerSlice = 50;
/** What the phone cells of the template's two lines begin with. */
export const exampleMark = "EXAMPLE";

/** Reads and prices every line, and counts what was repaired. @throws Refusal CATEGORY_NOT_ALLOWED */
export async function readLines(lines: readonly TypedLine[], services: Services) {
  const { category, yieldToEventLoop } = services;
  const repaired = new Map<Repair, number>();
  const readOne = lineReader(services, (repair) => repaired.set(repair, (repaired.get(repair) ?? 0) + 1));
  const references = new Map<string, number>();
  const sound: BulkLine[] = [];
  const read: Unpriced[] = [];
  for (const [index, typed] of lines.entries()) {
    if (index % linesPerSlice === linesPerSlice - 1) await yieldToEventLoop();
    const { phone, what, body, faults } = readOne(typed);
    const { number, fields } = typed;
    const isWhole = fields.reference !== "" && faults.every(({ column }) => column !== "line");
    const first = isWhole ? references.get(fields.reference) : undefined;
    if (first !== undefined) faults.push({ column: "reference", sentence: `Same reference as line ${first}.` });
    else if (isWhole) references.set(fields.reference, number);
    const key = `line.${number}`;
    const line =
      faults.length > 0
        ? null
        : {
            ...{ key, fieldKey: (field: string) => `${key}.${field}`, reference: parseReference(fields.reference) },
            requested: category.read(body as never),
          };
    if (line !== null) sound.push(line);
    read.push({ ...typed, phone, what, faults, line });
  }
  const checked = await checkLines({ ...services, lines: sound });
  return { lines: withPrices(read, checked), repaired };
}

function withPrices(
  read: readonly Unpriced[],
  { errors, priced }: Awaited<ReturnType<typeof checkLines>>,
): readonly ReadLine[] {
  const byIntent = new Map(priced.map((one) => [one.requested, one]));
  const found = faultsByLine(errors);
  return read.map(({ line, faults: own, ...typed }) => {
    const faults = [...own, ...(found.get(typed.number) ?? [])];
    const one = line === null ? undefined : byIntent.get(line.requested);
    return {
      ...typed,
      faults,
      sound: line === null || one === undefined || faults.length > 0 ? null : { line, priced: one },
    };
  });
}

/** What the merchant can buy of a category now. */
export function offeredIn(catalogue: CatalogueSnapshot, principal: Principal, category: Category): readonly Product[] {
  return catalogue
    .billers(principal)
    .filter(({ biller }) => biller.category === category.slug)
    .flatMap(({ products }) => products.filter(({ available }) => available));
}

interface Body {
  readonly phone: string | null;
  readonly what: string;
  readonly body: Readonly<Record<string, unknown>>;
  readonly faults: Fault[];
}

/** Reads the cells of a line into the request that buys it. */
function lineReader(
  { category, principal, catalogue, check }: Services,
  noteRepair: (repair: Repair) => void,
): (line: TypedLine) => Body {
  const takesAmount = "amount" in category.body.properties;
  const findProduct = productFinder(offeredIn(catalogue, principal, category));
  return ({ fields, surplus, cells }) => {
    const isExample = fields.phone.toUpperCase().startsWith(exampleMark);
    if (isExample) return wrong("line", "This is an example from the template. Clear the line to leave it out.");
    if (surplus > 0)
      return wrong("line", `This line has ${cells.length} columns; we expect ${cells.length - surplus} at most.`);
    const faults: Fault[] = [];
    const take = <Value>(column: Column, reading: { value: Value | null; repair?: Repair; fault?: string }) => {
      if (reading.repair !== undefined) noteRepair(reading.repair);
      if (reading.fault !== undefined) faults.push({ column, sentence: reading.fault });
      return reading.value ?? undefined;
    };
    const phone = take("phone", readPhone(fields.phone));
    const [split, amount] =
      takesAmount && fields.network === "" ? splitNetwork(fields.value) : [fields.network, fields.value];
    const network = split === "" ? (phone === undefined ? null : networkHint(phone)) : readNetwork(split);
    const value = take<string | number>("value", takesAmount ? readAmount(amount) : findProduct(amount, network));
    if (takesAmount && network === null && faults.length === 0) {
      const sentence = "We can’t tell the network. Write it before the amount, such as MTN 500.";
      faults.push({ column: "value", sentence });
    }
    const ofValue = takesAmount ? { amount: value, ...(network === null ? {} : { network }) } : { product_id: value };
    const body = { phone, ...ofValue, ...(fields.reference === "" ? {} : { reference: fields.reference }) };
    const product = takesAmount ? null : catalogue.findProduct(Number(value) as ProductId);
    if (!takesAmount && value !== undefined && product?.biller.category !== category.slug) {
      faults.push({ column: "value", sentence: `We don’t sell product ${value}. See the numbers under Prices.` });
    }
    if (fields.reference !== "" && parseReference(fields.reference) === null) {
      const sentence = "Use up to 100 letters, digits, dots, dashes, underscores or colons.";
      faults.push({ column: "reference", sentence });
    }
    if (faults.length === 0) faults.push(...faultsOf(() => check(body)));
    const what = takesAmount && value !== undefined ? moneyText(String(value)) : (product?.name ?? fields.value);
    return { phone: phone ?? null, what, body, faults };
  };
}

function wrong(column: Fault["column"], sentence: string): Body {
  return { phone: null, what: "", body: {}, faults: [{ column, sentence }] };
}

function faultsOf(check: () => void): readonly Fault[] {
  try {
    check();
    return [];
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const errors = error.detail.errors ?? { product_id: [error.message] };
    return Object.entries(errors).map(([field, sentences]) => faultOf(field, sentences));
  }
}

/** `line.17.phone` is a fault of line 17. */
export function faultsByLine(errors: FieldErrors): ReadonlyMap<number, readonly Fault[]> {
  const faults = new Map<number, Fault[]>();
  for (const [key, sentences] of Object.entries(errors)) {
    const [, number, field = "line"] = /^line\.([0-9]+)(?:\.(.+))?$/.exec(key) ?? [];
    if (number === undefined) continue;
    faults.set(Number(number), [...(faults.get(Number(number)) ?? []), faultOf(field, sentences)]);
  }
  return faults;
}

function faultOf(field: string, sentences: readonly string[]): Fault {
  const column = field === "phone" || field === "reference" || field === "line" ? field : "value";
  return { column, sentence: sentences.map(inNaira).join(" ") };
}

/** The API's bounds of an amount, for people. */
function inNaira(sentence: string): string {
  const [, end, bound = ""] = /^Must be at (least|most) ([0-9.]+)\.$/.exec(sentence) ?? [];
  return end === undefined ? sentence : `The ${end} is ${moneyText(bound).replace(/\.00$/, "")}.`;
}
