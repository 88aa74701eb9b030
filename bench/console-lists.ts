import { offsetMax } from "../src/kernel/page.ts";
import { rareAddress, rareCode } from "./console-log.ts";
import type { Samples } from "./console-samples.ts";
import { type Visitor, visit } from "./console-visitor.ts";
import { median } from "./result.ts";

/** One list as its address asks for it. */
export interface List {
  readonly page: string;
  readonly what: string;
  /** Without the mode. */
  readonly path: string;
  /** A page about one thing has no rows, a search for nothing finds none, and a bounded search of a large log may not. */
  readonly shows: "rows" | "one" | "nothing" | "few";
  /** The last page that can be asked for, and not the first. */
  readonly isLast: boolean;
}

/** How long one list took, in milliseconds over HTTP, one request at a time. */
export interface ListFigure {
  readonly page: string;
  readonly what: string;
  readonly path: string;
  /** The first time that it was asked for since PostgreSQL started: what it reads is in no memory of PostgreSQL's. */
  readonly firstMs: number;
  /** The median of the next ones, and the longest of them. */
  readonly warmMs: number;
  readonly longestMs: number;
  /** The median while purchases just made were not counted yet. */
  readonly afterSalesMs: number | null;
  /** Rows of its tables. */
  readonly rows: number;
}

const warmVisits = 5;

const day = (daysAgo: number) => new Date(Date.now() - daysAgo * 86_400_000).toISOString().slice(0, 10);

/** Every list of the console with every filter that it has, its first page and a deep one. */
export function listsOf(samples: Samples, bestPhone: string): List[] {
  const lists = { ...transactionLists(samples, bestPhone), ...logLists(samples), ...otherLists(samples) };
  return Object.entries(lists).flatMap(([page, paths]) =>
    Object.entries(paths).map(([what, of]) => ({
      ...{ page, what },
      ...{ shows: "rows", isLast: false },
      ...(typeof of === "string" ? { path: of } : of),
    })),
  );
}

type Paths = Readonly<Record<string, Readonly<Record<string, string | (Partial<List> & Pick<List, "path">)>>>>;

const none = (path: string) => ({ path, shows: "nothing" }) as const;
const few = (path: string) => ({ path, shows: "few" }) as const;
const last = (path: string) => ({ path, isLast: true });
const one = (path: string) => ({ path, shows: "one" }) as const;

function transactionLists({ purchases, transactionId }: Samples, bestPhone: string): Paths {
  const { reference = "", phone = "" } = purchases[0] ?? {};
  const month = `from=${day(180)}&to=${day(151)}`;
  const list = (query: string) => `/transactions?${query}`;
  return {
    overview: { "": "/overview" },
    transactions: {
      "first page": "/transactions",
      "page 50": list("page=50"),
      "last page": last("/transactions"),
      "status=successful": list("status=successful"),
      "status=failed": list("status=failed"),
      "status=failed, last page": last(list("status=failed")),
      "status=pending": list("status=pending"),
      "category=data": list("category=data"),
      "category=data, last page": last(list("category=data")),
      "network=MTN": list("network=MTN"),
      "network=9MOBILE": list("network=9MOBILE"),
      "channel=legacy": list("channel=legacy"),
      "channel=bulk": list("channel=bulk"),
      "channel=dashboard": none(list("channel=dashboard")),
      "a month": list(month),
      "a month, last page": last(list(month)),
      today: list(`from=${day(0)}`),
      "failed data of a month": list(`status=failed&category=data&${month}`),
      "failed MTN by legacy, all time": list("status=failed&network=MTN&channel=legacy"),
      "of a bulk order": list("bulk=order-1"),
      "of a bulk order, last page": last(list("bulk=order-1")),
      "a phone": list(`q=${phone}`),
      "the most frequent phone": list(`q=${bestPhone}`),
      "the most frequent phone, last page": last(list(`q=${bestPhone}`)),
      "a reference": list(`q=${reference}`),
      "a transaction id": list(`q=${transactionId}`),
      "a reference of nothing": none(list("q=there-is-no-such")),
      "one opened beside": list(`open=${reference}`),
    },
    timeline: {
      "by reference": one(`/transactions/${reference}`),
      "by transaction id": one(`/transactions/${transactionId}`),
      receipt: one(`/transactions/${reference}/receipt`),
    },
    wallet: {
      "first page": "/wallet",
      "last page": last("/wallet"),
      "a month": `/wallet?${month}`,
      "a month, last page": last(`/wallet?${month}`),
      "a day": `/wallet?from=${day(200)}&to=${day(200)}`,
    },
  };
}

