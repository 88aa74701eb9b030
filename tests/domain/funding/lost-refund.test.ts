import { expect, test } from "vitest";
import { closing } from "../../support/closing.ts";
import { openFunding } from "../../support/payments/open-funding.ts";
import { paystackStub } from "../../support/payments/paystack-stub.ts";

const funding = closing(await openFunding(paystackStub));
const { app, stub, send, wallet, payment } = funding;
const pool = app.fresh.pool;

test("a refund whose event is lost is found by the daily comparison, and taken back once", async () => {
  const { merchant, accountNumber } = await funding.merchantWithAccount();
  const [refunded, other] = [stub.pay(accountNumber, 100_000n), stub.pay(accountNumber, 50_000n)];
  for (const transfer of [refunded, other]) {
    await send(stub.event(transfer));
    await payment(transfer.id, { state: "credited" });
  }
  // A part alone: the list of transfers tells nothing of it.
  refunded.takenBack = 40_000n;
  refunded.takenBackAt = Date.now() - 20 * 86_400_000;
  const compare = async () => {
    await pool.query("update payment_providers set compared_at = now() - interval '2 days'");
    const compared = "select count(*)::int from payment_providers where compared_at > now() - interval '1 hour'";
    const isCompared = async () => {
      // Again and again: a look that was under way ends with a time of its own.
      await pool.query(
        "update payment_providers set list_due_at = now() where compared_at < now() - interval '1 hour'",
      );
      return (await pool.query(compared)).rows;
    };
    await expect.poll(isCompared, { timeout: 60_000, interval: 500 }).toEqual([{ count: 1 }]);
  };
  await compare();
  await payment(refunded.id, { taken_back: "40000", due_at: null });
  expect(await wallet(merchant)).toEqual({ balance: 110_000, debt: 0, seq: 3 });
  const questions = () => stub.requests.filter((request) => request.includes("/transaction/verify/")).length;
  const before = questions();
  await compare();
  await payment(refunded.id, { taken_back: "40000", due_at: null });
  expect([await wallet(merchant), questions()]).toEqual([{ balance: 110_000, debt: 0, seq: 3 }, before]);
  await app.checkBooks();
});
