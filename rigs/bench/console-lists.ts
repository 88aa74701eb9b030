import { rareAddress, rareCode } from "./console-load.ts";
import type { Samples } from "./console-samples.ts";
import { month } from "./growth.ts";

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
  const aMonth = `from=${month().from}&to=${month().to}`;
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
      "a month": list(aMonth),
      "a month, last page": last(list(aMonth)),
      today: list(`from=${day(0)}`),
      "failed data of a month": list(`status=failed&category=data&${aMonth}`),
      "failed MTN by legacy, all time": list("status=failed&network=MTN&channel=legacy"),
      "of a bulk order": list("bulk=order-1"),
      "of a bulk order, last page": last(list("bulk=order-1")),
      "a phone": list(`q=${phone}`),
      "the most frequent phone": list(`q=${bestPhone}`),
      "the most frequent phone, last page": last(list(`q=${bestPhone}`)),
      "a reference": list(`q=${reference}`),
      "a transaction id": list(`q=${transactionId}`),
      "an amount": few(list("amount=10000-")),
      "a reference of nothing": none(list("q=there-is-no-such")),
      "one opened beside": list(`open=${reference}`),
    },
    search: { "last digits of a phone": few(`/search?q=${phone.slice(-5)}`), "a word": few("/search?q=mtn 1gb") },
    timeline: {
      "by reference": one(`/transactions/${reference}`),
      "by transaction id": one(`/transactions/${transactionId}`),
      receipt: one(`/transactions/${reference}/receipt`),
    },
    wallet: {
      "first page": "/wallet",
      "last page": last("/wallet"),
      "a month": `/wallet?${aMonth}`,
      "a month, last page": last(`/wallet?${aMonth}`),
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
