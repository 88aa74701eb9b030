import { expect, test } from "vitest";
import {
  listByReference,
  listByRequestId,
  listErrors,
  listRequests,
  noRequestFilter,
} from "../../../src/domain/request-log/list.ts";
import { requestIds } from "../../../src/http/request-context.ts";
import type { PurchaseId, Reference } from "../../../src/kernel/ids.ts";
import type { Queryable } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { answered, logUnderTest } from "../../support/request-log.ts";
import { walletKey } from "../../support/wallet.ts";

const own = closing(await ownDatabase());

const noon = Date.parse("2026-11-20T12:00:00Z");
const dayMs = 86_400_000;
const page = { before: null, perPage: 50 };

test("a request is kept with all that it was, and found by each of its names", async () => {
  const wallet = walletKey(101);
  const { requestLog, note, time } = logUnderTest(own.database, noon);
  const requestId = requestIds({ clock: { now: () => noon - 12 }, randomness: (length) => new Uint8Array(length) })();
  const purchase = { id: 77n as PurchaseId, reference: "r-1" as Reference };
  note(answered(wallet, { requestId, purchase, body: { reference: "r-1", phone: "08031234567" } }));
  time.at += 5;
  note(answered(wallet, { status: 404, code: "TRANSACTION_NOT_FOUND", namedReference: "r-1", requestId: "mine" }));
  time.at += 5;
  note(answered(wallet, { status: null, endpoint: null, url: "/api/v1/merchant/x", body: { ident: "r-2" } }));
  await requestLog.flush();
  const { requests, before } = await listRequests(own.database, wallet, noRequestFilter, page);
  expect(before).toBeNull();
  expect(requests.map((each) => [each.at, each.status, each.code, each.reference])).toEqual([
    [noon + 10, null, "CLIENT_LEFT", "r-2"],
    [noon + 5, 404, "TRANSACTION_NOT_FOUND", "r-1"],
    [noon, 201, null, "r-1"],
  ]);
  expect(requests[2]).toEqual({
    at: noon,
    number: expect.any(Number),
    method: "POST",
    endpoint: "/api/v1/merchant/data/purchase",
    path: "/api/v1/merchant/data/purchase",
    status: 201,
    code: null,
    durationMs: 12,
    keyId: 1,
    address: "203.0.113.9",
    requestId,
    reference: "r-1",
    purchaseId: 77n,
    body: '{"reference":"r-1","phone":"***4567"}',
  });
  const [, calls, made] = requests;
  expect((await listByRequestId(own.database, wallet, requestId))[0]).toEqual(made);
  expect((await listByRequestId(own.database, wallet, "mine"))[0]).toEqual(calls);
  expect(await listByRequestId(own.database, wallet, "nobodys")).toEqual([]);
  expect(await listByReference(own.database, wallet, "r-1" as Reference)).toEqual([made, calls]);
  for (const stranger of [walletKey(102), walletKey(101, "test")]) {
    expect((await listRequests(own.database, stranger, noRequestFilter, page)).requests).toEqual([]);
    expect(await listByRequestId(own.database, stranger, requestId)).toEqual([]);
    expect(await listByRequestId(own.database, stranger, "mine")).toEqual([]);
    expect(await listByReference(own.database, stranger, "r-1" as Reference)).toEqual([]);
    expect(await listErrors(own.database, stranger, { from: "2026-11-01", to: "2026-11-30" })).toEqual([]);
  }
});

test("an id of ours that a client sends again later is found as well", async () => {
  const wallet = walletKey(103);
  const { requestLog, note } = logUnderTest(own.database, noon);
  const old = requestIds({ clock: { now: () => noon - dayMs }, randomness: (length) => new Uint8Array(length) })();
  note(answered(wallet, { requestId: old }));
  await requestLog.flush();
  expect((await listByRequestId(own.database, wallet, old))[0]?.at).toBe(noon);
});

test("a burst keeps what failed before what went well, and counts the rest", async () => {
  const wallet = walletKey(104);
  const { requestLog, note, dropped } = logUnderTest(own.database, noon);
  for (let n = 0; n < 800; n += 1) note(answered(wallet));
  for (let n = 0; n < 450; n += 1) note(answered(wallet, { code: "PRICE_CHANGED" }));
  for (let n = 0; n < 30; n += 1) note(answered(wallet, { status: null }));
  for (let n = 0; n < 10; n += 1) note(answered(wallet));
  await requestLog.flush();
  const kept = await countsOf(wallet.merchantId);
  expect(kept).toEqual({ "": 20, CLIENT_LEFT: 30, PRICE_CHANGED: 450 });
  expect(dropped).toEqual({ failed: 0, good: 790 });
  for (let n = 0; n < 600; n += 1) note(answered(wallet, { code: "PRICE_CHANGED" }));
  await requestLog.flush();
  expect(await countsOf(wallet.merchantId)).toEqual({ ...kept, PRICE_CHANGED: 950 });
  expect(dropped).toEqual({ failed: 100, good: 790 });
  // What has no row is counted by its code all the same, with the next that is written.
  await requestLog.flush();
  const days = { from: "2026-11-20", to: "2026-11-20" };
  expect(
    (await listErrors(own.database, wallet, days)).map((each) => [each.code, each.requests, each.notKept]),
  ).toEqual([
    ["PRICE_CHANGED", 1_050, 100],
    ["CLIENT_LEFT", 30, 0],
  ]);
});

