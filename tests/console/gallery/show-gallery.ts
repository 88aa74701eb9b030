// npx tsx tests/console/gallery/show-gallery.ts FOLDER: screenshots of every part, light and dark, at 320 and 1440 pixels.
import { mkdir } from "node:fs/promises";
import path from "node:path";
import { buildConsole } from "../../../scripts/build.mjs";
import { launchBrowser } from "../../support/browser.ts";
import { lookAtGallery } from "./look-at-gallery.ts";

const [folder = "dist/gallery"] = process.argv.slice(2);
await buildConsole();
await mkdir(folder, { recursive: true });
const browser = await launchBrowser();
await lookAtGallery(browser, async (page, name) => {
  await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
});
await browser.close();
