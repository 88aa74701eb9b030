import { readWritten } from "./body/json-reader.ts";

/** Entries that are parsed, or looked at, before other requests have their turn: about a millisecond. */
export const entriesPerSlice = 250;

/** A list of a large body: its entries, some at a time, each slice parsed when its turn comes. */
export class SlicedList {
  readonly length: number;
  readonly #slices: readonly string[];
  readonly #isMarked: boolean;

  constructor(written: { readonly length: number; readonly slices: readonly string[] }, isMarked: boolean) {
    this.length = written.length;
    this.#slices = written.slices;
    this.#isMarked = isMarked;
  }

  *slices(): Generator<readonly unknown[]> {
    for (const slice of this.#slices) yield readWritten(slice, this.#isMarked) as unknown[];
  }
}

/** The same of a list that was parsed with its body. */
export function* slicesOf(list: readonly unknown[] | SlicedList): Generator<readonly unknown[]> {
  if (list instanceof SlicedList) yield* list.slices();
  else for (let at = 0; at < list.length; at += entriesPerSlice) yield list.slice(at, at + entriesPerSlice);
}

export function isList(value: unknown): value is readonly unknown[] | SlicedList {
  return Array.isArray(value) || value instanceof SlicedList;
}