async function countsOf(merchantId: number): Promise<Record<string, number>> {
  const { rows } = await own.fresh.pool.query(
    "select coalesce(code, '') as code, count(*)::int as rows from request_log where abs(wallet_id) = $1 group by 1",
    [merchantId],
  );
  return Object.fromEntries(rows.map(({ code, rows: count }) => [code, count]));
}

test("while the database is away requests are only counted, and logged again afterwards", async () => {
  const wallet = walletKey(105);
  let isAway = true;
  const database: Queryable = {
    query: (sql, values) => (isAway ? Promise.reject(new Error("away")) : own.database.query(sql, values)),
  };
  const { requestLog, note, dropped } = logUnderTest(database, noon);
  for (let n = 0; n < 150; n += 1) note(answered(wallet));
  note(answered(wallet, { code: "PRICE_CHANGED" }));
  await expect(requestLog.flush()).rejects.toThrow("away");
  expect(dropped).toEqual({ failed: 1, good: 150 });
  isAway = false;
  note(answered(wallet));
  await requestLog.flush();
  expect(await countsOf(wallet.merchantId)).toEqual({ "": 1 });
  const errors = await listErrors(own.database, wallet, { from: "2026-11-20", to: "2026-11-20" });
  expect(errors.map((each) => [each.code, each.requests, each.notKept])).toEqual([["PRICE_CHANGED", 1, 1]]);
});

test("what waits while the database is slow stays within the bound", async () => {
  const wallet = walletKey(106);
  let release = () => {};
  const slow = new Promise<void>((resolve) => {
    release = resolve;
  });
  const database: Queryable = { query: (sql, values) => slow.then(() => own.database.query(sql, values)) };
  const { requestLog, note, dropped } = logUnderTest(database, noon, 100);
  note(answered(wallet));
  const first = requestLog.flush();
  for (let n = 0; n < 300; n += 1) note(answered(wallet));
  const second = requestLog.flush();
  for (let n = 0; n < 300; n += 1) note(answered(wallet));
  release();
  await Promise.all([first, second]);
  await requestLog.flush();
  expect(await countsOf(wallet.merchantId)).toEqual({ "": 101 });
  expect(dropped).toEqual({ failed: 0, good: 500 });
});

test("errors are counted by code and endpoint, with the days that had them", async () => {
  const wallet = walletKey(107);
  const { requestLog, note, time } = logUnderTest(own.database, noon);
  const verify = "/api/v1/merchant/electricity/verify";
  const bought = (code: string) => note(answered(wallet, { code }));
  bought("PRICE_CHANGED");
  // Half past midnight in Lagos, still the day before in UTC.
  time.at = Date.parse("2026-11-20T23:30:00Z");
  bought("PRICE_CHANGED");
  await requestLog.flush();
  bought("PRICE_CHANGED");
  bought("OUT_OF_STOCK");
  note(answered(wallet, { code: "PRICE_CHANGED", endpoint: verify }));
  note(answered(wallet));
  await requestLog.flush();
  const endpoint = "/api/v1/merchant/data/purchase";
  const once = {
    requests: 1,
    notKept: 0,
    firstAt: time.at,
    lastAt: time.at,
    days: [{ day: "2026-11-21", requests: 1 }],
  };
  expect(await listErrors(own.database, wallet, { from: "2026-11-01", to: "2026-11-30" })).toEqual([
    {
      endpoint,
      code: "PRICE_CHANGED",
      requests: 3,
      notKept: 0,
      firstAt: noon,
      lastAt: time.at,
      days: [
        { day: "2026-11-20", requests: 1 },
        { day: "2026-11-21", requests: 2 },
      ],
    },
    { endpoint, code: "OUT_OF_STOCK", ...once },
    { endpoint: verify, code: "PRICE_CHANGED", ...once },
  ]);
  expect(await listErrors(own.database, wallet, { from: "2026-11-22", to: "2026-11-30" })).toEqual([]);
});
