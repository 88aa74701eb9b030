// npm run screenshots [-- FOLDER]: a picture of every page of both consoles at six widths, light and dark, from services
// on databases of their own that are dropped afterwards: full, empty, and refused. --only operator, --width 1280 and
// --scheme dark take fewer. With -- --write also those of the README, docs/pictures/: with --width 0 those alone.
import { mkdir, stat } from "node:fs/promises";
import path from "node:path";
import type { Browser, Page } from "playwright-core";
import { launchBrowser } from "../tests/support/browser.ts";
import { fillCompany } from "../tests/support/busy-company.ts";
import { fillShop } from "../tests/support/busy-shop.ts";
import { type ConsoleClient, startConsole, type TestConsole } from "../tests/support/console.ts";
import {
  entrancePages,
  type FoundPage,
  findOperatorPages,
  findPages,
  operatorEntrancePages,
  pagesAt,
} from "../tests/support/console-pages.ts";
import { openTab } from "../tests/support/console-tab.ts";
import { openFakeSupplier } from "../tests/support/fake-supplier.ts";
import { setup } from "../tests/support/global-setup.ts";
import { startReceiver } from "../tests/support/receiver.ts";
import { testWebhooks } from "../tests/support/webhooks.ts";

const pictures = path.resolve(import.meta.dirname, "../docs/pictures");
const pictureBytesMax = 200_000;

interface Order {
  readonly folder: string;
  readonly only: string | null;
  readonly widths: readonly number[];
  readonly schemes: readonly ("light" | "dark")[];
  readonly isWriting: boolean;
}

function readOrder(words: readonly string[]): Order {
  const after = (name: string) => (words.includes(name) ? (words[words.indexOf(name) + 1] ?? null) : null);
  const [only, width, scheme] = [after("--only"), after("--width"), after("--scheme")];
  const values = [only, width, scheme];
  const [folder = ".tmp/screenshots"] = words.filter((word) => !word.startsWith("--") && !values.includes(word));
  const widths = width === null ? [360, 820, 1024, 1280, 1440, 1920] : [Number(width)].filter(Boolean);
  const schemes = (["light", "dark"] as const).filter((each) => scheme === null || each === scheme);
  return { folder, only, widths, schemes, isWriting: words.includes("--write") };
}

async function main(): Promise<void> {
  const order = readOrder(process.argv.slice(2));
  await mkdir(order.folder, { recursive: true });
  const closeServer = await setup();
  const browser = await launchBrowser();
  try {
    const shop = order.only === "operator" ? 0 : await takeShop(browser, order);
    const company = order.only === "merchant" ? 0 : await takeCompany(browser, order);
    console.log(`${shop + company} pictures in ${order.folder}`);
  } finally {
    await browser.close();
    await closeServer();
  }
}

/** The merchant's pages: full, with each form refused; refused to a role; and empty. @returns how many were taken */
async function takeShop(browser: Browser, order: Order): Promise<number> {
  const receiver = await startReceiver((response) => response.writeHead(200).end());
  const service = await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } });
  const { merchant, fresh, services } = service.app;
  await fresh.pool.query("update merchants set name = 'Kano Corner Shop' where id = $1", [merchant.id]);
  const owner = await service.member("owner", merchant.id);
  await fresh.pool.query("update people set name = 'Amina Bello' where email = $1", [owner.email]);
  const webhookUrl = receiver.url;
  await fillShop(service, { merchant, owner, prefix: "order", word: "Mama Tolu", phone: "08031234561", webhookUrl });
  // An error for its page; the log's own loop does not run here.
  await service.app.call(merchant.testKey, "/data/purchase", { body: { product_id: 1001, phone: "0803" } });
  await services.requestLog.flush();
  if (order.isWriting) await takePictures(service, browser, { client: owner, pictures: merchantPictures });
  const { pages, unreached } = await findPages(service, owner);
  if (unreached.length > 0) console.log(`No link leads to ${unreached.join(", ")}`);
  const cashier = await service.member("cashier", merchant.id);
  const refused = pagesAt(["/account/members", "/test/wallet", "/test/nowhere"]);
  let count = await takeAll(browser, order, service.url, [
    { client: owner, pages },
    { client: owner, pages: named("refused-form", pages), isRefused: true },
    { client: cashier, pages: named("refused", refused) },
    { client: service.guest(), pages: entrancePages },
  ]);
  await service.close();
  await receiver.close();
  const empty = await startConsole();
  const first = await empty.member("owner");
  const found = (await findPages(empty, first)).pages;
  count += await takeAll(browser, order, empty.url, [{ client: first, pages: named("empty", found) }]);
  await empty.close();
  return count;
}

