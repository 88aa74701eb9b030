import { unservedPercent, type WhatWaits } from "../../../domain/history/today/what-waits.ts";
import type { IconName } from "../../kit/parts/icon.tsx";
import { countText, type StatusKind } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";

/** Something to be done, worst first. */
export interface Risk {
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  /** What it counts; null for a role that may not look there. */
  readonly href: string | null;
  readonly since?: number | null;
  readonly amount?: bigint;
  readonly act: readonly [word: string, kind: StatusKind];
}

export const namedMax = 3;

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
export function waitingRisks(waits: WhatWaits, visit: StaffVisit): readonly (Risk | null)[] {
  return [
    reversalRisk(waits, visit),
    ...waits.shortChanges.map((change) => shortChangeRisk(change, visit)),
    approvalRisk(waits, visit),
    merchantsRisk(waits),
  ];
}

function reversalRisk({ reversals: { count, total, firstAt } }: WhatWaits, visit: StaffVisit): Risk | null {
  if (count === 0) return null;
  return {
    icon: "repeat",
    title: `${countText(count, "sale")} taken back by suppliers`,
    detail: "In 24 hours, after delivery. Their merchants were refunded",
    href: visit.may("see_reports") ? "/operator/reports?days=2" : null,
    since: firstAt,
    amount: total,
    act: ["Look", "waiting"],
  };
}

function shortChangeRisk({ id, at, outcome }: WhatWaits["shortChanges"][number], visit: StaffVisit): Risk {
  return {
    icon: "alert",
    title: `Price change ${id} left prices out`,
    detail: outcome ?? "Prices had changed before its time came",
    href: visit.may("see_prices") ? `/operator/prices/changes/${id}` : null,
    since: at,
    act: ["Make it again", "waiting"],
  };
}

/** What one person requested and another one decides. */
function approvalRisk({ approvals }: WhatWaits, visit: StaffVisit): Risk | null {
  const [oldest] = approvals;
  if (oldest === undefined) return null;
  const makers = [...new Set(approvals.map(({ requesterName }) => requesterName))].slice(0, namedMax).join(", ");
  return {
    icon: "users",
    title: `${countText(approvals.length, "request")} waiting for a second person`,
    detail: `Asked for by ${makers}`,
    href: visit.may("approve") ? "/operator/approvals" : null,
    since: oldest.requestedAt,
    act: ["Decide", "waiting"],
  };
}

function merchantsRisk({ merchants }: WhatWaits): Risk | null {
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
    since: first.requestedAt,
    act: ["Decide", "waiting"],
  };
}
