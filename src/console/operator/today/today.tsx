import { addUp } from "../../../domain/history/closed-days/close-day.ts";
import { sumDay } from "../../../domain/history/closed-days/queries.ts";
import { subtract } from "../../../kernel/money.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";

const here = "/operator/today";

/** In one glance: is money at risk, and are we selling? */
export function todayPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page("/operator", { capability: "look", show: () => goTo(here) });
  routes.page(here, { capability: "look", show: () => todayPage(services) });
}

async function todayPage({ reads, wallTime, people }: OperatorServices): Promise<PageAnswer> {
  const today = wallTime.dayOf(people.clock.now());
  const sums = addUp(await sumDay(reads, today, { dimension: "all", timeZone: wallTime.timeZone }));
  return page(
    { title: "Today" },
    <Figures
      figures={[
        { label: "Sales", value: String(sums.sold) },
        { label: "Sold for", value: <Money amount={sums.sales} /> },
        { label: "Margin", value: <Money amount={subtract(sums.sales, sums.cost)} /> },
        { label: "Failed, refunded", value: String(sums.failed) },
      ]}
    />,
  );
}
