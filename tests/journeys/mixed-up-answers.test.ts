import { afterEach, beforeEach, expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { type FakeSupplier, openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

// A supplier that answers about another purchase than the one that was asked about: it ends nothing, and a person is told.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const what = "another reference";
const mixedUp = { kind: "unknown", evidence: `POST /pay; ${what}`, askNobody: true, ofAnother: what } as const;

/** What the body of a callback says, taken as it stands. */
const read = ({ body }: { readonly body: string }) =>
  ({ kind: "news", providerReference: null, evidence: "{}", ...JSON.parse(body) }) as const;

let reply: FakeSupplier;
let app: Awaited<ReturnType<typeof startApp>>;
beforeEach(async () => {
  reply = openFakeSupplier();
  app = await startApp({ suppliers: [Object.assign(reply, { callbacks: { received: {}, read } })] });
  undo.push(() => app.close());
});

async function buy(): Promise<{ status: string; transaction_id: string }> {
  const body = { reference: "mixed-up", product_id: 1002, phone: "08031234567" };
  return (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body;
}

async function call(transactionId: string, providerReference: string): Promise<void> {
  const news = JSON.stringify({ supplierReference: `${transactionId}-1`, providerReference, status: "delivered" });
  await app.services.receiveCallback("told", {
    headers: {},
    body: news,
    query: "",
    addressSecret: null,
    at: Date.now(),
  });
  await app.services.receiveCallback.idle();
}

const rows = async (sql: string) => (await app.fresh.pool.query(sql)).rows;
const incidents = () => rows("select kind, attempt, supplier, source, evidence from purchase_incidents");
const steps = () => rows("select step from inflight");
const incident = { kind: "another_purchase", attempt: 1, supplier: "told" };

test("an answer about another purchase leaves ours pending, for a person, with an incident", async () => {
  reply.answer = mixedUp;
  expect(await buy()).toMatchObject({ status: "pending" });
  expect(await steps()).toEqual([{ step: "review" }]);
  expect(await incidents()).toEqual([{ ...incident, source: "answer of told", evidence: mixedUp.evidence }]);
  expect(await rows("select 1 from ledger_entries where kind = 'refund'")).toEqual([]);
});

test("so does one that comes when it is asked about again, and is kept once", async () => {
  reply.answer = silent;
  await buy();
  reply.answer = mixedUp;
  await app.fresh.pool.query("update inflight set due_at = now()");
  undo.push(app.services.startWorkers());
  await expect.poll(steps).toEqual([{ step: "review" }]);
  await app.services.requery("told", `${(await buy()).transaction_id}-1`, { source: "x", providerReference: null });
  expect(await incidents()).toEqual([{ ...incident, source: "answer of told", evidence: mixedUp.evidence }]);
});

test("a callback that names another purchase's transaction there is an incident, and the attempt is asked by its own", async () => {
  reply.answer = { ...silent, providerReference: "OURS-1" };
  const { transaction_id: id } = await buy();
  reply.answer = vended;
  await call(id, "THEIRS-2");
  expect(reply.calls.at(-1)?.request.providerReference).toBe("OURS-1");
  const evidence = "it names THEIRS-2, and the attempt is OURS-1 there";
  expect(await incidents()).toEqual([{ ...incident, source: "callback of told", evidence }]);
  expect((await app.call(app.merchant.liveKey, "/transactions/mixed-up")).body).toMatchObject({ status: "successful" });
});

test("a name from a callback is not taken for ours where the supplier knows another purchase by it", async () => {
  reply.answer = silent;
  const { transaction_id: id } = await buy();
  reply.answer = mixedUp;
  await call(id, "THEIRS-2");
  expect(await rows("select provider_reference from purchases")).toEqual([{ provider_reference: null }]);
  expect(await incidents()).toMatchObject([incident]);
});

test("a late answer about another purchase changes nothing that has ended", async () => {
  reply.answer = vended;
  const { transaction_id: id } = await buy();
  reply.answer = mixedUp;
  await call(id, "SUP-1");
  expect(await incidents()).toMatchObject([incident]);
  expect((await app.call(app.merchant.liveKey, "/transactions/mixed-up")).body).toMatchObject({ status: "successful" });
});
