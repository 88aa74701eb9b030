import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";
import { tabTo } from "../support/tab-to.ts";

let service: TestConsole;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test("a purchase is found, opened and closed by the keyboard, and the focus is where one goes on", async () => {
  const { merchant } = service.app;
  for (const reference of ["first", "second"]) {
    const body = { product_id: 1001, phone: "08031234567", reference };
    expect((await service.app.call(merchant.testKey, "/data/purchase", { body })).status).toBe(201);
  }
  const owner = await service.member("owner");
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  const focusedRow = () => page.evaluate(() => document.activeElement?.closest("tr")?.textContent ?? "");
  await page.goto("/test/prices");
  await page.keyboard.press("g");
  await page.keyboard.press("t");
  await expect.poll(focused).toBe("Transactions");
  await tabTo(page, /^MTN/);
  await page.keyboard.press("Tab");
  expect(await focusedRow()).toContain("first");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("first");
  await tabTo(page, /^Close first$/);
  await page.keyboard.press("Escape");
  await expect.poll(focusedRow).toContain("first");

  await page.keyboard.press("/");
  await page.keyboard.type("second");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("second");
  await page.keyboard.press("?");
  await expect.poll(focused).toBe("Close");
  await page.keyboard.press("g");
  await page.keyboard.press("w");
  await page.keyboard.press("Escape");
  await expect.poll(focused).toBe("second");
  expect(new URL(page.url()).pathname).toBe("/test/transactions/second");
  expect(faults).toEqual([]);
  await close();
});
