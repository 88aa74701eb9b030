import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { openTab, setWidth } from "../support/console-tab.ts";
import { layoutFaults } from "../support/layout-faults.ts";
import { logRequests } from "../support/logged-requests.ts";

// Pages whose texts are as long as merchants make them: an endpoint's address, an IPv6 client, a reference, a large balance.

let service: TestConsole;
let browser: Browser;
let owner: MemberClient;
const long = `https://hooks.${"very-long-shop-name.".repeat(4)}example.com/callbacks/dispense/${"path-".repeat(20)}end`;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
  owner = await service.member("owner");
  const hook = { url: long, description: "W".repeat(60), mode: "both", notify: "all", which: "all" };
  expect((await owner.send("/test/webhooks/endpoints/new", hook)).status).toBe(200);
  const address = "2001:db8:1111:2222:3333:4444:5555:6666";
  const { app } = service;
  await logRequests(app, { merchantId: app.merchant.id, mode: "test" }, [
    { namedReference: "x".repeat(100), address },
    { endpoint: "/api/v1/merchant/transactions/:reference", code: "INSUFFICIENT_BALANCE", status: 402, address },
  ]);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test.each([
  ["/test/webhooks", [320, 360, 1024, 1280]],
  ["/test/requests", [320, 360, 1024, 1280]],
  ["/test/sandbox", [320, 360, 1280]],
  ["/test/overview", [320]],
] as const)("%s has room for long texts", async (path, widths) => {
  const { page, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto(path);
  const faults: string[] = [];
  for (const width of widths) {
    await setWidth(page, width);
    const wide = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (wide > 0) faults.push(`${width}: ${wide} pixels wider than the window`);
    faults.push(...(await layoutFaults(page)).map((fault) => `${width}: ${fault}`));
  }
  expect(faults).toEqual([]);
  await close();
});
