import { unverifiedBefore, type WhatWaits } from "../../../domain/history/today/what-waits.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { countText, spanText } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { paymentsPath, providerPath } from "../payments/words.ts";
import type { Risk } from "./waiting-risks.ts";

/** Merchants' transfers that need a person: owed, nobody's, not verified, or not told of. */
export function paymentRisks({ payments, silent }: WhatWaits, now: Instant, visit: StaffVisit): readonly Risk[] {
  const { debts, unmatched, unverified, contradicted } = payments;
  const at = (path: string) => (visit.may("see_payments") ? path : null);
  const until = encodeURIComponent(new Date(unverifiedBefore(now)).toISOString());
  const risks: readonly [count: number, risk: Risk][] = [
    [
      unmatched.count,
      {
        icon: "wallet",
        title: `${countText(unmatched.count, "transfer")} unmatched`,
        detail: "They came to no merchant’s account",
        href: at(`${paymentsPath}?state=unmatched`),
        since: unmatched.since,
        amount: unmatched.total,
        act: ["Match", "waiting"],
      },
    ],
    [
      debts.merchants,
      {
        icon: "repeat",
        title: `${countText(debts.merchants, "merchant owes", "merchants owe")} us`,
        detail: `${countText(debts.payments, "transfer")} taken back after the money was spent. No sales until it’s paid`,
        href: at(`${paymentsPath}?state=owed`),
        amount: debts.total,
        act: ["Look", "waiting"],
      },
    ],
    [
      contradicted,
      {
        icon: "alert",
        title: `${countText(contradicted, "transfer")} contradicted by their providers`,
        detail: "Booked, and then said to be something else",
        href: at(`${paymentsPath}?state=contradicted`),
        act: ["Look", "waiting"],
      },
    ],
    [
      unverified.count,
      {
        icon: "clock",
        title: `${countText(unverified.count, "transfer")} not verified for over an hour`,
        detail: "Their providers don’t say whether they were paid",
        href: at(`${paymentsPath}?state=heard&to=${until}`),
        since: unverified.since,
        act: ["Look", "waiting"],
      },
    ],
  ];
  return [
    ...silent.map(
      ({ provider, lastAt, usualMs }): Risk => ({
        icon: "hook",
        title: `${provider} tells of no transfers`,
        detail: `It was never silent for more than ${spanText(usualMs)} before. Check its webhook and its keys`,
        href: at(providerPath(provider)),
        since: lastAt,
        act: ["Check", "bad"],
      }),
    ),
    ...risks.flatMap(([count, risk]) => (count === 0 ? [] : [risk])),
  ];
}
