import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import type { Page } from "playwright-core";

/**
 * What a person would miss on a page at its width, by measuring: content that is cut or stands outside its place or the
 * window, a number that is broken over two lines, and what can be pressed but not reached. Panels behind a summary are
 * opened one by one.
 */
export async function layoutFaults(page: Page): Promise<string[]> {
  const faults = await page.evaluate(faultsShown, "body");
  for (const [at, name] of (await page.evaluate(namesOfDrops)).entries()) {
    await page.evaluate(openDrop, at);
    const found = await page.evaluate(faultsShown, "details.drop[open] > .pop");
    faults.push(...found.map((each) => `“${name}” opened: ${each}`));
  }
  await page.evaluate(openDrop, -1);
  return [...new Set(faults)];
}

/** Sets the page in a font that is a sixth wider than most, as many readers' systems have one. */
export async function setWideFont(page: Page): Promise<void> {
  const file = createRequire(import.meta.url).resolve(
    "@fontsource/dejavu-sans/files/dejavu-sans-latin-400-normal.woff2",
  );
  const font = (await readFile(file)).toString("base64");
  await page.evaluate(async (base64) => {
    const bytes = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    const face = new FontFace("DejaVu Wide", bytes);
    document.fonts.add(await face.load());
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(':root { --sans: "DejaVu Wide"; --mono: "DejaVu Wide"; }');
    document.adoptedStyleSheets = [sheet];
  }, font);
}

/** Runs in the page. */
function namesOfDrops(): string[] {
  return [...document.querySelectorAll("details.drop > summary")].map(({ textContent }) => textContent ?? "");
}

/** Runs in the page: opens one alone. */
function openDrop(place: number): void {
  for (const [at, drop] of document.querySelectorAll<HTMLDetailsElement>("details.drop").entries())
    drop.open = at === place;
}

/** Runs in the page. `within` looks at what stands in there alone. */
function faultsShown(within: string): string[] {
  const root = document.querySelector(within) ?? document.body;
  const faults: string[] = [];
  const all = [root, ...root.querySelectorAll("*")].filter(isShown);
  for (const element of all) {
    if (isCut(element)) note(element, `is cut: ${element.scrollWidth} of ${element.clientWidth} pixels are seen`);
    if (isOutside(element)) note(element, "stands outside the window");
    if (isNumber(element) && linesOf(element) > 1) note(element, "is broken over two lines");
  }
  for (const element of all.filter((each) => each.matches("a[href], button, summary, input, select, textarea"))) {
    if (!isReached(element)) note(element, "can’t be reached");
  }
  scrollTo(0, 0);
  return faults;

  function note(element: Element, what: string): void {
    const text = (element.getAttribute("aria-label") ?? element.textContent ?? "").trim().slice(0, 40);
    const { className } = element;
    faults.push(
      `${element.localName}${typeof className === "string" && className ? `.${className}` : ""} “${text}” ${what}`,
    );
  }

  /** What is there for screen readers alone, or behind a closed summary, is seen by nobody. */
  function isShown(element: Element): boolean {
    if (!element.checkVisibility({ visibilityProperty: true }) || element.closest("svg, option, .skip") !== null)
      return false;
    if (element.closest("details:not([open]) > :not(summary)") !== null) return false;
    for (let each: Element | null = element; each !== null; each = each.parentElement) {
      if (getComputedStyle(each).clipPath.startsWith("inset(50%")) return false;
    }
    return true;
  }

  function isCut(element: Element): boolean {
    const { overflowX, textOverflow, display } = getComputedStyle(element);
    const mayScroll = overflowX === "auto" || overflowX === "scroll";
    if (mayScroll || textOverflow === "ellipsis" || display.startsWith("inline") || element.clientWidth === 0)
      return false;
    return !element.matches("input, select, textarea, .state") && element.scrollWidth > element.clientWidth + 1;
  }

  function isOutside(element: Element): boolean {
    const { left, right, width } = element.getBoundingClientRect();
    return width > 0 && (left < -1 || right > innerWidth + 1) && element.closest(".scroll-area") === null;
  }

  function isNumber(element: Element): boolean {
    return element.matches(".money, .phone, time:not(dd time), .figure, .status");
  }

  function linesOf(element: Element): number {
    const range = document.createRange();
    range.selectNodeContents(element);
    const tops = [...range.getClientRects()].filter(({ width }) => width > 0).map(({ bottom }) => bottom);
    return tops.length === 0
      ? 0
      : (Math.max(...tops) - Math.min(...tops)) / parseFloat(getComputedStyle(element).fontSize) > 1
        ? 2
        : 1;
  }

  /** Whether a pointer at its middle meets it, once it is scrolled to. */
  function isReached(element: Element): boolean {
    element.scrollIntoView({ block: "center", inline: "nearest", behavior: "instant" });
    const box = [...element.getClientRects()].find(({ width, height }) => width >= 1 && height >= 1);
    if (box === undefined) return false;
    const met = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    return (
      met !== null &&
      (element.contains(met) || met.contains(element) || met.closest("label")?.contains(element) === true)
    );
  }
}
