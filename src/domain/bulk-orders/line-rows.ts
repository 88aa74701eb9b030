import { assert } from "../../kernel/assert.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { rowOf } from "../../platform/database.ts";
import { type NewPurchase, newPurchaseRow } from "../purchases/queries.ts";

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
  readonly sample: NewPurchase;
}

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
    if (known !== undefined && isOfOneKind(known.sample, line)) return known;
    const kind = { number: kinds.push(newPurchaseRow(line)), sample: line };
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

/** Whether two lines of an order differ in nothing that `place_bulk_order` takes from the kind. */
function isOfOneKind(one: NewPurchase, other: NewPurchase): boolean {
  const [a, b] = [one.terms, other.terms];
  return (
    a.productId === b.productId &&
    a.quantity === b.quantity &&
    a.unitAmount === b.unitAmount &&
    a.faceAmount === b.faceAmount &&
    a.fee === b.fee &&
    a.total === b.total &&
    a.supplier === b.supplier &&
    a.supplierCode === b.supplierCode &&
    one.cost === other.cost &&
    one.routeReason === other.routeReason &&
    one.step === other.step &&
    one.dueSeconds === other.dueSeconds &&
    one.dayLimit === other.dayLimit &&
    isSame(a.details, b.details) &&
    isSame(a.metadata, b.metadata) &&
    isSame(one.vended?.fulfilment, other.vended?.fulfilment) &&
    (one.vended === null) === (other.vended === null)
  );
}

function isSame(a: JsonObject | null | undefined, b: JsonObject | null | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b);
}
