import type { CountedDay } from "../../domain/transaction-lists/count-queries.ts";
import type { Kobo } from "../../kernel/money.ts";
import { Chart, shortNumber } from "../kit/parts/chart.tsx";
import { Sheet } from "../kit/parts/layout.tsx";
import { grouped } from "../kit/parts/list.tsx";
import { type MomentFormat, momentText, moneyText } from "../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../kit/visit.ts";

interface SalesProps {
  readonly visit: ModeVisit;
  readonly days: readonly CountedDay[];
  readonly format: MomentFormat;
}

/** What was sold and what failed, by day: in naira, or as how many. */
export function Sales({ visit, days, format }: SalesProps) {
  return (
    <Sheet title="Sales a day" note={<Switch visit={visit} />}>
      <SalesChart days={days} format={format} isMoney={isMoneyAsked(visit)} />
    </Sheet>
  );
}

/** Money is what a merchant looks for; the number of purchases stands behind a link. */
function isMoneyAsked({ query }: ModeVisit): boolean {
  return query.get("sales") !== "number";
}

function Switch({ visit }: { readonly visit: ModeVisit }) {
  const isMoney = isMoneyAsked(visit);
  const here = modePath(visit, "overview");
  return (
    <span class="switch">
      <a href={here} aria-current={isMoney ? "true" : undefined}>
        Naira
      </a>
      <a href={`${here}?sales=number`} aria-current={isMoney ? undefined : "true"}>
        Number
      </a>
    </span>
  );
}

function SalesChart({ days, format, isMoney }: Omit<SalesProps, "visit"> & { readonly isMoney: boolean }) {
  // Noon is the same day in every zone that a deployment has; which year, the order says.
  const labels = days.map(({ date }) =>
    momentText({ at: `${date}T12:00:00Z`, format, style: "day" }).replace(/ \d{4}$/, ""),
  );
  if (!isMoney) {
    return (
      <Chart
        title={`Purchases a day over ${days.length} days`}
        labels={labels}
        series={[
          { name: "delivered", look: "area", values: days.map(({ successful }) => successful) },
          { name: "failed and refunded", look: "bad", values: days.map(({ failed }) => failed) },
        ]}
        format={grouped}
      />
    );
  }
  return (
    <Chart
      title={`Naira a day over ${days.length} days`}
      labels={labels}
      series={[
        { name: "delivered", look: "area", values: days.map(({ sold }) => nairaOf(sold)) },
        { name: "failed and refunded", look: "bad", values: days.map(({ refunded }) => nairaOf(refunded)) },
      ]}
      format={(naira) => moneyText(naira.toFixed(2))}
      formatTick={(naira) => `₦${shortNumber(naira)}`}
    />
  );
}

/** For drawing; a double has every kobo of it. */
function nairaOf(amount: Kobo): number {
  return Number(amount) / 100;
}
