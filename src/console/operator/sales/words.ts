import { maskedNumber } from "../../../domain/history/search/timeline.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import type { Purchase } from "../../../domain/purchases/purchase.ts";
import type { MerchantId, TransactionIds } from "../../../kernel/ids.ts";
import { Status } from "../../kit/parts/text.tsx";

/** The page of one sale. */
export function salePath(transactionIds: TransactionIds, { id, wallet }: Pick<Purchase, "id" | "wallet">): string {
  return `/operator/sales/${transactionIds.format(id, wallet.mode)}`;
}

export function merchantPath(id: MerchantId): string {
  return `/operator/merchants/${formatMerchantId(id)}`;
}

export const statusNames = { successful: "Delivered", pending: "Pending", failed: "Failed, refunded" } as const;

/** How a sale came, as people say it. */
export const channelNames = { api: "API", dashboard: "Console", bulk: "Bulk", legacy: "Older API" } as const;

/** A sale's state by word, shape and colour. */
export function saleStatus({ status, refundedAt }: Pick<Purchase, "status" | "refundedAt">) {
  if (status === "successful" && refundedAt !== null) return <Status kind="quiet">Refunded later</Status>;
  return <Status>{status === "failed" && refundedAt === null ? "Failed" : statusNames[status]}</Status>;
}

/** A customer's number by its last digits: a list shows many, and who needs one whole opens the sale, which is logged. */
export function shortNumber(number: string | null): string {
  return maskedNumber(number)?.replace(/^\*+/, "…") ?? "";
}
