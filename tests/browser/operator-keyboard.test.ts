import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { fillCompany } from "../support/busy-company.ts";
import { startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { tabTo } from "../support/tab-to.ts";

let service: TestConsole;
let browser: Browser;
const suppliers = [openFakeSupplier("first"), openFakeSupplier("second")] as const;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole({ suppliers, workers: true }), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test("a sale in review is found, opened, resolved and the request approved by the keyboard alone", async () => {
  const { admin, finance } = await fillCompany(service, { suppliers, word: "Mama Tolu" });
  const { page, faults, close } = await openTab(browser, { url: service.url, client: finance });
  const focused = () =>
    page.evaluate(() => document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent);
  await page.goto("/operator/today");
  await page.keyboard.press("g");
  await page.keyboard.press("r");
  await expect.poll(focused).toBe("Review queue");
  await tabTo(page, /^MTN/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "What happened to it?" }).waitFor();
  await expect.poll(focused).toMatch(/^order-/);
  await tabTo(page, /^Delivered/);
  await page.keyboard.press("ArrowDown");
  await expect.poll(() => page.getByRole("radio", { name: /^Not delivered/ }).isChecked()).toBe(true);
  await tabTo(page, /^Evidence/);
  await page.keyboard.type("ticket 88121, Bola at 14:02");
  await tabTo(page, /^Ask a second person to approve$/);
  await page.keyboard.press("Enter");
  await page.getByText("for approval").waitFor();
  await close();

  const second = await openTab(browser, { url: service.url, client: admin });
  await second.page.goto("/operator/today");
  await second.page.keyboard.press("g");
  await second.page.keyboard.press("a");
  await second.page.getByRole("heading", { name: "Approvals", level: 1 }).waitFor();
  await tabTo(second.page, /not delivered|Refund/i);
  await second.page.keyboard.press("Enter");
  await tabTo(second.page, /^Approve and carry out$/);
  await second.page.keyboard.press("Enter");
  await second.page.getByText("is back in the merchant’s wallet").waitFor();
  expect([...faults, ...second.faults]).toEqual([]);
  await second.close();
});
