import type { Browser, Page } from "playwright-core";
import { browserContext } from "../../support/browser.ts";
import { galleryPages } from "./gallery-pages.tsx";
import { galleryAssets } from "./gallery-shell.ts";

export const galleryOrigin = "https://gallery.example";
/** As the server sends it: nothing inline runs and nothing comes from elsewhere. */
export const galleryPolicy = "default-src 'self'; base-uri 'none'; form-action 'self'; object-src 'none'";

/** Shows each page of the gallery in each scheme and width. The browser asks nobody: pages and assets are answered here. */
export async function lookAtGallery(
  browser: Browser,
  look: (page: Page, name: string) => Promise<void>,
  { schemes = ["light", "dark"], widths = [320, 1440] }: { schemes?: ("light" | "dark")[]; widths?: number[] } = {},
): Promise<void> {
  for (const colorScheme of schemes) {
    for (const width of widths) {
      const viewport = { width, height: width < 720 ? 700 : 900 };
      const context = await browser.newContext({ ...browserContext, colorScheme, viewport });
      const page = await context.newPage();
      await answerFromGallery(page);
      for (const name of Object.keys(galleryPages(null))) {
        await page.goto(`${galleryOrigin}/${name}`);
        await look(page, `${name}-${width}-${colorScheme}`);
      }
      await context.close();
    }
  }
}

/** Answers every request of a page, as the server would. */
export async function answerFromGallery(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const refused: string[] = [];
    Object.assign(window, { refused });
    addEventListener("securitypolicyviolation", ({ violatedDirective }) => refused.push(violatedDirective));
  });
  const pages = galleryPages(null);
  const assets = new Map(galleryAssets.all.map((asset) => [asset.path, asset]));
  await page.route("**/*", async (route) => {
    const { pathname } = new URL(route.request().url());
    const asset = assets.get(pathname);
    if (asset !== undefined) return route.fulfill({ body: asset.bytes, contentType: asset.type });
    const html = pages[pathname.split("/").at(-1) ?? ""] ?? pages.overview ?? "";
    return route.fulfill({
      body: html,
      contentType: "text/html; charset=utf-8",
      headers: { "content-security-policy": galleryPolicy },
    });
  });
}
