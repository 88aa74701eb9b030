import { afterEach, expect, test } from "vitest";
import { afterRestore } from "../../src/domain/maintenance/restore/after-restore.ts";
import { startApp } from "../support/app.ts";
import { type FakeSupplier, openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";

// The first supplier declines and takes that back: whatever the next one says then, no money moves without a person.

const undo: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const step of undo.splice(0).reverse()) await step();
});

const refused = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText } as const;
const occasion = { source: "callback", providerReference: null };

/** What the body of a callback says, taken as it stands. */
const read = ({ body }: { readonly body: string }) =>
  ({ kind: "news", providerReference: null, evidence: "{}", ...JSON.parse(body) }) as const;

/** Declined by all suppliers but the last, for which it is queued; then the first takes its no back. */
async function queuedAndContradicted(names: readonly [string, string, string?]) {
  const reply = names.filter((name) => name !== undefined).map((name) => openFakeSupplier(name));
  const suppliers = reply.map((supplier) => Object.assign(supplier, { callbacks: { received: {}, read } }));
  const app = await startApp({ suppliers });
  undo.push(() => app.close());
  const [first, second] = reply as [FakeSupplier, FakeSupplier];
  first.answer = silent;
  const body = { reference: "contradicted", product_id: 1002, phone: "08031234567" };
  const { transaction_id: id } = (await app.call(app.merchant.liveKey, "/data/purchase", { body })).body;
  for (const [attempt, supplier] of reply.slice(0, -1).entries()) {
    supplier.answer = refused;
    await app.fresh.pool.query("update inflight set step = 'requery', due_at = now() + interval '1 hour'");
    await app.services.requery(supplier.name, `${id}-${attempt + 1}`, occasion);
  }
  first.answer = vended;
  await app.services.requery("first", `${id}-1`, occasion);
  const inflight = async () => (await app.fresh.pool.query("select step, attempt from inflight")).rows;
  expect(await inflight()).toEqual([{ step: "queued", attempt: reply.length }]);
  return { app, second, inflight, id };
}

test("after a restore, a second supplier that never received it does not lead to a refund", async () => {
  const { app, second, inflight } = await queuedAndContradicted(["first", "second"]);
  await afterRestore(app.services.database);
  expect(await inflight()).toEqual([{ step: "requery", attempt: 2 }]);
  second.answer = { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: "never received" };
  undo.push(app.services.startWorkers());
  await expect.poll(inflight).toEqual([{ step: "review", attempt: 2 }]);
  expect(second.calls.map(({ question }) => question)).toEqual(["requery"]);
  const { body } = await app.call(app.merchant.liveKey, "/transactions/contradicted");
  expect(body).toMatchObject({ status: "pending" });
});

test("what a supplier calls to say of an attempt that the purchase went back past is kept, and told to a person", async () => {
  const { app, second, inflight, id } = await queuedAndContradicted(["first", "second", "third"]);
  undo.push(app.services.startWorkers());
  await expect.poll(inflight).toEqual([{ step: "review", attempt: 1 }]);
  second.answer = vended;
  const news = JSON.stringify({ supplierReference: `${id}-2`, status: "delivered" });
  await app.services.receiveCallback("second", {
    headers: {},
    body: news,
    query: "",
    addressSecret: null,
    at: Date.now(),
  });
  await app.services.receiveCallback.idle();
  const reply = "select attempt, supplier from purchase_incidents where supplier = 'second'";
  expect((await app.fresh.pool.query(reply)).rows).toEqual([{ attempt: 2, supplier: "second" }]);
});
