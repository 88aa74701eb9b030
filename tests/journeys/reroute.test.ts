import { beforeEach, expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";

// Two suppliers serve everything: "first" is preferred.

const refusedThere: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const badNumber: VendOutcome = { kind: "declined", errorCode: "RECIPIENT_INVALID", evidence: rawText };

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
let references = 0;

const app = closing(await startApp({ suppliers: [first, second], workers: true }));

beforeEach(() => {
  for (const supplier of [first, second]) {
    supplier.calls.length = 0;
    supplier.answer = vended;
  }
});

async function buy() {
  references += 1;
  const body = { reference: `reroute-${references}`, product_id: 1002, phone: "08031234567" };
  return app.call(app.merchant.liveKey ?? "", "/data/purchase", { body });
}

interface Attempt {
  readonly attempt: number;
  readonly supplier: string;
  readonly verdict: string;
  readonly cost: string;
  readonly route_reason: string;
  readonly provider_reference: string | null;
}

async function attemptsOf(transactionId: string): Promise<Attempt[]> {
  const { rows } = await app.fresh.pool.query<Attempt>(
    `select attempt, supplier, verdict, cost, route_reason, provider_reference
       from vend_attempts
      where supplier_reference like $1
      order by attempt`,
    [`${transactionId}-%`],
  );
  return rows;
}

/** Time passes until it is so: due times live on the database's clock. Leases are left to whoever holds them. */
async function until(isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (let look = 0; look < 600; look++) {
    if (await isSo()) return;
    await app.fresh.pool.query("update inflight set due_at = least(due_at, now()) where step = 'requery'");
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("it never came to that");
}

async function untilFinal(reference: string) {
  const look = async () => (await app.call(app.merchant.liveKey ?? "", `/transactions/${reference}`)).body;
  await until(async () => (await look()).status !== "pending");
  return look();
}

test("what the first supplier declines, the second vends: under a reference of its own, in the same request", async () => {
  first.answer = refusedThere;
  const answer = await buy();
  expect(answer).toMatchObject({ status: 201, body: { status: "successful" } });
  const id: string = answer.body.transaction_id;
  expect(first.calls.map(({ request }) => request.supplierReference)).toEqual([`${id}-1`]);
  expect(second.calls.map(({ request }) => request.supplierReference)).toEqual([`${id}-2`]);
  const cost = "57600";
  expect(await attemptsOf(id)).toEqual([
    {
      attempt: 1,
      supplier: "first",
      verdict: "declined",
      cost,
      route_reason: "first in priority of 2",
      provider_reference: null,
    },
    {
      attempt: 2,
      supplier: "second",
      verdict: "vended",
      cost,
      route_reason: "the only one; declined: first",
      provider_reference: "SUP-1",
    },
  ]);
});

test("what each supplier called its attempt is kept with it, also where both said no, and late words are asked by it", async () => {
  first.answer = { ...refusedThere, providerReference: "FIRST-7" };
  second.answer = { kind: "unknown", evidence: rawText, providerReference: "SECOND-8" };
  const answer = await buy();
  await until(() => second.calls.some(({ question }) => question === "requery"));
  second.answer = refusedThere;
  expect(await untilFinal(answer.body.reference)).toMatchObject({ status: "failed", provider_reference: "SECOND-8" });
  const id: string = answer.body.transaction_id;
  const kept = (await attemptsOf(id)).map(({ provider_reference: name }) => name);
  expect(kept).toEqual(["FIRST-7", "SECOND-8"]);
  await app.services.requery("first", `${id}-1`, { source: "callback", providerReference: null });
  expect(first.calls.at(-1)).toMatchObject({ question: "requery", request: { providerReference: "FIRST-7" } });
});

test("a supplier that does not answer is never passed over: only its word or a person's moves the purchase on", async () => {
  first.answer = silent;
  const answer = await buy();
  expect(answer).toMatchObject({ status: 202, body: { status: "pending" } });
  await until(() => first.calls.some(({ question }) => question === "requery"));
  expect(second.calls).toEqual([]);

  // Asked again, it says no: now the next one is asked, by a worker.
  first.answer = refusedThere;
  const final = await untilFinal(answer.body.reference);
  expect(final.status).toBe("successful");
  expect(first.calls.filter(({ question }) => question === "vend")).toHaveLength(1);
  expect(second.calls.map(({ question }) => question)).toEqual(["vend"]);
  expect((await attemptsOf(final.transaction_id)).map(({ verdict }) => verdict)).toEqual(["declined", "vended"]);
});

test("the next supplier is asked within seconds what became of it, however often the one before was", async () => {
  first.answer = silent;
  second.answer = silent;
  const answer = await buy();
  first.answer = refusedThere;
  // Once: `until` would have the second one asked again as well.
  await app.fresh.pool.query("update inflight set tries = 9, due_at = now() where step = 'requery'");
  await expect.poll(() => second.calls.length).toBe(1);
  const due = `select f.tries, extract(epoch from f.due_at - now())::float8 as seconds
                 from inflight f where f.step = 'requery' and f.last_answer is not null`;
  const read = async () => (await app.fresh.pool.query<{ tries: number; seconds: number }>(due)).rows;
  await expect.poll(read).toMatchObject([{ tries: 0 }]);
  expect((await read())[0]?.seconds).toBeLessThanOrEqual(5);
  second.answer = vended;
  expect((await untilFinal(answer.body.reference)).status).toBe("successful");
});

test("a customer's number that is wrong is wrong everywhere: nobody else is asked, the money goes back", async () => {
  first.answer = badNumber;
  expect(await buy()).toMatchObject({ status: 422, body: { error_code: "RECIPIENT_INVALID", refunded: true } });
  expect(second.calls).toEqual([]);
});

test.each(["PROVIDER_DECLINED", "OPERATOR_UNAVAILABLE", "OUT_OF_STOCK"] as const)(
  "a no that speaks of the supplier (%s) is passed on to the next one",
  async (errorCode) => {
    first.answer = { kind: "declined", errorCode, evidence: rawText };
    expect(await buy()).toMatchObject({ status: 201, body: { status: "successful" } });
    expect(second.calls).toHaveLength(1);
  },
);

test("when everybody declines, it fails once, with the last one's reason and one refund", async () => {
  first.answer = refusedThere;
  second.answer = { kind: "declined", errorCode: "OUT_OF_STOCK", evidence: rawText };
  const before = (await app.call(app.merchant.liveKey ?? "", "/wallet/balance")).body.balance;
  const answer = await buy();
  expect(answer).toMatchObject({ status: 422, body: { error_code: "OUT_OF_STOCK", refunded: true } });
  expect((await app.call(app.merchant.liveKey ?? "", "/wallet/balance")).body.balance).toBe(before);
  expect((await attemptsOf(answer.body.transaction_id)).map(({ verdict }) => verdict)).toEqual([
    "declined",
    "declined",
  ]);
});

test("the second one's silence is the second one's: it alone is asked again, under its own reference", async () => {
  first.answer = refusedThere;
  second.answer = silent;
  const answer = await buy();
  expect(answer.status).toBe(202);
  const id: string = answer.body.transaction_id;
  first.answer = vended;
  second.answer = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
  expect(await untilFinal(answer.body.reference)).toMatchObject({ status: "failed", refunded: true });
  expect(first.calls).toHaveLength(1);
  expect(new Set(second.calls.map(({ request }) => request.supplierReference))).toEqual(new Set([`${id}-2`]));
});

test("each supplier is asked once, however many decline, and the last one's goods are delivered", async () => {
  const suppliers = ["first", "second", "third", "fourth"].map((name) => openFakeSupplier(name));
  for (const supplier of suppliers.slice(0, 3)) supplier.answer = refusedThere;
  const four = await startApp({ suppliers });
  const body = { reference: "all-in-turn", product_id: 1002, phone: "08031234567" };
  const answer = await four.call(four.merchant.liveKey, "/data/purchase", { body });
  expect(answer).toMatchObject({ status: 201, body: { status: "successful" } });
  const calls = suppliers.flatMap((supplier) => supplier.calls.map(({ request }) => [supplier.name, request.attempt]));
  expect(calls).toEqual(suppliers.map(({ name }, index) => [name, index + 1]));
  await four.close();
});

test("no purchase is passed on more than four times, whoever is left", async () => {
  const suppliers = ["s1", "s2", "s3", "s4", "s5", "s6"].map((name) => openFakeSupplier(name));
  for (const supplier of suppliers) supplier.answer = refusedThere;
  const six = await startApp({ suppliers });
  const body = { reference: "nobody", product_id: 1002, phone: "08031234567" };
  const answer = await six.call(six.merchant.liveKey, "/data/purchase", { body });
  expect(answer).toMatchObject({ status: 422, body: { status: "failed", refunded: true } });
  expect(suppliers.map(({ calls }) => calls.length)).toEqual([1, 1, 1, 1, 1, 0]);
  await six.close();
});

test("a client that has waited 40 s for a no is answered: a worker asks the next supplier, once", async () => {
  let nowMs = Date.now();
  const slow = openFakeSupplier("slow");
  const next = openFakeSupplier("next");
  const vend = slow.vend.bind(slow);
  const patient = await startApp({
    suppliers: [
      Object.assign(slow, {
        async vend(request: Parameters<typeof vend>[0]) {
          nowMs += 40_000;
          return vend(request);
        },
      }),
      next,
    ],
    clock: { now: () => nowMs },
  });
  slow.answer = refusedThere;
  const body = { reference: "forty-seconds", product_id: 1002, phone: "08031234567" };
  const answer = await patient.call(patient.merchant.liveKey, "/data/purchase", { body });
  expect(answer).toMatchObject({ status: 202, body: { status: "pending" } });
  expect(next.calls).toEqual([]);
  const stop = patient.services.startWorkers();
  for (let look = 0; look < 400 && next.calls.length === 0; look++) await new Promise((done) => setTimeout(done, 25));
  await stop();
  expect(next.calls.map(({ question, request }) => [question, request.attempt])).toEqual([["vend", 2]]);
  await patient.close();
});
