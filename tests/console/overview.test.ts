import { expect, test } from "vitest";
import { insertGivenBack } from "../../src/domain/wallet/queries.ts";
import { creditWallet } from "../../src/domain/wallet/wallet.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleClient, startConsole } from "../support/console.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";

const clock = { aheadMs: 0, now: () => Date.now() + clock.aheadMs };
const first = openFakeSupplier("first");
const service = closing(await startConsole({ clock, suppliers: [first] }));
const { app } = service;
const { pool } = app.fresh;

/** The steps with a tick, and the button of the next one. */
async function stepsOf(client: ConsoleClient, path = "/test/overview") {
  const { text } = await client.get(path);
  const list = /<ol class="steps">([\s\S]*?)<\/ol>/.exec(text)?.[1] ?? "";
  const items = list.split("<li").slice(1);
  const now = items.find((item) => item.startsWith(' class="now"')) ?? "";
  const next = /(?:href|action)="([^"]*)"/.exec(now)?.[1] ?? null;
  return { done: items.filter((item) => item.startsWith(' class="done"')).length, all: items.length, next };
}

test("first steps are ticked by what is there, and the next one has the one button", async () => {
  const shop = await app.createMerchant({ approved: false, credit: null });
  const owner = await service.member("owner", shop.id);
  const email = (at: string | null) =>
    pool.query("update people set email_verified_at = $2 where email = $1", [owner.email, at]);
  const sell = (key: string, reference: string, phone: string) =>
    app.call(key, "/data/purchase", { body: { reference, product_id: 1002, phone } });
  await email(null);
  // The merchant of a test begins with a test key.
  expect(await stepsOf(owner)).toEqual({ done: 1, all: 7, next: "/account/security/verify" });
  await email("2026-01-01");
  expect(await stepsOf(owner)).toEqual({ done: 2, all: 7, next: "/test/buy" });
  expect((await sell(shop.testKey, "failed", "08031230002")).body.status).toBe("failed");
  expect((await stepsOf(owner)).done).toBe(2);
  expect((await sell(shop.testKey, "sold", "08031234567")).body.status).toBe("successful");
  expect(await stepsOf(owner)).toEqual({ done: 3, all: 7, next: "/account/business" });
  const details = { businessName: "Kano", address: "1 Main Street", phone: "08031234567", sells: "airtime" };
  await owner.send("/account/business", { ...details, do: "ask" });
  await pool.query("update live_access_requests set requested_at = now() where merchant_id = $1", [shop.id]);
  const waiting = await stepsOf(owner);
  expect([waiting.done, waiting.next]).toEqual([3, "/live/wallet"]);
  await app.services.database.transaction((tx) =>
    creditWallet(tx, {
      wallet: { merchantId: shop.id, mode: "live" },
      amount: kobo(1_000_000n),
      kind: "top_up",
      reason: "test",
    }),
  );
  await pool.query("update merchants set api_approved_at = now() where id = $1", [shop.id]);
  await app.feel("merchants");
  expect(await stepsOf(owner, "/live/overview")).toEqual({ done: 5, all: 7, next: "/live/buy" });
});

test("first steps are closed in this browser, for this business, and shown again", async () => {
  const shop = await app.createMerchant({ approved: false, credit: null });
  const owner = await service.member("owner", shop.id);
  expect((await owner.get("/test/overview")).text).toContain('href="?steps=close"');
  const closed = await owner.follow(await owner.get("/test/overview?steps=close"));
  expect([closed.text.includes("Get started"), (await stepsOf(owner, "/live/overview")).all]).toEqual([false, 0]);
  expect(closed.text).toContain('href="?steps=open"');
  await owner.get("/test/overview?steps=open");
  expect((await stepsOf(owner)).all).toBe(7);
});

test("a person sees the steps of the role: a developer tries the API, a viewer sees none", async () => {
  const shop = await app.createMerchant({ approved: false, credit: null });
  const [developer, viewer] = [await service.member("developer", shop.id), await service.member("viewer", shop.id)];
  expect(await stepsOf(developer)).toMatchObject({ next: "/test/try" });
  expect(await stepsOf(viewer)).toEqual({ done: 0, all: 0, next: null });
  expect((await viewer.get("/test/overview")).text).toContain("No sales yet");
});

