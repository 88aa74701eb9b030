import type { CountedDay } from "../../domain/history/lists/count-queries.ts";
import type { Kobo } from "../../kernel/money.ts";
import { Chart, shortNumber } from "../kit/parts/chart.tsx";
import { Sheet } from "../kit/parts/layout.tsx";
import { useSurroundings } from "../kit/parts/surroundings.ts";
import { dayText, grouped, moneyText } from "../kit/parts/text.tsx";
import { useVisit } from "./visit.ts";

/** What was sold and what failed, by day: in naira, or as how many. */
export function Sales({ days }: { readonly days: readonly CountedDay[] }) {
  const visit = useVisit();
  const { format } = useSurroundings();
  // Money is what a merchant looks for; the number of purchases stands behind a link.
  const isMoney = visit.query.get("sales") !== "number";
  const here = visit.to("overview");
  const choice = (
    <span class="switch">
      <a href={here} aria-current={isMoney ? "true" : undefined}>
        Naira
      </a>
      <a href={`${here}?sales=number`} aria-current={isMoney ? undefined : "true"}>
        Number
      </a>
    </span>
  );
  const lines = (delivered: (day: CountedDay) => number, failed: (day: CountedDay) => number) =>
    [
      { name: "delivered", look: "area", values: days.map(delivered) },
      { name: "failed and refunded", look: "bad", values: days.map(failed) },
    ] as const;
  const shown = isMoney
    ? {
        series: lines(
          ({ sold }) => nairaOf(sold),
          ({ refunded }) => nairaOf(refunded),
        ),
        format: (naira: number) => moneyText(naira.toFixed(2)),
        formatTick: (naira: number) => `₦${shortNumber(naira)}`,
      }
    : {
        series: lines(
          ({ successful }) => successful,
          ({ failed }) => failed,
        ),
        format: grouped,
      };
  return (
    <Sheet title="Sales a day" note={choice}>
      <Chart
        title={`${isMoney ? "Naira" : "Purchases"} a day over ${days.length} days`}
        labels={days.map(({ date }) => dayText(format, date))}
        {...shown}
      />
    </Sheet>
  );
}

/** For drawing; a double has every kobo of it. */
function nairaOf(amount: Kobo): number {
  return Number(amount) / 100;
}
