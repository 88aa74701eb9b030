import { assert } from "../../kernel/assert.ts";
import { rowOf, type Value } from "../../platform/database/database.ts";
import { type NewPurchase, newPurchaseColumns, newPurchaseRow } from "../purchases/queries.ts";

/** An order's lines as `place_bulk_order` takes them. */
export interface WrittenLines {
  /** Rows of the type `bulk_line`. */
  readonly lines: readonly string[];
  /** Rows of the type `new_purchase`: a whole line of each kind. */
  readonly kinds: readonly string[];
}

interface LineRows {
  readonly written: WrittenLines;
  add(line: NewPurchase): void;
}

interface Kind {
  readonly number: number;
  readonly values: readonly Value[];
}

/** The columns that `place_bulk_order` takes from the kind, as they are the same for its lines. */
const kindColumns = newPurchaseColumns.filter(({ source }) => source === "kind" || source === "sent");

/**
 * Writes lines down by what is their own and by their kind: all that the lines for one product at one price share. Where
 * a product's lines come in several kinds at one price, each change of kind among them is written as one more.
 */
export function openLineRows(): LineRows {
  const lines: string[] = [];
  const kinds: string[] = [];
  const latest = new Map<string, Kind>();

  function kindOf(line: NewPurchase): Kind {
    const key = `${line.terms.productId} ${line.terms.total}`;
    const known = latest.get(key);
    const values = kindColumns.map(({ value }) => value(line));
    if (known?.values.every((value, index) => value === values[index])) return known;
    const kind = { number: kinds.push(newPurchaseRow(line)), values };
    latest.set(key, kind);
    return kind;
  }

  return {
    written: { lines, kinds },
    add(line) {
      const { id, reference, fingerprint, phone, customerRef } = line.terms;
      assert(phone === customerRef, "what is sold in bulk is sold to phones");
      const providerReference = line.vended === null ? null : line.vended.providerReference;
      lines.push(rowOf([id, reference, fingerprint, phone, providerReference, kindOf(line).number]));
    },
  };
}