/** The company's pages: full, with each form refused; refused to a role; and empty. @returns how many were taken */
async function takeCompany(browser: Browser, order: Order): Promise<number> {
  const suppliers = [openFakeSupplier("gladtidings"), openFakeSupplier("monnify")] as const;
  const service = await startConsole({ suppliers, workers: true });
  const { admin, support, joinPath } = await fillCompany(service, { suppliers, word: "at Yaba" });
  await nameForPictures(service, admin);
  if (order.isWriting) await takePictures(service, browser, { client: admin, pictures: operatorPictures });
  const { pages, unreached } = await findOperatorPages(service, admin);
  if (unreached.length > 0) console.log(`No link leads to ${unreached.join(", ")}`);
  const refused = pagesAt(["/operator/staff", "/operator/reconciliation", "/operator/nowhere"]);
  let count = await takeAll(browser, order, service.url, [
    { client: admin, pages },
    { client: admin, pages: named("refused-form", pages), isRefused: true },
    { client: support, pages: named("refused", refused) },
    {
      client: service.guest(),
      pages: [...operatorEntrancePages, { name: "operator-join", route: "/operator/join", path: joinPath }],
    },
  ]);
  await service.close();
  const empty = await startConsole();
  const first = await empty.staff("admin");
  const found = (await findOperatorPages(empty, first)).pages;
  count += await takeAll(browser, order, empty.url, [{ client: first, pages: named("empty", found) }]);
  await empty.close();
  return count;
}

/** The same pages under file names of their own. */
function named(kind: string, pages: readonly FoundPage[]): FoundPage[] {
  return pages.map((page) => ({ ...page, name: `${kind}-${page.name}` }));
}

/** As a company would read. */
async function nameForPictures({ app }: TestConsole, { email }: { readonly email: string }): Promise<void> {
  const { pool } = app.fresh;
  await pool.query("update people set name = 'Bola Ade' where realm = 'staff'");
  await pool.query("update people set name = 'Tunde Bakare' where email = $1", [email]);
  await pool.query("update products set name = replace(name, ' at Yaba', '')");
  await app.feel("catalogue");
}

interface Part {
  readonly client: ConsoleClient;
  readonly pages: readonly FoundPage[];
  /** Each page's form is sent empty first, where something is required that stands empty. */
  readonly isRefused?: boolean;
}

async function takeAll(browser: Browser, order: Order, url: string, parts: readonly Part[]): Promise<number> {
  let count = 0;
  for (const scheme of order.schemes) {
    for (const width of order.widths) {
      for (const part of parts) count += await take(browser, part, { url, width, scheme, folder: order.folder });
    }
  }
  return count;
}

interface Taken {
  readonly url: string;
  readonly width: number;
  readonly scheme: "light" | "dark";
  readonly folder: string;
}

async function take(browser: Browser, part: Part, taken: Taken): Promise<number> {
  const { page, close } = await openTab(browser, { ...taken, client: part.client });
  let count = 0;
  for (const { name, path: where } of part.pages) {
    await page.goto(where);
    if (part.isRefused && !(await isSentEmpty(page))) continue;
    const file = path.join(taken.folder, `${name}-${taken.width}-${taken.scheme}.png`);
    await page.screenshot({ path: file, fullPage: true });
    count += 1;
  }
  await close();
  return count;
}

/** Sends the page's first form with a required field that stands empty, as without the browser's own check. */
async function isSentEmpty(page: Page): Promise<boolean> {
  const forms = page.locator("main form[method=post]");
  const at = await forms.evaluateAll((all: HTMLFormElement[]) =>
    all.findIndex((form) =>
      [...form.querySelectorAll<HTMLInputElement>("[required]")].some(({ value }) => value === ""),
    ),
  );
  if (at === -1) return false;
  const answered = page.waitForResponse((response) => response.request().method() === "POST");
  await forms.nth(at).evaluate((element: HTMLFormElement) => {
    element.noValidate = true;
    element.requestSubmit();
  });
  await answered;
  await page.waitForLoadState();
  return true;
}

const merchantPictures = [
  ["overview", "/test/overview"],
  ["timeline", "/test/transactions/order-1"],
] as const;
const operatorPictures = [
  ["today", "/operator/today"],
  ["review", "/operator/review"],
] as const;

/** The pictures of the README: one screen each. */
async function takePictures(
  { url }: TestConsole,
  browser: Browser,
  given: { readonly client: ConsoleClient; readonly pictures: readonly (readonly [name: string, where: string])[] },
): Promise<void> {
  await mkdir(pictures, { recursive: true });
  const { page, close } = await openTab(browser, { url, client: given.client });
  for (const [name, where] of given.pictures) {
    await page.goto(where);
    // What was done last is said once, on the first page.
    await page.reload();
    if (name === "review") {
      await page.locator("table a").first().click();
      await page.getByRole("heading", { name: "What happened to it?" }).waitFor();
    }
    const file = path.join(pictures, `${name}.png`);
    await page.screenshot({ path: file });
    const { size } = await stat(file);
    if (size > pictureBytesMax) throw new Error(`${file} has ${size} bytes, and ${pictureBytesMax} are too many`);
  }
  await close();
}

await main();
