import { beforeEach, expect, test } from "vitest";
import { type Reconciled, reconcileSupplier } from "../../src/domain/history/reconciliation/reconcile-supplier.ts";
import { findLivePurchase } from "../../src/domain/purchases/queries.ts";
import { listIncidents } from "../../src/domain/resolution/incident-queries.ts";
import { resolveTogether } from "../../src/domain/resolution/review/resolve-together.ts";
import { kobo } from "../../src/kernel/money.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { answerLater, openFakeSupplier, rawText, silent, vended } from "../support/fake-supplier.ts";

// The supplier's callbacks ring a bell, and this is where it rings: whatever it says, the supplier is asked.

const refused: VendOutcome = { kind: "declined", errorCode: "PROVIDER_DECLINED", evidence: rawText };
const reversed: VendOutcome = { ...refused, reversed: true };

const first = openFakeSupplier("first");
const second = openFakeSupplier("second");
let references = 0;
const said: string[] = [];

const log = openLog({ level: "warn", output: { write: (line) => void said.push(line) } });
const app = closing(await startApp({ suppliers: [first, second], log }));

beforeEach(() => {
  for (const supplier of [first, second]) {
    supplier.calls.length = 0;
    supplier.answer = vended;
  }
});

const key = () => app.merchant.liveKey ?? "";
const occasion = { source: "callback", providerReference: null };

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
async function rescheduleRequery(): Promise<void> {
  const dispatched = "select 1 from inflight where step = 'dispatch'";
  await expect.poll(async () => (await app.fresh.pool.query(dispatched)).rows).toEqual([]);
}

async function incidentsOf(id: string) {
  const { rows } = await app.fresh.pool.query<{ kind: string; attempt: number; supplier: string; source: string }>(
    `select i.kind, i.attempt, i.supplier, i.source
       from purchase_incidents i
       join vend_attempts a using (wallet_id, purchase_id)
      where a.supplier_reference = $1`,
    [`${id}-1`],
  );
  return rows;
}

test("a callback about a pending purchase has its supplier asked at once, and the answer settles it", async () => {
  first.answer = silent;
  const bought = await buy();
  expect(bought.status).toBe("pending");
  await rescheduleRequery();
  first.answer = vended;
  const rung = await app.services.requery("first", `${bought.transaction_id}-1`, occasion);
  expect(rung).toBe("asked");
  expect((await present(bought.reference)).status).toBe("successful");
  expect(await app.services.requery("first", `${bought.transaction_id}-1`, occasion)).toBe("agrees");
});

