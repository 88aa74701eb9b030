import { listErrors } from "../../../domain/request-log/list.ts";
import { requestLogDays } from "../../../domain/request-log/logged-request.ts";
import type { ErrorCount } from "../../../domain/request-log/queries.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import type { PageAnswer } from "../../kit/answer.tsx";
import { type AnyQuery, choiceFilter, listPage, readList } from "../../kit/list-page.tsx";
import { Chart, Sparkline } from "../../kit/parts/chart.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { countText, dayText, grouped, Moment } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { CodeMeaning, endpointText } from "./request-words.tsx";

/** Besides all that are kept. */
const ranges = [1, 7] as const;

/** Which code hurts at which endpoint, and since when? */
export function errorPages(routes: ModeRoutes, { wallTime, clock, reads }: MerchantServices): void {
  routes.page("/errors", {
    capability: "read_requests",
    async show(visit) {
      const query = readList(visit, visit.to("errors"), {
        days: {
          ...choiceFilter(
            "Period",
            ranges.map((each) => ({ value: String(each), label: each === 1 ? "Today" : `${each} days` })),
          ),
          kind: "days",
        },
      });
      const range = Number(query.values.days ?? requestLogDays);
      const days = lastDays(wallTime, clock.now(), range);
      const [from = "", to = ""] = [days.at(0), days.at(-1)];
      return errorsPage(visit, query, { errors: await listErrors(reads, visit.wallet, { from, to }), days, range });
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
}

function errorsPage(visit: ModeVisit, query: AnyQuery, { errors, days, range }: ErrorsShown): PageAnswer {
  const total = errors.reduce((sum, { requests }) => sum + requests, 0);
  const notKept = errors.reduce((sum, each) => sum + each.notKept, 0);
  return listPage(query, {
    title: "Errors",
    note: (
      <>
        {countText(total, "failed request")}, {rangeText(range)}
        {notKept > 0 ? `. ${grouped(notKept)} have no details in the request log: too many came in one second.` : null}
      </>
    ),
    above: errors.length === 0 || days.length === 1 ? null : <ErrorChart {...{ errors, days, range }} />,
    caption: "Errors by code and endpoint, the most frequent first",
    rows: errors,
    href: ({ code, endpoint }) => visit.to(`requests?${new URLSearchParams({ code, endpoint, from: days[0] ?? "" })}`),
    columns: [
      { title: "Code", cell: ({ code }) => <code>{code}</code>, place: "lead" },
      { title: "Endpoint", cell: ({ endpoint }) => endpointText(endpoint), place: "sub" },
      { title: "Requests", cell: ({ requests }) => grouped(requests), place: "amount" },
      {
        title: "By day",
        cell: (error) => <ByDay error={error} days={days} />,
        place: range === 1 ? "none" : "more",
      },
      { title: "First", cell: ({ firstAt }) => <Moment at={firstAt} style="list" />, place: "sub", isExtra: true },
      { title: "Last", cell: ({ lastAt }) => <Moment at={lastAt} style="list" />, place: "sub" },
      {
        title: "What to do",
        // One text, which stands beside its title on a phone.
        cell: ({ code }) => (
          <span>
            <CodeMeaning code={code} />
          </span>
        ),
      },
    ],
    empty: (
      <Empty
        title={range === 1 ? "No errors today" : `No errors in ${rangeText(range)}`}
        icon="check"
        action={<ButtonLink href={visit.to("requests")}>Open request log</ButtonLink>}
      >
        Failed {visit.mode} requests are counted here by code and endpoint.
      </Empty>
    ),
  });
}

function ErrorChart({ errors, days, range }: ErrorsShown) {
  const { format } = useSurroundings();
  return (
    <Sheet title="Failed requests by day">
      <Chart
        title={`Failed requests by day, ${rangeText(range)}`}
        labels={days.map((day) => dayText(format, day))}
        series={[{ name: "Failed", values: days.map((day) => sumOf(errors, day)), look: "bad" }]}
        format={grouped}
      />
    </Sheet>
  );
}

function ByDay({ error, days }: { readonly error: ErrorCount; readonly days: readonly string[] }) {
  const { format } = useSurroundings();
  return (
    <Sparkline
      title={`${error.code} at ${endpointText(error.endpoint)} by day`}
      points={days.map((day) => ({ label: dayText(format, day), value: sumOf([error], day) }))}
    />
  );
}

function rangeText(range: number): string {
  return range === 1 ? "today" : `the last ${range} days`;
}

function sumOf(errors: readonly ErrorCount[], day: string): number {
  let sum = 0;
  for (const { days } of errors) for (const each of days) if (each.day === day) sum += each.requests;
  return sum;
}
