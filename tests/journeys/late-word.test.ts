import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp, type TestApp } from "../support/app.ts";
import { openToldSupplier, rawText, silent, vended } from "../support/told-supplier.ts";

// The supplier's callbacks ring a bell, and this is where it rings: whatever it says, the supplier is asked.

const refused: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const reversed: VendOutcome = { ...refused, reversed: true };

const first = openToldSupplier("first");
const second = openToldSupplier("second");
let app: TestApp;
let references = 0;

beforeAll(async () => {
  app = await startApp({ suppliers: [first, second] });
});

afterAll(() => app.close());

beforeEach(() => {
  for (const supplier of [first, second]) {
    supplier.asked.length = 0;
    supplier.answer = vended;
  }
});

const key = () => app.merchant.liveKey ?? "";

async function buy() {
  references += 1;
  const body = { reference: `late-${references}`, product_id: 1002, phone: "08031234567" };
  return (await app.call(key(), "/data/purchase", { body })).body;
}

async function present(reference: string) {
  return (await app.call(key(), `/transactions/${reference}`)).body;
}

async function balance(): Promise<string> {
  return (await app.call(key(), "/wallet/balance")).body.balance;
}

/** Putting a purchase off happens in the background. */
async function putOff(): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const { rows } = await app.fresh.pool.query("select 1 from inflight where step = 'dispatch'");
    if (rows.length === 0) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function incidentsOf(id: string) {
  const { rows } = await app.fresh.pool.query<{ kind: string; attempt: number; supplier: string; said_by: string }>(
    `select i.kind, i.attempt, i.supplier, i.said_by
       from purchase_incidents i
       join vend_attempts a using (bucket, merchant_id, mode, purchase_id)
      where a.supplier_reference = $1`,
    [`${id}-1`],
  );
  return rows;
}

test("a callback about a pending purchase has its supplier asked at once, and the answer settles it", async () => {
  first.answer = silent;
  const bought = await buy();
  expect(bought.status).toBe("pending");
  await putOff();
  first.answer = vended;
  const rung = await app.services.askAgain("first", `${bought.transaction_id}-1`, {
    saidBy: "callback",
    providerReference: null,
  });
  expect(rung).toBe("asked");
  expect((await present(bought.reference)).status).toBe("successful");
  expect(
    await app.services.askAgain("first", `${bought.transaction_id}-1`, { saidBy: "callback", providerReference: null }),
  ).toBe("agrees");
});

test("a callback that comes before the answer to the request itself ends the purchase once", async () => {
  let answer: (outcome: VendOutcome) => void = () => {};
  first.answer = new Promise((resolve) => {
    answer = resolve;
  });
  const buying = buy();
  while (first.asked.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const slow = first.answer;
  first.answer = vended;
  const reference = first.asked[0]!.request.supplierReference;
  expect(await app.services.askAgain("first", reference, { saidBy: "callback", providerReference: null })).toBe(
    "asked",
  );
  answer(refused);
  await slow;
  expect(await buying).toMatchObject({ status: "successful" });
  expect(second.asked, "the late no of the fenced request reroutes nothing").toEqual([]);
});

test("a success that its supplier takes back stays a success: the wallet is credited once, and operators are told", async () => {
  const before = await balance();
  const bought = await buy();
  expect(bought.status).toBe("successful");
  const ring = () =>
    app.services.askAgain("first", `${bought.transaction_id}-1`, { saidBy: "callback", providerReference: null });
  first.answer = reversed;
  expect([await ring(), await ring()]).toEqual(["late_reversal", "late_reversal"]);
  expect(await present(bought.reference)).toMatchObject({
    status: "successful",
    refunded: false,
    total_deducted: bought.total_deducted,
    balance_after: bought.balance_after,
  });
  expect(await balance()).toBe(before);
  expect(await incidentsOf(bought.transaction_id)).toEqual([
    { kind: "late_reversal", attempt: 1, supplier: "first", said_by: "callback" },
  ]);
});

test("a no after a success that does not say that anything was taken back moves no money: a person is told", async () => {
  const bought = await buy();
  const before = await balance();
  first.answer = refused;
  expect(
    await app.services.askAgain("first", `${bought.transaction_id}-1`, { saidBy: "callback", providerReference: null }),
  ).toBe("contradiction");
  expect([await balance(), (await present(bought.reference)).status]).toEqual([before, "successful"]);
  expect(await incidentsOf(bought.transaction_id)).toMatchObject([{ kind: "contradiction" }]);
});

test("a yes from the supplier that had declined, after the next one vended, is a contradiction and changes nothing", async () => {
  first.answer = refused;
  const bought = await buy();
  expect(bought.status).toBe("successful");
  first.answer = vended;
  expect(
    await app.services.askAgain("first", `${bought.transaction_id}-1`, { saidBy: "callback", providerReference: null }),
  ).toBe("contradiction");
  expect(await incidentsOf(bought.transaction_id)).toMatchObject([{ kind: "contradiction", attempt: 1 }]);
  expect(
    await app.services.askAgain("second", `${bought.transaction_id}-2`, {
      saidBy: "callback",
      providerReference: null,
    }),
  ).toBe("agrees");
});

test("a yes from the supplier that had declined, while the next one waits to be asked, keeps that from vending as well", async () => {
  first.answer = silent;
  const bought = await buy();
  await putOff();
  // Declined when it is asked: the next attempt is queued, and no worker runs here.
  first.answer = refused;
  const name = `${bought.transaction_id}-1`;
  await app.services.askAgain("first", name, { saidBy: "callback", providerReference: null });
  first.answer = vended;
  expect(await app.services.askAgain("first", name, { saidBy: "callback", providerReference: null })).toBe(
    "contradiction",
  );
  const stop = app.services.startWorkers();
  await new Promise((resolve) => setTimeout(resolve, 300));
  await stop();
  expect(second.asked).toEqual([]);
  const { rows } = await app.fresh.pool.query("select step, attempt from inflight");
  expect(rows).toEqual([{ step: "review", attempt: 2 }]);
});

test("a reference that is not ours, or another supplier's, is nobody's business", async () => {
  const bought = await buy();
  for (const [supplier, reference] of [
    ["second", `${bought.transaction_id}-1`],
    ["first", `${bought.transaction_id}-2`],
    ["first", "TXN00000000000000000000000000-1"],
    ["first", "'; drop table purchases; --"],
  ] as const) {
    expect(await app.services.askAgain(supplier, reference, { saidBy: "callback", providerReference: null })).toBe(
      "not_ours",
    );
  }
  expect(first.asked.filter(({ question }) => question === "requery")).toEqual([]);
});