test("a callback that comes before the answer to the request itself ends the purchase once", async () => {
  const answer = answerLater(first);
  const buying = buy();
  while (first.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
  const slow = first.answer;
  first.answer = vended;
  const reference = first.calls[0]!.request.supplierReference;
  expect(await app.services.requery("first", reference, occasion)).toBe("asked");
  answer(refused);
  await slow;
  expect(await buying).toMatchObject({ status: "successful" });
  expect(second.calls, "the late no of the fenced request reroutes nothing").toEqual([]);
});

test("a success that its supplier takes back stays a success: the wallet is credited once, and operators are told", async () => {
  const before = await balance();
  const bought = await buy();
  expect(bought.status).toBe("successful");
  const ring = () => app.services.requery("first", `${bought.transaction_id}-1`, occasion);
  first.answer = reversed;
  expect([await ring(), await ring()]).toEqual(["late_reversal", "late_reversal"]);
  expect(await present(bought.reference)).toMatchObject({
    status: "successful",
    refunded: true,
    total_deducted: bought.total_deducted,
    balance_after: bought.balance_after,
  });
  expect(await balance()).toBe(before);
  expect(await incidentsOf(bought.transaction_id)).toEqual([
    { kind: "late_reversal", attempt: 1, supplier: "first", source: "callback" },
  ]);
});

test("a no after a success that does not say that anything was taken back moves no money: a person is told", async () => {
  const bought = await buy();
  const before = await balance();
  first.answer = refused;
  expect(await app.services.requery("first", `${bought.transaction_id}-1`, occasion)).toBe("contradiction");
  expect([await balance(), (await present(bought.reference)).status]).toEqual([before, "successful"]);
  expect(await incidentsOf(bought.transaction_id)).toMatchObject([{ kind: "contradiction" }]);
});

test("a supplier is asked about an attempt that is over by its own code, not by that of the one that came next", async () => {
  await app.fresh.pool.query("update supplier_routes set supplier_code = supplier || '-code'");
  await app.fresh.pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
  first.answer = refused;
  let bought = await buy();
  for (let tries = 0; tries < 50 && first.calls.at(-1)?.request.supplierCode !== "first-code"; tries++) {
    await new Promise((resolve) => setTimeout(resolve, 100)); // every process knows within a second
    bought = await buy();
  }
  expect(bought.status).toBe("successful");
  first.calls.length = 0;
  await app.services.requery("first", `${bought.transaction_id}-1`, occasion);
  await app.services.requery("second", `${bought.transaction_id}-2`, occasion);
  expect(first.calls.map(({ request }) => request.supplierCode)).toEqual(["first-code"]);
  expect(second.calls.at(-1)?.request.supplierCode).toBe("second-code");
});

test("a yes from the supplier that had declined, after the next one vended, is a contradiction and changes nothing", async () => {
  first.answer = refused;
  const bought = await buy();
  expect(bought.status).toBe("successful");
  first.answer = vended;
  expect(await app.services.requery("first", `${bought.transaction_id}-1`, occasion)).toBe("contradiction");
  expect(await incidentsOf(bought.transaction_id)).toMatchObject([{ kind: "contradiction", attempt: 1 }]);
  expect(await app.services.requery("second", `${bought.transaction_id}-2`, occasion)).toBe("agrees");
});

/** Declined when it is asked in the background, so that the next attempt is queued; then it takes that back. */
async function declinedThenVended() {
  first.answer = silent;
  const bought = await buy();
  await rescheduleRequery();
  first.answer = refused;
  const name = `${bought.transaction_id}-1`;
  await app.services.requery("first", name, occasion);
  first.answer = vended;
  expect(await app.services.requery("first", name, occasion)).toBe("contradiction");
  const stop = app.services.startWorkers();
  await expect
    .poll(async () => (await app.fresh.pool.query("select step, attempt from inflight")).rows)
    .toEqual([{ step: "review", attempt: 1 }]);
  await stop();
  return { bought, name, purchase: (await findLivePurchase(app.services.database, idOf(bought)))! };
}

const idOf = (bought: { transaction_id: string }) => app.services.transactionIds.parse(bought.transaction_id, "live")!;

/** What `first` has sold, as our books have it, against a statement of one line. */
async function reconciled(name: string) {
  const found: Reconciled[] = [];
  async function* statement() {
    yield { line: 1, reference: name, amount: kobo(57_600n) };
  }
  const time = { from: Date.now() - 60_000, before: Date.now() + 60_000 };
  await reconcileSupplier(app.services.database, { supplier: "first", by: "reference", ...time }, statement(), (one) =>
    found.push(one),
  );
  return found.filter(({ reference }) => reference === name).map(({ set }) => set);
}

const finding = { by: "ada", evidence: "their console said delivered, ticket 12" };

test("a yes from the supplier that had declined, while the next one waits to be asked, keeps that from vending as well", async () => {
  const { bought, name, purchase } = await declinedThenVended();
  expect([second.calls, purchase]).toMatchObject([[], { supplier: "first", attempt: 1, status: "pending" }]);
  expect(said.join("")).toContain(`in_review","transactionId":"${bought.transaction_id}","supplier":"first"`);
  // What it had said before is not lost with the attempt that is open again.
  const reply = await listIncidents(app.services.database, purchase.wallet, purchase.id);
  expect(reply).toMatchObject([
    { kind: "contradiction", attempt: 1, supplier: "first", source: "callback" },
    { attempt: 2, supplier: "second", evidence: expect.stringMatching(/^not sent: first declined \(RC 99: .* NO\), /) },
  ]);
  const outcome = { status: "successful", providerReference: "SUP-1", fulfilment: null } as const;
  await resolveTogether(app.services, [{ purchase, outcome, line: null }], finding);
  // Booked where it was vended, at that supplier's cost and by its name for it.
  expect(await reconciled(name)).toEqual(["both"]);
  expect(await present(bought.reference)).toMatchObject({ status: "successful", provider_reference: "SUP-1" });
  const before = await balance();
  first.answer = reversed;
  const again = occasion;
  expect(await app.services.requery("first", name, again)).toBe("late_reversal");
  expect(await balance()).not.toBe(before);
});

test("where a person finds that it was no after all, the merchant is refunded and the next supplier owes nothing", async () => {
  const { bought, name, purchase } = await declinedThenVended();
  const outcome = { status: "failed", errorCode: "PROVIDER_DECLINED", providerReference: null } as const;
  await resolveTogether(app.services, [{ purchase, outcome, line: null }], finding);
  expect(await present(bought.reference)).toMatchObject({ status: "failed", refunded: true });
  expect([await reconciled(name), second.calls]).toEqual([["theirs_only"], []]);
});

test("a purchase that went back past another supplier's no asks nobody once more", async () => {
  const third = openFakeSupplier("third");
  const own = await startApp({ suppliers: [first, second, third] });
  try {
    first.answer = silent;
    const order = { reference: "back", product_id: 1002, phone: "08031234567" };
    const bought = (await own.call(own.merchant.liveKey, "/data/purchase", { body: order })).body;
    const [name, next] = [`${bought.transaction_id}-1`, `${bought.transaction_id}-2`];
    for (const supplier of [first, second]) supplier.answer = refused;
    await own.services.requery("first", name, occasion);
    // As if `second` had been sent the second attempt, which declines it when it is asked.
    await own.fresh.pool.query("update inflight set step = 'requery', due_at = now() + interval '1 hour'");
    await own.services.requery("second", next, occasion);
    first.answer = vended;
    await own.services.requery("first", name, occasion);
    const stop = own.services.startWorkers();
    const inflight = async () => (await own.fresh.pool.query("select step, attempt from inflight")).rows;
    await expect.poll(inflight).toEqual([{ step: "review", attempt: 1 }]);
    await stop();
    first.answer = refused;
    expect(await own.services.requery("first", name, occasion)).toBe("asked");
    expect((await own.call(own.merchant.liveKey, "/transactions/back")).body).toMatchObject({ status: "failed" });
    expect([third.calls, await inflight()]).toEqual([[], []]);
  } finally {
    await own.close();
  }
});

test.each([
  ["a second no", refused],
  ["silence", { ...silent, providerReference: "FIRST-9" }],
] as const)(
  "after a no that a callback brought, the request's own answer, %s, sends nothing on",
  async (_what, own) => {
    let answer: (outcome: VendOutcome) => void = () => {};
    const slow = new Promise<VendOutcome>((resolve) => {
      answer = resolve;
    });
    first.answer = slow;
    const buying = buy();
    while (first.calls.length === 0) await new Promise((resolve) => setTimeout(resolve, 5));
    first.answer = refused;
    const reference = first.calls[0]!.request.supplierReference;
    await app.services.requery("first", reference, occasion);
    const queued = `select f.step, f.attempt, f.last_answer, p.supplier, p.provider_reference
                    from inflight f
                    join purchases p on p.id = f.purchase_id
                   where p.reference = 'late-${references}'`;
    const next = { step: "queued", attempt: 2, last_answer: null, supplier: "second", provider_reference: null };
    expect((await app.fresh.pool.query(queued)).rows).toEqual([next]);
    answer(own);
    expect(await buying).toMatchObject({ status: "pending" });
    expect(second.calls, "a worker sends it, once").toEqual([]);
    expect((await app.fresh.pool.query(queued)).rows).toEqual([next]);
  },
);

test("an attempt is asked about by the name that its supplier told first, and else by the one that a callback tells", async () => {
  const ring = (id: string) =>
    app.services.requery("first", `${id}-1`, { source: "callback", providerReference: "TOLD-BY-CALLBACK" });
  const name = () => first.calls.at(-1)!.request.providerReference;
  first.answer = { ...silent, providerReference: "TOLD-FIRST" };
  await ring((await buy()).transaction_id);
  expect(name()).toBe("TOLD-FIRST");
  first.answer = silent;
  await ring((await buy()).transaction_id);
  expect(name()).toBe("TOLD-BY-CALLBACK");
  first.answer = { kind: "vended", providerReference: null, fulfilment: { kind: "topup" } };
  await ring((await buy()).transaction_id);
  expect(name(), "of one that is over").toBe("TOLD-BY-CALLBACK");
});

test("a reference that is not ours, or another supplier's, is nobody's business", async () => {
  const bought = await buy();
  for (const [supplier, reference] of [
    ["second", `${bought.transaction_id}-1`],
    ["first", `${bought.transaction_id}-2`],
    ["first", "TXN00000000000000000000000000-1"],
    ["first", "'; drop table purchases; --"],
  ] as const) {
    expect(await app.services.requery(supplier, reference, occasion)).toBe("not_ours");
  }
  expect(first.calls.filter(({ question }) => question === "requery")).toEqual([]);
});
