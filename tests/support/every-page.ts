import { brotliCompressSync } from "node:zlib";
import type { Browser, Page } from "playwright-core";
import { readAssets } from "../../src/console/kit/assets.ts";
import type { ConsoleClient } from "./console.ts";
import type { FoundPage } from "./console-pages.ts";
import { faultsOfPage, openTab, setWidth } from "./console-tab.ts";
import { layoutFaults, setWideFont } from "./layout-faults.ts";

/** Pages of a console, each with who looks at it: a tab for each part. */
export interface EveryPage {
  readonly browser: Browser;
  readonly url: string;
  readonly parts: readonly { readonly client: ConsoleClient; readonly pages: readonly FoundPage[] }[];
}

/** Parts of half the pages, as two tabs take less time than one. */
export function inHalves(client: ConsoleClient, pages: readonly FoundPage[]): EveryPage["parts"] {
  return [0, 1].map((half) => ({ client, pages: pages.filter((_page, at) => at % 2 === half) }));
}

/** A narrow phone and a usual screen: both for the pages with every part, one or the other for those that repeat them. */
const axeAt = [320, 1440];
const layoutAt = [360, 820, 1440];
/** Where a table folds and where the sidebar does, and the sizes beside those. */
const moreLayoutAt = [1024, 1280, 1920];
const wideFontAt = [360, 1024, 1280];
/** So many of each console's pages are looked at by all widths and with a wide font. */
const closelyMax = 13;

/**
 * What axe finds in any page, at one of two widths, and at both where its parts are new; what is cut, broken or can't be reached at three widths; what the tabs reported, refusals by
 * the policy among it. Of the pages that between them have every part: what has too little contrast in the dark; and of
 * those with the most parts, what is wrong at six widths and with a wide font. No page's script asks for the width, so
 * each page is loaded once and its window resized.
 */
export async function faultsOfEveryPage({ browser, url, parts }: EveryPage): Promise<string[]> {
  const fullest = await fullestPages(parts);
  const faults = await Promise.all(
    parts.map(async ({ pages, client }) => {
      const tab = await openTab(browser, { url, client });
      const found: string[] = [];
      for (const [at, { path }] of pages.entries()) {
        await tab.page.goto(path);
        const note: Note = (what, each) => found.push(...each.map((fault) => `${path} at ${what}: ${fault}`));
        const rank = fullest.indexOf(path);
        await lookAt(tab.page, note, rank >= 0 ? axeAt : [axeAt[at % 2]!]);
        if (rank >= 0) await lookInTheDark(tab.page, note);
        if (rank >= 0 && rank < closelyMax) await lookClosely(tab.page, note);
      }
      await tab.close();
      return [...found, ...tab.faults];
    }),
  );
  return faults.flat();
}

type Note = (what: string, faults: readonly string[]) => void;

async function lookAt(page: Page, note: Note, axeWidths: readonly number[]): Promise<void> {
  for (const width of axeWidths) {
    await setWidth(page, width);
    note(`${width} pixels`, await faultsOfPage(page));
  }
  await layoutsAt(page, layoutAt, note);
}

async function lookInTheDark(page: Page, note: Note): Promise<void> {
  await page.emulateMedia({ colorScheme: "dark" });
  for (const width of axeAt) {
    await setWidth(page, width);
    note(`${width} pixels, dark`, await faultsOfPage(page, ["color-contrast"]));
  }
  await page.emulateMedia({ colorScheme: "light" });
}

async function lookClosely(page: Page, note: Note): Promise<void> {
  await layoutsAt(page, moreLayoutAt, note);
  await setWideFont(page);
  await layoutsAt(page, wideFontAt, (what, faults) => note(`${what} in a wide font`, faults));
}

async function layoutsAt(page: Page, widths: readonly number[], note: Note): Promise<void> {
  for (const width of widths) {
    await setWidth(page, width);
    note(`${width} pixels`, await layoutFaults(page));
  }
}

/**
 * Paths of the pages that have a part which none before them has, the one that brings the most first. A part is an element
 * with its classes: where all of them are equal, so are the colours and how much folds.
 */
async function fullestPages(parts: EveryPage["parts"]): Promise<string[]> {
  const left = new Map<string, ReadonlySet<string>>();
  for (const { client, pages } of parts) {
    for (const { path } of pages) {
      const { text } = await client.get(path);
      left.set(
        path,
        new Set([...text.matchAll(/<(\w+)[^>]*? class="([^"]+)"/g)].map(([, tag, names]) => `${tag} ${names}`)),
      );
    }
  }
  const seen = new Set<string>();
  const found: string[] = [];
  for (;;) {
    const brings = [...left].map(([path, its]) => ({ path, count: [...its].filter((part) => !seen.has(part)).length }));
    const most = brings.toSorted((one, other) => other.count - one.count)[0];
    if (most === undefined || most.count === 0) return found;
    for (const part of left.get(most.path) ?? []) seen.add(part);
    left.delete(most.path);
    found.push(most.path);
  }
}

const kilobytes = 1_024;

/** The pages that load over 15 kB of scripts, 12 kB of styles or 60 kB in all, compressed, in words; and the heaviest. */
export async function findHeavyPages(parts: EveryPage["parts"]): Promise<{ wrong: string[]; most: string }> {
  const assets = new Map(
    readAssets().all.map(({ path, type, bytes }) => [path, { type, packedBytes: brotliCompressSync(bytes).length }]),
  );
  const wrong: string[] = [];
  let [scriptsMost, stylesMost, allMost] = [0, 0, 0];
  for (const { client, pages } of parts) {
    for (const { path } of pages) {
      const { text } = await client.get(path);
      const loaded = [...new Set(text.match(/\/assets\/[\w.-]+/g) ?? [])].map((each) => assets.get(each));
      const bytesOf = (type: RegExp) =>
        loaded
          .filter((asset) => type.test(asset?.type ?? ""))
          .reduce((sum, asset) => sum + (asset?.packedBytes ?? 0), 0);
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
  const most = `The heaviest page: ${scriptsMost} bytes of scripts, ${stylesMost} of styles, ${allMost} in all.`;
  return { wrong, most };
}
