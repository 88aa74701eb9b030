import { expect, test, vi } from "vitest";
import { endContradiction } from "../../../src/domain/funding/end-contradiction.ts";
import { matchingPayment, requestMatch } from "../../../src/domain/funding/match-payment.ts";
import { updatePaymentRefused } from "../../../src/domain/funding/payment-question-queries.ts";
import { closing } from "../../support/closing.ts";
import { openFunding } from "../../support/payments/open-funding.ts";
import { paystackStub } from "../../support/payments/paystack-stub.ts";

const funding = closing(await openFunding(paystackStub));
const { app, stub, send, wallet, payment } = funding;
const pool = app.fresh.pool;
const sale = { phone: "08031234567", network: "mtn", amount: "20000" };

test("a transfer becomes a credit once, whatever is sent of it", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const transfer = stub.pay(accountNumber, 5_000_000n, { fee: 30_000n });
  const event = stub.event(transfer);
  expect(await Promise.all([event, event, event].map(send))).toEqual([200, 200, 200]);
  await payment(transfer.id, { state: "credited", amount: "5000000", fee: "30000", credited: "5000000" });
  expect(await send(event)).toBe(200);
  // What is not signed is nobody's word.
  expect(await send({ ...event, body: event.body.replace("5000000", "9000000") })).toBe(404);
  await payment(transfer.id, { state: "credited", due_at: null });
  expect(await wallet(merchant)).toEqual({ balance: 5_000_000, debt: 0, seq: 1 });
  await app.checkBooks();
});

test("what is taken back is a debit; what the wallet can't bear is a debt, which stops purchases until the next credits have paid it", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const buy = (reference: string) => app.call(merchant.liveKey, "/airtime/purchase", { body: { ...sale, reference } });
  const first = stub.pay(accountNumber, 5_000_000n);
  await send(stub.event(first));
  await payment(first.id, { state: "credited" });
  expect((await buy("spent")).status).toBe(201);
  const { balance } = await wallet(merchant);
  first.takenBack = 5_000_000n;
  const back = stub.event(first, "taken_back");
  expect(await Promise.all([back, back].map(send))).toEqual([200, 200]);
  await payment(first.id, { taken_back: "5000000", due_at: null });
  const debt = 5_000_000 - balance;
  expect(await wallet(merchant)).toEqual({ balance: 0, debt, seq: 3 });
  await pool.query("update wallets set balance = balance where wallet_id = $1", [merchant.id]);
  expect(await buy("owed")).toMatchObject({ status: 402, body: { code: "INSUFFICIENT_BALANCE" } });
  const second = stub.pay(accountNumber, BigInt(debt) + 1_000_000n);
  await send(stub.event(second));
  await payment(second.id, { state: "credited" });
  expect(await wallet(merchant)).toEqual({ balance: 1_000_000, debt: 0, seq: 5 });
  await app.checkBooks();
});

test("what is taken back from a wallet that somebody holds keeps no connection waiting, and is booked once it is free", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const transfer = stub.pay(accountNumber, 600_000n);
  await send(stub.event(transfer));
  await payment(transfer.id, { state: "credited", due_at: null });
  const holder = await pool.connect();
  await holder.query("begin");
  await holder.query("select 1 from wallets where wallet_id = $1 for update", [merchant.id]);
  transfer.takenBack = 200_000n;
  expect(await send(stub.event(transfer, "taken_back"))).toBe(200);
  // It is let go of long before its lease ends.
  const leaseEnds =
    "select taken_back, due_at < now() + interval '6 seconds' as is_soon from payments where payment_id = $1";
  await vi.waitFor(async () => {
    const { rows } = await pool.query(leaseEnds, [transfer.id]);
    expect(rows).toEqual([{ taken_back: "0", is_soon: true }]);
  }, 20_000);
  await holder.query("rollback");
  holder.release();
  await pool.query("update payments set due_at = now() where payment_id = $1", [transfer.id]);
  await payment(transfer.id, { taken_back: "200000", due_at: null });
  expect(await wallet(merchant)).toEqual({ balance: 400_000, debt: 0, seq: 2 });
});

test("a transfer to nobody's account waits in suspense, and is credited once to whom two people say", async () => {
  const { merchant } = await funding.merchantWithAccount();
  const transfer = stub.pay("0000000000", 700_000n, { fee: 5_000n });
  await send(stub.event(transfer));
  await payment(transfer.id, { state: "unmatched", credited: "700000", wallet_id: null });
  await app.checkBooks();
  const { database } = app.services;
  const { rows } = await pool.query("select number from payments where payment_id = $1", [transfer.id]);
  const given = { number: rows[0].number, merchant: `mer_${merchant.id}`, reason: "The shop sent the slip" };
  const { fields } = await requestMatch(database, given);
  const asking = { fields, lines: null, secret: null, requestedBy: "staff:ada@example.com" };
  await matchingPayment.carryOut(database, asking, "staff:obi@example.com");
  await expect(matchingPayment.carryOut(database, asking, "staff:obi@example.com")).rejects.toThrow(/credited/);
  expect(await wallet(merchant)).toEqual({ balance: 700_000, debt: 0, seq: 1 });
  await app.checkBooks();
});

test("a verify endpoint that knows nothing, breaks or says no credits nothing, and is asked until it says yes", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const transfer = stub.pay(accountNumber, 250_000n);
  for (const doubt of ["missing", "broken"] as const) {
    stub.verify = doubt;
    expect(await send(stub.event(transfer))).toBe(200);
    await payment(transfer.id, { state: "heard", tries: 1 });
  }
  stub.verify = "answered";
  transfer.status = "failed";
  await send(stub.event(transfer));
  await payment(transfer.id, { state: "refused" });
  transfer.status = "paid";
  await send(stub.event(transfer));
  await payment(transfer.id, { state: "credited" });
  const dollars = stub.pay(accountNumber, 90_000n, { currency: "USD" });
  await send(stub.event(dollars));
  await payment(dollars.id, { state: "refused" });
  expect(await wallet(merchant)).toEqual({ balance: 250_000, debt: 0, seq: 1 });
});

test("a transfer whose event was lost is found in the provider's list; one that is gone from there is asked about again", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const old = stub.pay(accountNumber, 110_000n, { paidAt: Date.now() - 7_200_000 });
  const lost = stub.pay(accountNumber, 120_000n);
  await send(stub.event(old));
  await payment(old.id, { state: "credited" });
  old.status = "failed";
  await pool.query("update payment_providers set list_due_at = now(), compared_at = now() - interval '2 days'");
  await payment(lost.id, { state: "credited", heard_by: "list" });
  await payment(old.id, { state: "credited", contradiction: "It never became money: its status is failed" });
  // What a person ended stays so, until the provider says something else.
  const { database } = app.services;
  const { rows } = await pool.query("select number, epoch from payments where payment_id = $1", [old.id]);
  const ended = { number: rows[0].number, end: "theirs", note: "Its desk, case 7" } as const;
  await endContradiction(database, { id: null, name: "ada", email: null }, ended);
  const refused = (reason: string) =>
    updatePaymentRefused(
      database,
      { ...rows[0], provider: funding.provider, paymentId: old.id },
      { reason, evidence: "" },
    );
  await refused("its status is failed");
  await payment(old.id, { contradiction_end: "theirs" });
  await refused("its status is abandoned");
  await payment(old.id, { contradiction_end: null, contradiction_note: null });
  await vi.waitFor(async () => expect((await wallet(merchant)).balance).toBe(230_000), 60_000);
  await app.checkBooks();
});
