import { readBook, type SupplierLine } from "./book.ts";

/** What the suppliers' books say of one purchase, all attempts together. */
export interface Deeds {
  vends: number;
  declines: number;
  /** The amount of the last vend, in naira; null where the product fixes it. */
  amount: string | null;
  number: string;
}

export interface SupplierTruth {
  /** By our transaction id. */
  readonly deeds: ReadonlyMap<string, Deeds>;
  readonly vendedTwice: readonly string[];
  readonly vends: number;
}

/** Reads the books of all suppliers. */
export async function readSuppliers(files: readonly string[]): Promise<SupplierTruth> {
  const deeds = new Map<string, Deeds>();
  const vendsOf = new Map<string, number>();
  let vends = 0;
  for (const file of files) {
    await readBook<SupplierLine>(file, ({ reference, did, number, amount }) => {
      const id = reference.slice(0, reference.lastIndexOf("-"));
      const known = deeds.get(id) ?? { vends: 0, declines: 0, amount: null, number };
      deeds.set(id, known);
      if (did === "declined") known.declines += 1;
      else {
        vends += 1;
        known.vends += 1;
        known.amount = amount;
        vendsOf.set(reference, (vendsOf.get(reference) ?? 0) + 1);
      }
    });
  }
  const vendedTwice = [...vendsOf].flatMap(([reference, times]) =>
    times > 1 ? [`${reference} was vended ${times} times`] : [],
  );
  return { deeds, vendedTwice, vends };
}
