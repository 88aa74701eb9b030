import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openToldSupplier, rawText, silent, vended } from "../support/told-supplier.ts";

// Two suppliers serve everything: "first" is preferred.

const refusedThere: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const badNumber: VendOutcome = { kind: "declined", errorCode: "RECIPIENT_INVALID", evidence: rawText };

const first = openToldSupplier("first");
const second = openToldSupplier("second");
let app: TestApp;
let references = 0;

beforeAll(async () => {
  app = await startApp({ suppliers: [first, second], workers: true });
});

afterAll(() => app.close());

beforeEach(() => {
  for (const supplier of [first, second]) {
    supplier.asked.length = 0;
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
  expect(first.asked.map(({ request }) => request.supplierReference)).toEqual([`${id}-1`]);
  expect(second.asked.map(({ request }) => request.supplierReference)).toEqual([`${id}-2`]);
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
  await until(() => second.asked.some(({ question }) => question === "requery"));
  second.answer = refusedThere;
  expect(await untilFinal(answer.body.reference)).toMatchObject({ status: "failed", provider_reference: "SECOND-8" });
  const id: string = answer.body.transaction_id;
  const kept = (await attemptsOf(id)).map(({ provider_reference: name }) => name);
  expect(kept).toEqual(["FIRST-7", "SECOND-8"]);
  await app.services.askAgain("first", `${id}-1`, { saidBy: "callback", providerReference: null });
  expect(first.asked.at(-1)).toMatchObject({ question: "requery", request: { providerReference: "FIRST-7" } });
});

test("a supplier that does not answer is never passed over: only its word or a person's moves the purchase on", async () => {
  first.answer = silent;
  const answer = await buy();
  expect(answer).toMatchObject({ status: 202, body: { status: "pending" } });
  await until(() => first.asked.some(({ question }) => question === "requery"));
  expect(second.asked).toEqual([]);

  // Asked again, it says no: now the next one is asked, by a worker.
  first.answer = refusedThere;
  const final = await untilFinal(answer.body.reference);
  expect(final.status).toBe("successful");
  expect(first.asked.filter(({ question }) => question === "vend")).toHaveLength(1);
  expect(second.asked.map(({ question }) => question)).toEqual(["vend"]);
  expect((await attemptsOf(final.transaction_id)).map(({ verdict }) => verdict)).toEqual(["declined", "vended"]);
});

test("a customer's number that is wrong is wrong everywhere: nobody else is asked, the money goes back", async () => {
  first.answer = badNumber;
  expect(await buy()).toMatchObject({ status: 422, body: { error_code: "RECIPIENT_INVALID", refunded: true } });
  expect(second.asked).toEqual([]);
});

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
  expect(first.asked).toHaveLength(1);
  expect(new Set(second.asked.map(({ request }) => request.supplierReference))).toEqual(new Set([`${id}-2`]));
});
