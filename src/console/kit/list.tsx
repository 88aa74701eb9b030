import type { ComponentChildren } from "preact";
import type { WallTime } from "../../kernel/clock.ts";
import { pageMax as lastPageMax } from "../../kernel/page.ts";
import { writeCsv } from "../../platform/csv.ts";
import type { Answer, FileAnswer } from "./answer.tsx";
import { type Columns, columnsOf, type ListColumn } from "./columns.tsx";
import { type Typed, untouched } from "./form.ts";
import {
  type ListFilters,
  type ListLook,
  type ListQuery,
  listPage,
  pageOf,
  readList,
  refuseUnread,
} from "./list-page.tsx";
import type { Export } from "./one-file.ts";
import type { InModes, Routes } from "./routes.ts";
import { addressOf, type Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

interface ListVisit extends Visit {
  may(capability: string): boolean;
}

interface ListServices<V extends Visit> {
  readonly exportFile: Export<V>;
  readonly wallTime: WallTime;
}

/** What a list is read by: what its address asks for, and where in it. */
export interface Asked<V extends Visit, F extends ListFilters, Place = bigint> {
  readonly visit: V;
  readonly query: ListQuery<F>;
  readonly values: ListQuery<F>["values"];
  /** Of a form on the page that was refused. */
  readonly typed: Typed;
  /** Counts from 1, and is never behind the last one that there is: such a page is read once more as the last one. */
  readonly page: number;
  /** Rows before the page. */
  readonly skip: number;
  /** Rows to read: a page's; of a list by place one more, by which it knows whether there is another page. */
  readonly limit: number;
  /** The place that the page begins below; null on the first one. */
  readonly before: Place | null;
}

/** What was read. All of the list's look that depends on it is said here, over what is declared. */
export interface Found<Row> extends Omit<ListLook<Row>, "href"> {
  readonly rows: readonly Row[];
  /** Behind those that are declared: what depends on what was read. */
  readonly columns?: readonly ListColumn<Row>[];
  readonly actions?: ComponentChildren;
  /** Of pages by number: how many rows there are in all, or at least. */
  readonly total?: number;
  readonly isTotalLeast?: boolean;
  readonly lastShown?: number;
  readonly hrefOf?: (page: number) => string;
  /** The place that the next page goes on below, where the reading itself tells; null on the last one. */
  readonly older?: string | number | bigint | null;
  /** Lines of the file, where not as many as rows were counted. */
  readonly lines?: number | "all" | null;
}

interface ListFile<V extends Visit, F extends ListFilters, Row, C> {
  readonly from: ListServices<V>;
  readonly may: C & string;
  /** Where it is, if not at the list's address and `.csv`. */
  readonly at?: string;
  /** False where the page leads to it in a way of its own. */
  readonly isLinked?: boolean;
  readonly what: string | ((asked: FileAsked<V, F>) => Awaitable<string>);
  readonly nameOf?: (asked: FileAsked<V, F>) => string;
  /** All rows of the filters, so many at a time as they come; each column's `file` says what is written of them. */
  readonly rows?: (asked: FileAsked<V, F>) => Portions<Row> | Promise<Portions<Row>>;
  /** Or the file itself, where a command or the API writes the same one. Null: there is no such thing. */
  readonly pieces?: (asked: FileAsked<V, F>) => Awaitable<AsyncIterable<string> | null>;
}

type FileAsked<V extends Visit, F extends ListFilters> = Pick<Asked<V, F>, "visit" | "query" | "values">;
type Portions<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

interface Declared<V extends Visit, C, F extends ListFilters, Row, Place> extends Omit<ListLook<Row>, "href"> {
  /** The path, as the routes have it: `/bulk`, `/operator/merchants/:id/statement`. */
  readonly at: string;
  readonly may: C;
  readonly title: string;
  readonly filters?: F | ((visit: V) => Awaitable<F>);
  /** What the address means where it says nothing of it. */
  readonly usual?: Readonly<Record<string, string>>;
  readonly perPage?: number;
  /** The last page that is shown, however many there are. */
  readonly pageMax?: number | ((query: ListQuery<F>) => number);
  /** The rows' places, of a list whose pages have no numbers. */
  readonly place?: (row: Row) => string | number | bigint;
  /** A place as the address has it; null where it is none. */
  readonly placeIn?: (text: string) => Place | null;
  /** Null: there is no such list. An answer of another kind takes the list's place. */
  readonly read: (asked: Asked<V, F, Place>) => Promise<Found<Row> | Answer | null>;
  readonly actions?: (visit: V) => ComponentChildren;
  /** Where a row leads; null: nowhere. */
  readonly href?: (row: Row, asked: FileAsked<V, F>) => string | null;
  readonly columns?: (make: Columns<Row>, asked: FileAsked<V, F>) => readonly ListColumn<Row>[];
  readonly csv?: ListFile<V, F, Row, C>;
}

/**
 * A list's routes: its page and, where it has one, its file. The address is read in one place for both, a page is never
 * behind the last one, and the file has the same rows by the same columns. @returns the page, for forms that stand on it
 */
export function list<V extends ListVisit, C extends InModes<string>, F extends ListFilters, Row, Place = bigint>(
  routes: Routes<V, C>,
  declared: Declared<V, C, F, Row, Place>,
): (visit: V, typed?: Typed) => Promise<Answer | null> {
  const { at, may, csv } = declared;
  const show = (visit: V, typed = untouched) => shownPage(declared, visit, typed);
  routes.page(at, { capability: may, show, list: { isByPlace: declared.place !== undefined, file: fileAt(declared) } });
  if (csv !== undefined)
    routes.file(fileAt(declared) ?? at, { capability: csv.may, show: (visit) => fileOf(declared, csv, visit) });
  return show;
}

interface Located {
  readonly at: string;
  readonly csv?: { readonly at?: string };
}

function fileAt({ at, csv }: Located): string | null {
  return csv === undefined ? null : (csv.at ?? `${at}.csv`);
}

const perPageUsual = 50;

async function readAddress<V extends Visit, C, F extends ListFilters, Row, Place>(
  { at, filters, usual }: Declared<V, C, F, Row, Place>,
  visit: V,
): Promise<ListQuery<F>> {
  const own = typeof filters === "function" ? await filters(visit) : (filters ?? ({} as F));
  return readList(visit, addressOf(visit, at), own, usual === undefined ? {} : { usual });
}

async function shownPage<V extends ListVisit, C, F extends ListFilters, Row, Place>(
  declared: Declared<V, C, F, Row, Place>,
  visit: V,
  typed: Typed,
): Promise<Answer | null> {
  const { perPage = perPageUsual, pageMax = lastPageMax, place } = declared;
  const { placeIn = wholePlace as (text: string) => Place | null } = declared;
  const read = await readAddress(declared, visit);
  const ask = (page: number, before: Place | null): Asked<V, F, Place> => {
    const query = { ...read, page, before: before === null ? "" : read.before };
    const limit = place === undefined ? perPage : perPage + 1;
    return { visit, query, values: query.values, typed, page, skip: (page - 1) * perPage, limit, before };
  };
  const shownMax = typeof pageMax === "number" ? pageMax : pageMax(read);
  const first = ask(Math.min(read.page, shownMax), read.before === "" ? null : placeIn(read.before));
  let [asked, found] = [first, await declared.read(first)];
  if (isFound(found) && isBehindLast(found, first, perPage)) {
    asked = ask(lastPageOf(found, perPage), null);
    found = await declared.read(asked);
  }
  return isFound(found) ? laidOut(declared, asked, found) : found;
}

function isFound<Row>(found: Found<Row> | Answer | null): found is Found<Row> {
  return found !== null && "rows" in found;
}

function lastPageOf({ total = 0, lastShown }: Pick<Found<never>, "total" | "lastShown">, perPage: number): number {
  return lastShown ?? Math.max(1, Math.ceil(total / perPage));
}

/** A page behind the last one has no rows, and would say that there is nothing. */
function isBehindLast(
  found: Pick<Found<never>, "total" | "lastShown" | "older"> & { readonly rows: readonly unknown[] },
  { page, before }: Pick<Asked<Visit, ListFilters, unknown>, "page" | "before">,
  perPage: number,
): boolean {
  if (found.total !== undefined) return page > lastPageOf(found, perPage);
  return before !== null && found.rows.length === 0 && (found.older ?? null) === null;
}

function laidOut<V extends ListVisit, C, F extends ListFilters, Row, Place>(
  declared: Declared<V, C, F, Row, Place>,
  asked: Asked<V, F, Place>,
  found: Found<Row>,
): Answer {
  const { visit, query, before } = asked;
  const { perPage = perPageUsual, place, csv, actions, caption = declared.title, empty = null } = declared;
  const { rows, older, total, isTotalLeast = false, lastShown, hrefOf, lines = countOf(found), ...look } = found;
  const cut = place === undefined ? { rows } : pageOf(rows, perPage, place);
  const paged = { perPage, total: total ?? 0, isTotalLeast };
  const more = { ...(lastShown === undefined ? {} : { lastShown }), ...(hrefOf === undefined ? {} : { hrefOf }) };
  const file = fileAt(declared);
  const isOffered = csv?.isLinked !== false && file !== null && rows.length > 0 && visit.may(csv?.may ?? "");
  const columns = [...(declared.columns?.(columnsOf<Row>(), asked) ?? []), ...(found.columns ?? [])];
  const { href, ...shown } = { ...declared, ...look };
  return listPage(query, {
    ...{ caption, empty, isLive: shown.liveId !== undefined && before === null },
    ...shown,
    columns: columns.filter(({ isInFileAlone = false }) => !isInFileAlone),
    ...(href === undefined ? {} : { href: (row: Row) => href(row, asked) }),
    actions: found.actions ?? actions?.(visit),
    csv: isOffered ? { path: addressOf(visit, file), count: lines } : null,
    ...cut,
    ...(older === undefined ? {} : { rows, older }),
    ...(total === undefined ? {} : { pages: { ...paged, ...more } }),
  });
}

function countOf({ total, isTotalLeast = false }: Pick<Found<never>, "total" | "isTotalLeast">): number | "all" | null {
  return isTotalLeast ? "all" : (total ?? null);
}

/** A number that a link of ours names. */
function wholePlace(text: string): bigint | null {
  return /^[0-9]{1,18}$/.test(text) ? BigInt(text) : null;
}

/** All that the list's address asks for. @throws Refusal where the address has what nobody can read */
async function fileOf<V extends ListVisit, C, F extends ListFilters, Row, Place>(
  declared: Declared<V, C, F, Row, Place>,
  csv: ListFile<V, F, Row, C>,
  visit: V,
): Promise<FileAnswer | null> {
  const { exportFile, wallTime } = csv.from;
  const query = await readAddress(declared, visit);
  refuseUnread(query);
  const asked = { visit, query, values: query.values };
  const columns = declared.columns?.(columnsOf<Row>(), asked) ?? [];
  const rows = await csv.rows?.(asked);
  const pieces = rows === undefined ? await csv.pieces?.(asked) : csvPieces(columns, wallTime, rows);
  if (pieces === undefined || pieces === null) return null;
  const { nameOf, what } = csv;
  return exportFile(visit, {
    what: typeof what === "string" ? what : await what(asked),
    ...(nameOf === undefined ? {} : { name: nameOf(asked) }),
    format: "csv",
    pieces: () => pieces,
  });
}

async function* csvPieces<Row>(columns: readonly ListColumn<Row>[], wallTime: WallTime, portions: Portions<Row>) {
  const cells = columns.flatMap(({ file = {} }) => Object.entries(file));
  yield writeCsv([cells.map(([heading]) => heading)]);
  for await (const rows of portions) yield writeCsv(rows.map((row) => cells.map(([, of]) => of(row, wallTime))));
}
