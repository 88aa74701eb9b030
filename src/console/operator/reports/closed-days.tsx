import { addUp, compareDay, type DayDifference } from "../../../domain/history/closed-days/close-day.ts";
import {
  type DayHolding,
  type DayMovement,
  listDayHoldings,
  listDayMovements,
} from "../../../domain/history/closed-days/movement-queries.ts";
import {
  type ClosedDay,
  listClosedDays,
  listClosedSales,
  listSoldNames,
} from "../../../domain/history/closed-days/queries.ts";
import { marginOf } from "../../../domain/history/closed-days/report.ts";
import type { SaleDimension, SalesSums } from "../../../domain/history/closed-days/sums-queries.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { grouped, Moment, Money, moneyText, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { AsOf } from "./as-of.tsx";
import { dayName } from "./day-name.ts";
import { besidesOf, titles } from "./reports.tsx";

const here = "/operator/closed-days";
const daysShown = 400;

/** Days that were closed: what was stored, what their purchases say now, and whether the books' promises held. */
export function closedDayPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "see_reports", show: () => listOfDays(services) });
  routes.page(`${here}/:day`, { capability: "see_reports", show: (visit) => dayPage(services, visit.param("day")) });
}

async function listOfDays({ readings, wallTime, people, format }: OperatorServices): Promise<PageAnswer> {
  const { reads, asOf } = await readings.closedDays();
  const now = people.clock.now();
  const days = { from: wallTime.dayOf(now - daysShown * 86_400_000).date, to: wallTime.dayOf(now).date };
  const [closed, sales] = await Promise.all([listClosedDays(reads, days), listClosedSales(reads, "all", days)]);
  const sumsOf = new Map(sales.map((row) => [row.day, row]));
  return page(
    {
      title: "Closed days",
      note: "Each day is closed once, soon after midnight, and never changed",
      crumbs: [["Reports", "/operator/reports"]],
    },
    <>
      <AsOf asOf={asOf} />
      <TableSheet
        caption="Closed days, the last one first"
        rows={closed}
        href={({ day }) => `${here}/${day}`}
        columns={[
          { title: "Day", cell: ({ day }) => dayName(format, day), place: "lead" },
          { title: "Books", cell: (day) => <Books day={day} />, place: "state" },
          {
            title: "Sold",
            cell: ({ day }) => grouped(Number(sumsOf.get(day)?.sold ?? 0n)),
            align: "end",
            place: "more",
          },
          { title: "Sales", cell: ({ day }) => <Money amount={sumsOf.get(day)?.sales ?? 0n} />, place: "amount" },
          { title: "Closed", cell: ({ closedAt }) => <Moment at={closedAt} />, isExtra: true },
        ]}
        empty={
          <Empty title="No day is closed yet">
            A worker closes each day half an hour after midnight, from the first day with a live sale.
          </Empty>
        }
      />
    </>,
  );
}

function Books({ day: { brokenInvariants } }: { readonly day: ClosedDay }) {
  if (brokenInvariants.length === 0) return <Status kind="good">balanced</Status>;
  return <Status kind="bad">{`${brokenInvariants.length} broken`}</Status>;
}

/** What people call the kinds of a wallet's entries. Below zero each takes money: a credit taken back, a debit. */
const kindNames: Readonly<Record<string, string>> = {
  top_up: "Top-ups, and credits taken back",
  purchase: "Sales",
  refund: "Refunds of failed sales",
  reversal: "Refunds after delivery",
  goodwill: "Goodwill",
  adjustment: "Debits and other adjustments",
};

function holdingText({ account, provider }: DayHolding): string {
  if (account === "provider") return `Held by ${provider}`;
  if (account === "bank") return `Paid to our bank by ${provider}`;
  if (account === "fees") return `Fees of ${provider} that we bore`;
  return account === "suspense" ? "Unmatched payments" : "Owed by merchants";
}

const compared: readonly SaleDimension[] = ["all", "category", "product", "merchant", "supplier", "hour"];

