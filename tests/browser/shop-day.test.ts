import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let service: TestConsole;
let browser: Browser;
let receiver: Receiver;
let owner: MemberClient;
let testKey: string;

beforeAll(async () => {
  receiver = await startReceiver();
  const webhooks = { ...testWebhooks, allowPrivate: true };
  [service, browser] = await Promise.all([startConsole({ workers: true, webhooks }), launchBrowser()]);
  const merchant = await service.app.createMerchant({ testCredit: kobo(100_000_000n) });
  owner = await service.member("owner", merchant.id);
  testKey = merchant.testKey;
});

afterAll(async () => {
  await browser?.close();
  await service.close();
  await receiver.close();
});

function heading(page: Page, name: string | RegExp) {
  return page.getByRole("heading", { name, level: 1 });
}

/** Downloads what a link leads to. */
async function download(page: Page, name: string | RegExp): Promise<string> {
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("link", { name }).click()]);
  return readFile(await file.path(), "utf8");
}

test("a webhook is set up, a test event arrives, and the tester says why a signature fails", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto("/test/overview");
  await page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await page.getByRole("link", { name: "Add endpoint" }).click();
  await page.getByLabel("URL").fill(receiver.url);
  await page.getByRole("button", { name: "Add endpoint" }).click();
  const secret = (await page.locator(".secret code").textContent()) ?? "";
  expect(secret).toMatch(/^whsec_/);

  await page.getByRole("link", { name: "Send example" }).click();
  await page.getByRole("button", { name: "Send example" }).click();
  await heading(page, "webhook.test").waitFor();
  await page.getByText("Delivered", { exact: true }).waitFor();
  const [event] = await receiver.waitFor(1);
  expect(JSON.parse(event?.body ?? "{}")).toMatchObject({ event: "webhook.test", mode: "test" });

  await page.getByRole("link", { name: "Test signature" }).click();
  await heading(page, "Signature tester").waitFor();
  const expectVerdict = async (verdict: string, given: { secret: string; body?: string }) => {
    await page.getByLabel("Secret", { exact: true }).fill(given.secret);
    await page.getByLabel("Body, byte for byte").fill(given.body ?? event?.body ?? "");
    await page.getByRole("button", { name: "Test signature" }).click();
    await expect.poll(() => page.getByRole("status").locator("strong").allTextContents()).toEqual([verdict]);
  };
  const headers = ["webhook-id", "webhook-timestamp", "webhook-signature"];
  const pasted = headers.map((name) => `${name}: ${event?.headers[name]}`).join("\n");
  await page.getByLabel("Headers").fill(pasted);
  await expectVerdict("The signature is right.", { secret });
  const wrong = `whsec_${randomBytes(32).toString("base64")}`;
  await expectVerdict("Signed with another of your secrets.", { secret: wrong });
  const anew = JSON.stringify(JSON.parse(event?.body ?? "{}"), null, 2);
  await expectVerdict("The body was parsed and written again.", { secret, body: anew });
  expect(faults).toEqual([]);
  await close();
});

test("a sale stands in the statement with both balances, and in its file", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  const body = { product_id: 1001, phone: "08031234567", reference: "statement-1" };
  const sold = await service.app.call(testKey, "/data/purchase", { body });
  expect(sold.body.status).toBe("successful");
  await page.goto("/test/overview");
  await page.getByRole("navigation").getByRole("link", { name: "Wallet" }).click();
  await heading(page, "Wallet").waitFor();
  const row = page.getByRole("row").filter({ hasText: "08031234567" });
  const reply = (await row.getByText("→").textContent()) ?? "";
  const [before = 0, after = 0] = (reply.match(/[\d,]+\.\d\d/g) ?? []).map((text) => Number(text.replaceAll(",", "")));
  expect(before - after).toBeCloseTo(Number(sold.body.total_deducted), 2);
  const lines = (await download(page, /CSV/)).trim().split("\n");
  expect(lines.filter((line) => line.includes("statement-1"))).toEqual([
    expect.stringContaining(`-${sold.body.total_deducted}`),
  ]);
  expect(faults).toEqual([]);
  await close();
});
