import { afterEach, expect, test } from "vitest";
import { findLivePurchase } from "../../src/domain/purchases/queries.ts";
import { claimCallbackQuestions, insertCallback } from "../../src/domain/resolution/callbacks/callback-queries.ts";
import { openAskAbout } from "../../src/domain/resolution/callbacks/receive-callback.ts";
import { resolveTogether } from "../../src/domain/resolution/review/resolve-together.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { type Logger, openLog } from "../../src/platform/telemetry/log.ts";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { legacyScript } from "../../src/providers/legacy-script/dialect.ts";
import { clock, startApp, type TestApp } from "../support/app.ts";
import { answerLater, declined, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { addressSecret, connectorServices, openBench } from "../support/suppliers/connector-under-test.ts";
import { legacyNetworkIds, legacyScriptStub, legacyToken } from "../support/suppliers/legacy-script-stub.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";

// What a supplier calls about is asked about until it is answered, whatever happens in between.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));

async function until(what: string, holds: () => Promise<boolean> | boolean): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (await holds()) return;
    await pause(20);
  }
  throw new Error(`never: ${what}`);
}

async function count(app: TestApp, from: string): Promise<number> {
  const { rows } = await app.fresh.pool.query<{ n: number }>(`select count(*)::integer as n from ${from}`);
  return rows[0]?.n ?? 0;
}

async function buyAirtime(app: TestApp, reference: string) {
  const body = { reference, network: "MTN", phone: "08031234567", amount: "100.00" };
  return (await app.call(app.merchant.liveKey, "/airtime/purchase", { body })).body;
}

/** VTpass sold something, and takes all of it back, at once or when it is told to. */
async function openReversals(options: { readonly purchases: number; readonly areTakenBack?: boolean }) {
  const under = connectorsUnderTest.find(({ name }) => name === "vtpass")!;
  const bench = await openBench(under, movableClock(Date.now()));
  undo.push(() => bench.close());
  const requery = bench.connector.requery.bind(bench.connector);
  const supplier = { requeries: 0, isDown: false };
  const connector = {
    ...bench.connector,
    async requery(...calls: Parameters<typeof requery>): Promise<VendOutcome> {
      supplier.requeries += 1;
      await pause(50);
      return supplier.isDown ? { kind: "unknown", evidence: "silent: ECONNRESET" } : requery(...calls);
    },
  };
  const app = await startApp({ suppliers: [connector], workers: true });
  undo.push(() => app.close());
  bench.stub.play = "vended";
  for (let i = 0; i < options.purchases; i++) await buyAirtime(app, `reversed-${i}`);
  const requestIds = [...bench.stub.records.keys()];
  const takeBack = () => requestIds.map((id) => Object.assign(bench.stub.records.get(id)!, { state: "reversed" }));
  if (options.areTakenBack !== false) takeBack();
  async function call(requestId: string): Promise<number> {
    const { headers, body } = bench.stub.callback(requestId, "declined");
    const url = `${app.url}/supplier-callbacks/vtpass/${addressSecret}`;
    return (await fetch(url, { method: "POST", headers, body })).status;
  }
  return { app, supplier, requestIds, call, takeBack };
}

const reversals = "ledger_entries where kind = 'reversal'";

test("of sixty reversals that are called at once, each is given back", async () => {
  const { app, requestIds, call } = await openReversals({ purchases: 60 });
  const answers = await Promise.all(requestIds.map(call));
  expect(new Set(answers)).toEqual(new Set([200]));
  await until("all are given back", async () => (await count(app, reversals)) === 60);
  await until("nothing is left to ask", async () => (await count(app, "callback_questions")) === 0);
});

