import type { Browser, Page } from "playwright-core";
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

const tabsMax = 120;

/** Presses Tab until what is focused is called so, and can be seen to be focused. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < tabsMax; press++) {
    await page.keyboard.press("Tab");
    const { called, isShown } = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.labels?.[0]?.textContent ?? element?.getAttribute("aria-label") ?? element?.textContent;
      // A link that is the whole row shows it around the row.
      const isShown = ["", "::after"].some((part) => {
        const { outlineStyle, boxShadow } = getComputedStyle(element ?? document.body, part);
        return outlineStyle !== "none" || boxShadow !== "none";
      });
      return { called: (label ?? "").trim(), isShown };
    });
    passed.push(called);
    if (!name.test(called)) continue;
    expect([called, isShown]).toEqual([called, true]);
    return;
  }
  throw new Error(`no ${name} among ${passed.join(" | ")}`);
}

test("a plan is bought in the sandbox by the keyboard alone", async () => {
  const finance = await service.member("finance");
  const { page, faults, close } = await openTab(browser, { url: service.url, client: finance });
  const heading = (name: string | RegExp) => page.getByRole("heading", { name, level: 1 });
  await page.goto("/test/overview");
  await tabTo(page, /^Buy$/);
  await page.keyboard.press("Enter");
  await heading("Buy").waitFor();
  await tabTo(page, /^Airtime/i);
  await page.keyboard.press("Enter");
  await heading(/airtime/i).waitFor();
  await tabTo(page, /^MTN/);
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: "Check" }).waitFor();
  await tabTo(page, /phone/i);
  await page.keyboard.type("08031234561");
  await tabTo(page, /amount/i);
  await page.keyboard.type("500");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Buy for/ }).waitFor();
  await tabTo(page, /^Buy for/);
  await page.keyboard.press("Enter");
  await page.getByText("successful").first().waitFor();
  expect(page.url()).toContain("/test/buy/bought/");
  const { rows } = await service.app.fresh.pool.query("select channel, status, customer_ref from purchases");
  expect(rows).toEqual([{ channel: "dashboard", status: "successful", customer_ref: "08031234561" }]);
  expect(faults).toEqual([]);
  await close();
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
