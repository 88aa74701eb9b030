import { brotliCompressSync } from "node:zlib";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readAssets } from "../../src/console/kit/assets.ts";
import { launchBrowser } from "../support/browser.ts";
import { type StaffClient, startConsole, type TestConsole } from "../support/console.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { layoutFaults } from "../support/layout-faults.ts";

const names = ["alpha", "beta", "gamma"];
let service: TestConsole;
let browser: Browser;
let ada: StaffClient;

beforeAll(async () => {
  const suppliers = names.map((name) => openFakeSupplier(name));
  [service, browser] = await Promise.all([startConsole({ suppliers }), launchBrowser()]);
  ada = await service.staff("catalogue");
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

async function stored(): Promise<string[]> {
  const { rows } = await service.app.fresh.pool.query(
    "select supplier from supplier_routes where product_id = 1002 order by priority, supplier",
  );
  return rows.map(({ supplier }) => supplier);
}

test("rows are moved by keyboard and dragged by the pointer, and saved by the button alone", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: ada });
  const rows = () =>
    page.locator("tbody tr [name=supplier]").evaluateAll((all) => all.map((each) => (each as HTMLInputElement).value));
  await page.goto("/operator/routes/1002");
  await page.locator(".handle").first().waitFor();
  await page.getByRole("button", { name: "Move gamma up" }).focus();
  await page.keyboard.press("Enter");
  expect(await rows()).toEqual(["alpha", "gamma", "beta"]);
  // The focus stays with the row; at an end the other button has it.
  await page.keyboard.press("Enter");
  expect(await rows()).toEqual(["gamma", "alpha", "beta"]);
  expect(await page.evaluate(() => document.activeElement?.getAttribute("aria-label"))).toBe("Move gamma down");
  expect(await page.locator("[role=status]").last().textContent()).toBe("gamma: 1 of 3");

  const from = await page.locator("tr", { hasText: "beta" }).locator(".handle").boundingBox();
  const to = await page.locator("tr", { hasText: "gamma" }).boundingBox();
  if (from === null || to === null) throw new Error("the rows are not shown");
  await page.mouse.move(from.x + 3, from.y + 3);
  await page.mouse.down();
  await page.mouse.move(from.x + 3, to.y + 4, { steps: 8 });
  await page.mouse.up();
  expect(await rows()).toEqual(["beta", "gamma", "alpha"]);
  expect(await page.locator("[data-place]").allTextContents()).toEqual(["1", "2", "3"]);
  expect(await stored()).toEqual(names);

  await page.locator("[name=weight-beta]").fill("40");
  await page.keyboard.press("Enter");
  await page.getByText("Saved. New sales go by these routes").waitFor();
  expect(await stored()).toEqual(["beta", "gamma", "alpha"]);
  expect(faults).toEqual([]);
  await close();
});

const paths = [
  ...["/operator/routes", "/operator/routes/1002", "/operator/routes/1002/suppliers/alpha", "/operator/routes/import"],
  ...["/operator/routes/1002/explain?merchant=mer_1", "/operator/routes/1002/suppliers/alpha/remove"],
];

test.each([360, 1280])(
  "pages of routes at %i pixels cut nothing, have nothing that axe finds, and stay within 15 kB",
  async (width) => {
    const assets = new Map(readAssets().all.map((asset) => [asset.path, asset]));
    const { page, faults, close } = await openTab(browser, { url: service.url, client: ada, width });
    const wrong: string[] = [];
    for (const path of paths) {
      await page.goto(path);
      wrong.push(...(await faultsOfPage(page)).map((fault) => `${path}: ${fault}`));
      wrong.push(...(await layoutFaults(page)).map((fault) => `${path}: ${fault}`));
      const { text } = await ada.get(path);
      const scripts = [...new Set(text.match(/\/assets\/[\w.-]+\.js/g) ?? [])].map(
        (each) => assets.get(each)?.bytes ?? "",
      );
      const bytes = scripts.reduce((sum, each) => sum + brotliCompressSync(each).length, 0);
      if (bytes === 0 || bytes > 15 * 1_024) wrong.push(`${path} loads ${bytes} bytes of scripts`);
    }
    expect([...wrong, ...faults]).toEqual([]);
    await close();
  },
);
