import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { fillShop } from "../support/busy-shop.ts";
import { startConsole, type TestConsole } from "../support/console.ts";
import { entrancePages, findPages } from "../support/console-pages.ts";
import { type EveryPage, faultsOfEveryPage, findHeavyPages, inHalves } from "../support/every-page.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let service: TestConsole;
let browser: Browser;
let receiver: Receiver;
let every: EveryPage;
let found: Awaited<ReturnType<typeof findPages>>;

beforeAll(async () => {
  receiver = await startReceiver((response) => response.writeHead(200).end());
  const webhooks = { ...testWebhooks, allowPrivate: true };
  [service, browser] = await Promise.all([startConsole({ workers: true, webhooks }), launchBrowser()]);
  const { merchant } = service.app;
  const owner = await service.member("owner", merchant.id);
  const webhookUrl = receiver.url;
  await fillShop(service, { merchant, owner, prefix: "order", word: "Mama Tolu's", phone: "08031234561", webhookUrl });
  // Its loop does not run in tests; a request by the API leads to a page.
  await service.app.call(merchant.testKey, "/wallet/balance");
  await service.app.services.requestLog.flush();
  found = await findPages(service, owner);
  const parts = [...inHalves(owner, found.pages), { client: service.guest(), pages: entrancePages }];
  every = { browser, url: service.url, parts };
});

afterAll(async () => {
  await browser?.close();
  await service.close();
  await receiver.close();
});

test("links lead to every page", () => {
  expect(found.pages.length).toBeGreaterThan(20);
  expect(found.unreached.filter((path) => !neverLinked.includes(path))).toEqual([]);
});

/** They are come to by what somebody does: a search, something bought by hand. */
const neverLinked = ["/test/search", "/test/buy/bought/:reference"];

test("every page breaks no policy, and at each width axe finds nothing, nothing is cut, and all that can be pressed is reached", async () => {
  expect(await faultsOfEveryPage(every)).toEqual([]);
}, 400_000);

test("every page loads 15 kB of scripts and 12 kB of styles at most, and 60 kB in all", async () => {
  const { wrong, most } = await findHeavyPages(every.parts);
  console.info(most);
  expect(wrong).toEqual([]);
});
