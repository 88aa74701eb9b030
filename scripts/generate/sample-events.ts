import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import { putPaymentProvider } from "../../src/domain/funding/providers.ts";
import { setLowBalanceThreshold } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { type EventName, eventNames } from "../../src/domain/webhooks/events/event.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { openConnectors } from "../../src/main/services/connector-services.ts";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { noTokenStore } from "../../src/providers/access-token.ts";
import { clock, type TestApp } from "../../tests/support/app.ts";
import { type PaymentStub, startPaymentStub } from "../../tests/support/payments/payment-stub.ts";
import { paystackStub } from "../../tests/support/payments/paystack-stub.ts";
import { testWebhooks } from "../../tests/support/webhooks.ts";
import { sampledAt, settled, startSampleApp } from "./sample-answers.ts";

/** However slow the machine is. */
const waitMaxMs = 30_000;

/** The body of each event, as the sandbox makes it for a merchant that wants all of them; by the event's name. */
export async function renderSampleEvents(): Promise<string> {
  const provider = await startPaymentStub(paystackStub);
  const { secretBox } = testWebhooks;
  const { openPaymentProvider, http } = openConnectors({
    ...{ origins: [provider.url], secretBox, clock, tokenStore: noTokenStore },
    log: openLog({ level: "silent" }),
  });
  const app = await startSampleApp({ workers: true, openPaymentProvider });
  const samples: Partial<Record<EventName, unknown>> = {};
  try {
    await setLowBalanceThreshold(app.services, { merchantId: app.merchant.id, mode: "test" }, kobo(9_990_000n));
    await send(app, "/webhook", { url: "https://example.com/webhooks", notify: "all" }, "PUT");
    for (const [name, cause] of causes) {
      await cause(app, provider);
      // Before the next cause: what an event tells would else follow from which of two was quicker.
      samples[name] = settled(await readFirst(app, name));
    }
    const sorted = eventNames.map((name) => [name, samples[name]] as const);
    return `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`;
  } finally {
    await app.close();
    await http.close();
    await provider.close();
  }
}

/** What makes each event happen, in their order. */
const causes: readonly (readonly [EventName, (app: TestApp, provider: PaymentStub) => Promise<unknown>])[] = [
  [
    "transaction.successful",
    (app) => send(app, "/data/purchase", { reference: "order-data-1", product_id: 1002, phone: "08031234567" }),
  ],
  // That left less than the wallet's threshold.
  ["wallet.low_balance", async () => {}],
  [
    "transaction.failed",
    (app) => send(app, "/data/purchase", { reference: "order-data-2", product_id: 1002, phone: "08031230002" }),
  ],
  ["bulk.completed", (app) => send(app, "/airtime/bulk", { reference: "order-bulk-1", items: bulkLines })],
  [
    "catalogue.updated",
    ({ services }) => {
      const price = { kind: "fixed", kobo: kobo(65_000n) } as const;
      return setPrice(services.database, { productId: 1002 as ProductId, scope: { of: "everyone" }, price });
    },
  ],
  ["webhook.test", (app) => send(app, "/webhook/test", {})],
  ["wallet.funded", fund],
];

/** A transfer to the merchant's receiving account: live, as the sandbox has none. */
async function fund({ url, services, merchant, feel }: TestApp, provider: PaymentStub): Promise<void> {
  const { database, secretBox, fundingAccounts } = services;
  const entered = paystackStub.entered(provider.url);
  await putPaymentProvider(
    { database, secretBox },
    { name: "paystack", connector: "paystack", ...entered, feeBearer: "company" },
  );
  await feel();
  const number = await until(async () => (await fundingAccounts.list(merchant.id))[0]?.accountNumber ?? null);
  const transfer = provider.pay(number, 5_000_000n, { fee: 30_000n, paidAt: sampledAt });
  const { headers, body } = provider.event(transfer);
  const { status } = await fetch(`${url}/funding/callbacks/paystack`, { method: "POST", headers, body });
  if (status !== 200) throw new Error(`the transfer's event was answered ${status}`);
}

const bulkLines = [
  { product_id: 2001, amount: "100.00", phone: "08031234567" },
  { product_id: 2001, amount: "100.00", phone: "08031230002" },
];

async function send({ call, merchant }: TestApp, path: string, body: object, method = "POST"): Promise<void> {
  const answer = await call(merchant.testKey, path, { method, body });
  if (answer.status >= 300 && answer.status !== 422) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

/** Of the sandbox where both modes have it. */
function readFirst({ fresh, merchant }: TestApp, name: EventName): Promise<unknown> {
  return until(async () => {
    const { rows } = await fresh.pool.query<{ body: string }>(
      `select body
         from webhook_deliveries
        where abs(wallet_id) = $1 and event = $2
        order by wallet_id, id
        limit 1`,
      [merchant.id, name],
    );
    return rows[0] === undefined ? null : JSON.parse(rows[0].body);
  });
}

async function until<T>(look: () => Promise<T | null>): Promise<T> {
  const deadlineMs = performance.now() + waitMaxMs;
  while (performance.now() < deadlineMs) {
    const found = await look();
    if (found !== null) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error("what the sample waits for did not happen");
}
