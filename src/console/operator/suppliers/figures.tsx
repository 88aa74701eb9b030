import { deliveredOf, type SupplierHealth } from "../../../domain/history/suppliers/supplier-health.ts";
import type { SupplierPace } from "../../../domain/history/today/supplier-days.ts";
import type { KnownBreaker } from "../../../domain/suppliers/routing/count-queries.ts";
import type { Standing } from "../../../domain/suppliers/routing/limits.ts";
import type { Supplier } from "../../../domain/suppliers/routing/route.ts";
import type { SupplierSettings } from "../../../domain/suppliers/settings.ts";
import type { Figure } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { countText, currencyText, grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";

import { hoursText } from "../today/risks.tsx";
import { categoryName, percentText, tookText } from "./health-tables.tsx";

interface NoticesProps {
  readonly supplier: Supplier;
  readonly breakers: readonly KnownBreaker[];
}

/** What stands still: the supplier itself, or categories that its breaker keeps away. */
export function Notices({ supplier: { name, state }, breakers }: NoticesProps) {
  const open = breakers.filter(({ isOpen }) => isOpen);
  const [first] = open.toSorted((one, other) => (one.openedAt ?? one.openAt) - (other.openedAt ?? other.openAt));
  return (
    <>
      {state === "disabled" ? (
        <Flash kind="note">{`${name} gets no new sale until somebody starts it. We still requery sales already sent.`}</Flash>
      ) : null}
      {first === undefined ? null : (
        <Flash kind="bad">
          <strong>
            {open.map(({ category }) => categoryName(category)).join(", ")} stopped since{" "}
            <Moment at={first.openedAt ?? first.openAt} style="list" />
          </strong>
          <p>
            Too many sales in a row had no answer. A trial sale goes there within five minutes; a good one starts it
            again.
          </p>
        </Flash>
      )}
    </>
  );
}

interface Measured {
  readonly pace: SupplierPace | null;
  readonly settings: SupplierSettings;
  readonly standing: Standing;
  readonly health: SupplierHealth;
}

/** How long its money lasts, how much it delivers, how quickly, and what is left of the day. */
export function figuresOf({ pace, settings, standing, health }: Measured): Figure[] {
  const { total, bySlot } = health;
  const lately = bySlot.findLast((came) => came !== null) ?? null;
  const delivered = deliveredOf(total);
  return [
    balanceFigure(pace, settings.alarmBelow),
    {
      label: "Delivered at the first answer",
      value: delivered === null ? "–" : percentText(delivered),
      note: lately === null ? "Nothing sold" : `${percentText(deliveredOf(lately))} in the last hour with sales`,
      isAlarm: delivered !== null && delivered < 90,
    },
    {
      label: "Answer time: half, 95% within",
      value: total.p50 === null ? "–" : `${tookText(total.p50)} / ${tookText(total.p95)}`,
      note: total.p50 === null ? "Nothing sold" : `${grouped(total.vended + total.declined + total.unknown)} answers`,
    },
    dayFigure(settings, standing),
  ];
}

function balanceFigure(pace: Measured["pace"], alarmBelow: bigint | null): Figure {
  const label = "Balance lasts";
  if (pace === null || pace.balance === null) return { label, value: "–", note: "Balance not reported" };
  const { balance, currency, hoursLeft, isLow, reportedAt } = pace;
  const inMoney = (amount: bigint) => currencyText(amount, currency);
  return {
    label: hoursLeft === null ? "Balance" : label,
    value: hoursLeft === null ? inMoney(balance) : hoursText(hoursLeft),
    note: (
      <>
        {hoursLeft === null ? "" : `${inMoney(balance)} · `}
        {reportedAt === null ? null : (
          <>
            at <Moment at={reportedAt} style="list" />
          </>
        )}
        {alarmBelow === null ? " · no alarm" : ` · alarm below ${inMoney(alarmBelow)}`}
      </>
    ),
    isAlarm: isLow,
  };
}

function dayFigure({ dayCost, dayPurchases }: SupplierSettings, standing: Standing): Figure {
  const { cost, purchases } = standing;
  if (dayCost === null && dayPurchases === null) {
    return { label: "Cost today", value: <Money amount={cost} />, note: `${countText(purchases, "sale")}, no cap` };
  }
  const left = dayCost === null ? null : dayCost > cost ? dayCost - cost : 0n;
  const salesLeft = dayPurchases === null ? null : Math.max(0, dayPurchases - purchases);
  return {
    label: "Left of today’s cap",
    value: left === null ? countText(salesLeft ?? 0, "sale") : <Money amount={left} />,
    note: [
      ...(dayCost === null ? [] : [`${moneyText(cost)} of ${moneyText(dayCost)}`]),
      ...(salesLeft === null ? [] : [`${grouped(purchases)} of ${countText(dayPurchases ?? 0, "sale")}`]),
    ].join(" · "),
    isAlarm: left === 0n || salesLeft === 0,
  };
}
