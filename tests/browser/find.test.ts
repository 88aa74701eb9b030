import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserContext, launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";

let service: TestConsole;
let browser: Browser;
let owner: MemberClient;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
  owner = await service.member("owner");
  for (const [reference, phone] of [
    ["first", "08031234321"],
    ["second", "08039994321"],
    ["third", "08030000000"],
  ]) {
    const body = { product_id: 1001, phone, reference };
    expect((await service.app.call(service.app.merchant.testKey, "/data/purchase", { body })).status).toBe(201);
  }
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test.each([360, 1440])("at %d pixels a complaint is found by the last digits, by the keyboard alone", async (width) => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner, width });
  await page.goto("/test/bulk/new");
  await page.locator("main textarea").first().focus();
  await page.keyboard.press("Control+k");
  const box = page.locator(".bar .find input");
  const list = page.locator(".found");
  expect(await box.evaluate((input) => input === document.activeElement)).toBe(true);
  await page.keyboard.type("4321");
  await list.getByText("0803 999 4321").waitFor();
  expect(await list.getByRole("row").count()).toBe(3);
  expect(await faultsOfPage(page)).toEqual([]);
  const { x = 0, width: wide = 0 } = (await list.boundingBox()) ?? {};
  expect([x >= 0, x + wide <= width]).toEqual([true, true]);
  await page.keyboard.press("Escape");
  expect([await list.isVisible(), await box.evaluate((input) => input === document.activeElement)]).toEqual([
    false,
    true,
  ]);
  await page.keyboard.type(" ");
  await page.keyboard.press("Backspace");
  await list.waitFor();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/test/transactions/second");
  expect(faults).toEqual([]);
  await close();
});

test("what is typed on is found, not what was typed before; what is nothing says so; a click elsewhere closes", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto("/test/overview");
  await page.keyboard.press("/");
  const list = page.locator(".found");
  await page.keyboard.type("thi", { delay: 60 });
  await page.keyboard.type("rd", { delay: 250 });
  await list.getByText("0803 000 0000").waitFor();
  await page.mouse.click(1_400, 700);
  expect(await list.isVisible()).toBe(false);
  await page.locator(".bar .find input").fill("no such thing");
  await list.getByText("Nothing matches “no such thing”").waitFor();
  // One hit alone is opened by Enter.
  await page.locator(".bar .find input").fill("third");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/test/transactions/third");
  expect(faults).toEqual([]);
  await close();
});

test("without JavaScript the box leads to what it found", async () => {
  const context = await browser.newContext({ ...browserContext, baseURL: service.url, javaScriptEnabled: false });
  await context.addCookies(
    [...owner.cookies].map(([name, value]) => ({ name, value, url: service.url, httpOnly: true })),
  );
  const page = await context.newPage();
  await page.goto("/test/overview");
  await page.locator(".bar .find input").fill("4321");
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Sales" }).waitFor();
  await page.getByRole("link", { name: /MTN/ }).first().click();
  await page.waitForURL("**/test/transactions/second");
  await page.goto("/test/overview");
  await page.locator(".bar .find input").fill("revoke");
  await page.keyboard.press("Enter");
  await page.waitForURL("**/test/keys");
  await context.close();
});
