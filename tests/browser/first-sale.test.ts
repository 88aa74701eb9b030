import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";

let service: TestConsole;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test("from nothing to a sandbox key and a first sale that is seen without reloading", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url });
  const startedMs = performance.now();
  await page.goto("/sign-up");
  await page.getByLabel("Business").fill("Ada's Airtime");
  await page.getByLabel("Your name").fill("Ada Obi");
  await page.getByLabel("Email").fill("ada@shop.example");
  await page.getByLabel("Password").fill("correct marble teapot 9");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByRole("link", { name: "Log in" }).click();
  await page.getByLabel("Email").fill("ada@shop.example");
  await page.getByLabel("Password").fill("correct marble teapot 9");
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();

  await page.getByRole("link", { name: "Create key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("The shop's server");
  await page.getByRole("button", { name: "Create test key" }).click();
  const key = (await page.locator(".secret code").textContent()) ?? "";
  expect(key).toMatch(/^ds_test_/);

  await page.getByRole("link", { name: "Transactions", exact: true }).click();
  await page.getByText("No sales yet").waitFor();
  await page.evaluate(() => Object.assign(window, { isSame: true }));
  const sold = await service.app.call(key, "/data/purchase", {
    body: { product_id: 1001, phone: "08031234567", reference: "first-sale" },
  });
  expect([sold.status, sold.body.status]).toEqual([201, "successful"]);
  const row = page.getByRole("row").filter({ hasText: "0803 123 4567" });
  await row.getByText("Delivered").waitFor();
  const seconds = ((performance.now() - startedMs) / 1_000).toFixed(1);
  expect(await page.evaluate(() => "isSame" in window)).toBe(true);
  console.info(`From the sign-up to the first sale on the screen: ${seconds} s.`);

  await row.getByRole("link").first().click();
  await page.getByRole("article", { name: "first-sale" }).waitFor();
  expect(faults).toEqual([]);
  await close();
});
