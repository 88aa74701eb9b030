import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { answerFromGallery, galleryOrigin, lookAtGallery } from "../console/gallery/look-at-gallery.ts";
import { browserContext, launchBrowser } from "../support/browser.ts";

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[];
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");
let browser: Browser;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser?.close());

async function openPage(name: string, { javaScriptEnabled = true, width = 1440 } = {}): Promise<Page> {
  const viewport = { width, height: 900 };
  const context = await browser.newContext({ ...browserContext, viewport, javaScriptEnabled });
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  await answerFromGallery(page);
  await page.goto(`${galleryOrigin}/${name}`);
  return page;
}

describe("every part in a real browser", () => {
  test("has no fault that axe finds, fits its screen and breaks no policy, light and dark, 320 and 1440 pixels", async () => {
    const script = await readFile(axe, "utf8");
    const faults: string[] = [];
    await lookAtGallery(browser, async (page, name) => {
      await page.evaluate(script);
      const look = async (what: string) =>
        faults.push(...(await page.evaluate(faultsOfPage)).map((fault) => `${what}: ${fault}`));
      await look(name);
      for (const opener of await page.locator(".menu-button:visible").all()) {
        await opener.click();
        await look(`${name}, opened`);
        await page.keyboard.press("Escape");
      }
    });
    expect(faults).toEqual([]);
  });
});

/** Runs in the page. */
async function faultsOfPage(): Promise<string[]> {
  const { axe, refused } = window as unknown as { axe: { run(): Promise<AxeResult> }; refused: string[] };
  const { scrollWidth, clientWidth } = document.documentElement;
  const { violations } = await axe.run();
  return [
    ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : []),
    ...refused.map((directive) => `refused by ${directive}`),
    ...violations.flatMap(({ id, nodes }) =>
      nodes.map(({ html, failureSummary }) => `${id} ${html} ${failureSummary}`),
    ),
  ];
}

describe("without JavaScript", () => {
  test("the menu of a narrow screen opens and closes", async () => {
    const page = await openPage("overview", { javaScriptEnabled: false, width: 320 });
    const link = page.getByRole("link", { name: "Transactions" });
    expect(await link.isVisible()).toBe(false);
    await page.getByRole("button", { name: "Menu" }).click();
    expect(await link.isVisible()).toBe(true);
    await page.keyboard.press("Escape");
    expect(await link.isVisible()).toBe(false);
  });

  test("nothing is shown that would not work", async () => {
    const page = await openPage("forms", { javaScriptEnabled: false });
    expect(
      await page
        .locator("main")
        .getByRole("button", { name: /Copy|Show/ })
        .count(),
    ).toBe(0);
  });
});