test("a reversal whose question was not answered is asked about again, and given back once", async () => {
  const { app, supplier, requestIds, call } = await openReversals({ purchases: 1 });
  const [requestId = ""] = requestIds;
  supplier.isDown = true;
  expect(await call(requestId)).toBe(200);
  await app.services.receiveCallback.idle();
  expect([await count(app, reversals), await count(app, "callback_questions")]).toEqual([0, 1]);
  supplier.isDown = false;
  // The same word again is no news; its question is there already, and its time comes.
  expect(await call(requestId)).toBe(200);
  await app.fresh.pool.query("update callback_questions set due_at = now()");
  await until("it is given back", async () => (await count(app, reversals)) === 1);
  await until("nothing is left to ask", async () => (await count(app, "callback_questions")) === 0);
  expect(supplier.requeries).toBe(2);
});

test("a reversal that was told once before it was true is asked about again when it is told again, and given back", async () => {
  const { app, supplier, requestIds, call, takeBack } = await openReversals({ purchases: 1, areTakenBack: false });
  expect(await call(requestIds[0] ?? "")).toBe(200);
  await until("it is asked about", async () => supplier.requeries === 1);
  await until("nothing is left to ask", async () => (await count(app, "callback_questions")) === 0);
  takeBack();
  await app.fresh.pool.query("update supplier_callbacks set received_at = received_at - interval '1 minute'");
  expect(await call(requestIds[0] ?? "")).toBe(200);
  await until("it is given back", async () => (await count(app, reversals)) === 1);
});

test("a question that nobody answered for a day is given up, and the log tells a person", async () => {
  const { app, supplier, requestIds, call } = await openReversals({ purchases: 1 });
  supplier.isDown = true;
  await call(requestIds[0] ?? "");
  await app.services.receiveCallback.idle();
  await app.fresh.pool.query(
    "update callback_questions set due_at = now(), tries = 50, received_at = now() - interval '1 day'",
  );
  await until("it is given up", async () => (await count(app, "callback_questions")) === 0);
  expect([await count(app, reversals), await count(app, "supplier_callbacks")]).toEqual([0, 1]);
});

test("a question whose asking fails each time is asked ever less often, for a day; then a person is told", async () => {
  const app = await startApp({ suppliers: [openFakeSupplier()] });
  undo.push(() => app.close());
  const { database } = app.services;
  const said: { event?: string; result?: string }[] = [];
  const log = { ...openLog({ level: "silent" }), info: () => {}, error: (line: object) => said.push(line) };
  const failing = async () => Promise.reject(new TypeError("no such column"));
  const askAbout = openAskAbout({ database, clock, requery: failing, log: log as unknown as Logger });
  const word = { supplier: "told", supplierReference: "TXN-1", status: "reversed", evidence: "{}" };
  const { transaction_id } = await buyAirtime(app, "called-about");
  const about = { id: app.services.transactionIds.parse(transaction_id, "live")!, attempt: 1 };
  const answered = await insertCallback(database, { ...word, providerReference: null }, about, 90);
  await askAbout(answered!);
  const waits: number[] = [];
  for (let look = 0; look < 7; look++) {
    const due = "select round(extract(epoch from due_at - now())) as s from callback_questions";
    waits.push(Number((await app.fresh.pool.query(due)).rows[0].s));
    await app.fresh.pool.query("update callback_questions set due_at = now()");
    const [question] = await claimCallbackQuestions(database, { exceptOf: [], limit: 1, leaseSeconds: 90 });
    await askAbout(question!);
  }
  expect(waits).toEqual([5, 10, 20, 40, 80, 300, 300]);
  expect(said.map(({ event }) => event)).toEqual(Array(8).fill("callback.ask_failed"));
  await app.fresh.pool.query("update callback_questions set due_at = now(), received_at = now() - interval '1 day'");
  const [last] = await claimCallbackQuestions(database, { exceptOf: [], limit: 1, leaseSeconds: 90 });
  await askAbout(last!);
  expect(said.at(-1)).toMatchObject({ event: "callback.unanswered", result: "failed", supplierReference: "TXN-1" });
  expect([await count(app, "callback_questions"), await count(app, "supplier_callbacks")]).toEqual([0, 1]);
});

