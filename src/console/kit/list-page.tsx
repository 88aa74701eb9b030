import type { ComponentChildren } from "preact";
import { type Clock, dayMs, type Instant, parseInstant, type WallTime } from "../../kernel/clock.ts";
import { type PageAnswer, page } from "./answer.tsx";
import { type Filter, type FilterOption, Filters } from "./parts/filters.tsx";
import { Flash, Live } from "./parts/form.tsx";
import { ButtonLink, type Crumb, Empty, Sheet, Split } from "./parts/layout.tsx";
import { type Column, Pager, Table } from "./parts/list.tsx";
import { grouped, spoken } from "./parts/text.tsx";
import type { Visit } from "./visit.ts";

/** One thing that a list can be filtered by: how it is chosen, and how the list's address is read. */
export interface ListFilter<T> {
  readonly label: string;
  readonly kind: Filter["kind"];
  readonly hint?: string;
  readonly options?: readonly FilterOption[];
  /** It has a chip only where the address has it. */
  readonly isRare?: boolean;
  /** Behind the chip of all that few need. */
  readonly isMore?: boolean;
  /** Of days: the list is always about some of them. */
  readonly isAlways?: boolean;
  /** Null for what nobody can read: it filters nothing, and the list says so. */
  readonly read: (text: string) => T | null;
}

export type ListFilters = Readonly<Record<string, ListFilter<unknown>>>;
type Values<F extends ListFilters> = { readonly [Name in keyof F]: Exclude<ReturnType<F[Name]["read"]>, undefined> };

/** The list's own box, which looks in several things; what is typed is read as it is. */
export function findFilter(hint: string): ListFilter<string> {
  return { label: "Find in this list", kind: "find", hint, read: (typed) => typed };
}

/** A filter that is typed; as it is typed, unless another reading is given. */
export function textFilter(label: string, hint: string): ListFilter<string>;
export function textFilter<T>(label: string, hint: string, read: (text: string) => T | null): ListFilter<T>;
export function textFilter(
  label: string,
  hint: string,
  read: (text: string) => unknown = (typed) => typed,
): ListFilter<unknown> {
  return { label, kind: "text", hint, read };
}

/** One of several. Other than these can be read only with a reading of its own. */
export function choiceFilter<T extends string>(label: string, options: readonly (T | FilterOption<T>)[]): ListFilter<T>;
export function choiceFilter<T>(
  label: string,
  options: readonly (FilterOption | string)[],
  read: (text: string) => T | null,
): ListFilter<T>;
export function choiceFilter(
  label: string,
  given: readonly (FilterOption | string)[],
  read?: (text: string) => unknown,
): ListFilter<unknown> {
  const options = given.map((each) => (typeof each === "string" ? { value: each, label: spoken(each) } : each));
  const among = (typed: string) => options.find(({ value }) => value === typed)?.value ?? null;
  return { label, kind: "choice", options, read: read ?? among };
}

/** When a period begins and ends, as the list's own filters have it. */
type PeriodFilters<T> = Readonly<Record<"days" | "from" | "to", ListFilter<T>>>;

const presets = [
  { value: "1", label: "Today" },
  { value: "7", label: "7 days" },
  { value: "30", label: "30 days" },
];

/**
 * Today, the last 7 or 30 days, or from one day to another. `days` and `from` are read to the first instant, `to` to the one
 * after the last; a list's address with `days` means the days before each time that it is opened.
 */
export function periodFilters<T>(
  { wallTime, clock }: { readonly wallTime: WallTime; readonly clock: Clock },
  valueAt: (instant: Instant) => T,
): PeriodFilters<T> {
  const bound = (edge: "start" | "end") => (text: string) => {
    const instant = parseInstant(text, wallTime, edge);
    return instant === null ? null : valueAt(instant);
  };
  const daysBefore = (text: string) => {
    if (!presets.some(({ value }) => value === text)) return null;
    // Noon of a day is in that day, whatever the clocks did in between.
    const noon = wallTime.dayOf(clock.now()).start + dayMs / 2;
    return valueAt(wallTime.dayOf(noon - (Number(text) - 1) * dayMs).start);
  };
  return {
    days: { label: "Period", kind: "days", options: presets, read: daysBefore },
    from: { label: "From", kind: "date", read: bound("start") },
    to: { label: "To", kind: "date", read: bound("end") },
  };
}