describe("with the islands", () => {
  test("a link is followed without loading the page anew, and the focus goes to what is open there, or the heading", async () => {
    const page = await openPage("overview");
    await page.evaluate(() => Object.assign(window, { isSame: true }));
    await page.getByRole("link", { name: "Transactions", exact: true }).click();
    await page.getByRole("heading", { name: "Transactions", level: 1 }).waitFor();
    const focused = () => page.evaluate(() => document.activeElement?.tagName);
    await expect.poll(focused).toBe("ARTICLE");
    expect(await page.title()).toBe("Transactions · Kano Corner Shop · Test");
    await page.goBack();
    await page.getByRole("heading", { name: "Overview", level: 1 }).waitFor();
    await expect.poll(focused).toBe("H1");
    expect(await page.evaluate(() => "isSame" in window)).toBe(true);
    expect(await page.evaluate(() => document.documentElement.dataset.mode)).toBe("live");
  });

  test("keys lead to search and pages, tell of themselves, and can be turned off", async () => {
    const page = await openPage("overview");
    await page.keyboard.press("/");
    expect(await page.evaluate(() => document.activeElement?.getAttribute("name"))).toBe("q");
    await page.keyboard.type("g t"); // written, not obeyed
    expect(page.url()).toMatch(/overview$/);
    await page.evaluate(() => (document.activeElement as HTMLElement).blur());
    await page.keyboard.press("?");
    const list = page.getByRole("dialog", { name: "Keyboard" });
    expect(await list.textContent()).toMatch(/Search.*g t Transactions/);
    await list.getByRole("checkbox").uncheck();
    await page.keyboard.press("Escape");
    await pressBoth(page);
    expect(page.url()).toMatch(/overview$/);
    await page.evaluate(() => localStorage.clear());
    // On a busy machine the two keys may come too far apart.
    const heading = page.getByRole("heading", { name: "Transactions", level: 1 });
    await expect.poll(() => pressBoth(page).then(() => heading.isVisible())).toBe(true);
  });

  test("a double click sends a form once", async () => {
    const page = await openPage("forms");
    let sent = 0;
    await page.route("**/live/buy", async (route) => {
      sent += 1;
      await new Promise((resolve) => setTimeout(resolve, 300));
      await route.fulfill({ body: "<h1>Bought</h1>", contentType: "text/html" });
    });
    await page.evaluate(() => {
      for (const form of document.forms) form.noValidate = true;
    });
    await page.getByRole("button", { name: "Buy", exact: true }).dblclick();
    await page.getByRole("heading", { name: "Bought" }).waitFor();
    expect(sent).toBe(1);
  });

  test("a chosen scheme is kept in a cookie, and the system's again without one", async () => {
    const page = await openPage("overview");
    await page.getByText("Amina Bello").click();
    const chosen = page.getByRole("combobox", { name: "Colours" });
    await chosen.selectOption("dark");
    expect(await page.evaluate(() => [document.documentElement.dataset.theme, document.cookie])).toEqual([
      "dark",
      "theme=dark",
    ]);
    await chosen.selectOption("system");
    expect(await page.evaluate(() => [document.documentElement.dataset.theme, document.cookie])).toEqual([
      undefined,
      "",
    ]);
  });

  test("a panel closes by a click elsewhere, and by Escape, which leads back to what opened it", async () => {
    const page = await openPage("transactions");
    const panel = page.getByRole("list", { name: "Category" });
    await page.getByText("Category").click();
    await panel.waitFor();
    await page.keyboard.press("Escape");
    await panel.waitFor({ state: "hidden" });
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe("Category");
    expect(page.url()).toMatch(/transactions$/); // Escape alone closes what is open beside the list
    await page.getByText("Category").click();
    await page.getByRole("heading", { name: "Transactions", level: 1 }).click();
    await panel.waitFor({ state: "hidden" });
  });

  test("a refused form begins with what to mend, which has the focus and leads to its field", async () => {
    const page = await openPage("forms");
    expect(await page.title()).toMatch(/^Error: /);
    expect(await page.evaluate(() => document.activeElement?.className)).toBe("error-summary");
    await page.getByRole("link", { name: /^Phone: / }).click();
    expect(await page.evaluate(() => document.activeElement?.id)).toBe("phone");
  });

  test("a password shows itself, a secret is copied", async () => {
    const page = await openPage("forms");
    await page.getByRole("button", { name: "Show" }).click();
    expect(await page.locator("#password").getAttribute("type")).toBe("text");
    await page.getByRole("button", { name: "Copy The live key" }).click();
    await page.getByRole("button", { name: "Copied The live key" }).waitFor();
    expect(await page.evaluate(() => navigator.clipboard.readText())).toMatch(/^ds_live_/);
  });

  test("a live table shows what is new, but not while it is paused", async () => {
    const page = await openPage("overview");
    let calls = 0;
    const own = await page.evaluate<[string, string][]>("Object.entries(document.documentElement.dataset)");
    const marks = own.map(([name, value]) => `data-${name}="${value}"`).join(" ");
    await page.route("**/overview", async (route) => {
      calls += 1;
      // By this the server knows that nobody asked: a page that reveals something reveals it to people alone.
      expect(route.request().headers()["x-fragment"]).toBe("true");
      const body = `<html ${marks}><table id="last-sales"><tr><td>New row ${calls}</td></tr></table></html>`;
      await route.fulfill({ body, contentType: "text/html" });
    });
    await page.getByText("New row 1").waitFor();
    await page.getByRole("button", { name: "Pause" }).click();
    const before = calls;
    await page.waitForTimeout(2_500);
    expect(calls).toBe(before);
    await page.getByRole("button", { name: "Resume" }).click();
    await page.getByText(`New row ${before + 1}`).waitFor();
  });
});

async function pressBoth(page: Page): Promise<void> {
  await page.keyboard.press("g");
  await page.keyboard.press("t");
}
