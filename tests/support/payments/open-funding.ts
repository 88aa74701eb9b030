import { expect, vi } from "vitest";
import { putPaymentProvider } from "../../../src/domain/funding/providers.ts";
import { openConnectors } from "../../../src/main/services/connector-services.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { noTokenStore } from "../../../src/providers/access-token.ts";
import { clock, startApp } from "../app.ts";
import { openFakeSupplier } from "../fake-supplier.ts";
import { testWebhooks } from "../webhooks.ts";
import { type PaymentStubDialect, type StubEvent, startPaymentStub } from "./payment-stub.ts";

/** A service with workers and one payment provider, at a stub of its own. */
export async function openFunding(dialect: PaymentStubDialect, feeBearer: "company" | "merchant" = "company") {
  const stub = await startPaymentStub(dialect);
  const { secretBox } = testWebhooks;
  const log = openLog({ level: "silent" });
  const connectors = { origins: [stub.url], secretBox, clock, tokenStore: noTokenStore, log };
  const { openPaymentProvider, http } = openConnectors(connectors);
  const app = await startApp({ workers: true, openPaymentProvider, suppliers: [openFakeSupplier()] });
  const provider = dialect.connector;
  await putPaymentProvider(
    { database: app.services.database, secretBox },
    { name: provider, connector: provider, ...dialect.entered(stub.url), feeBearer },
  );
  await app.feel();

  return {
    app,
    stub,
    provider,
    /** A merchant with an empty live wallet and a receiving account. */
    async merchantWithAccount() {
      const merchant = await app.createMerchant({ credit: null });
      const { accountNumber, holder } = stub.books.open(`mer_${merchant.id}`);
      await app.fresh.pool.query(
        `insert into funding_accounts (
           provider, merchant_id, state, account_number, bank_name, account_name, account_reference
         )
         values ($1, $2, 'active', $3, 'Wema Bank', 'Test merchant', $4)`,
        [provider, merchant.id, accountNumber, holder],
      );
      return { merchant, accountNumber };
    },
    /** @returns the status of the answer */
    async send({ headers, body }: StubEvent): Promise<number> {
      const url = `${app.url}/funding/callbacks/${provider}`;
      return (await fetch(url, { method: "POST", headers, body })).status;
    },
    /** Balance and debt in kobo, and how many entries there are. */
    async wallet({ id }: { readonly id: number }) {
      const text = "select balance::int, debt::int, seq::int from wallets where wallet_id = $1";
      return (await app.fresh.pool.query(text, [id])).rows[0] as { balance: number; debt: number; seq: number };
    },
    /** Waits until the columns of a payment are these. */
    async payment(paymentId: string, columns: Readonly<Record<string, unknown>>): Promise<void> {
      const names = Object.keys(columns).join(", ");
      const text = `select ${names} from payments where payment_id = $1`;
      await vi.waitFor(
        async () => expect((await app.fresh.pool.query(text, [paymentId])).rows).toEqual([columns]),
        60_000,
      );
    },
    async close(): Promise<void> {
      await app.close();
      await http.close();
      await stub.close();
    },
  };
}