/** What a list's address asks for. */
export interface ListQuery<F extends ListFilters> {
  readonly filters: F;
  readonly path: string;
  readonly values: Values<F>;
  /** The filters as they stand in the address, by name. */
  readonly texts: ReadonlyMap<string, string>;
  /** What nobody can read of them. */
  readonly unread: readonly string[];
  readonly isFiltered: boolean;
  /** Counts from 1. */
  readonly page: number;
  /** The place that the page begins below, of lists that have no numbers; empty for the first one. */
  readonly before: string;
  /** The same list with these parameters besides; `path`: another page or file of it. */
  href(more?: Readonly<Record<string, string>>, path?: string): string;
}

export type AnyQuery = ListQuery<ListFilters>;

const lengthMax = 200;

export function readList<F extends ListFilters>(
  { query: typedQuery }: Pick<Visit, "query">,
  path: string,
  filters: F,
  usual: Readonly<Record<string, string>> = {},
): ListQuery<F> {
  const query = withUsual(typedQuery, usual);
  const texts = new Map<string, string>();
  const unread: string[] = [];
  const hasDates = Object.entries(filters).some(([name, { kind }]) => kind === "date" && queryText(query, name) !== "");
  const values = Object.fromEntries(
    Object.entries(filters).map(([name, { read }]) => {
      const typed = queryText(query, name);
      // Days of one's own are meant before the last so many.
      if (typed === "" || (filters[name]?.kind === "days" && hasDates)) return [name, null];
      texts.set(name, typed);
      const value = read(typed);
      if (value === null) unread.push(typed);
      return [name, value];
    }),
  ) as Values<F>;
  return {
    ...{ filters, path, values, texts, unread },
    isFiltered: [...texts.keys()].filter((name) => queryText(typedQuery, name) !== "").length > unread.length,
    before: queryText(query, "before"),
    page: Math.max(1, Math.floor(Number(query.get("page") ?? 1)) || 1),
    href(more = {}, other = path) {
      const parameters = new URLSearchParams({ ...Object.fromEntries(texts), ...more }).toString();
      return parameters === "" ? other : `${other}?${parameters}`;
    },
  };
}

/** The address with what it means where it says nothing: so many days only where it has no day. */
function withUsual(query: Visit["query"], usual: Readonly<Record<string, string>>): Visit["query"] {
  const has = (name: string) => queryText(query, name) !== "";
  const isDated = has("from") || has("to");
  const missing = Object.entries(usual).filter(([name]) => !has(name) && !(name === "days" && isDated));
  return missing.length === 0 ? query : new Map([...query, ...missing]);
}

/** What an address asks for under a name: no filter is longer, and what is pasted may be a whole page. */
export function queryText(query: Visit["query"], name: string): string {
  const typed = (query.get(name) ?? "").replace(/\p{Cc}/gu, "");
  return typed.trim().slice(0, lengthMax);
}

export interface List<Row> {
  readonly title: string;
  readonly crumbs?: readonly Crumb[];
  readonly note?: ComponentChildren;
  readonly actions?: ComponentChildren;
  /** All of it as a file. */
  readonly csv?: Omit<CsvLinkProps, "query"> | null;
  readonly caption: string;
  /** Over the rows, where something else stands above them. */
  readonly heading?: string;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  readonly href?: (row: Row) => string | null;
  readonly isCurrent?: (row: Row) => boolean;
  /** Where there is nothing at all: an `<Empty>`. */
  readonly empty: ComponentChildren;
  /** Where something is, but not what is asked for. */
  readonly noneFits?: { readonly title?: string; readonly text: ComponentChildren };
  /** The table's name where its rows are looked for anew while the page is looked at. */
  readonly liveId?: string;
  /** False where it stands still all the same: later pages are about what was there when the first one was shown. */
  readonly isLive?: boolean;
  /** Pages by number; else by `older`. */
  readonly pages?: {
    readonly perPage: number;
    readonly total: number;
    readonly isTotalLeast?: boolean;
    /** The last one that is shown, where more were counted. */
    readonly lastShown?: number | undefined;
    /** Where a page is, if not at its number alone. */
    readonly hrefOf?: ((page: number) => string) | undefined;
  };
  /** The place in the list that its next page goes on below; null on the last one. */
  readonly older?: string | number | bigint | null | undefined;
  /** Over the filters, between them and the rows, and below the rows. */
  readonly over?: ComponentChildren;
  readonly above?: ComponentChildren;
  readonly below?: ComponentChildren;
  /** What is open beside the rows: a `<Detail>`. */
  readonly detail?: ComponentChildren;
  /** A form around the rows, whose cells are its fields. */
  readonly around?: ((rows: ComponentChildren) => ComponentChildren) | undefined;
  readonly isEdited?: boolean;
}