async function dayPage({ readings, wallTime, format }: OperatorServices, date: string): Promise<PageAnswer | null> {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(date) || wallTime.startOfDay(date) === null) return null;
  const { reads, asOf } = await readings.closedDays();
  const [closed] = await listClosedDays(reads, { from: date, to: date });
  if (closed === undefined) return null;
  const days = { from: date, to: date };
  const stored = addUp(await listClosedSales(reads, "all", days));
  const [movements, holdings] = await Promise.all([listDayMovements(reads, days), listDayHoldings(reads, days)]);
  const differences: NamedDifference[] = [];
  // Where the whole agrees, a part may still differ: a sale that was moved from one supplier to another.
  for (const dimension of compared)
    differences.push(
      ...(await named(reads, dimension, (await compareDay({ database: reads }, date, dimension)) ?? [])),
    );
  const isBroken = closed.brokenInvariants.length > 0;
  return page(
    {
      title: dayName(format, date),
      crumbs: [
        ["Reports", "/operator/reports"],
        ["Closed days", here],
      ],
      state: <Books day={closed} />,
      actions: <ButtonLink href={`/operator/reports?by=hour&from=${date}&to=${date}`}>See report</ButtonLink>,
    },
    <>
      <AsOf asOf={asOf} />
      {isBroken ? (
        <Flash kind="bad">
          When this day was closed, the books didn’t balance: {closed.brokenInvariants.join("; ")}. Run a{" "}
          <a href="/operator/ledger">ledger check</a> to see which entries.
        </Flash>
      ) : null}
      <Sheet title="Stored">
        <Facts
          facts={{
            Closed: <Moment at={closed.closedAt} style="full" />,
            Sold: grouped(Number(stored.sold)),
            Sales: <Money amount={stored.sales} />,
            Cost: <Money amount={stored.cost} />,
            Fees: <Money amount={stored.fees} />,
            "Failed, refunded": grouped(Number(stored.failed)),
            "Refunded after delivery": grouped(Number(stored.reversed)),
            "Pending then": grouped(Number(stored.pending)),
            ...Object.fromEntries(besidesOf(stored).map(({ name, amount }) => [name, <Money amount={amount} />])),
            Margin: <Money amount={marginOf(stored)} />,
            Books: isBroken ? null : "Every promise of the books held",
          }}
        />
      </Sheet>
      <Movements movements={movements} />
      <Holdings holdings={holdings} />
      <TableSheet
        title="What changed since"
        caption="How the day's purchases differ now from what was stored"
        rows={differences}
        columns={[
          { title: "Of", cell: ({ label }) => label, place: "lead" },
          { title: "Difference", cell: ({ words }) => words, place: "sub" },
        ]}
        empty={
          <Empty title="Nothing changed since the day was closed">
            A sale that ends later appears here. What is refunded later counts on the day of the refund.
          </Empty>
        }
      />
    </>,
  );
}

function Movements({ movements }: { readonly movements: readonly DayMovement[] }) {
  return (
    <TableSheet
      title="Merchants’ wallets"
      caption="What was booked in live wallets on the day, by kind"
      rows={movements}
      columns={[
        { title: "Kind", cell: ({ kind }) => kindNames[kind] ?? kind, place: "lead" },
        { title: "Entries", cell: ({ entries }) => grouped(Number(entries)), align: "end", place: "more" },
        { title: "Into wallets", cell: ({ credited }) => <Money amount={credited} />, align: "end" },
        { title: "Out of wallets", cell: ({ debited }) => <Money amount={debited} />, place: "amount" },
      ]}
      empty={<Empty title="Nothing was booked on this day">Or it was closed before movements were stored.</Empty>}
    />
  );
}

/** Nothing where no payment provider had told of anything by then. */
function Holdings({ holdings }: { readonly holdings: readonly DayHolding[] }) {
  if (holdings.length === 0) return null;
  return (
    <TableSheet
      title="Money in, at the day’s end"
      caption="What payment providers and our bank should have held"
      rows={holdings}
      columns={[
        { title: "What", cell: holdingText, place: "lead" },
        { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, align: "end", place: "amount" },
      ]}
      empty={null}
    />
  );
}

interface NamedDifference {
  readonly label: string;
  readonly words: string;
}

async function named(
  reads: Queryable,
  dimension: SaleDimension,
  differences: readonly DayDifference[],
): Promise<NamedDifference[]> {
  const ids = differences.map(({ name }) => name);
  const isNumbered = dimension === "product" || dimension === "merchant";
  const names = isNumbered ? await listSoldNames(reads, dimension, ids) : null;
  const title = dimension === "all" ? "The whole day" : titles[dimension];
  return differences.map(({ name, stored, present }) => ({
    label: dimension === "all" ? title : `${title} ${names?.get(name) ?? (name === "" ? "none" : name)}`,
    words: wordsOf(stored, present),
  }));
}

const countNames: Partial<Record<keyof SalesSums, string>> = {
  sold: "sold",
  failed: "failed",
  pending: "pending",
  reversed: "refunded after delivery",
  withoutCost: "without a cost",
};
const figureNames: Partial<Record<keyof SalesSums, string>> = {
  ...countNames,
  ...{ sales: "sales", cost: "cost", fees: "fees", goodwill: "goodwill", refundedLater: "refunded later" },
  ...{ takenBack: "refunds taken back", costChanges: "cost corrected" },
};

/** `sold 2 → 3, sales ₦1,240.00 → ₦1,860.00`. */
function wordsOf(stored: SalesSums, present: SalesSums): string {
  const text = (name: keyof SalesSums, value: bigint) =>
    name in countNames ? grouped(Number(value)) : moneyText(value);
  return (Object.entries(figureNames) as [keyof SalesSums, string][])
    .filter(([name]) => stored[name] !== present[name])
    .map(([name, word]) => `${word} ${text(name, stored[name])} → ${text(name, present[name])}`)
    .join(", ");
}
