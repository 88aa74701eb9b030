import { maskedNumber } from "../../../domain/history/search/timeline.ts";
import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { MerchantId, TransactionIds } from "../../../kernel/ids.ts";
import type { Queryable } from "../../../platform/database/database.ts";

export function salePath(transactionIds: TransactionIds, { id, wallet }: Pick<Purchase, "id" | "wallet">): string {
  return `/operator/sales/${transactionIds.format(id, wallet.mode)}`;
}

export type MerchantNames = ReadonlyMap<MerchantId, string>;

export function merchantNames(db: Queryable, sales: readonly Pick<Purchase, "wallet">[]): Promise<MerchantNames> {
  const ids = sales.map(({ wallet }) => wallet.merchantId);
  return listMerchantNames(db, ids);
}

/** A customer's number by its last digits: a list shows many, and who needs one whole opens the sale, which is logged. */
export function shortNumber(number: string | null): string {
  return maskedNumber(number)?.replace(/^\*+/, "…") ?? "";
}