async function openLegacy(options: { readonly deadlineMs: number }) {
  const stub = await startStub(legacyScriptStub);
  undo.push(() => stub.close());
  const http = openAllowlistedHttp({ origins: [stub.url], monotonicMs: () => performance.now() });
  undo.push(() => http.close());
  const callbackSecret = "c2VjcmV0LW9mLXRoZS1hZGRyZXNz";
  const address = { name: "legacy-script", baseUrl: stub.url, token: legacyToken, networkIds: legacyNetworkIds };
  const services = { ...connectorServices(http, clock), deadlineMs: options.deadlineMs };
  const app = await startApp({ suppliers: [httpConnector(legacyScript({ ...address, callbackSecret }), services)] });
  undo.push(() => app.close());
  async function call(supplierReference: string): Promise<void> {
    const { headers, body } = stub.callback(supplierReference, "vended");
    await fetch(`${app.url}/supplier-callbacks/legacy-script/${callbackSecret}`, { method: "POST", headers, body });
    await app.services.receiveCallback.idle();
  }
  return { app, stub, call };
}

test("a callback that overtakes the answer to the request itself ends the purchase by the name that it tells", async () => {
  const { app, stub, call } = await openLegacy({ deadlineMs: 5_000 });
  stub.play = "slow";
  const buying = buyAirtime(app, "overtaken");
  await until("it is asked to vend", () => stub.records.size > 0);
  const [supplierReference = ""] = stub.records.keys();
  await call(supplierReference);
  expect(await buying).toMatchObject({ status: "successful", provider_reference: expect.stringMatching(/^\d+$/) });
  expect([stub.vends(supplierReference), await count(app, "inflight")]).toEqual([1, 0]);
});

test("where the answer was lost, the name that a callback tells is asked by, and no person is needed", async () => {
  const { app, stub, call } = await openLegacy({ deadlineMs: 500 });
  stub.play = "vended_answer_dropped";
  expect(await buyAirtime(app, "lost-answer")).toMatchObject({ status: "pending" });
  expect(await count(app, "inflight where step = 'review'")).toBe(1);
  const [supplierReference = ""] = stub.records.keys();
  await call(supplierReference);
  const { body } = await app.call(app.merchant.liveKey, "/transactions/lost-answer");
  expect(body).toMatchObject({ status: "successful", provider_reference: expect.stringMatching(/^\d+$/) });
});

test("a callback about a purchase whose request is under way leaves its lease alone while nothing is certain", async () => {
  const supplier = openFakeSupplier("first");
  const app = await startApp({ suppliers: [supplier] });
  undo.push(() => app.close());
  const answer = answerLater(supplier);
  const buying = buyAirtime(app, "under-way");
  await until("it is asked to vend", () => supplier.calls.length > 0);
  supplier.answer = silent;
  const { supplierReference } = supplier.calls[0]!.request;
  const occasion = { source: "callback", providerReference: null };
  expect(await app.services.requery("first", supplierReference, occasion)).toBe("asked");
  answer({ kind: "vended", providerReference: "SUP-7", fulfilment: { kind: "topup" } });
  expect(await buying).toMatchObject({ status: "successful", provider_reference: "SUP-7" });
});

test("a yes that comes after a person's no moves nothing, and a person is told of it", async () => {
  const supplier = openFakeSupplier("first");
  const app = await startApp({ suppliers: [supplier] });
  undo.push(() => app.close());
  supplier.answer = silent;
  const bought = await buyAirtime(app, "overruled");
  const answer = answerLater(supplier);
  const occasion = { source: "callback", providerReference: null };
  const asking = app.services.requery("first", `${bought.transaction_id}-1`, occasion);
  await until("it is asked again", () => supplier.calls.length === 2);
  const purchase = await findLivePurchase(
    app.services.database,
    app.services.transactionIds.parse(bought.transaction_id, "live")!,
  );
  const finding = { by: "ada", evidence: "their console said failed, ticket 12" };
  const outcome = { status: "failed", errorCode: "EXPIRED_UNCONFIRMED", providerReference: null } as const;
  await resolveTogether(app.services, [{ purchase: purchase!, outcome, line: null }], finding);
  answer({ ...vended, evidence: "000 delivered" });
  expect(await asking).toBe("asked");
  const { rows } = await app.fresh.pool.query(
    "select kind, source, evidence from purchase_incidents where kind = 'contradiction'",
  );
  expect(rows).toEqual([{ kind: "contradiction", source: "answer of first", evidence: "000 delivered" }]);
  expect((await app.call(app.merchant.liveKey, "/transactions/overruled")).body).toMatchObject({ status: "failed" });
});

