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

const minuteMs = 60_000;

/** `40 s`, `28 min`, `2 h 14 min`, `3 days`. */
export function spanText(ms: number): string {
  if (ms < minuteMs) return `${Math.max(0, Math.floor(ms / 1_000))} s`;
  const minutes = Math.floor(ms / minuteMs);
  if (minutes < 60) return `${minutes} min`;
  if (minutes < 2_880) return `${Math.floor(minutes / 60)} h${minutes % 60 === 0 ? "" : ` ${minutes % 60} min`}`;
  return `${Math.floor(minutes / 1_440)} days`;
}

/** `1 sale`, `2 sales`. */
export function countText(count: number, one: string, many = `${one}s`): string {
  return `${String(count).replace(/\B(?=(\d{3})+$)/g, ",")} ${count === 1 ? one : many}`;
}
