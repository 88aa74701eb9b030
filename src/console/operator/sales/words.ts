import { maskedNumber } from "../../../domain/history/search/timeline.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";

/** The page of one sale. */
export function salePath(transactionIds: TransactionIds, { id, wallet }: Pick<Purchase, "id" | "wallet">): string {
  return `/operator/sales/${transactionIds.format(id, wallet.mode)}`;
}

/** A customer's number by its last digits: a list shows many, and who needs one whole opens the sale, which is logged. */
export function shortNumber(number: string | null): string {
  return maskedNumber(number)?.replace(/^\*+/, "…") ?? "";
}
