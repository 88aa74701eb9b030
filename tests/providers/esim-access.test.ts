import { expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import type { Json, JsonObject } from "../../src/kernel/json.ts";
import type { Question, Reading } from "../../src/providers/dialect.ts";
import { esimAccess } from "../../src/providers/esim-access/dialect.ts";
import { askDeadlineMs } from "../../src/providers/http-connector.ts";
import { closing } from "../support/closing.ts";
import { addressSecret, openBench } from "../support/suppliers/connector-under-test.ts";
import { esimAccessCode, underTest } from "../support/suppliers/esim-access-stub.ts";
import { movableClock, noon, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

// What the conformance suite cannot say of eSIM Access: its waits, its list by pages and times, its messages.

const clock = movableClock();
const dialect = esimAccess({
  name: "esim-access",
  baseUrl: "https://supplier.example",
  accessCode: esimAccessCode,
  callbackSecret: addressSecret,
  clock,
});
const request = (wish: Partial<VendRequest> = {}) => vendRequest({ ...wishes.esim, supplierCode: "CKH511", ...wish });
const yes = (obj: Json) => ({ status: 200, json: { success: true, errorCode: "0", errorMsg: null, obj } });

const bench = closing(await openBench(underTest, clock));

test("profiles that are on their way are asked for again within the deadline, then left to asking again", () => {
  const onTheirWay = { status: 200, json: { success: false, errorCode: "200010", obj: null } };
  let reading = dialect.readVend(yes({ orderNo: "B1" }), request());
  let [waitedMs, questions] = [0, 1];
  while (reading.kind === "next") {
    expect(reading).toMatchObject({ providerReference: "B1", question: { body: { orderNo: "B1" } } });
    waitedMs += reading.afterMs ?? 0;
    questions += 1;
    reading = reading.read(onTheirWay);
  }
  expect(reading).toEqual({ kind: "unknown" });
  expect(waitedMs).toBeGreaterThan(20_000);
  expect(waitedMs).toBeLessThan(askDeadlineMs);
  expect(questions).toBeLessThanOrEqual(8);
});

test("a refused question within a purchase is asked once: it says nothing of the order", () => {
  const first = dialect.readVend(yes({ orderNo: "B1" }), request());
  if (first.kind !== "next") throw new Error(first.kind);
  const refused = { status: 200, json: { success: false, errorCode: "101002", obj: null } };
  expect(first.read(refused)).toEqual({ kind: "unknown" });
});

test("of a daily plan the route says the days", () => {
  const body = (supplierCode: string) => (dialect.askToVend(request({ supplierCode })) as Question).body;
  expect(body("GE_1_Daily/7")).toMatchObject({
    packageInfoList: [{ packageCode: "GE_1_Daily", count: 1, periodNum: 7 }],
  });
  expect(body("VN_0.1_7")).toMatchObject({ packageInfoList: [{ packageCode: "VN_0.1_7", count: 1 }] });
  expect(dialect.askToVend(request({ supplierCode: "GE_1_Daily/0" }))).toHaveProperty("unsendable");
  expect(dialect.askToVend(request({ category: "data" }))).toHaveProperty("unsendable");
});

/** The question and every one that follows it, with what each is answered. */
function converse(
  sent: VendRequest,
  answers: readonly JsonObject[],
): { calls: (JsonObject | undefined)[]; end: Reading } {
  const calls: (JsonObject | undefined)[] = [dialect.requery(sent)?.body];
  let reading: Reading = dialect.readAgain({ status: 200, json: answers[0]! }, sent);
  for (const json of answers.slice(1)) {
    if (reading.kind !== "next") break;
    calls.push(reading.question.body);
    reading = reading.read({ status: 200, json });
  }
  return { calls, end: reading };
}

const page = (total: number | null, ...references: string[]) =>
  yes({
    esimList: references.map((transactionId) => ({ transactionId, orderNo: "B7" })),
    pager: { pageSize: 100, pageNum: 1, ...(total === null ? {} : { total }) },
  }).json;

const many = (count: number) => Array.from({ length: count }, (_, n) => `other-${n}`);

test("without their number an order is looked for in the minutes around it, then in the hours since, to the last page", () => {
  clock.time = noon + 3_600_000;
  const { calls, end } = converse(request(), [page(150, ...many(100)), page(150, ...many(50)), page(0)]);
  const around = { startTime: "2026-11-20T10:55+00:00", endTime: "2026-11-20T11:16+00:00" };
  expect(calls).toMatchObject([
    { ...around, pager: { pageNum: 1 } },
    { ...around, pager: { pageNum: 2 } },
    { startTime: "2026-11-20T11:15+00:00", endTime: "2026-11-20T12:06+00:00", pager: { pageNum: 1 } },
  ]);
  expect(end).toEqual({ kind: "absent" });
  clock.time = noon;
});

test("what stands in the list is asked for by its own number, and all of its profiles come together", () => {
  const sent = request();
  const { end } = converse(sent, [page(2, "x", sent.supplierReference)]);
  expect(end).toMatchObject({ kind: "next", providerReference: "B7", question: { body: { orderNo: "B7" } } });
});

test.each([
  ["without its length", [page(null)]],
  ["shorter than it says", [page(150, ...many(100)), page(150, ...many(49))]],
  ["that ends before its end", [page(250, ...many(100)), page(250)]],
  ["that is none", [yes({ esimList: null, pager: { total: 0 } }).json]],
  ["that is refused", [{ success: false, errorCode: "000105", obj: null }]],
] as const)("a list %s is no proof that they never received it", (_, answers) => {
  expect(converse(request(), answers).end).toEqual({ kind: "unknown" });
});

const message = (body: JsonObject) =>
  dialect.callbacks!.read({ headers: {}, body: JSON.stringify(body), query: "", addressSecret, at: noon });

test("their test of our address and the use of a profile are no news, a cancelled one is", () => {
  const content = { orderNo: "B1", iccid: "89852000263413436720", esimTranNo: "25080323490020" };
  const health = { notifyType: "CHECK_HEALTH", content: { orderNo: "1234567890", orderStatus: "Test" } };
  expect(message(health)).toMatchObject({ kind: "other" });
  expect(message({ notifyType: "DATA_USAGE", content: { ...content, remain: 1 } })).toMatchObject({ kind: "other" });
  const status = (esimStatus: string) => message({ notifyType: "ESIM_STATUS", content: { ...content, esimStatus } });
  expect(status("IN_USE")).toMatchObject({ kind: "other" });
  expect(status("CANCEL")).toMatchObject({ kind: "news", supplierReference: null, providerReference: "B1" });
  expect(JSON.stringify(status("CANCEL"))).not.toContain("89852000263413436720");
});

test("a message that names our attempt names it, and one of another of the account's programs is no news", () => {
  const { supplierReference } = request();
  const named = (transactionId: string) =>
    message({ notifyType: "ORDER_STATUS", content: { orderNo: "B1", transactionId, orderStatus: "GOT_RESOURCE" } });
  expect(named(supplierReference)).toMatchObject({ kind: "news", supplierReference, providerReference: "B1" });
  expect(named("your_txn_id")).toMatchObject({ kind: "other" });
});

test("the list of packages tells codes and costs in dollars, which are never rounded down", async () => {
  const usd = { kind: "fixed", currency: "USD" };
  expect(await bench.connector.catalogue!()).toMatchObject({
    kind: "told",
    categories: ["esim"],
    products: [
      {
        supplierCode: "CKH002",
        otherCodes: [expect.stringMatching(/^ES_/)],
        name: "Spain 3GB 30Days",
        biller: "ES",
        face: null,
        cost: { ...usd, hundredths: 180n },
      },
      { supplierCode: "P1X57VWMR", biller: "GE", cost: { ...usd, hundredths: 91n } },
    ],
  });
  expect(await bench.deniedAccess.catalogue!()).toMatchObject({ kind: "failed" });
});

test("the balance is in dollars", async () => {
  expect(await bench.connector.balance!()).toMatchObject({ balance: 9_450n, currency: "USD" });
  expect(await bench.deniedAccess.balance!()).toMatchObject({ balance: null });
});

test("the product's own data, days and places go before what they tell", async () => {
  const said = await bench.connector.vend(bench.request("esim"));
  expect(said).toMatchObject({ fulfilment: { esims: [{ data_mb: 1_024, validity_days: 7, coverage: ["GB"] }] } });
  const attributes = { apn: "internet", data_mb: null, validity_days: 30, coverage: ["GB", "IE"] };
  const own = await bench.connector.vend({ ...bench.request("esim"), attributes });
  expect(own).toMatchObject({
    fulfilment: { esims: [{ ...attributes, expires_at: "2027-05-18T19:29:36+00:00" }] },
  });
});
