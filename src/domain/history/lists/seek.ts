import type { PurchaseId, TransactionIds, WalletKey } from "../../../kernel/ids.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import { parsePhone, readDigits, readNumber } from "../../../kernel/phone.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { FactFilter } from "./count-queries.ts";
import type { Sought } from "./list-queries.ts";
import { listSoughtIds } from "./sought-queries.ts";

/** No index leads to a part of a number or to an amount: they are looked for in so many purchases, the newest of the time that is asked for. */
export const partsAmong = 20_000;
const textMax = 100;

/**
 * Whatever is typed or pasted into a search box: our transaction id, or all of these at once, as a reference may look like a
 * number: a reference of a purchase or bulk order, a number in any spelling, and a part of one of at least 4 digits.
 */
export async function seek(
  { database, transactionIds }: { readonly database: Queryable; readonly transactionIds: TransactionIds },
  wallet: WalletKey,
  typed: string,
  time: Pick<FactFilter, "fromId" | "beforeId">,
): Promise<{ readonly id: PurchaseId } | { readonly sought: Sought }> {
  const text = typed
    .replace(/[\p{Cf}\0]/gu, "")
    .trim()
    .slice(0, textMax);
  const id = transactionIds.parse(text, wallet.mode);
  if (id !== null) return { id };
  const numbers = [...new Set([text, readNumber(text), readDigits(text) ?? text])];
  const names = { reference: parseStoredReference(text), part: partOf(text) };
  return { sought: { numbers, ids: await listSoughtIds(database, wallet, names, { ...time, partsAmong }) } };
}

/** The part of a number that a text may be; null for a whole phone number, and for what is too short or no number. */
export function partOf(text: string): string | null {
  const digits = readDigits(text);
  if (digits === null || digits.length < 4 || digits.length > 13 || parsePhone(digits) !== null) return null;
  return digits;
}
