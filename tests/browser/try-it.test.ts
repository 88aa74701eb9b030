import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";

let service: TestConsole;
let browser: Browser;
let developer: MemberClient;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
  developer = await service.member("developer");
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test.each([320, 1440])("a purchase is tried out, and its answer is what one sees, at %i pixels", async (width) => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: developer, width });
  await page.goto("/test/try");
  await page.getByRole("link", { name: "Buy airtime" }).click();
  const body = page.getByLabel("Body, as JSON");
  const typed = await body.inputValue();
  await body.fill(`${typed},`);
  await page.getByRole("button", { name: "Send to the sandbox" }).click();
  await page.getByText("Is no JSON, so nothing was sent").first().waitFor();
  expect(await body.inputValue()).toBe(`${typed},`);
  await body.fill(typed);
  await page.getByRole("button", { name: "Send to the sandbox" }).click();
  const answer = page.locator("#answer");
  await answer.getByText('"status": "successful"').waitFor();
  const { y = Number.NaN } = (await answer.boundingBox()) ?? {};
  expect(y).toBeGreaterThanOrEqual(0);
  expect(y).toBeLessThan(100);
  expect(await faultsOfPage(page)).toEqual([]);
  await page.emulateMedia({ colorScheme: "dark" });
  expect(await faultsOfPage(page, ["color-contrast"])).toEqual([]);
  expect(faults).toEqual([]);
  await close();
});

test("a guide has the new key in its samples until it is loaded anew", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: developer });
  await page.goto("/docs/guides/receive-webhooks");
  await page.getByRole("link", { name: "Show them with a sandbox key of yours" }).click();
  await page.getByRole("button", { name: "Create key and show page" }).click();
  const key = (await page.locator(".notice code").textContent()) ?? "";
  expect(key).toMatch(/^ds_test_\w{38}$/);
  expect(await page.locator("pre").allTextContents()).toContainEqual(expect.stringContaining(`DISPENSE_KEY=${key}\n`));
  await page.getByRole("link", { name: "The page without it" }).click();
  await page.getByRole("link", { name: "Show them with a sandbox key of yours" }).waitFor();
  expect(await page.content()).not.toContain(key);
  expect(faults).toEqual([]);
  await close();
});