/** The titles of what needs attention, with where each leads. */
async function alertsOf(client: ConsoleClient, path = "/live/overview") {
  const { text } = await client.get(path);
  const list = /<ul class="alerts">([\s\S]*?)<\/ul>/.exec(text)?.[1] ?? "";
  return list
    .split("<li")
    .slice(1)
    .map((item) => [/<strong>(.*?)<\/strong>/.exec(item)?.[1], /href="([^"]*)"/.exec(item)?.[1]]);
}

test("what needs somebody is named as a person knows it, leads there, and is told to those who can do something", async () => {
  const { merchant } = app;
  const [owner, viewer] = [await service.member("owner"), await service.member("viewer")];
  expect(await alertsOf(owner)).toEqual([]);
  expect((await owner.get("/live/overview")).text).not.toContain("Needs attention");
  expect((await stepsOf(owner, "/live/overview")).next).toBe("/test/buy");
  first.answer = vended;
  const key = merchant.liveKey ?? "";
  const buy = (reference: string) =>
    app.call(key, "/data/purchase", { body: { reference, product_id: 1002, phone: "08031234567" } });
  expect((await buy("taken-back")).body.status).toBe("successful");
  // The first live sale ends the first steps.
  expect((await stepsOf(owner, "/live/overview")).all).toBe(0);
  first.answer = silent;
  expect((await buy("waits")).body.status).toBe("pending");
  const { rows } = await pool.query("select id, total from purchases where reference = 'taken-back'");
  const [{ id, total }] = rows;
  const wallet = { merchantId: merchant.id, mode: "live" } as const;
  await app.services.database.transaction((tx) =>
    insertGivenBack(tx, { kind: "reversal", wallet, purchaseId: id, amount: kobo(BigInt(total)), reason: "test" }),
  );
  await pool.query("update purchases set refunded_at = now() where reference = 'taken-back'");
  await app.call(key, "/webhook", { method: "PUT", body: { url: "https://shop.example/hook?secret=1" } });
  await pool.query("insert into webhook_failing_endpoints (merchant_id) values ($1)", [merchant.id]);
  await pool.query("update wallets set low_balance_threshold = 100000000000 where wallet_id = $1", [merchant.id]);
  await pool.query("update api_keys set label = '<b>Old till</b>', created_at = now() - interval '94 days'");
  await pool.query("delete from api_key_uses");
  expect((await alertsOf(owner)).map(([title]) => title)).not.toContain("A sale has been pending for 11 min");

  clock.aheadMs = 11 * 60_000;
  const alerts = await alertsOf(owner);
  const { text } = await owner.get("/live/overview");
  clock.aheadMs = 0;
  expect(alerts).toEqual([
    [
      expect.stringContaining("Your webhook has been failing since"),
      expect.stringMatching(/^\/live\/webhooks\/deliveries\?endpoint=whe_/),
    ],
    ["A sale has been pending for 11 min", "/live/transactions/waits"],
    ["Your balance is below your ₦1,000,000,000.00 alert", "/live/wallet"],
    ["A sale was refunded after delivery", "/live/transactions/taken-back"],
    ["A live key was never used in 94 days", expect.stringMatching(/^\/live\/keys\/key_\d+$/)],
  ]);
  expect(text).toContain("Every try to shop.example/hook has failed since then.");
  expect(text).not.toContain("secret=1");
  expect(text).toContain("0803 123 4567");
  expect(text).toContain("“&lt;b>Old till&lt;/b>”");
  expect((await alertsOf(owner, "/test/overview")).map(([title]) => title)).toEqual([
    expect.stringContaining("Your webhook has been failing since"),
  ]);
  expect((await alertsOf(viewer)).map(([title]) => title)).toEqual(["A sale was refunded after delivery"]);
});
