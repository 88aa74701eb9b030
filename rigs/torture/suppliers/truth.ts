import { formatHundredths, type Kobo, kobo } from "../../../src/kernel/money.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { StubRecord } from "../../../tests/support/suppliers/stub-dialect.ts";
import type { StoredPurchase } from "../verdict.ts";
import { nameHere, nameThere, type Stand } from "./stands.ts";

/** An attempt as our database has it. */
export interface StoredAttempt {
  readonly id: bigint;
  readonly supplier: string;
  readonly supplierReference: string;
  readonly supplierCode: string | null;
  readonly verdict: "vended" | "declined";
}

/** Something that went out of a supplier, by its own book. */
export interface Deed {
  readonly supplier: string;
  /** As the supplier calls it. */
  readonly name: string;
  /** Null where none of our purchases is known by what it was asked for. */
  readonly purchase: StoredPurchase | null;
  /** The attempt of ours that names it; null where none does. */
  readonly attempt: StoredAttempt | null;
  readonly isReversed: boolean;
  /** How what was asked for differs from what was bought; null where it does not. */
  readonly fault: string | null;
}

export interface Books {
  readonly purchases: ReadonlyMap<string, StoredPurchase>;
  readonly attempts: readonly StoredAttempt[];
  readonly stands: readonly Stand[];
  /** What was fulfilled by hand, by our name for the attempt. */
  readonly byHand: ReadonlyMap<string, "vended" | "declined">;
}

/** Everything that went out, anywhere. */
export async function readDeeds(database: Database, books: Books): Promise<Deed[]> {
  const byId = new Map([...books.purchases.values()].map((purchase) => [purchase.id as bigint, purchase]));
  const attemptOf = new Map(books.attempts.map((attempt) => [attempt.supplierReference, attempt]));
  const own = (supplier: string) => (name: string, fault: string | null) => {
    const attempt = attemptOf.get(name) ?? null;
    const purchase = byId.get(attempt?.id ?? 0n) ?? null;
    return { supplier, name, attempt, purchase, isReversed: false, fault };
  };
  const handed = [...books.byHand].filter(([, did]) => did === "vended").map(([name]) => own("manual")(name, null));
  const sold = (await database.query<SoldVouchers>(listSold)).map(({ attempt, pieces }) => {
    const deed = own("voucher-stock")(attempt, null);
    const isOther = deed.purchase !== null && deed.purchase.quantity !== pieces;
    return { ...deed, fault: isOther ? `${pieces} vouchers instead of ${deed.purchase?.quantity}` : null };
  });
  return [...books.stands.flatMap((stand) => deedsOf(stand, books)), ...handed, ...sold];
}

interface SoldVouchers {
  readonly attempt: string;
  readonly pieces: number;
}

const listSold = {
  name: "list_torture_sold",
  text: `
    select sold_to as attempt, count(*)::integer as pieces
      from vouchers
     where sold_to is not null
     group by sold_to`,
};

/** The book of one supplier outside. */
function deedsOf(stand: Stand, books: Books): Deed[] {
  const { purchases, attempts } = books;
  const here = attempts.filter(({ supplier }) => supplier === stand.name);
  const byName = new Map(here.map((attempt) => [nameThere(stand, attempt.supplierReference), attempt]));
  const byPurchase = new Map(here.map((attempt) => [attempt.id, attempt]));
  const marks = indexOf([...purchases.values()]);
  return [...stand.stub.records.values()]
    .filter(({ state }) => state === "vended" || state === "reversed")
    .map((record) => {
      const ours = nameHere(stand, record.reference);
      const { references, numbers } = marksIn(record);
      const marked = [...references.map((each) => marks.get(each)), ...numbers.map((each) => marks.get(each))];
      const byMark = marked.find((each) => each !== undefined) ?? null;
      const purchase = ours === null ? byMark : (purchases.get(ours.slice(0, ours.lastIndexOf("-"))) ?? null);
      const attempt = byName.get(record.reference) ?? (ours === null ? byPurchase.get(purchase?.id ?? 0n) : undefined);
      const isOthers = byMark !== null && byMark !== purchase;
      const fault =
        purchase === null || attempt === undefined
          ? null
          : isOthers
            ? `it was asked for what ${byMark.reference} is for`
            : faultIn(record, { purchase, code: attempt.supplierCode, supplier: stand.name });
      return {
        supplier: stand.name,
        name: record.reference,
        purchase,
        attempt: attempt ?? null,
        isReversed: record.state === "reversed",
        fault,
      };
    });
}

/** Purchases by the marks that a supplier may have of them. */
function indexOf(purchases: readonly StoredPurchase[]): Map<string, StoredPurchase> {
  const index = new Map<string, StoredPurchase>();
  for (const purchase of purchases) {
    if (purchase.number !== null) index.set(plainNumber(purchase.number), purchase);
    index.set(purchase.reference, purchase);
  }
  return index;
}

/** What of a purchase a supplier may have been sent, whether it knows our references or not. */
export interface Marked {
  /** The merchant's: it stands in a text, an e-mail address or a name on a card. */
  readonly reference: string;
  /** The number that is bought for. */
  readonly number: string | null;
}

/** A number as any supplier writes it: with the country, with a zero, or without both. */
export function plainNumber(number: string): string {
  return number.replace(/[^0-9]/g, "").replace(/^(234|0)/, "");
}

/** The marks in what a supplier was asked for. */
export function marksIn({ calls }: StubRecord): {
  readonly references: readonly string[];
  readonly numbers: readonly string[];
} {
  const text = JSON.stringify(calls.body);
  const references = text.match(/ware-[0-9]{7}/g) ?? [];
  const numbers = (text.match(/[0-9]{8,14}/g) ?? []).map(plainNumber);
  return { references, numbers };
}

/** What the supplier has of an attempt, under its name there or, where it knows none of ours, by the purchase's marks. */
export function recordOf(stand: Stand, supplierReference: string, marked: Marked): StubRecord | null {
  const name = nameThere(stand, supplierReference);
  const named = name === null ? undefined : stand.stub.records.get(name);
  if (named !== undefined) return named;
  for (const record of stand.stub.records.values()) {
    if (nameHere(stand, record.reference) === null && isAbout(record, marked)) return record;
  }
  return null;
}

function isAbout(record: StubRecord, { reference, number }: Marked): boolean {
  const { references, numbers } = marksIn(record);
  return references.includes(reference) || (number !== null && numbers.includes(plainNumber(number)));
}

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
