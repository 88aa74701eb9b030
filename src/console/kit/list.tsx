import type { ComponentChildren } from "preact";
import type { WallTime } from "../../kernel/clock.ts";
import { pageMax as lastPageMax } from "../../kernel/page.ts";
import { writeCsv } from "../../platform/csv.ts";
import type { Answer } from "./answer.tsx";
import { type Columns, columnsOf, type ListColumn } from "./columns.tsx";
import { refused, type Typed, untouched } from "./form.ts";
import { type List, type ListFilters, type ListQuery, listPage, pageOf, readList } from "./list-page.tsx";
import type { Export } from "./one-file.ts";
import type { InModes, Routes } from "./routes.ts";
import { addressOf, type Visit } from "./visit.ts";

type Awaitable<T> = T | Promise<T>;

interface ListVisit extends Visit {
  may(capability: string): boolean;
}

/** What a list's address asks for. */
interface Requested<V, F extends ListFilters> {
  readonly visit: V;
  readonly query: ListQuery<F>;
  readonly values: ListQuery<F>["values"];
}

/** What a list's page is read by. */
interface RequestedPage<V, F extends ListFilters, Place> extends Requested<V, F> {
  /** Of a form on the page that was refused. */
  readonly typed: Typed;
  /** Counts from 1. One behind the last one that there is, is read once more as that one. */
  readonly page: number;
  /** Rows before the page, and how many to read: of a list by place one more than it has, which tells of another page. */
  readonly skip: number;
  readonly limit: number;
  /** The place that the page begins below; null on the first one. */
  readonly before: Place | null;
}

type Pages = NonNullable<List<never>["pages"]>;
type Look<Row> = Partial<Omit<List<Row>, "rows" | "href" | "csv" | "columns" | "pages" | "actions">>;

/** What was read. All of the list's look that depends on it is said here, over what is declared. */
interface Found<Row> extends Look<Row>, Partial<Omit<Pages, "perPage">> {
  readonly rows: readonly Row[];
  /** Behind those that are declared. */
  readonly columns?: readonly ListColumn<Row>[];
  readonly actions?: ComponentChildren;
  /** Lines of the file, where not as many as rows were counted. */
  readonly lines?: number | "all" | null;
}

type Portions<Row> = AsyncIterable<readonly Row[]> | Iterable<readonly Row[]>;

interface ListFile<V extends Visit, C, F extends ListFilters, Row> {
  readonly from: { readonly exportFile: Export<V>; readonly wallTime: WallTime };
  readonly may: C & string;
  /** Where it is, if not at the list's address and `.csv`. */
  readonly at?: string;
  /** False where the page leads to it in a way of its own. */
  readonly isLinked?: boolean;
  /** What its name begins with; `nameOf`: the whole of it. */
  readonly what: string | ((requested: Requested<V, F>) => Awaitable<string>);
  readonly nameOf?: (requested: Requested<V, F>) => string;
  /** All rows of the filters, so many at a time as they come; each column's `file` says what is written of them. */
  readonly rows?: (requested: Requested<V, F>) => Awaitable<Portions<Row>>;
  /** Or the file itself, where a command or the API writes the same one. */
  readonly pieces?: (requested: Requested<V, F>) => Awaitable<AsyncIterable<string>>;
}

interface Declared<V extends Visit, C, F extends ListFilters, Row, Place> extends Omit<Look<Row>, "title"> {
  /** The path, as the routes have it: `/bulk`, `/operator/merchants/:id/statement`. */
  readonly at: string;
  readonly may: C;
  readonly title: string;
  readonly filters: F | ((visit: V) => Awaitable<F>);
  /** What the address means where it says nothing of it. */
  readonly usual?: Readonly<Record<string, string>>;
  readonly perPage?: number;
  /** The last page that is shown, however many there are. */
  readonly pageMax?: number | ((query: ListQuery<F>) => number);
  /** A place as the address has it, if not a number; null where it is none. */
  readonly placeIn?: (text: string) => Place | null;
  /** Null: there is no such list. An answer of another kind takes its place. */
  readonly read: (requested: RequestedPage<V, F, Place>) => Promise<Found<Row> | Answer | null>;
  /** The rows' places, of a list whose pages have no numbers. */
  readonly place?: (row: Row) => string | number | bigint;
  /** Where a row leads; null: nowhere. */
  readonly href?: (row: Row, requested: Requested<V, F>) => string | null;
  readonly columns?: (make: Columns<Row>, requested: Requested<V, F>) => readonly ListColumn<Row>[];
  readonly actions?: (visit: V) => ComponentChildren;
  readonly csv?: ListFile<V, C, F, Row>;
}

const perPageUsual = 50;

/**
 * A list's routes: its page and, where it has one, its file. The address is read in one place for both, a page is never
 * behind the last one, and the file has the same rows by the same columns. @returns the page, for forms that stand on it
 */
