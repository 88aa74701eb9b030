import { listErrors } from "../../../domain/request-log/list.ts";
import { requestLogDays } from "../../../domain/request-log/logged-request.ts";
import type { ErrorCount } from "../../../domain/request-log/queries.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Chart, Sparkline } from "../../kit/parts/chart.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { countText, dayText, grouped } from "../../kit/parts/text.tsx";
import type { ModeRoutes } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { CodeMeaning, endpointText } from "./request-words.tsx";

/** Besides all that are kept. */
const ranges = [1, 7] as const;

/** Which code hurts at which endpoint, and since when? */
export function errorPages(routes: ModeRoutes, { wallTime, clock, reads }: MerchantServices): void {
  list(routes, {
    at: "/errors",
    may: "read_requests",
    title: "Errors",
    filters: {
      days: {
        ...choiceFilter(
          "Period",
          ranges.map((each) => ({ value: String(each), label: each === 1 ? "Today" : `${each} days` })),
        ),
        kind: "days",
      },
    },
    async read({ visit, values }) {
      const range = Number(values.days ?? requestLogDays);
      const days = lastDays(wallTime, clock.now(), range);
      const [from = "", to = ""] = [days.at(0), days.at(-1)];
      const errors = await listErrors(reads, visit.wallet, { from, to });
      return {
        note: noteOf(errors, range),
        rows: errors.map((error) => ({ ...error, shownDays: days })),
        above: errors.length === 0 || days.length === 1 ? null : <ErrorChart {...{ errors, days, range }} />,
        empty: (
          <Empty
            title={range === 1 ? "No errors today" : `No errors in ${rangeText(range)}`}
            icon="check"
            action={<ButtonLink href={visit.to("requests")}>Open request log</ButtonLink>}
          >
            Failed {visit.mode} requests are counted here by code and endpoint.
          </Empty>
        ),
      };
    },
    href: ({ code, endpoint, shownDays: [from = ""] }, { visit }) =>
      visit.to(`requests?${new URLSearchParams({ code, endpoint, from })}`),
    caption: "Errors by code and endpoint, the most frequent first",
    columns: ({ lead, sub, count, more, when }, { values }) => [
      lead("Code", ({ code }) => <code>{code}</code>),
      sub("Endpoint", ({ endpoint }) => endpointText(endpoint)),
      { ...count("Requests", ({ requests }) => requests), place: "amount" },
      {
        ...more("By day", (error) => <ByDay error={error} days={error.shownDays} />),
        place: values.days === "1" ? "none" : "more",
      },
      when("First", ({ firstAt }) => firstAt, { isExtra: true }),
      when("Last", ({ lastAt }) => lastAt),
      // One text, which stands beside its title on a phone.
      more("What to do", ({ code }) => (
        <span>
          <CodeMeaning code={code} />
        </span>
      )),
    ],
  });
}

function noteOf(errors: readonly ErrorCount[], range: number) {
  const total = errors.reduce((sum, { requests }) => sum + requests, 0);
  const notKept = errors.reduce((sum, each) => sum + each.notKept, 0);
  return (
    <>
      {countText(total, "failed request")}, {rangeText(range)}
      {notKept > 0 ? `. ${grouped(notKept)} have no details in the request log: too many came in one second.` : null}
    </>
  );
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