/** A list as its address asks for it: filters, rows, the way to others, and what of the address nobody could read. */
export function listPage<F extends ListFilters, Row>(query: ListQuery<F>, list: List<Row>): PageAnswer {
  const { title, crumbs = [], note, actions, csv = null, over, above, below, detail } = list;
  const { liveId, isLive = liveId !== undefined, rows, pages, older, around = (content) => content } = list;
  const filters = chipsOf(query);
  const ways = [
    isLive && liveId !== undefined ? <Live key="live" tableId={liveId} /> : null,
    csv === null ? null : <CsvLink key="csv" query={query} {...csv} />,
    actions ?? null,
  ].filter((way) => way !== null);
  return page(
    { title, crumbs, note, ...(ways.length === 0 ? {} : { actions: ways }) },
    <>
      {over}
      {filters.length === 0 ? null : <Filters action={query.path} filters={filters} />}
      {query.unread.length === 0 ? null : (
        <Flash kind="waiting">{`Ignored ${query.unread.map((text) => `“${text}”`).join(", ")}: we can’t read it.`}</Flash>
      )}
      {above}
      <Split detail={detail}>
        {around(
          <Sheet isPadded={false} {...(list.heading === undefined ? {} : { title: list.heading })}>
            <Table {...list} empty={emptyOf(query, list)} {...(liveId === undefined ? {} : { id: liveId })} />
          </Sheet>,
        )}
        {pages === undefined ? null : <PagerByNumber query={query} shown={rows.length} {...pages} />}
        {older === undefined ? null : <PagerBelow {...{ query, older }} />}
        {below}
      </Split>
    </>,
  );
}

function emptyOf<Row>({ isFiltered, path }: AnyQuery, { empty, noneFits }: List<Row>) {
  if (!isFiltered || noneFits === undefined) return empty;
  const { title = "Nothing matches these filters", text: advice } = noneFits;
  return (
    <Empty title={title} icon="search" action={<ButtonLink href={path}>Clear filters</ButtonLink>}>
      {advice}
    </Empty>
  );
}

/** The rows of one page of those that were found, one more than it has where there are more; and the place of its last one. */
export function pageOf<Row, Place>(found: readonly Row[], perPage: number, placeOf: (last: Row) => Place) {
  const rows = found.slice(0, perPage);
  const last = rows.at(-1);
  return { rows, older: found.length > perPage && last !== undefined ? placeOf(last) : null };
}

interface CsvLinkProps {
  readonly query: Pick<AnyQuery, "href">;
  readonly path: string;
  /** How many lines it has; null where nobody counted. */
  readonly count: number | "all" | null;
}

/** All that a list's address asks for, as a file. */
export function CsvLink({ query, path, count }: CsvLinkProps) {
  return (
    <ButtonLink href={query.href({}, path)} icon="download" isDownload>
      Download CSV{count === null ? "" : ` (${count === "all" ? count : grouped(count)})`}
    </ButtonLink>
  );
}

function chipsOf({ filters, texts }: AnyQuery): Filter[] {
  return Object.entries(filters)
    .map(([name, filter]) => ({ ...filter, name, value: texts.get(name) ?? "" }))
    .filter(({ isRare, value }) => !isRare || value !== "");
}

function PagerBelow({ query, older }: { query: AnyQuery; older: NonNullable<List<never>["older"]> | null }) {
  const nextHref = older === null ? null : query.href({ before: String(older) });
  return <Pager previousHref={query.before === "" ? null : query.href()} {...{ nextHref }} />;
}

function PagerByNumber(props: NonNullable<List<never>["pages"]> & { query: AnyQuery; shown: number }) {
  const { query, shown, perPage, total, isTotalLeast, lastShown = Math.max(1, Math.ceil(total / perPage)) } = props;
  const before = (query.page - 1) * perPage;
  const { hrefOf = (number: number) => query.href({ page: String(number) }) } = props;
  return (
    <Pager
      previousHref={query.page > 1 ? hrefOf(query.page - 1) : null}
      nextHref={query.page < lastShown ? hrefOf(query.page + 1) : null}
      from={shown === 0 ? null : before + 1}
      to={before + shown}
      total={total}
      isTotalLeast={isTotalLeast ?? false}
    />
  );
}
