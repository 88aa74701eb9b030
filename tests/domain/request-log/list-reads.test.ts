import { expect, test } from "vitest";
import {
  listByReference,
  listByRequestId,
  listErrors,
  listRequests,
  noRequestFilter,
  type RequestFilter,
} from "../../../src/domain/request-log/list.ts";
import type { LogPlace } from "../../../src/domain/request-log/logged-request.ts";
import { requestIds } from "../../../src/http/request-context.ts";
import { type ApiKeyId, type Reference, walletIdOf } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { rowsRead } from "../../support/rows-read.ts";
import { walletKey } from "../../support/wallet.ts";

const wallet = walletKey(1);
const start = Date.UTC(2026, 10, 1);
const rows = 60_000;
const perPage = 20;
const idAt = (at: number) => requestIds({ clock: { now: () => at }, randomness: (length) => new Uint8Array(length) })();

/** A request each half a minute for three weeks: one in a hundred failed, three of them in a way of their own. */
const { fresh, database } = closing(await ownDatabase({ connectionsMax: 1, plans: "ordinary" }));
await fresh.pool.query(
  `insert into request_log (
     wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, address,
     request_id, is_request_id_sent, reference
   )
   select $1, to_timestamp($2 / 1000.0) + n * interval '30 seconds', n, 'POST',
          case when n = 100 then '/rare' else '/data' end, '/data',
          case when n in (9, 1009, 20009) then 503 when n % 100 = 0 then 422 else 201 end,
          case when n in (9, 1009, 20009) then 'MAINTENANCE' when n % 100 = 0 then 'OUT_OF_STOCK' end, 5,
          case when n % 20000 = 3 then 2 else 1 end, '203.0.113.9', 'c-' || n, true, 'r-' || n
     from generate_series(0, $3 - 1) as n`,
  [walletIdOf(wallet), start, rows],
);
await fresh.pool.query(
  `insert into request_error_days (wallet_id, day, endpoint, code, requests, first_at, last_at)
   select wallet_id, at::date, endpoint, code, count(*), min(at), max(at)
     from request_log
    where code is not null
    group by wallet_id, at::date, endpoint, code`,
);
const own = idAt(start + 30_000 * 70);
await fresh.pool.query(
  `update request_log
      set request_id = $1, is_request_id_sent = false
    where number = 70`,
  [own],
);

async function pageOf(filter: Partial<RequestFilter>, before: LogPlace | null = null) {
  let page: Awaited<ReturnType<typeof listRequests>> | undefined;
  const read = await rowsRead(database, "request_log", async () => {
    page = await listRequests(database, wallet, { ...noRequestFilter, ...filter }, { before, perPage });
  });
  return { numbers: page!.requests.map(({ number }) => number), before: page!.before, read };
}

/** Asks on until there is no further page. */
async function all(filter: Partial<RequestFilter>): Promise<number[]> {
  const found: number[] = [];
  let before: LogPlace | null = null;
  do {
    const page = await pageOf(filter, before);
    expect(page.read).toBeLessThanOrEqual(2 * 20_000 + 100);
    found.push(...page.numbers);
    before = page.before;
  } while (before !== null);
  return found;
}

const at = (n: number) => start + n * 30_000;

const cases: readonly [string, Partial<RequestFilter>, { first: number; shown: number; readMax: number }][] = [
  ["nothing", {}, { first: 59_999, shown: 20, readMax: 20 }],
  ["time", { from: at(500), to: at(510) }, { first: 509, shown: 10, readMax: 30 }],
  ["all that failed", { statusClass: "failed" }, { first: 59_900, shown: 20, readMax: 20 * 3 + 3 }],
  ["a rare class", { statusClass: "5xx" }, { first: 20_009, shown: 3, readMax: 9 }],
  ["a class", { statusClass: "4xx" }, { first: 59_900, shown: 20, readMax: 20 * 2 }],
  ["a rare code", { code: "MAINTENANCE" }, { first: 20_009, shown: 3, readMax: 9 }],
  ["a code that nothing had", { code: "NOT_FOUND" }, { first: 0, shown: 0, readMax: 0 }],
  ["a rare endpoint of a code", { code: "OUT_OF_STOCK", endpoint: "/rare" }, { first: 100, shown: 1, readMax: 1_300 }],
  ["a key", { keyId: 1 as ApiKeyId }, { first: 59_999, shown: 20, readMax: 25 }],
  ["an address", { address: "203.0.113.9" }, { first: 59_999, shown: 20, readMax: 20 }],
  ["a request id", { requestId: "c-77" }, { first: 77, shown: 1, readMax: 1 }],
  ["a reference that was pasted", { q: "r-77" }, { first: 77, shown: 1, readMax: 1 }],
];

