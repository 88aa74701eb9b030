import { expect, test, vi } from "vitest";
import { putPaymentProvider } from "../../../src/domain/funding/providers.ts";
import { openConnectors } from "../../../src/main/services/connector-services.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { noTokenStore } from "../../../src/providers/access-token.ts";
import { clock, startApp } from "../../support/app.ts";
import { flutterwaveStub } from "../../support/payments/flutterwave-stub.ts";
import { startPaymentStub } from "../../support/payments/payment-stub.ts";
import { testWebhooks } from "../../support/webhooks.ts";

test("of a transfer that is heard of late, what went back meanwhile is taken back without another event", async () => {
  const stub = await startPaymentStub(flutterwaveStub);
  const { secretBox } = testWebhooks;
  const log = openLog({ level: "silent" });
  const connectors = openConnectors({ origins: [stub.url], secretBox, clock, tokenStore: noTokenStore, log });
  const { openPaymentProvider } = connectors;
  const app = await startApp({ workers: true, openPaymentProvider });
  const { services, fresh } = app;
  await putPaymentProvider(
    { database: services.database, secretBox },
    { name: "flutterwave", connector: "flutterwave", ...flutterwaveStub.entered(stub.url), feeBearer: "company" },
  );
  const merchant = await app.createMerchant({ credit: null });
  const { accountNumber, holder } = stub.books.open("mer");
  await fresh.pool.query(
    `insert into funding_accounts (provider, merchant_id, state, account_number, bank_name, account_name, account_reference)
     values ('flutterwave', $1, 'active', $2, 'Wema', 'X', $3)`,
    [merchant.id, accountNumber, holder],
  );
  await app.feel();
  const paidAt = clock.now() - 600_000;
  const transfer = stub.pay(accountNumber, 100_000n, { takenBack: 40_000n, paidAt });
  const { headers, body } = stub.event(transfer);
  await fetch(`${app.url}/funding/callbacks/flutterwave`, { method: "POST", headers, body });
  await vi.waitFor(async () => {
    const { rows } = await fresh.pool.query("select delta::int from ledger_entries where wallet_id = $1 order by seq", [
      merchant.id,
    ]);
    expect(rows).toEqual([{ delta: 100_000 }, { delta: -40_000 }]);
  }, 60_000);
  await app.close();
  await connectors.http.close();
  await stub.close();
});
