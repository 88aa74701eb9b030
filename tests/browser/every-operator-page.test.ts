import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { launchBrowser } from "../support/browser.ts";
import { fillCompany } from "../support/busy-company.ts";
import { startConsole, type TestConsole } from "../support/console.ts";
import { findOperatorPages, operatorEntrancePages, pagesAt } from "../support/console-pages.ts";
import { type EveryPage, faultsOfEveryPage, findHeavyPages, inHalves } from "../support/every-page.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";

let service: TestConsole;
let browser: Browser;
let every: EveryPage;
let found: Awaited<ReturnType<typeof findOperatorPages>>;

beforeAll(async () => {
  const suppliers = [openFakeSupplier("gladtidings"), openFakeSupplier("monnify")] as const;
  [service, browser] = await Promise.all([startConsole({ suppliers, workers: true }), launchBrowser()]);
  const { admin, support, joinPath } = await fillCompany(service, { suppliers, word: "Mama Tolu's" });
  found = await findOperatorPages(service, admin);
  const withdrawal = `/operator/merchants/${formatMerchantId(service.app.merchant.id)}/access/withdraw`;
  const guests = [...operatorEntrancePages, ...pagesAt([joinPath])];
  // Pages that the role may not see, sees without acting, or that are none.
  const refused = pagesAt(["/operator/staff", "/operator/reconciliation", "/operator/today", "/operator/nowhere"]);
  const parts = [
    ...inHalves(admin, [...found.pages, ...pagesAt([withdrawal])]),
    { client: support, pages: refused },
    { client: service.guest(), pages: guests },
  ];
  every = { browser, url: service.url, parts };
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

test("links lead to every page", () => {
  expect(found.pages.length).toBeGreaterThan(20);
  expect(found.unreached.filter((path) => !isNoLink.includes(path))).toEqual([]);
});

const isNoLink = [
  // What people type; it leads to Today.
  "/operator",
  // Asked for by the page's own script.
  "/operator/today/feed",
  // Of a merchant that sells live, and links lead to one that asks for it.
  "/operator/merchants/:id/access/withdraw",
  // Of a merchant that waits for live access: the first links to a merchant lead to one that sells.
  "/operator/merchants/:id/access/refuse",
  // This company has imported no bank statement, and nobody announced a transfer: tests/operator/bank-transfers looks at them.
  "/operator/transfers/lines/:number",
  "/operator/transfers/layout",
  "/operator/transfers/imports/:id",
  "/operator/transfers/announced/:number",
  "/operator/transfers/announced/:number/slip",
  // Of suppliers whose connector lists its prices, and these don't.
  "/operator/suppliers/:supplier/prices.csv",
  // Of suppliers that have an address, and links lead to one that has none.
  "/operator/suppliers/:supplier/account",
];

test("every page breaks no policy, and at each width axe finds nothing, nothing is cut, and all that can be pressed is reached", async () => {
  expect(await faultsOfEveryPage(every)).toEqual([]);
}, 400_000);

test("every page loads 15 kB of scripts and 12 kB of styles at most, and 60 kB in all", async () => {
  const { wrong, most } = await findHeavyPages(every.parts);
  console.info(most);
  expect(wrong).toEqual([]);
});
