import type { Page } from "playwright-core";
import { expect } from "vitest";

const tabsMax = 120;

/** Presses Tab until what is focused is called so, and can be seen to be focused. */
export async function tabTo(page: Page, name: RegExp): Promise<void> {
  const passed: string[] = [];
  for (let press = 0; press < tabsMax; press++) {
    await page.keyboard.press("Tab");
    const { called, isShown } = await page.evaluate(() => {
      const element = document.activeElement as HTMLInputElement | null;
      const label = element?.labels?.[0]?.textContent ?? element?.getAttribute("aria-label") ?? element?.textContent;
      // A link that is the whole row shows it around the row.
      const isShown = ["", "::after"].some((part) => {
        const { outlineStyle, boxShadow } = getComputedStyle(element ?? document.body, part);
        return outlineStyle !== "none" || boxShadow !== "none";
      });
      return { called: (label ?? "").trim(), isShown };
    });
    passed.push(called);
    if (!name.test(called)) continue;
    expect([called, isShown]).toEqual([called, true]);
    return;
  }
  throw new Error(`no ${name} among ${passed.join(" | ")}`);
}
