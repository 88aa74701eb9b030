import type { VNode } from "preact";
import { deliveredOf } from "../../../domain/history/suppliers/supplier-health.ts";
import { type MoneyAtRisk, readMoneyAtRisk } from "../../../domain/history/today/money-at-risk.ts";
import { readSelling, type Selling, successOf } from "../../../domain/history/today/selling.ts";
import { readWhatWaits, type WhatWaits } from "../../../domain/history/today/what-waits.ts";
import { idleMs } from "../../../domain/identity/people/sessions.ts";
import { listPresentRoles } from "../../../domain/staff/staff-queries.ts";
import type { Clock } from "../../../kernel/clock.ts";
import { type Kobo, subtract } from "../../../kernel/money.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import type { Parts } from "../../kit/feed.ts";
import { Chart, type Series } from "../../kit/parts/chart.tsx";
import { type Figure, Figures } from "../../kit/parts/data.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { renderPart } from "../../kit/send.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { supplierPath } from "../suppliers/found-supplier.ts";
import { percentText } from "../suppliers/health-tables.tsx";
import { hoursText, MoneyAtRiskSheet, riskNote } from "./risks.tsx";

const here = "/operator/today";
const feedPath = `${here}/feed`;
/** However many look at it, it is read so often and no more; where reading takes long, it takes half of the time. */
const shownMs = 900;
const shownPerRead = 2;
const longestMs = 60_000;
/** Where the feed is refused, the page is asked. */
const everySeconds = 3;

interface Today {
  readonly risk: MoneyAtRisk;
  readonly selling: Selling;
  readonly waits: WhatWaits;
  readonly commitBlock: string | null;
}

/** In one glance: is money at risk, and are we selling? It changes while one looks, a second behind at most. */
export function todayPages(routes: StaffRoutes, services: OperatorServices): void {
  const { people, reads } = services;
  const read = recent(people.clock, () => readToday(services));
  routes.page("/operator", { capability: "look", show: () => goTo(here) });
  routes.page(here, { capability: "look", show: async (visit) => todayPage(services, visit, await read()) });
  const feed = services.openFeed<StaffVisit, Today>({
    everyMs: shownMs,
    read,
    viewOf: ({ staff }) => staff.role,
    render: (visit, today) => renderedParts(services, visit, today),
    async stillIn(visits) {
      const now = people.clock.now();
      const hashes = visits.map(({ session }) => session.hash);
      const roles = await listPresentRoles(reads, hashes, { now, idleSince: now - idleMs });
      return new Set(visits.filter(({ session, staff }) => roles.get(session.hash.toString("hex")) === staff.role));
    },
  });
  routes.page(feedPath, { capability: "look", show: (visit) => feed.watch(visit) });
}

/** What was read a moment ago is shown to everybody who asks meanwhile: for longer where reading took long. */
function recent<T>(clock: Clock, read: () => Promise<T>): () => Promise<T> {
  let last: { at: number; lastsMs: number; readonly value: Promise<T> } | null = null;
  return () => {
    const now = clock.now();
    if (last !== null && Math.abs(now - last.at) < last.lastsMs) return last.value;
    const present = { at: now, lastsMs: longestMs, value: read() };
    last = present;
    present.value.then(
      () => {
        present.lastsMs = Math.min(longestMs, Math.max(shownMs, shownPerRead * (clock.now() - now)));
      },
      () => {
        last = null;
      },
    );
    return present.value;
  };
}

async function readToday({ reads: database, wallTime, people, findCommitBlock }: OperatorServices): Promise<Today> {
  const services = { database, wallTime, clock: people.clock };
  const [risk, selling, waits, commitBlock] = await Promise.all([
    readMoneyAtRisk(services),
    readSelling(services),
    readWhatWaits(services),
    findCommitBlock(),
  ]);
  return { risk, selling, waits, commitBlock };
}

function todayPage(services: OperatorServices, visit: StaffVisit, today: Today): PageAnswer {
  const { now, risk, selling, hours, suppliers } = partsOf(services, visit, today);
  return page(
    {
      title: "Today",
      note: now,
      actions: <Live tableId="now risk selling hours suppliers" everySeconds={everySeconds} feed={feedPath} />,
    },
    <>
      {risk}
      {selling}
      <Columns kind="equal">
        {hours}
        {suppliers}
      </Columns>
    </>,
  );
}

function renderedParts(services: OperatorServices, visit: StaffVisit, today: Today): Parts {
  const rendered = Object.entries(partsOf(services, visit, today)).map(([id, part]) => [
    id,
    renderPart(services, part),
  ]);
  return Object.fromEntries(rendered);
}

