import { unservedPercent, type WhatWaits } from "../../../domain/history/today/what-waits.ts";
import { countText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { namedMax, type Risk, sinceOf } from "./risk.ts";

export function unservedRisks({ unserved }: WhatWaits, visit: StaffVisit): Risk[] {
  return unserved.map((product) => ({
    icon: "cross",
    title: `No supplier for ${product.product}`,
    detail: `${countText(product.refused, "sale")} refused this hour and last, ${unservedPercent(product)}% of those asked for`,
    href: visit.may("see_suppliers") ? `/operator/routes/${product.productId}` : null,
    amount: product.amount,
    act: ["Now", "stop"],
  }));
}

/** What happened after a sale, and what waits for a person. */
export function waitingRisks(waits: WhatWaits, now: number, visit: StaffVisit): readonly (Risk | null)[] {
  return [
    reversalRisk(waits, now, visit),
    ...waits.stoppedChanges.map(({ id, endedAt }) => stoppedChangeRisk(id, sinceOf(endedAt, now), visit)),
    approvalRisk(waits, now, visit),
    merchantsRisk(waits, now),
  ];
}

function reversalRisk(
  { reversals: { count, total, firstAt } }: WhatWaits,
  now: number,
  visit: StaffVisit,
): Risk | null {
  if (count === 0) return null;
  return {
    icon: "repeat",
    title: `${countText(count, "sale")} taken back by suppliers`,
    detail: "In 24 hours, after delivery. Their merchants were refunded",
    href: visit.may("see_reports") ? "/operator/reports?days=2" : null,
    sinceMs: sinceOf(firstAt, now),
    amount: total,
    act: ["Look", "waiting"],
  };
}

function stoppedChangeRisk(id: number, sinceMs: number | null, visit: StaffVisit): Risk {
  return {
    icon: "alert",
    title: `Price change ${id} wasn’t made`,
    detail: "Prices had changed before its time came",
    href: visit.may("see_prices") ? `/operator/prices/changes/${id}` : null,
    sinceMs,
    act: ["Make it again", "waiting"],
  };
}

/** What one person requested and another one decides. */
function approvalRisk({ approvals }: WhatWaits, now: number, visit: StaffVisit): Risk | null {
  const oldest = approvals.at(-1);
  if (oldest === undefined) return null;
  const makers = [...new Set(approvals.map(({ makerName }) => makerName))].slice(0, namedMax).join(", ");
  return {
    icon: "users",
    title: `${countText(approvals.length, "request")} waiting for a second person`,
    detail: `Asked for by ${makers}`,
    href: visit.may("approve") ? "/operator/approvals" : null,
    sinceMs: now - oldest.createdAt,
    act: ["Decide", "waiting"],
  };
}

function merchantsRisk({ merchants }: WhatWaits, now: number): Risk | null {
  const [first] = merchants;
  if (first === undefined) return null;
  return {
    icon: "users",
    title: `${countText(merchants.length, "merchant")} waiting for live access`,
    detail: merchants
      .slice(0, namedMax)
      .map(({ name }) => name)
      .join(", "),
    href: "/operator/merchants?state=waiting",
    sinceMs: sinceOf(first.requestedAt, now),
    act: ["Decide", "waiting"],
  };
}
