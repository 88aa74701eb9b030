import type { StubRecord } from "../../tests/support/suppliers/stub-dialect.ts";
import { nameHere, nameThere, type Stand } from "./stands.ts";

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