/** The parts of the page that change, by their ids. */
function partsOf(
  { people, wallTime }: OperatorServices,
  visit: StaffVisit,
  { risk, selling, waits, commitBlock }: Today,
): Readonly<Record<"now" | "risk" | "selling" | "hours" | "suppliers", VNode>> {
  const now = people.clock.now();
  const then = wallTime.format(now).slice(11, 16);
  const weekday = weekdays[new Date(`${selling.dayBefore.date}T12:00:00Z`).getUTCDay()] ?? "";
  return {
    now: (
      <span id="now">
        <Moment at={now} style="full" />
      </span>
    ),
    risk: (
      <div id="risk">
        <div class="section">
          <h2>Is money at risk?</h2>
          <p>{riskNote(risk)}</p>
        </div>
        <MoneyAtRiskSheet {...{ risk, waits, commitBlock, now, visit }} />
      </div>
    ),
    selling: (
      <div id="selling">
        <div class="section">
          <h2>Are we selling?</h2>
          <p>
            {selling.before === null
              ? "No sales a week ago to compare with"
              : `Compared with last ${weekday} at ${then}`}
          </p>
        </div>
        <Figures figures={figuresOf(selling, visit)} />
      </div>
    ),
    hours: (
      <Sheet
        id="hours"
        title="Sales by hour"
        note={visit.may("see_reports") ? <a href={`${reportsOfToday}&by=hour`}>All reports</a> : undefined}
      >
        {selling.hours.every(({ today, before }) => (today?.sales ?? 0n) === 0n && before.sales === 0n) ? (
          <Empty title="No sales yet today">The day is drawn here hour by hour, beside the same weekday before.</Empty>
        ) : (
          <Chart
            title={`Sales by hour today and last ${weekday}`}
            labels={selling.hours.map(({ hour }) => `${hour}:00`)}
            series={[
              { name: "Today", look: "area", values: selling.hours.map(({ today }) => naira(today?.sales ?? null)) },
              ...seriesBefore(selling, weekday),
            ]}
            format={(value) => moneyText(value.toFixed(2))}
          />
        )}
      </Sheet>
    ),
    suppliers: (
      <Sheet id="suppliers" title="Suppliers, last 24 hours" isPadded={false}>
        <SupplierTable suppliers={risk.suppliers} />
      </Sheet>
    ),
  };
}

const reportsOfToday = "/operator/reports?days=1";
const weekdays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];

/** Nothing to compare with is not drawn as a day without sales. */
function seriesBefore({ hours }: Selling, weekday: string): Series[] {
  if (hours.every(({ before }) => before.sales === 0n)) return [];
  return [{ name: `Last ${weekday}`, look: "before", values: hours.map(({ before }) => naira(before.sales)) }];
}

function naira(amount: Kobo | null): number | null {
  return amount === null ? null : Number(amount) / 100;
}

/** Sales, delivered, margin and failures, each against the same weekday until the same time. */
function figuresOf({ today, before, hours }: Selling, visit: StaffVisit): Figure[] {
  const margin = subtract(today.sales, today.cost);
  const success = successOf(today);
  const past = before === null ? [] : hours.map((hour) => Number(hour.before.sales));
  const spark = {
    values: hours.flatMap((hour) => (hour.today === null ? [] : [Number(hour.today.sales)])),
    before: past,
  };
  const list = "/operator/sales?days=1&status";
  const reports = visit.may("see_reports") ? { href: reportsOfToday } : {};
  const pastSuccess = before === null ? null : successOf(before);
  return [
    {
      label: "Sales",
      value: <Money amount={today.sales} />,
      note: `${today.sold + today.reversed} delivered${today.reversed === 0n ? "" : `, ${today.reversed} refunded later`}`,
      href: `${list}=successful`,
      // Nothing is drawn before it says something.
      ...(today.sales === 0n && before === null ? {} : { spark }),
      ...changed(Number(today.sales), before === null ? null : Number(before.sales)),
    },
    {
      label: "Delivered",
      value: success === null ? "None yet" : `${success.toFixed(1)}%`,
      note: "of what has ended",
      href: "/operator/sales?days=1",
      ...points(success, pastSuccess),
    },
    {
      label: "Margin",
      value: <Money amount={margin} />,
      note:
        today.withoutCost > 0n
          ? `${today.withoutCost} sales without a known cost`
          : today.sales === 0n
            ? "No sales yet"
            : `${((Number(margin) / Number(today.sales)) * 100).toFixed(2)}% of sales`,
      ...reports,
      ...changed(Number(margin), before === null ? null : Number(subtract(before.sales, before.cost))),
    },
    {
      label: "Failed, refunded",
      value: String(today.failed),
      note: today.pending === 0n ? "None pending" : <a href={`${list}=pending`}>{`${today.pending} pending`}</a>,
      href: `${list}=failed`,
      ...changed(Number(today.failed), before === null ? null : Number(before.failed), false),
    },
  ];
}

function changed(present: number, before: number | null, isMoreGood = true): Pick<Figure, "trend"> {
  return before === null || before <= 0 ? {} : moved(((present - before) / before) * 100, "%", isMoreGood);
}

function points(present: number | null, before: number | null): Pick<Figure, "trend"> {
  return present === null || before === null ? {} : moved(present - before, " points");
}

function moved(by: number, unit: string, isMoreGood = true): Pick<Figure, "trend"> {
  const text = `${Math.abs(by).toFixed(1)}${unit}`;
  return { trend: { direction: by < 0 ? "down" : "up", isGood: by >= 0 === isMoreGood, text } };
}

function SupplierTable({ suppliers }: { readonly suppliers: MoneyAtRisk["suppliers"] }) {
  return (
    <Table
      caption="Suppliers, last 24 hours"
      rows={suppliers}
      href={({ supplier }) => supplierPath(supplier)}
      isPlain
      columns={[
        { title: "Supplier", cell: ({ supplier }) => supplier, place: "lead" },
        { title: "Delivered", align: "end", cell: (row) => percentText(deliveredOf(row)) },
        {
          title: "Balance lasts",
          align: "end",
          cell: ({ hoursLeft }) => (hoursLeft === null ? "–" : hoursText(hoursLeft)),
        },
      ]}
      empty={<p class="inside">No suppliers yet.</p>}
    />
  );
}
