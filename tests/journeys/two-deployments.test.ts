import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import { dispense } from "../../src/providers/dispense/dialect.ts";
import { httpConnector } from "../../src/providers/http-connector.ts";
import { type Answer, clock, startApp, type TestApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { samplePurchases } from "../support/sample-purchases.ts";
import { connectorServices } from "../support/suppliers/connector-under-test.ts";
import { expectPurchase } from "../support/wire-expectations.ts";

const seller = closing(await startApp({ sandboxPendingSeconds: 1, workers: true }));
const there = await seller.createMerchant({ testCredit: kobo(10_000_000_000n) });
const http = openAllowlistedHttp({ origins: [seller.url], monotonicMs: () => performance.now() });
const settings = {
  name: "seller",
  baseUrl: `${seller.url}/api/v1/merchant`,
  apiKey: there.testKey,
  webhookSecret: null,
};
const connector = httpConnector(dispense(settings), connectorServices(http, clock));
const middle = closing(await startApp({ suppliers: [connector], workers: true }));
// Both have the starting catalogue, so that ids are the same on both sides.
await middle.fresh.pool.query("update supplier_routes set supplier_code = product_id::text");
await middle.feel("routes");

async function buy(path: string, body: object): Promise<Answer> {
  return middle.call((await merchant()).liveKey, path, { body });
}

let known: Awaited<ReturnType<TestApp["createMerchant"]>> | null = null;
async function merchant() {
  known ??= await middle.createMerchant({ credit: kobo(5_000_000_000n) });
  return known;
}

test("every category is bought from another deployment as it sells it", async () => {
  expect(samplePurchases).toHaveLength(12);
  for (const { category, path, body, numbered } of samplePurchases) {
    const answer = await buy(path, { reference: `ok-${category}`, ...body, ...numbered("0001") });
    expectPurchase(answer, category, { status: "successful", mode: "live" });
  }
});

test("a text to many is told number by number at our own prices, also those that were never sent there", async () => {
  const text = { sender_id: "DISPENSE", message: "Your order is ready." };
  const recipients = ["08051234567", "not a number", "+234 803 123 4567", "08051234567"];
  const answer = await buy("/sms/send", { reference: "many", ...text, recipients });
  expectPurchase(answer, "sms", { status: "successful", mode: "live" });
  const reply = answer.body.delivery.results.map(({ phone, status, cost, error_code }: Record<string, string>) => [
    phone,
    status,
    cost,
    error_code,
  ]);
  expect(reply).toEqual([
    ["08051234567", "sent", "5.80", null],
    ["not a number", "rejected", "0.00", "INVALID_NUMBER"],
    ["08031234567", "sent", "5.80", null],
    ["08051234567", "rejected", "0.00", "DUPLICATE"],
  ]);
  const { rows } = await middle.fresh.pool.query(
    "select evidence from vend_attempts where evidence like '%/sms/send%'",
  );
  expect(JSON.stringify(rows)).not.toContain("order is ready");
});

test("failures, both kinds of pending and the money agree on both sides", async () => {
  const sample = samplePurchases.find(({ category }) => category === "electricity")!;
  for (const [suffix, status] of [
    ["0002", "failed"],
    ["0003", "successful"],
    ["0004", "failed"],
  ] as const) {
    const reference = `ends-${suffix}`;
    await buy(sample.path, { reference, ...sample.body, ...sample.numbered(suffix) });
    const { liveKey } = await merchant();
    const ask = async () => (await middle.call(liveKey, `/transactions/${reference}`)).body.status;
    await expect.poll(ask, { interval: 200 }).toBe(status);
  }
  const count = (app: TestApp, status: string) =>
    app.fresh.pool.query("select count(*)::int as purchases from purchases where status = $1", [status]);
  for (const status of ["successful", "failed"]) {
    expect((await count(seller, status)).rows).toEqual((await count(middle, status)).rows);
  }
});
