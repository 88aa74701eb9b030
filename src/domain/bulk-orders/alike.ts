import type { Instant } from "../../kernel/clock.ts";
import { firstPurchaseIdAt, type Reference, type WalletKey } from "../../kernel/ids.ts";
import { add, zeroKobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { type LineFacts, listAlikeOrders, listLineFacts } from "./queries.ts";

/** How long a list that is sent again is more likely a mistake than the next one. */
export const alikeMs = 24 * 3_600_000;
/** Orders of as many lines for as much whose lines are compared. */
const comparedMax = 5;

/** The newest other order of the last day with the same lines, whatever their sequence and references; else null. */
export async function findAlikeOrder(
  db: Queryable,
  order: {
    readonly wallet: WalletKey;
    readonly category: string;
    readonly reference: Reference;
    readonly lines: readonly LineFacts[];
    readonly now: Instant;
  },
): Promise<Reference | null> {
  const { wallet, category, reference, lines } = order;
  const amount = lines.reduce((sum, line) => add(sum, line.amount), zeroKobo);
  const facts = { category, reference, lines: lines.length, amount };
  const since = { sinceId: firstPurchaseIdAt((order.now - alikeMs) as Instant), limit: comparedMax };
  const requested = sameFor(lines);
  for (const other of await listAlikeOrders(db, wallet, facts, since)) {
    if (sameFor(await listLineFacts(db, wallet, other)) === requested) return other;
  }
  return null;
}

/** One text for all lists of these lines. */
function sameFor(lines: readonly LineFacts[]): string {
  return lines
    .map(({ productId, customerRef, amount }) => `${customerRef} ${productId} ${amount}`)
    .sort()
    .join();
}
