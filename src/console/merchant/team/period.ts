import type { SalesSpan } from "../../../domain/history/sales-by-person/queries.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { periodFilters } from "../../kit/list-page.tsx";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { momentText } from "../../kit/parts/text.tsx";
import type { Visit } from "../../kit/visit.ts";
import type { MerchantServices } from "../services.ts";

/** The filters of a list of sales, which is always about some days. */
export function salesPeriod(services: Pick<MerchantServices, "wallTime" | "clock">) {
  const period = periodFilters<Instant>(services, (instant) => instant);
  return { ...period, days: { ...period.days, isAlways: true } };
}

/** The address with so many days where it has no period. */
export function withUsualDays({ query }: Pick<Visit, "query">, days: "1" | "7"): Pick<Visit, "query"> {
  const has = ["days", "from", "to"].some((name) => (query.get(name) ?? "") !== "");
  return { query: has ? query : new Map([...query, ["days", days]]) };
}

/** A year of a team's days is read while somebody waits. */
const longestMs = 366 * 86_400_000;

/** The instants of what was chosen. */
export function spanOf(
  { wallTime, clock }: Pick<MerchantServices, "wallTime" | "clock">,
  { days, from, to }: { readonly days: Instant | null; readonly from: Instant | null; readonly to: Instant | null },
): Pick<SalesSpan, "from" | "before"> {
  const before = to ?? wallTime.dayOf(clock.now()).end;
  const start = days ?? from ?? wallTime.dayOf(before - 1).start;
  return { from: Math.max(start, before - longestMs), before };
}

/** `26 Nov 2026`, or the first and the last day. */
export function periodText(format: MomentFormat, { from, before }: Pick<SalesSpan, "from" | "before">): string {
  const [first, last] = [momentText(format, from, "day"), momentText(format, before - 1, "day")];
  return first === last ? first : `${first} to ${last}`;
}