export function list<V extends ListVisit, C extends InModes<string>, F extends ListFilters, Row, Place = bigint>(
  routes: Routes<V, C>,
  declared: Declared<V, C, F, Row, Place>,
): (visit: V, typed?: Typed) => Promise<Answer | null> {
  const { at, may, csv, filters, usual = {}, perPage = perPageUsual, pageMax = lastPageMax, place } = declared;
  const { placeIn = wholePlace as (text: string) => Place | null } = declared;
  const readAddress = async (visit: V) =>
    readList(visit, addressOf(visit, at), typeof filters === "function" ? await filters(visit) : filters, usual);

  const show = async (visit: V, typed = untouched) => {
    const read = await readAddress(visit);
    const ask = (page: number, before: Place | null): RequestedPage<V, F, Place> => {
      const query = { ...read, page, before: before === null ? "" : read.before };
      const limit = place === undefined ? perPage : perPage + 1;
      return { visit, query, values: query.values, typed, page, skip: (page - 1) * perPage, limit, before };
    };
    const shownMax = typeof pageMax === "number" ? pageMax : pageMax(read);
    let requested = ask(Math.min(read.page, shownMax), read.before === "" ? null : placeIn(read.before));
    let found = await declared.read(requested);
    if (found === null || !("rows" in found)) return found;
    // A page behind the last one has no rows, and would say that there is nothing.
    const { total, lastShown = Math.max(1, Math.ceil((total ?? 0) / perPage)), older = null } = found;
    if (
      total === undefined
        ? found.rows.length === 0 && older === null && requested.before !== null
        : requested.page > lastShown
    ) {
      requested = ask(lastShown, null);
      found = await declared.read(requested);
    }
    return found === null || !("rows" in found) ? found : laidOut(declared, requested, found);
  };

  routes.page(at, { capability: may, show, list: { file: fileAt(declared) } });
  if (csv === undefined) return show;
  routes.file(fileAt(declared) ?? at, {
    capability: csv.may,
    async show(visit) {
      const query = await readAddress(visit);
      refuseUnread(query);
      const requested = { visit, query, values: query.values };
      const rows = await csv.rows?.(requested);
      const written = rows && csvPieces(declared.columns?.(columnsOf<Row>(), requested) ?? [], csv.from.wallTime, rows);
      const pieces = written ?? (await csv.pieces?.(requested));
      if (pieces === undefined) return null;
      const what = typeof csv.what === "string" ? csv.what : await csv.what(requested);
      const name = csv.nameOf === undefined ? {} : { name: csv.nameOf(requested) };
      return csv.from.exportFile(visit, { what, ...name, format: "csv", pieces: () => pieces });
    },
  });
  return show;
}

function fileAt({ at, csv }: { readonly at: string; readonly csv?: { readonly at?: string } }): string | null {
  return csv === undefined ? null : (csv.at ?? `${at}.csv`);
}

function laidOut<V extends ListVisit, C, F extends ListFilters, Row, Place>(
  declared: Declared<V, C, F, Row, Place>,
  requested: RequestedPage<V, F, Place>,
  found: Found<Row>,
): Answer {
  const { visit, query, before } = requested;
  const { perPage = perPageUsual, place, csv, caption = declared.title, empty = null } = declared;
  const { rows, older, total, isTotalLeast = false, lastShown, hrefOf, ...look } = found;
  const { lines = isTotalLeast ? "all" : (total ?? null), actions = declared.actions?.(visit) } = found;
  const columns = [...(declared.columns?.(columnsOf<Row>(), requested) ?? []), ...(found.columns ?? [])];
  const { href, ...shown } = { ...declared, ...look };
  const file = fileAt(declared);
  const isOffered = csv?.isLinked !== false && file !== null && rows.length > 0 && visit.may(csv?.may ?? "");
  return listPage(query, {
    ...{ caption, empty, isLive: shown.liveId !== undefined && before === null },
    ...{ ...shown, actions },
    columns: columns.filter(({ isInFileAlone = false }) => !isInFileAlone),
    ...(href === undefined ? {} : { href: (row: Row) => href(row, requested) }),
    csv: isOffered ? { path: addressOf(visit, file), count: lines } : null,
    ...(older === undefined && place !== undefined ? pageOf(rows, perPage, place) : { rows, older }),
    ...(total === undefined ? {} : { pages: { perPage, total, isTotalLeast, lastShown, hrefOf } }),
  });
}

/** A number that a link of ours names. */
function wholePlace(text: string): bigint | null {
  return /^[0-9]{1,18}$/.test(text) ? BigInt(text) : null;
}

async function* csvPieces<Row>(columns: readonly ListColumn<Row>[], wallTime: WallTime, portions: Portions<Row>) {
  const cells = columns.flatMap(({ file = {} }) => Object.entries(file));
  yield writeCsv([cells.map(([heading]) => heading)]);
  for await (const rows of portions) yield writeCsv(rows.map((row) => cells.map(([, of]) => of(row, wallTime))));
}

/** For a file, which can't say what it left out. @throws Refusal where the address has what nobody can read */
export function refuseUnread({ unread }: Pick<ListQuery<ListFilters>, "unread">): void {
  if (unread.length > 0) throw refused(`Not understood: ${unread.join(", ")}.`);
}
