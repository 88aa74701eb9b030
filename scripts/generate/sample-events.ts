import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import { setLowBalanceThreshold } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { type EventName, eventNames } from "../../src/domain/webhooks/events/event.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import type { TestApp } from "../../tests/support/app.ts";
import { settled, startSampleApp } from "./sample-answers.ts";

/** However slow the machine is. */
const waitMaxMs = 30_000;

/** The body of each event, as the sandbox makes it for a merchant that wants all of them; by the event's name. */
export async function renderSampleEvents(): Promise<string> {
  const app = await startSampleApp({ workers: true });
  const samples: Partial<Record<EventName, unknown>> = {};
  try {
    await setLowBalanceThreshold(app.services, { merchantId: app.merchant.id, mode: "test" }, kobo(9_990_000n));
    await send(app, "/webhook", { url: "https://example.com/webhooks", notify: "all" }, "PUT");
    for (const [name, cause] of causes) {
      await cause(app);
      // Before the next cause: what an event tells would else follow from which of two was quicker.
      samples[name] = settled(await readFirst(app, name));
    }
    const sorted = eventNames.map((name) => [name, samples[name]] as const);
    return `${JSON.stringify(Object.fromEntries(sorted), null, 1)}\n`;
  } finally {
    await app.close();
  }
}

/** What makes each event happen, in their order. */
const causes: readonly (readonly [EventName, (app: TestApp) => Promise<unknown>])[] = [
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
];

const bulkLines = [
  { product_id: 2001, amount: "100.00", phone: "08031234567" },
  { product_id: 2001, amount: "100.00", phone: "08031230002" },
];

async function send({ call, merchant }: TestApp, path: string, body: object, method = "POST"): Promise<void> {
  const answer = await call(merchant.testKey, path, { method, body });
  if (answer.status >= 300 && answer.status !== 422) throw new Error(`${path}: ${JSON.stringify(answer.body)}`);
}

async function readFirst({ fresh, merchant }: TestApp, name: EventName): Promise<unknown> {
  const deadlineMs = performance.now() + waitMaxMs;
  while (performance.now() < deadlineMs) {
    const { rows } = await fresh.pool.query<{ body: string }>(
      `select body
         from webhook_deliveries
        where wallet_id = -$1::integer and event = $2
        order by id
        limit 1`,
      [merchant.id, name],
    );
    if (rows[0] !== undefined) return JSON.parse(rows[0].body);
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`the event ${name} did not happen`);
}
