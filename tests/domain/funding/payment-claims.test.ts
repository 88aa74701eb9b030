import { beforeEach, expect, test } from "vitest";
import { claimDuePayments, insertReceivedPayments } from "../../../src/domain/funding/payment-question-queries.ts";
import { openDatabase } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";

const fresh = closing(await freshDatabase());
const database = openDatabase(fresh.pool);
await fresh.pool.query("insert into payment_providers (name, connector) values ('bank', 'paystack')");
beforeEach(() => fresh.pool.query("truncate payments cascade"));

async function receive(leaseSeconds: number, isRefund = false) {
  const [question] = await insertReceivedPayments(database, [
    { provider: "bank", paymentId: "T1", evidence: "", leaseSeconds, isRefund },
  ]);
  return question;
}

async function claim() {
  await fresh.pool.query("update payments set due_at = now()");
  const [question] = await claimDuePayments(database, { exceptOf: [], limit: 10, leaseSeconds: 60 });
  return question;
}

test("an event that a worker asks about first leads to a first question, as where its own process asks", async () => {
  expect(await receive(60)).toMatchObject({ epoch: 0, tries: 1 });
  await fresh.pool.query("truncate payments cascade");
  await receive(0);
  expect(await claim()).toMatchObject({ epoch: 0, tries: 1 });
});

test("what an event says goes back is no first question, whoever asks: once it is booked, it is asked about again", async () => {
  await receive(0, true);
  expect(await claim()).toMatchObject({ epoch: 1, tries: 1 });
});

test("every question after another one, and after another event, refuses the answer of the one before", async () => {
  expect(await receive(60)).toMatchObject({ epoch: 0 });
  expect(await claim()).toMatchObject({ epoch: 1, tries: 2 });
  expect(await claim()).toMatchObject({ epoch: 2, tries: 3 });
  expect(await receive(0)).toMatchObject({ epoch: 3, tries: 0 });
  expect(await claim()).toMatchObject({ epoch: 3, tries: 1 });
  expect(await claim()).toMatchObject({ epoch: 4, tries: 2 });
});

test("what several events tell at a time is kept in their order, each payment with its own question", async () => {
  const ids = ["T9", "T1", "T5"];
  const items = ids.map((paymentId) => ({
    provider: "bank",
    paymentId,
    evidence: paymentId,
    leaseSeconds: 60,
    isRefund: false,
  }));
  expect((await insertReceivedPayments(database, items)).map(({ paymentId }) => paymentId)).toEqual(ids);
});

test("a payment that nobody was credited with is asked about before one that is booked and waited longer", async () => {
  for (const paymentId of ["A-BOOKED", "B-NEW"]) {
    await insertReceivedPayments(database, [
      { provider: "bank", paymentId, evidence: "", leaseSeconds: 0, isRefund: false },
    ]);
  }
  await fresh.pool.query(
    "update payments set state = 'refused', due_at = now() - interval '1 hour' where payment_id = 'A-BOOKED'",
  );
  const claimOne = () => claimDuePayments(database, { exceptOf: [], limit: 1, leaseSeconds: 60 });
  expect(await claimOne()).toMatchObject([{ paymentId: "B-NEW" }]);
  expect(await claimOne()).toMatchObject([{ paymentId: "A-BOOKED" }]);
});
