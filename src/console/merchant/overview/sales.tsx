import type { CountedDay } from "../../../domain/history/lists/count-queries.ts";
import type { TodayAndLastWeek } from "../../../domain/history/sales/sales.ts";
import type { SoldOfProduct } from "../../../domain/history/sales/sales-queries.ts";
import type { Kobo } from "../../../kernel/money.ts";
import { Chart, shortNumber } from "../../kit/parts/chart.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { dayText, grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import { useVisit } from "../access.ts";
import { nairaOf } from "./figures.tsx";

const money = {
  format: (naira: number) => moneyText(naira.toFixed(2)),
  formatTick: (naira: number) => `₦${shortNumber(naira)}`,
};

interface SalesChartProps {
  readonly days: readonly CountedDay[];
  readonly today: TodayAndLastWeek | null;
}

/** Today's sales by hour over last week's, or the days of a month, as the address says. */
export function SalesChart({ days, today }: SalesChartProps) {
  const visit = useVisit();
  const hasHours = today !== null && [today.today, today.lastWeek].some(({ hours }) => hours.some((sold) => sold > 0n));
  const isByHour = hasHours && visit.query.get("sales") !== "days";
  const here = visit.to("overview");
  const other = isByHour ? (
    <a href={`${here}?sales=days`}>{days.length} days</a>
  ) : hasHours ? (
    <a href={here}>Today by hour</a>
  ) : undefined;
  return (
    <Sheet title={isByHour ? "Sales by hour" : "Sales by day"} note={other}>
      {isByHour ? <ByHour today={today} /> : <ByDay days={days} />}
    </Sheet>
  );
}

function ByHour({ today: { today, lastWeek } }: { readonly today: TodayAndLastWeek }) {
  const places = Math.max(today.hours.length, lastWeek.hours.length);
  const labels = Array.from({ length: places }, (_, hour) => `${String(hour).padStart(2, "0")}:00`);
  const values = labels.map((_, hour) => nairaOf(today.hours)[hour] ?? null);
  return (
    <Chart
      title="Naira sold by hour, today and on the same day last week"
      labels={labels}
      series={[
        { name: "Today, full hours", look: "area", values },
        { name: "Same day last week", look: "before", values: nairaOf(lastWeek.hours) },
      ]}
      {...money}
    />
  );
}

function ByDay({ days }: Pick<SalesChartProps, "days">) {
  const { format } = useSurroundings();
  return (
    <Chart
      title={`Naira a day over ${days.length} days`}
      labels={days.map(({ date }) => dayText(format, date))}
      series={[
        { name: "Delivered", look: "area", values: nairaOf(days.map(({ sold }) => sold)) },
        { name: "Failed or refunded", look: "bad", values: nairaOf(days.map(({ refunded }) => refunded)) },
      ]}
      {...money}
    />
  );
}

type NamedProduct = Pick<SoldOfProduct, "sales" | "sold"> & {
  readonly name: string;
  readonly productId: number | null;
};

const productsShown = 6;

/** What sells best, by money; the rest in one line. */
export function TopProducts({ products, days }: { readonly products: readonly NamedProduct[]; readonly days: number }) {
  const visit = useVisit();
  if (products.length === 0) return null;
  const cut = products.length > productsShown ? productsShown - 1 : productsShown;
  const rest = products.slice(cut);
  const everythingElse: NamedProduct = {
    name: "Everything else",
    productId: null,
    sales: rest.reduce((sum, { sales }) => sum + sales, 0),
    sold: rest.reduce((sum, { sold }) => sum + sold, 0n) as Kobo,
  };
  const rows = rest.length === 0 ? products : [...products.slice(0, cut), everythingElse];
  const list = `${visit.to("transactions")}?status=successful&days=${days}`;
  const most = Number(products[0]?.sold ?? 1n);
  return (
    <TableSheet
      caption={`Top products, last ${days} days`}
      isCaptionHidden={false}
      isPlain
      rows={rows}
      columns={[
        {
          title: "Product",
          place: "lead",
          cell: ({ name, productId, sold }) => (
            <>
              {productId === null ? name : <a href={`${list}&product=${productId}`}>{name}</a>}
              <svg class="share" aria-hidden="true">
                <rect width={`${Math.min(100, Math.round((Number(sold) * 100) / most))}%`} height="6" rx="3" />
              </svg>
            </>
          ),
        },
        { title: "Sales", cell: ({ sales }) => grouped(sales), align: "end" },
        { title: "Amount", cell: ({ sold }) => <Money amount={sold} />, align: "end", place: "amount" },
      ]}
    />
  );
}
