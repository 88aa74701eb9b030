import type { ErrorCount } from "../../../domain/request-log/error-queries.ts";
import { listErrors } from "../../../domain/request-log/list.ts";
import { requestLogDays } from "../../../domain/request-log/logged-request.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import { type Database, forReaders } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import type { GateServices } from "../../kit/gate.ts";
import { Chart, Sparkline } from "../../kit/parts/chart.tsx";
import { ButtonLink, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Filters, grouped, Table } from "../../kit/parts/list.tsx";
import { Moment, type MomentFormat, momentFormat, momentText } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { CodeMeaning } from "./code-words.tsx";
import { endpointText } from "./request-query.ts";

export type ErrorPageServices = GateServices & {
  readonly database: Database;
  readonly wallTime: WallTime;
  readonly timeZone: string;
};

const ranges = [1, 7, requestLogDays] as const;

/** Which code hurts at which endpoint, and since when? */
export function errorPages(routes: ModeRoutes, services: ErrorPageServices): void {
  const format = momentFormat(services.timeZone);
  routes.page("/errors", {
    capability: "read_requests",
    async show(visit) {
      const range = ranges.find((each) => String(each) === visit.query.get("days")) ?? requestLogDays;
      const days = lastDays(services.wallTime, services.people.clock.now(), range);
      const [from = "", to = ""] = [days.at(0), days.at(-1)];
      const errors = await listErrors(forReaders(services.database), visit.wallet, { from, to });
      return errorsPage(visit, { errors, days, range, format });
    },
  });
}

/** The last days in the deployment's zone, earliest first, today among them. */
function lastDays(wallTime: WallTime, now: number, count: number): string[] {
  const days: string[] = [];
  let { date, start } = wallTime.dayOf(now);
  while (days.unshift(date) < count) ({ date, start } = wallTime.dayOf(start - 1));
  return days;
}

interface ErrorsShown {
  readonly errors: readonly ErrorCount[];
  readonly days: readonly string[];
  readonly range: number;
  readonly format: MomentFormat;
}

function errorsPage(visit: ModeVisit, shown: ErrorsShown): PageAnswer {
  const { errors, days, range } = shown;
  const total = errors.reduce((sum, { requests }) => sum + requests, 0);
  const notKept = errors.reduce((sum, each) => sum + each.notKept, 0);
  return page(
    "Errors",
    <>
      <PageHead title="Errors">
        {grouped(total)} failed {total === 1 ? "request" : "requests"} in {rangeText(range)}
        {notKept === 0 ? null : <NotKept count={notKept} />}
      </PageHead>
      <Filters
        action={modePath(visit, "errors")}
        filters={[
          {
            ...({
              kind: "choice",
              name: "days",
              label: "Days",
              value: range === requestLogDays ? "" : String(range),
            } as const),
            options: ranges.map((each) => ({ value: String(each), label: rangeText(each) })),
          },
        ]}
      />
      {errors.length === 0 || days.length === 1 ? null : (
        <Sheet title="Failed requests a day">
          <Chart
            title={`Failed requests a day in ${rangeText(range)}`}
            labels={days.map((day) => dayText(day, shown.format))}
            series={[{ name: "Failed", values: days.map((day) => sumOf(errors, day)), look: "bad" }]}
            format={grouped}
          />
        </Sheet>
      )}
      <Sheet isPadded={false}>
        <ErrorTable visit={visit} shown={shown} />
      </Sheet>
    </>,
  );
}

function ErrorTable({ visit, shown }: { readonly visit: ModeVisit; readonly shown: ErrorsShown }) {
  const { errors, days, range, format } = shown;
  return (
    <Table
      caption="Errors by code and endpoint, the most frequent first"
      rows={errors}
      href={({ code, endpoint }) =>
        `${modePath(visit, "requests")}?${new URLSearchParams({ code, endpoint, from: days[0] ?? "" })}`
      }
      columns={[
        { title: "Code", cell: ({ code }) => <code>{code}</code>, place: "lead" },
        { title: "Endpoint", cell: ({ endpoint }) => endpointText(endpoint), place: "under" },
        { title: "Requests", cell: ({ requests }) => grouped(requests), align: "end", place: "amount" },
        {
          title: "By day",
          cell: (error) => (
            <Sparkline
              title={`${error.code} at ${endpointText(error.endpoint)} by day`}
              points={days.map((day) => ({ label: dayText(day, format), value: sumOf([error], day) }))}
            />
          ),
          place: range === 1 ? "none" : "line",
        },
        { title: "First", cell: ({ firstAt }) => <Moment at={firstAt} format={format} />, isQuiet: true },
        { title: "Last", cell: ({ lastAt }) => <Moment at={lastAt} format={format} />, isQuiet: true },
        {
          title: "What to do",
          // One text, which stands beside its title on a phone.
          cell: ({ code }) => (
            <span>
              <CodeMeaning code={code} />
            </span>
          ),
        },
      ]}
      empty={
        <Empty title="No errors" action={<ButtonLink href={modePath(visit, "requests")}>All requests</ButtonLink>}>
          In {rangeText(range)} every {visit.mode} request was answered well, or none came. What fails is counted here
          by its code and endpoint.
        </Empty>
      }
    />
  );
}

/** They are counted like all others, but the request log can't show them. */
function NotKept({ count }: { readonly count: number }) {
  return <>. Of {grouped(count)} the request log has no details: too many came in one second.</>;
}

function rangeText(range: number): string {
  return range === 1 ? "today" : `${range} days`;
}

function dayText(day: string, format: MomentFormat): string {
  // Noon is the same day in every zone that a deployment has.
  return momentText({ at: `${day}T12:00:00Z`, format, style: "day" }).replace(/ \d{4}$/, "");
}

function sumOf(errors: readonly ErrorCount[], day: string): number {
  let sum = 0;
  for (const { days } of errors) for (const each of days) if (each.day === day) sum += each.requests;
  return sum;
}
