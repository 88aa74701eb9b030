import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { openFakeSupplier, rawText } from "../support/fake-supplier.ts";
import { middayZone } from "../support/midday.ts";

const supplier = openFakeSupplier("first");
const service = closing(await startConsole({ suppliers: [supplier], workers: true, timeZone: middayZone }));
const { app } = service;
const support = await service.staff("support");
const admin = await service.staff("admin");
let references = 0;

async function sell() {
  references += 1;
  const body = { reference: `t-${references}`, phone: "08031234567", product_id: 1002 };
  return app.call(app.merchant.liveKey ?? "", "/data/purchase", { body });
}

/** As people read it: without tags. */
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const page = async () => plain((await support.get("/operator/today")).text);

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
     values ((now() at time zone '${middayZone}')::date - 1, now(), now() - interval '2 days', now() - interval '1 day',
             '{wallets_balance}')`,
  );
  await expect.poll(page).toContain("1 sale in review");
  await expect.poll(page).toContain("Books don’t balance: 1 rule broken");
  const { text } = await support.get("/operator/today");
  expect(text).toContain("Webhooks of 1 merchant are failing");
  for (const words of ["first’s balance", "₦1,000.00 left, below its alarm", "₦640.00", 'href="/operator/review"'])
    expect(text).toContain(words);
  expect(await page()).toContain("1 delivered");
});

/** The rows of the list behind a link, as `shown` counts them there. */
async function listed(text: string, link: RegExp): Promise<{ readonly href: string; readonly page: string }> {
  const href = (link.exec(text)?.[1] ?? "").replaceAll("&amp;", "&");
  return { href, page: plain((await admin.get(href)).text) };
}

test("each number leads to the list of exactly what it counts", async () => {
  const { pool } = app.fresh;
  supplier.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: rawText };
  await sell();
  // Two more wait for their supplier, one of them for over an hour by its number's time; the first waits for a person.
  supplier.answer = { kind: "unknown", evidence: rawText };
  await sell();
  await sell();
  await pool.query(
    `insert into supplier_breakers (supplier, category, open_at) values ('first', 'data', now() + interval '1 minute')
     on conflict (supplier, category) do update set open_at = excluded.open_at`,
  );
  await pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
  await pool.query(
    "insert into supplier_routes (product_id, supplier, supplier_code, cost) values (1002, 'shelf', 'S', 1)",
  );
  const today = async () => (await admin.get("/operator/today")).text;
  await expect.poll(async () => plain(await today())).toContain("2 sales pending there");
  const text = await today();
  const review = await listed(text, /href="([^"]*)"[^>]*>(?:(?!<\/tr>).)*1 sale in review/s);
  expect([review.href, review.page.includes("1 sale")]).toEqual(["/operator/review", true]);
  for (const [link, rows] of [
    [/in <a href="([^"]+)">3 sales/, 3],
    [/href="([^"]+waits=supplier&amp;supplier=first)"/, 2],
    [/<dt>Sales<\/dt><dd class="figure"><a href="([^"]+)"/, 1],
    [/href="([^"]+)">3 pending/, 3],
    [/<dt>Failed, refunded<\/dt><dd class="figure"><a href="([^"]+)">1</, 1],
    [/<dt>Delivered<\/dt><dd class="figure"><a href="([^"]+)">50.0%/, 5],
  ] as const) {
    const { href, page: list } = await listed(text, link);
    expect(href, String(link)).toMatch(/^\/operator\/sales\?/);
    const sales = rows === 1 ? "1 sale," : `${rows} sales,`;
    expect([href, list.includes(sales)]).toEqual([href, true]);
  }
  const margin = await listed(text, /<dt>Margin<\/dt><dd class="figure"><a href="([^"]+)"/);
  expect(margin.page).toContain("Live sales by day");
  const stock = await listed(text, /href="(\/operator\/vouchers\/products\/1002)"/);
  expect(stock.href).toBe("/operator/vouchers/products/1002");
  const books = await listed(text, /<a href="([^"]+)"><span class="status[^"]*">Books don’t balance/);
  expect(books.page).toContain("Closed days");
  expect(plain((await admin.get("/operator/merchants?webhooks=failing")).text)).toContain("Test merchant");
  await pool.query("delete from webhook_failing_endpoints");
  expect(plain((await admin.get("/operator/merchants?webhooks=failing")).text)).toContain("No merchants match");
});
