import { expect, test, vi } from "vitest";
import { putPaymentProvider } from "../../../src/domain/funding/providers.ts";
import { openConnectors } from "../../../src/main/services/connector-services.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { noTokenStore } from "../../../src/providers/access-token.ts";
import { clock, startApp } from "../../support/app.ts";
import { openFakeSupplier } from "../../support/fake-supplier.ts";
import { type StubEvent, startPaymentStub } from "../../support/payments/payment-stub.ts";
import { paystackStub } from "../../support/payments/paystack-stub.ts";
import { testWebhooks } from "../../support/webhooks.ts";

test("a transfer becomes a credit once, whatever is sent of it; taken back it becomes a debit, then a debt that the next one pays", async () => {
  const stub = await startPaymentStub(paystackStub);
  const { secretBox } = testWebhooks;
  const log = openLog({ level: "silent" });
  const { openPaymentProvider, http } = openConnectors({
    origins: [stub.url],
    secretBox,
    clock,
    tokenStore: noTokenStore,
    log,
  });
  const app = await startApp({ workers: true, openPaymentProvider, suppliers: [openFakeSupplier()] });
  const { services, fresh } = app;
  await putPaymentProvider(
    { database: services.database, secretBox },
    { name: "paystack", connector: "paystack", ...paystackStub.entered(stub.url), feeBearer: "company" },
  );
  const merchant = await app.createMerchant({ credit: null });
  const account = stub.books.open("mer");
  await fresh.pool.query(
    `insert into funding_accounts (provider, merchant_id, state, account_number, bank_name, account_name, account_reference)
     values ('paystack', $1, 'active', $2, 'Wema', 'X', $3)`,
    [merchant.id, account.accountNumber, account.holder],
  );
  await app.feel();
  const send = async ({ headers, body }: StubEvent) =>
    (await fetch(`${app.url}/funding/callbacks/paystack`, { method: "POST", headers, body })).status;
  const wallet = async () => {
    const { rows } = await fresh.pool.query(
      "select balance::int, debt::int, seq::int from wallets where wallet_id = $1",
      [merchant.id],
    );
    return rows[0];
  };
  const first = stub.pay(account.accountNumber, 5_000_000n, { fee: 30_000n });
  expect(await Promise.all([1, 2, 3].map(() => send(stub.event(first))))).toEqual([200, 200, 200]);
  await vi.waitFor(async () => expect(await wallet()).toEqual({ balance: 5_000_000, debt: 0, seq: 1 }), 60_000);
  expect(await send({ ...stub.event(first), body: stub.event(first).body.replace("5000000", "9000000") })).toBe(404);
  // Half of it is spent, then all of it is taken back.
  const sale = { reference: "spent", phone: "08031234567", network: "mtn", amount: "20000" };
  expect((await app.call(merchant.liveKey, "/airtime/purchase", { body: sale })).status).toBe(201);
  const before = await wallet();
  first.takenBack = 5_000_000n;
  expect(await Promise.all([1, 2].map(() => send(stub.event(first, "taken_back"))))).toEqual([200, 200]);
  const debt = 5_000_000 - before.balance;
  await vi.waitFor(async () => expect(await wallet()).toEqual({ balance: 0, debt, seq: before.seq + 1 }), 60_000);
  const second = stub.pay(account.accountNumber, 1_000_000n);
  expect(await send(stub.event(second))).toBe(200);
  await vi.waitFor(
    async () => expect(await wallet()).toEqual({ balance: 0, debt: debt - 1_000_000, seq: before.seq + 3 }),
    10_000,
  );
  const refused = await app.call(merchant.liveKey, "/airtime/purchase", {
    body: { ...sale, reference: "owed", amount: "50" },
  });
  expect([refused.status, refused.body.code]).toEqual([402, "INSUFFICIENT_BALANCE"]);
  const stranger = stub.pay("0000000000", 700_000n);
  expect(await send(stub.event(stranger))).toBe(200);
  await vi.waitFor(async () => {
    const { rows } = await fresh.pool.query("select state from payments where payment_id = $1", [stranger.id]);
    expect(rows).toEqual([{ state: "unmatched" }]);
  }, 60_000);
  await app.close();
  await http.close();
  await stub.close();
});
