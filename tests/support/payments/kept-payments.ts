import type { PaymentKey } from "../../../src/domain/funding/payment.ts";
import { insertBookings, updateTakenBack } from "../../../src/domain/funding/payment-booking-queries.ts";
import { insertReceivedPayments } from "../../../src/domain/funding/payment-question-queries.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { Sender } from "../../../src/providers/payments/contract.ts";
import type { TestApp } from "../app.ts";

export const provider = "paystack";

/** A payment provider that nobody can ask, as it has no keys. Safe to repeat. */
export async function enterProvider({ fresh }: TestApp, name = provider): Promise<void> {
  const settings = { base_url: "https://api.paystack.co", preferred_bank: "wema-bank" };
  await fresh.pool.query(
    `insert into payment_providers (name, connector, settings, list_due_at)
     values ($1, 'paystack', $2, now() + interval '1 day')
         on conflict (name) do nothing`,
    [name, settings],
  );
}

interface Kept {
  readonly amount?: bigint;
  readonly fee?: bigint;
  /** Null: nobody's. */
  readonly merchantId: MerchantId | null;
  readonly sender?: Partial<Sender>;
  readonly accountNumber?: string;
}

/** A payment that was heard of and not verified: nobody asks about it before tomorrow. */
export async function receive({ services, fresh }: TestApp, paymentId: string): Promise<PaymentKey> {
  const key = { provider, paymentId };
  await insertReceivedPayments(services.database, [
    { ...key, evidence: "charge.success", leaseSeconds: 86_400, isRefund: false },
  ]);
  await fresh.pool.query("update payments set tries = 3 where payment_id = $1", [paymentId]);
  return key;
}

/** A payment as its verify endpoint told of it, booked. */
export async function keep(app: TestApp, paymentId: string, given: Kept): Promise<PaymentKey> {
  const { amount = 5_000_000n, fee = 0n, merchantId, accountNumber = "9900000001" } = given;
  const { database } = app.services;
  const key = { provider, paymentId };
  const received = { ...key, evidence: "charge.success", leaseSeconds: 86_400, isRefund: false };
  const [question] = await insertReceivedPayments(database, [received]);
  const epoch = question?.epoch ?? 0;
  const sender = {
    name: "ADA EZE",
    bank: "Access Bank",
    accountNumber: "0123456789",
    sessionId: null,
    narration: null,
  };
  const [outcome] = await insertBookings(database, [
    {
      ...{ ...key, epoch, walletId: merchantId, credited: kobo(amount), reason: "Transfer from ADA EZE, Access Bank" },
      isDue: false,
      evidence: `GET /transaction/verify/${paymentId} -> 200 {"status":true} (12 ms)`,
      transfer: {
        ...{ amount: kobo(amount), fee: kobo(fee), takenBack: kobo(0n), accountNumber, accountReference: "CUS_1" },
        ...{ sender: { ...sender, ...given.sender }, paidAt: Date.now() - 60_000 },
      },
    },
  ]);
  if (outcome !== "booked") throw new Error(`the payment is ${outcome}`);
  return key;
}

/** Takes so much of it back. */
export async function takeBack(app: TestApp, key: PaymentKey, amount: bigint): Promise<void> {
  const received = { ...key, evidence: "refund.processed", leaseSeconds: 86_400, isRefund: false };
  const [question] = await insertReceivedPayments(app.services.database, [received]);
  if (question === undefined) throw new Error("it was not kept");
  const given = { takenBack: kobo(amount), reason: "Transfer taken back by the bank", evidence: "refund.processed" };
  if ((await updateTakenBack(app.services.database, question, given)) === null) throw new Error("its lease was lost");
}