test.each(["before", "after"])("a page reads little more than it shows, %s the first analyze", async (when) => {
  if (when === "after") await fresh.pool.query("analyze");
  for (const [name, filter, { first, shown, readMax }] of cases) {
    const page = await pageOf(filter);
    expect([page.numbers.length, page.numbers[0] ?? 0], name).toEqual([shown, first]);
    expect(page.read, name).toBeLessThanOrEqual(readMax);
  }
});

test("what fits few of many is found page by page, each of which is bounded and says how far it has looked", async () => {
  expect(await all({ keyId: 2 as ApiKeyId })).toEqual([40_003, 20_003, 3]);
  expect(await all({ q: "r-5999" })).toEqual([5_999]);
  expect(await all({ q: "/RARE", statusClass: "failed" })).toEqual([]);
  expect(await all({ endpoint: "/rare", statusClass: "failed" })).toEqual([100]);
  const first = await pageOf({ keyId: 2 as ApiKeyId });
  expect(first).toMatchObject({ numbers: [40_003], before: { number: 40_000 } });
});

test("requests of one code lie far apart, so fewer of them are looked through at a time", async () => {
  const shop = walletKey(2);
  await fresh.pool.query(
    `insert into request_log (
       wallet_id, at, number, method, endpoint, path, status, code, duration_ms, key_id, request_id,
       is_request_id_sent
     )
     select $1, to_timestamp($2 / 1000.0) + n * interval '30 seconds', n, 'POST',
            case when n = 100 then '/rare' else '/data' end, '/data', 422, 'OUT_OF_STOCK', 5, 1, 'c-' || n, false
       from generate_series(0, 4499) as n`,
    [walletIdOf(shop), start],
  );
  const pages: [number[], number | undefined][] = [];
  const filter = { ...noRequestFilter, code: "OUT_OF_STOCK", endpoint: "/rare" };
  const read = await rowsRead(database, "request_log", async () => {
    let before: LogPlace | null = null;
    do {
      const page = await listRequests(database, shop, filter, { before, perPage });
      pages.push([page.requests.map(({ number }) => number), page.before?.number]);
      before = page.before;
    } while (before !== null);
  });
  expect(pages).toEqual([
    [[], 2_500],
    [[], 500],
    [[100], undefined],
  ]);
  expect(read).toBeLessThanOrEqual(2 * 4_500);
});

test("pages join without a gap", async () => {
  const first = await pageOf({ statusClass: "failed" });
  const second = await pageOf({ statusClass: "failed" }, first.before);
  expect([...first.numbers, ...second.numbers]).toEqual(Array.from({ length: 40 }, (_, n) => 59_900 - n * 100));
});

test("by its names a request is found at once", async () => {
  const read = await rowsRead(database, "request_log", async () => {
    expect((await listByRequestId(database, wallet, idAt(at(70))))[0]?.number).toBe(70);
    expect((await listByReference(database, wallet, "r-9" as Reference)).map(({ number }) => number)).toEqual([9]);
    expect(await listByRequestId(database, wallet, idAt(at(-100)))).toEqual([]);
  });
  expect(read).toBeLessThanOrEqual(5);
});

test("the errors of a month are read from their counts, not from the log", async () => {
  const read = await rowsRead(database, "request_log", async () => {
    const errors = await listErrors(database, wallet, { from: "2026-11-01", to: "2026-11-30" });
    expect(errors.map(({ code, endpoint, requests }) => [code, endpoint, requests])).toEqual([
      ["OUT_OF_STOCK", "/data", 599],
      ["MAINTENANCE", "/data", 3],
      ["OUT_OF_STOCK", "/rare", 1],
    ]);
  });
  expect(read).toBe(0);
});
