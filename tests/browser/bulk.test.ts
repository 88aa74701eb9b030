import { readFile } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { browserContext, launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";

let service: TestConsole;
let browser: Browser;
let owner: MemberClient;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole({ workers: true }), launchBrowser()]);
  const merchant = await service.app.createMerchant({ testCredit: kobo(100_000_000n) });
  owner = await service.member("owner", merchant.id);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

async function check(page: Page, category: string, name: string, lines: readonly string[]): Promise<void> {
  await page.getByLabel(category).check();
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(`\uFEFF${lines.join("\r\n")}\r\n`) };
  await page.getByLabel("Upload a file").setInputFiles(file);
  await page.getByRole("button", { name: "Check lines" }).click();
  await page.getByRole("heading", { name: "Check your order", level: 1 }).waitFor();
}

const phoneOf = (at: number) => `0803${2_000_001 + at * 10}`;

/** 200 lines as a spreadsheet wrote them, of which ten are wrong in ten ways. */
function spoiltLines(): string[] {
  const lines = Array.from(
    { length: 200 },
    (_, at) => `Customer ${at},${phoneOf(at)},${at % 2 === 0 ? "1001" : "1002"}`,
  );
  // Repaired, as one meaning is left.
  for (const at of [100, 101, 102]) lines[at] = lines[at]?.replace(",0803", ",803") ?? "";
  const wrong: readonly string[] = [
    "Short,0803 123,1001",
    "Shortened,8.03E+09,1001",
    "Nobody,Mama Tolu,1001",
    `Two,${phoneOf(300)}/${phoneOf(301)},1001`,
    "Abroad,01234567890,1001",
    `Unsold,${phoneOf(5)},MTN 900GB`,
    `Unclear,${phoneOf(6)},MTN 1GB`,
    `Unknown,${phoneOf(7)},999999`,
    `Missing,${phoneOf(8)},`,
    `Surplus,${phoneOf(9)},1001,x,y`,
  ];
  for (const [at, line] of wrong.entries()) lines[at] = line;
  return ["Name;Phone No.;Data plan", ...lines.map((line) => line.replaceAll(",", ";"))];
}

test("200 lines from a spreadsheet are sold without a script: ten wrong ones are corrected or left out where they stand", async () => {
  const context = await browser.newContext({ ...browserContext, baseURL: service.url, javaScriptEnabled: false });
  await context.addCookies(
    [...owner.cookies].map(([name, value]) => ({ name, value, url: service.url, httpOnly: true })),
  );
  const page = await context.newPage();
  await page.goto("/test/bulk/new");
  await check(page, "Mobile data", "payday.csv", spoiltLines());

  await page.getByRole("heading", { name: "10 lines can’t be bought yet" }).waitFor();
  expect(await page.title()).toMatch(/^Error: 10 lines to fix/);
  await page.getByText("We added the 0 that Excel removed on 3 lines.").waitFor();
  await page.getByRole("button", { name: /^Pay ₦[\d,.]+ for 190 lines$/ }).waitFor();
  const rows = page.getByRole("row").filter({ has: page.getByText("Fix", { exact: true }) });
  expect(await rows.count()).toBe(10);
  for (const [line, sentence] of [
    [2, "7 digits. A Nigerian mobile number has 11."],
    [3, "Excel shortened this number to 8.03E+09."],
    [4, "“Mama Tolu” isn’t a phone number."],
    [5, "Two numbers."],
    [6, "No Nigerian mobile number begins with 0123."],
    [7, "We don’t sell “MTN 900GB”."],
    [8, "“MTN 1GB” fits"],
    [9, "We don’t sell product 999999."],
    [10, "No product."],
    [11, "This line has 5 columns"],
  ] as const) {
    expect(await rows.nth(line - 2).textContent()).toContain(sentence);
  }
  await page.getByRole("link", { name: /^Line 2: 7 digits/ }).click();
  for (const at of [0, 1, 2, 3, 4]) await page.getByLabel(`Phone on line ${at + 2}`).fill(phoneOf(400 + at));
  for (const at of [5, 6, 7]) await page.getByLabel(`Product on line ${at + 2}`).fill("1002");
  // A line that never had a product stays until somebody leaves it out.
  await page.getByLabel("All of line 11").fill(`Surplus;${phoneOf(9)};1001`);
  // The box's own key: what is right now is counted before anything is paid.
  await page.getByLabel("All of line 11").press("Enter");
  await page.getByRole("button", { name: "Leave out line 10" }).click();
  await page.getByRole("button", { name: /for 199 lines$/ }).click();
  await page.getByText("Order started.").waitFor();
  await expect
    .poll(
      async () => {
        await page.reload();
        return page.locator(".stat").first().textContent();
      },
      { timeout: 60_000 },
    )
    .toContain("199 of 199 lines done");
  await context.close();
});

test("a file of 10,000 lines is bought: its wrong lines are corrected in place, and the results are a file", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  const count = 10_000;
  const phones = Array.from({ length: count }, (_, at) => `0803${String(1_000_000 + at * 10 + 1)}`);
  const lines = phones.map((phone) => `${phone};50`);
  lines[4] = "0803;50";
  lines[8_998] = `${phones[8_998]};7`;
  await page.goto("/test/bulk");
  await page.getByRole("link", { name: "New bulk order" }).click();
  await page.getByLabel("Reference of the order").fill("large");
  await check(page, "Airtime", "airtime.csv", ["phone;amount", ...lines]);

  await page.getByRole("heading", { name: "2 lines can’t be bought yet" }).waitFor();
  expect(await page.evaluate(() => document.activeElement?.className)).toBe("error-summary");
  expect(await faultsOfPage(page)).toEqual([]);
  await page.getByLabel("Phone on line 6").fill(phones[4] ?? "");
  await page.getByLabel("Amount on line 9000").fill("50");
  await page.getByRole("button", { name: "Check again" }).click();
  await page.getByRole("button", { name: "Next" }).click();
  await page.getByText("Ready lines 51–100 of 10,000").waitFor();
  await page.getByRole("button", { name: "Pay ₦484,000 for 10,000 lines" }).click();
  await page.getByText("Order started.").waitFor();
  await page.getByText("10,000 of 10,000 lines done").first().waitFor();

  const [file] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("link", { name: "Download results (10,000)" }).click(),
  ]);
  const results = (await readFile(await file.path(), "utf8")).trim().split("\n");
  expect(results).toHaveLength(count + 1);
  expect(results.filter((line) => line.includes(",successful,"))).toHaveLength(count);
  expect(results.filter((line) => line.includes(`,${phones[4]},`))).toHaveLength(1);
  expect(faults).toEqual([]);
  await close();
});
