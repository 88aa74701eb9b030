import { brotliCompressSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAssets } from "../../src/console/kit/assets.ts";
import { launchBrowser } from "../support/browser.ts";
import { fillShop } from "../support/busy-shop.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { entrancePages, type FoundPage, findPages } from "../support/console-pages.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";
import { layoutFaults, setWideFont } from "../support/layout-faults.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

let service: TestConsole;
let browser: Browser;
let receiver: Receiver;
let owner: MemberClient;
let pages: readonly FoundPage[];
let unreached: readonly string[];

beforeAll(async () => {
  receiver = await startReceiver((response) => response.writeHead(200).end());
  const webhooks = { ...testWebhooks, allowPrivate: true };
  [service, browser] = await Promise.all([startConsole({ workers: true, webhooks }), launchBrowser()]);
  const { merchant } = service.app;
  owner = await service.member("owner", merchant.id);
  const webhookUrl = receiver.url;
  await fillShop(service, { merchant, owner, prefix: "order", word: "Mama Tolu's", phone: "08031234561", webhookUrl });
  // Its loop does not run in tests; a request by the API leads to a page.
  await service.app.call(merchant.testKey, "/wallet/balance");
  await service.app.services.requestLog.flush();
  ({ pages, unreached } = await findPages(service, owner));
});

afterAll(async () => {
  await browser?.close();
  await service.close();
  await receiver.close();
});

test("links lead to every page", () => {
  expect(pages.length).toBeGreaterThan(20);
  expect(unreached.filter((path) => !neverLinked.includes(path))).toEqual([]);
});

/** They are come to by what somebody does: a search, something bought by hand. */
const neverLinked = ["/test/search", "/test/buy/bought/:reference"];

test.each([320, 1440])(
  "every page at %i pixels has nothing that axe finds, light and dark, and breaks no policy",
  async (width) => {
    const faults = await atOnce(width, async (page, note) => {
      await page.emulateMedia({ colorScheme: "light" });
      note("", await faultsOfPage(page));
      await page.emulateMedia({ colorScheme: "dark" });
      note(", dark", await faultsOfPage(page, ["color-contrast"]));
    });
    expect(faults).toEqual([]);
  },
  120_000,
);

test.each([360, 820, 1024, 1280, 1440, 1920])(
  "every page at %i pixels cuts nothing, breaks no number over two lines and lets everything that can be pressed be reached",
  async (width) => {
    const faults = await atOnce(width, async (page, note) => {
      note("", await layoutFaults(page));
      if (!wideFontAt.includes(width)) return;
      await setWideFont(page);
      note(", in a wide font", await layoutFaults(page));
    });
    expect(faults).toEqual([]);
  },
  120_000,
);

/** A phone, where a table folds and where the sidebar does. */
const wideFontAt = [360, 1024, 1280];

type Note = (what: string, faults: readonly string[]) => void;

/** Looks at every page at a width, in three tabs. @returns what each found, and what the tabs reported */
async function atOnce(width: number, look: (page: Page, note: Note) => Promise<void>): Promise<string[]> {
  const halves = [0, 1].map((half) => ({ some: pages.filter((_page, at) => at % 2 === half), client: owner }));
  const faults = await Promise.all(
    [...halves, { some: entrancePages, client: service.guest() }].map(async ({ some, client }) => {
      const tab = await openTab(browser, { url: service.url, width, client });
      const found: string[] = [];
      for (const { path } of some) {
        await tab.page.emulateMedia({ colorScheme: "light" });
        await tab.page.goto(path);
        await look(tab.page, (what, each) => found.push(...each.map((fault) => `${path}${what}: ${fault}`)));
      }
      await tab.close();
      return [...found, ...tab.faults];
    }),
  );
  return faults.flat();
}

const kilobytes = 1_024;

test("every page loads 15 kB of scripts and 12 kB of styles at most, and 60 kB in all", async () => {
  const assets = new Map(readAssets().all.map((asset) => [asset.path, asset]));
  const wrong: string[] = [];
  let [scriptsMost, stylesMost, allMost] = [0, 0, 0];
  for (const [client, some] of [
    [owner, pages],
    [service.guest(), entrancePages],
  ] as const) {
    for (const { path } of some) {
      const { text } = await client.get(path);
      const loaded = [...new Set(text.match(/\/assets\/[\w.-]+/g) ?? [])].map((each) => assets.get(each));
      const bytesOf = (type: RegExp) =>
        loaded
          .filter((asset) => type.test(asset?.type ?? ""))
          .reduce((sum, asset) => sum + brotliCompressSync(asset?.bytes ?? "").length, 0);
      const [scripts, styles] = [bytesOf(/javascript/), bytesOf(/css/)];
      const all = bytesOf(/./) + brotliCompressSync(text).length;
      if (scripts === 0 || styles === 0 || loaded.includes(undefined)) wrong.push(`${path} names no assets`);
      if (scripts > 15 * kilobytes || styles > 12 * kilobytes || all > 60 * kilobytes)
        wrong.push(`${path}: scripts ${scripts}, styles ${styles}, in all ${all} bytes`);
      [scriptsMost, stylesMost, allMost] = [
        Math.max(scriptsMost, scripts),
        Math.max(stylesMost, styles),
        Math.max(allMost, all),
      ];
    }
  }
  console.info(`The heaviest page: ${scriptsMost} bytes of scripts, ${stylesMost} of styles, ${allMost} in all.`);
  expect(wrong).toEqual([]);
});
