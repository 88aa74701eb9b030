import { createHash } from "node:crypto";
import type { TransactionIds } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { insertDifferences } from "./difference-queries.ts";
import type { Difference } from "./reconcile-supplier.ts";

/** More are no differences but a wrong column, day or supplier. */
const keptMax = 5_000;

/**
 * Keys of differences, by which each is found again in a later upload: the same for the same kind, names and amounts. Of
 * several alike, as where one sale was charged three times, each has its own.
 */
export function differenceKeys(differences: readonly Difference[]): readonly Buffer[] {
  const seen = new Map<string, number>();
  return differences.map(({ set, reference, transactionId, attempt, providerReference, ours, theirs }) => {
    const parts = [set, reference, transactionId, attempt, providerReference, String(ours), String(theirs)];
    const name = JSON.stringify(parts);
    const nth = (seen.get(name) ?? 0) + 1;
    seen.set(name, nth);
    return createHash("sha256").update(`${name}\n${nth}`).digest();
  });
}

/** Keeps what a comparison found, so that each is taken to an end. @throws Refusal where these are too many to be true */
export async function keepDifferences(
  { database, transactionIds }: { readonly database: Database; readonly transactionIds: TransactionIds },
  of: { readonly supplier: string; readonly fromDay: string; readonly toDay: string; readonly by: string },
  differences: readonly Difference[],
): Promise<{ readonly added: number; readonly known: number }> {
  if (differences.length > keptMax) {
    const message = `More than ${keptMax} differences: check the columns, the days and whose reference it is.`;
    throw refuse("VALIDATION_ERROR", { message });
  }
  const keys = differenceKeys(differences);
  const kept = differences.map(({ transactionId, ...difference }, at) => ({
    ...difference,
    key: keys[at] as Buffer,
    purchaseId: transactionId === null ? null : transactionIds.parse(transactionId, "live"),
  }));
  const added = await database.transaction((tx) => insertDifferences(tx, of, kept));
  return { added, known: kept.length - added };
}
