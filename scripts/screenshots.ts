// npm run screenshots [-- FOLDER]: a picture of every page of the console at six widths, light and dark, from a
// service on a database of its own that is dropped afterwards. With -- --write also the two of the README, docs/pictures/.
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Browser } from "playwright-core";
import { launchBrowser } from "../tests/support/browser.ts";
import { fillShop } from "../tests/support/busy-shop.ts";
import { type ConsoleClient, startConsole, type TestConsole } from "../tests/support/console.ts";
import { entrancePages, type FoundPage, findPages } from "../tests/support/console-pages.ts";
import { openTab } from "../tests/support/console-tab.ts";
import { setup } from "../tests/support/global-setup.ts";
import { startReceiver } from "../tests/support/receiver.ts";
import { testWebhooks } from "../tests/support/webhooks.ts";

const pictures = path.resolve(import.meta.dirname, "../docs/pictures");
const pictureBytesMax = 200_000;

async function main(): Promise<void> {
  const isWriting = process.argv.includes("--write");
  const [folder = ".tmp/screenshots"] = process.argv.slice(2).filter((word) => !word.startsWith("--"));
  await mkdir(folder, { recursive: true });
  const closeServer = await setup();
  const receiver = await startReceiver((response) => response.writeHead(200).end());
  const service = await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } });
  const browser = await launchBrowser();
  try {
    const count = await takeAll(service, browser, { folder, webhookUrl: receiver.url, isWriting });
    console.log(`${count} pictures in ${folder}`);
  } finally {
    await browser.close();
    await service.close();
    await receiver.close();
    await closeServer();
  }
}

async function takeAll(
  service: TestConsole,
  browser: Browser,
  options: { readonly folder: string; readonly webhookUrl: string; readonly isWriting: boolean },
): Promise<number> {
  const { folder, webhookUrl, isWriting } = options;
  const { merchant, fresh, services } = service.app;
  await fresh.pool.query("update merchants set name = 'Kano Corner Shop' where id = $1", [merchant.id]);
  const owner = await service.member("owner", merchant.id);
  await fresh.pool.query("update people set name = 'Amina Bello' where email = $1", [owner.email]);
  await fillShop(service, { merchant, owner, prefix: "order", word: "Mama Tolu", phone: "08031234561", webhookUrl });
  // An error for its page; the log's own loop does not run here.
  await service.app.call(merchant.testKey, "/data/purchase", { body: { product_id: 1001, phone: "0803" } });
  await services.requestLog.flush();
  if (isWriting) await takePictures(service, browser, owner);
  const { pages, unreached } = await findPages(service, owner);
  if (unreached.length > 0) console.log(`No link leads to ${unreached.join(", ")}`);
  let count = 0;
  for (const scheme of ["light", "dark"] as const) {
    for (const width of [360, 820, 1024, 1280, 1440, 1920]) {
      const how = { url: service.url, width, scheme, folder };
      count += await take(browser, pages, { ...how, client: owner });
      count += await take(browser, entrancePages, { ...how, client: service.guest() });
    }
  }
  return count;
}

interface Taken {
  readonly url: string;
  readonly client: ConsoleClient;
  readonly width: number;
  readonly scheme: "light" | "dark";
  readonly folder: string;
}

async function take(browser: Browser, pages: readonly FoundPage[], taken: Taken): Promise<number> {
  const { page, close } = await openTab(browser, taken);
  for (const { name, path: where } of pages) {
    await page.goto(where);
    const file = path.join(taken.folder, `${name}-${taken.width}-${taken.scheme}.png`);
    await page.screenshot({ path: file, fullPage: true });
  }
  await close();
  return pages.length;
}

/** The pictures of the README: one screen each. */
async function takePictures({ url }: TestConsole, browser: Browser, owner: ConsoleClient): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const { page, close } = await openTab(browser, { url, client: owner });
  for (const [name, where] of [
    ["overview", "/test/overview"],
    ["timeline", "/test/transactions/order-1"],
  ] as const) {
    await page.goto(where);
    const file = path.join(pictures, `${name}.png`);
    await page.screenshot({ path: file });
    const { size } = await stat(file);
    if (size > pictureBytesMax) throw new Error(`${file} has ${size} bytes, and ${pictureBytesMax} are too many`);
  }
  await close();
}

await main();
