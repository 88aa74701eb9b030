import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { browserContext } from "./browser.ts";
import type { ConsoleClient } from "./console.ts";

/** A tab of a real browser, and what went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** Uncaught errors, errors in the browser's console, and what the page's policy refused. */
  readonly faults: readonly string[];
  close(): Promise<void>;
}

interface TabOptions {
  readonly url: string;
  /** The person logged in there; nobody where it is left out. */
  readonly client?: ConsoleClient;
  readonly width?: number;
  readonly scheme?: "light" | "dark";
}

/** Opens a tab in a browser profile of its own. Paths are those of the console at `url`. */
export async function openTab(browser: Browser, options: TabOptions): Promise<Tab> {
  const { url, client, width = 1440, scheme = "light" } = options;
  const view = { viewport: windowOf(width), colorScheme: scheme };
  const context = await browser.newContext({ ...browserContext, baseURL: url, ...view });
  if (client !== undefined) {
    await context.addCookies([...client.cookies].map(([name, value]) => ({ name, value, url, httpOnly: true })));
  }
  const page = await context.newPage();
  page.setDefaultTimeout(20_000);
  const faults: string[] = [];
  page.on("pageerror", ({ message }) => faults.push(`uncaught on ${page.url()}: ${message}`));
  page.on("console", (message) => {
    // Every answer of 400 and above is an error to the browser: tests look at those themselves.
    const isAnswer = /^Failed to load resource: the server responded with a status of 4/.test(message.text());
    if (message.type() === "error" && !isAnswer) faults.push(`on ${page.url()}: ${message.text()}`);
  });
  await page.exposeFunction("reportRefusal", (what: string) => faults.push(`refused on ${page.url()}: ${what}`));
  await page.addInitScript(() => {
    const { reportRefusal } = window as unknown as { reportRefusal(what: string): void };
    addEventListener("securitypolicyviolation", ({ violatedDirective, blockedURI }) =>
      reportRefusal(`${violatedDirective} ${blockedURI}`),
    );
  });
  return { page, faults, close: () => context.close() };
}

/** Makes the tab's window wider or narrower, and as high as one of that width is. */
export function setWidth(page: Page, width: number): Promise<void> {
  return page.setViewportSize(windowOf(width));
}

function windowOf(width: number): { width: number; height: number } {
  return { width, height: width < 720 ? 700 : 900 };
}

interface AxeResult {
  readonly violations: readonly { id: string; nodes: readonly { html: string; failureSummary: string }[] }[];
}

let axe: string | undefined;

/** What axe finds in the page, and whether it is wider than its window. `rules`: those alone. */
export async function faultsOfPage(page: Page, rules?: readonly string[]): Promise<string[]> {
  axe ??= await readFile(createRequire(import.meta.url).resolve("axe-core/axe.min.js"), "utf8");
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe);
  return page.evaluate(async (only) => {
    const { axe: checker } = window as unknown as { axe: { run(options: object): Promise<AxeResult> } };
    const { scrollWidth, clientWidth } = document.documentElement;
    // Colours that are still on their way from one scheme to the other have a contrast of their own.
    // A tab that is not in front may have no frames in which they would end.
    for (const animation of document.getAnimations()) animation.cancel();
    const { violations } = await checker.run(only === undefined ? {} : { runOnly: only });
    return [
      ...(scrollWidth > clientWidth ? [`${scrollWidth} pixels wide`] : []),
      ...violations.flatMap(({ id, nodes }) =>
        nodes.slice(0, 3).map(({ html, failureSummary }) => `${id} ${html.slice(0, 300)} ${failureSummary}`),
      ),
    ];
  }, rules);
}