async function openWideLines() {
  const supplier = openFakeSupplier("first");
  const app = await startApp({ suppliers: [supplier] });
  undo.push(() => app.close());
  return { supplier, app };
}

test("a yes to the request itself counts, though somebody has taken the lease meanwhile", async () => {
  const { supplier, app } = await openWideLines();
  const answer = answerLater(supplier);
  const buying = buyAirtime(app, "lease-taken");
  await until("it is asked to vend", () => supplier.calls.length > 0);
  await app.fresh.pool.query("update inflight set epoch = epoch + 1, step = 'requery'");
  answer({ kind: "vended", providerReference: "SUP-8", fulfilment: { kind: "topup" } });
  expect(await buying).toMatchObject({ status: "successful", provider_reference: "SUP-8" });
});

test("a no to the request itself is left to who has taken the lease meanwhile: nothing is given back by it", async () => {
  const { supplier, app } = await openWideLines();
  const answer = answerLater(supplier);
  const buying = buyAirtime(app, "no-lease");
  await until("it is asked to vend", () => supplier.calls.length > 0);
  await app.fresh.pool.query("update inflight set epoch = epoch + 1, step = 'requery'");
  answer(declined);
  expect(await buying).toMatchObject({ status: "pending", refunded: false });
  expect(await count(app, "ledger_entries where kind = 'refund'")).toBe(0);
});

test("of what waits for a person nobody else asks, so its question stays until it is answered", async () => {
  const { supplier, app } = await openWideLines();
  supplier.answer = silent;
  const bought = await buyAirtime(app, "in-review");
  await app.fresh.pool.query("update inflight set step = 'review'");
  const ask = () =>
    app.services.requery("first", `${bought.transaction_id}-1`, { source: "callback", providerReference: null });
  expect(await ask()).toBe("still_unknown");
  supplier.answer = vended;
  expect(await ask()).toBe("asked");
  expect((await app.call(app.merchant.liveKey, "/transactions/in-review")).body.status).toBe("successful");
});

test("of what a supplier makes up nothing is kept: no word about an attempt that never was, of one that was a few", async () => {
  const supplier = openFakeSupplier("first");
  supplier.answer = silent;
  const word = { kind: "news", providerReference: null, evidence: "{}" } as const;
  const read = ({ body }: { readonly body: string }) => ({ ...word, ...JSON.parse(body) });
  const app = await startApp({ suppliers: [{ ...supplier, callbacks: { received: {}, read } }] });
  undo.push(() => app.close());
  const call = (supplierReference: string, status: string) => {
    const body = JSON.stringify({ supplierReference, status });
    const message = { headers: {}, body, query: "", addressSecret: null, at: clock.now() };
    return app.services.receiveCallback("first", message);
  };
  const { transaction_id: id } = await buyAirtime(app, "called-about");
  for (const never of [`${id}-2`, `${id}-99`, `${id.slice(0, -2)}00-1`, "TXN00000000000000000000000000-1"]) {
    expect(await call(never, "delivered")).toMatchObject({ kind: "received" });
  }
  await app.services.receiveCallback.idle();
  expect([await count(app, "supplier_callbacks"), await count(app, "callback_questions")]).toEqual([0, 0]);
  expect(supplier.calls).toHaveLength(1);
  for (let i = 0; i < 60; i++) expect(await call(`${id}-1`, `word ${i}`)).toMatchObject({ kind: "received" });
  await app.services.receiveCallback.idle();
  expect(await count(app, "supplier_callbacks")).toBe(20);
  expect(supplier.calls).toHaveLength(21);
});