function logLists({ purchases, ownRequestId, sentRequestId, keyId, logPlace }: Samples): Paths {
  const reference = purchases[0]?.reference ?? "";
  const list = (query: string) => `/requests?${query}`;
  return {
    requests: {
      "first page": "/requests",
      "half a month ago": list(`before=${logPlace}`),
      "a request": one(`/requests/${logPlace}`),
      "status=2xx": list("status=2xx"),
      "status=4xx": list("status=4xx"),
      "status=5xx": none(list("status=5xx")),
      "status=failed": list("status=failed"),
      "status=failed, half a month ago": list(`status=failed&before=${logPlace}`),
      "a frequent code": list("code=INSUFFICIENT_BALANCE"),
      "a rare code": list(`code=${rareCode}`),
      "a code of another endpoint": none(list("code=INSUFFICIENT_BALANCE&endpoint=webhook")),
      "an endpoint": list("endpoint=wallet/balance"),
      "a key": list(`key=key_${keyId}`),
      "an address": list("address=198.51.100.7"),
      "a rare address": few(list(`address=${rareAddress}`)),
      "a reference": list(`q=${reference}`),
      "an id of ours": list(`q=${ownRequestId}`),
      "an id of the client's": list(`q=${sentRequestId}`),
      "a text": list("q=0803***12"),
      "a text of nothing": none(list("q=there is no such text")),
      "a day": list(`from=${day(20)}&to=${day(20)}`),
      "failed 4xx by address": list("status=4xx&address=198.51.100.7"),
    },
    errors: { "30 days": "/errors", "7 days": "/errors?days=7", today: "/errors?days=1" },
  };
}

function otherLists({ delivered, endpointId }: Samples): Paths {
  const list = (query: string) => `/webhooks/deliveries?${query}`;
  return {
    webhooks: {
      endpoints: none("/webhooks"),
      log: "/webhooks/deliveries",
      "log, last page": last("/webhooks/deliveries"),
      "log, status=failed": list("status=failed"),
      "log, status=failed, last page": last(list("status=failed")),
      "log, event": list("event=transaction.successful"),
      "log, event and status, last page": last(list("event=transaction.failed&status=success")),
      "log, an endpoint": list(`endpoint=${endpointId}`),
      "log, a reference": list(`q=${delivered.reference}`),
      "log, a delivery": list(`q=${delivered.id}`),
      "a delivery": one(`/webhooks/deliveries/${delivered.id}`),
    },
    bulk: { orders: "/bulk", "an order": "/bulk/order-1" },
    prices: {
      "first page": "/prices",
      words: "/prices?q=mtn 1gb",
      category: "/prices?category=data",
      changed: "/prices?changed=day",
    },
    beneficiaries: {
      "first page": "/beneficiaries",
      "last page": last("/beneficiaries"),
      words: "/beneficiaries?q=name 77",
      category: "/beneficiaries?category=airtime",
    },
    keys: { keys: "/keys", addresses: one("/keys/addresses") },
  };
}

/** The same list's last page, by what its first one says of itself: `1–50 of 1,934`. */
async function lastPageOf(visitor: Visitor, path: string): Promise<string> {
  const { text } = await visit(visitor, `/test${path}`);
  const [, shown = "1", total = "1"] = /1–([\d,]+) of ([\d,]+)/.exec(text) ?? [];
  const [perPage, all] = [shown, total].map((number) => Number(number.replaceAll(",", ""))) as [number, number];
  const isDeep = path.startsWith("/wallet");
  const page = Math.min(Math.ceil(all / perPage), isDeep ? Number.POSITIVE_INFINITY : offsetMax / perPage);
  return `${path}${path.includes("?") ? "&" : "?"}page=${page}`;
}

/** Asks for each list some times in turn; whatever is not answered with 200, or shows nothing, is a complaint. */
export async function measureLists(
  visitor: Visitor,
  lists: readonly List[],
  options: { readonly complaints: string[]; readonly progress: (text: string) => void },
): Promise<ListFigure[]> {
  // What is compiled and connected at its first use is no question of rows.
  for (const { path } of lists) await visit(visitor, `/live${path}`);
  const figures: ListFigure[] = [];
  for (const { page, what, shows, ...list } of lists) {
    const path = list.isLast ? await lastPageOf(visitor, list.path) : list.path;
    const first = await visit(visitor, `/test${path}`);
    const rows = rowsIn(first.text);
    if (first.status !== 200) options.complaints.push(`${path} answered ${first.status}`);
    if ((shows === "rows" && rows === 0) || (shows === "nothing" && rows > 0))
      options.complaints.push(`${path} shows ${rows} rows`);
    const warm: number[] = [];
    for (let n = 0; n < warmVisits; n++) warm.push((await visit(visitor, `/test${path}`)).ms);
    const figure = { firstMs: first.ms, warmMs: median(warm), longestMs: Math.max(...warm) };
    options.progress(`\r${figures.length + 1} of ${lists.length} lists `);
    figures.push({ page, what, path, ...figure, afterSalesMs: null, rows });
  }
  options.progress("\n");
  return figures;
}

/** The same lists once more, each a few times: adds how long they take while purchases are not counted yet. */
export async function measureAfterSales(visitor: Visitor, figures: readonly ListFigure[]): Promise<ListFigure[]> {
  const measured: ListFigure[] = [];
  for (const figure of figures) {
    const path = `/test${figure.path}`;
    const visits = [await visit(visitor, path), await visit(visitor, path), await visit(visitor, path)];
    measured.push({ ...figure, afterSalesMs: median(visits.map(({ ms }) => ms)) });
  }
  return measured;
}

function rowsIn(text: string): number {
  return [...text.matchAll(/<tbody>(.*?)<\/tbody>/gs)].reduce(
    (sum, [, body = ""]) => sum + (body.match(/<tr[ >]/g)?.length ?? 0),
    0,
  );
}
