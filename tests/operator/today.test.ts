import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText } from "../support/fake-supplier.ts";

const supplier = openFakeSupplier("first");
const service = closing(await startConsole({ suppliers: [supplier], workers: true }));
const { app } = service;
const support = await service.staff("support");
let references = 0;

async function sell() {
  references += 1;
  const body = { reference: `t-${references}`, phone: "08031234567", product_id: 1002 };
  return app.call(app.merchant.liveKey ?? "", "/data/purchase", { body });
}

/** As people read it: without tags. */
const page = async () =>
  (await support.get("/operator/today")).text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");

test("where nothing is at risk Today says so; what is at risk appears within seconds, with what it counts", async () => {
  expect(await page()).toContain("No sale is stuck, no supplier is stopped, and money and stock last.");
  await sell();
  supplier.answer = { kind: "unknown", evidence: rawText, askNobody: true };
  await sell();
  await app.fresh.pool.query(
    `insert into supplier_balances (supplier, balance, currency, reported_at, alarm_below)
     values ('first', 100000, 'NGN', now(), 200000)`,
  );
  await app.call(app.merchant.liveKey ?? "", "/webhook", { method: "PUT", body: { url: "https://shop.example/hook" } });
  await app.fresh.pool.query(
    "insert into webhook_failing_endpoints (merchant_id, failing_since) values ($1, now() - interval '1 hour')",
    [app.merchant.id],
  );
  await app.fresh.pool.query(
    `insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants)
     values (current_date - 1, now(), now() - interval '2 days', now() - interval '1 day', '{wallets_balance}')`,
  );
  await expect.poll(page, { timeout: 10_000 }).toContain("1 sale in review");
  await expect.poll(page, { timeout: 10_000 }).toContain("Books broken: wallets_balance");
  const { text } = await support.get("/operator/today");
  expect(text).toContain("Webhooks of 1 merchant are failing");
  for (const words of ["first’s balance", "₦1,000.00 left, below its alarm", "₦640.00", 'href="/operator/review"'])
    expect(text).toContain(words);
  expect(await page()).toContain("1 delivered");
});
