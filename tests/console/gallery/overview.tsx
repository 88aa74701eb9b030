import { Chart } from "../../../src/console/kit/parts/chart.tsx";
import { Alerts, Figures } from "../../../src/console/kit/parts/data.tsx";
import { Live } from "../../../src/console/kit/parts/form.tsx";
import { ButtonLink, Columns, PageHead, Sheet } from "../../../src/console/kit/parts/layout.tsx";
import { type Column, Table } from "../../../src/console/kit/parts/list.tsx";
import { Moment, Money, Status } from "../../../src/console/kit/parts/text.tsx";

export interface Sale {
  readonly at: string;
  readonly reference: string;
  readonly product: string;
  readonly customer: string;
  readonly charged: string;
  readonly status: string;
}

export const sales: readonly Sale[] = [
  ["14:05:12", "ORD-88213", "MTN 2 GB, 30 days", "0803 123 4567", "1240.00", "delivered"],
  ["14:05:09", "ORD-88212", "Ikeja Electric prepaid", "4512 0098 713", "9950.00", "pending"],
  ["14:05:02", "ORD-88211", "DStv Compact", "7023 4410 92", "0.00", "failed, refunded"],
  ["14:04:41", "ORD-88207", "Glo ₦500 airtime", "0805 000 0002", "490.00", "refunded"],
].map(([time = "", reference = "", product = "", customer = "", charged = "", status = ""]) => {
  return { at: `2026-11-23T${time}+01:00`, reference, product, customer, charged, status };
});

export const saleColumns: readonly Column<Sale>[] = [
  { title: "Time", cell: ({ at }) => <Moment at={at} style="time" />, place: "sub" },
  { title: "Reference", cell: ({ reference }) => <span class="id">{reference}</span>, place: "sub" },
  { title: "Product", cell: ({ product }) => product, place: "lead" },
  { title: "For", cell: ({ customer }) => <span class="phone">{customer}</span>, place: "sub" },
  { title: "Charged", cell: ({ charged }) => <Money amount={charged} />, align: "end", place: "amount" },
  { title: "Status", cell: ({ status }) => <Status>{status}</Status>, place: "state" },
];

const days = Array.from({ length: 30 }, (_, at) => (at < 7 ? `${25 + at} Oct` : `${at - 6} Nov`));
const sold = days.map((_, at) => Math.round(560_000 + 160_000 * Math.sin(at / 3) + at * 7_000));
const failed = days.map((_, at) => Math.round(24_000 + 9_000 * Math.cos(at / 2)));
const naira = (value: number) => `₦${value.toLocaleString("en")}`;

/** The first page of the look, of parts alone. */
export function Overview() {
  return (
    <>
      <PageHead title="Overview">Monday 23 November, 14:05 in Lagos</PageHead>
      <Figures
        figures={[
          {
            label: "Balance",
            value: <Money amount={128431050n} />,
            note: "lasts about 2 days at this pace",
            href: "/live/wallet",
          },
          {
            label: "Sold today",
            value: <Money amount="642900.00" />,
            trend: { direction: "up", isGood: true, text: "12%" },
            spark: { values: [3, 5, 9, 6, 12, 14], before: [2, 4, 8, 9, 8, 12, 10, 6] },
            note: "on last Monday by now",
          },
          {
            label: "Successful",
            value: "98.6%",
            trend: { direction: "down", isGood: false, text: "0.7" },
            note: "· 1,907 of 1,934",
          },
          { label: "Pending", value: "11", note: "oldest for 3 min" },
        ]}
      />
      <Columns>
        <Sheet title="Sales of 30 days" note="₦ a day">
          <Chart
            title="Sales a day over 30 days"
            labels={days}
            series={[
              { name: "delivered", values: sold, look: "area" },
              { name: "failed and refunded", values: failed, look: "bad" },
            ]}
            format={naira}
          />
        </Sheet>
        <Sheet title="Needs you" note="2" isPadded={false}>
          <Alerts
            alerts={[
              {
                title: "Your webhook has failed since 13:41",
                text: "37 events wait. Last answer: 502. Next try 14:09.",
                href: "/live/webhooks",
                action: "Look",
              },
              {
                title: "A live key was last used 94 days ago",
                text: "ds_live_4f…Qe2, made by Chidi.",
                href: "/live/keys",
                action: "Revoke",
                kind: "waiting",
              },
            ]}
          />
        </Sheet>
      </Columns>
      <Sheet title="Last transactions" isPadded={false}>
        <Live tableId="last-sales" everySeconds={2}>
          <Table
            id="last-sales"
            caption="Last transactions"
            columns={saleColumns}
            rows={sales}
            href={({ reference }) => `/live/transactions/${reference}`}
            empty=""
          />
        </Live>
      </Sheet>
    </>
  );
}

export const overviewActions = (
  <>
    <ButtonLink href="/live/top-up">Top up</ButtonLink>
    <ButtonLink href="/live/buy" kind="main">
      Buy
    </ButtonLink>
  </>
);
