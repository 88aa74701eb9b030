import type { Browser, BrowserContext, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { browserContext, launchBrowser } from "../support/browser.ts";
import { type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { faultsOfPage, openTab } from "../support/console-tab.ts";
import { tabTo } from "../support/tab-to.ts";

let service: TestConsole;
let browser: Browser;
let clerk: MemberClient;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
  clerk = await service.member("finance");
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

const sizeOf = (pdf: Buffer) =>
  /\/MediaBox ?\[0 0 ([\d.]+) ([\d.]+)\]/.exec(pdf.toString("latin1"))?.slice(1).map(Number);
const millimetres = (points: number | undefined) => Math.round(((points ?? 0) / 72) * 25.4);

async function salesTo(number: string) {
  const { rows } = await service.app.fresh.pool.query(
    "select channel, status, face_amount::text as face from purchases where customer_ref = $1",
    [number],
  );
  return rows;
}

test("on a phone, airtime is sold with three clicks from the overview, and a token with a receipt for the roll", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: clerk, width: 360 });
  let clicks = 0;
  const click = async (target: ReturnType<Page["getByRole"]>) => {
    clicks += 1;
    await target.click();
  };
  await page.goto("/test/overview");
  await click(page.getByRole("link", { name: "Sell", exact: true }));
  await page.getByLabel("Phone, meter or smartcard number").fill("+234 803-123 4501");
  await page.keyboard.press("Enter");
  await page.getByText("found by its number.").waitFor();
  await click(page.getByRole("button", { name: "₦500" }));
  await click(page.getByRole("button", { name: "Buy ₦500 MTN Airtime for ₦484" }));
  await page.getByText("MTN Airtime for 0803 123 4501").waitFor();
  expect(clicks).toBe(3);
  expect(await salesTo("08031234501")).toEqual([{ channel: "dashboard", status: "successful", face: "50000" }]);

  await page.getByRole("link", { name: "Sell to somebody else" }).click();
  await page.getByLabel("Phone, meter or smartcard number").fill("4501 2340 007");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByRole("link", { name: "Ikeja Electric (IKEDC)" }).click();
  await page.getByRole("link", { name: /Prepaid/ }).click();
  await page.getByText("TEST ADAEZE ADEYEMI").waitFor();
  await page.getByLabel("Amount").fill("10,000");
  await page.getByLabel("Phone", { exact: true }).fill("0803 123 4501");
  await page.keyboard.press("Enter");
  await page.getByRole("button", { name: /^Buy ₦10,000 .* for ₦9,950$/ }).click();
  const token = await page.locator(".token").last().textContent();
  expect(token).toMatch(/^\d{4}( \d{4}){4}$/);
  expect(await faultsOfPage(page)).toEqual([]);
  const href = await page.getByRole("link", { name: "WhatsApp", exact: true }).first().getAttribute("href");
  expect(href).toMatch(/^https:\/\/wa\.me\/2348031234501\?text=/);
  expect(decodeURIComponent(href ?? "")).toContain(token);
  const result = page.url();
  await page.goBack();
  await page.getByText("You already made this sale. It was charged once.").waitFor();
  await page.goForward();
  expect(page.url()).toBe(result);

  await page.getByRole("link", { name: "Print receipt" }).click();
  await page.getByRole("heading", { name: "Receipt" }).waitFor();
  for (const [name, wide] of [
    ["58 mm", 58],
    ["80 mm", 80],
    ["A4", 210],
  ] as const) {
    await page.getByRole("radio", { name, exact: true }).check();
    const paper = page.getByRole("article", { name: "Receipt" });
    await expect.poll(() => paper.textContent()).toContain(token);
    expect(await paper.evaluate((element) => element.scrollWidth - element.clientWidth)).toBe(0);
    expect(millimetres(sizeOf(await page.pdf({ preferCSSPageSize: true }))?.[0]), name).toBe(wide);
  }
  await page.reload();
  await expect.poll(() => page.getByRole("radio", { name: "A4", exact: true }).isChecked()).toBe(true);
  expect([await faultsOfPage(page), faults]).toEqual([[], []]);
  await close();
});

async function withoutScripts(client: MemberClient): Promise<BrowserContext> {
  const context = await browser.newContext({
    ...browserContext,
    baseURL: service.url,
    javaScriptEnabled: false,
    viewport: { width: 820, height: 900 },
  });
  await context.addCookies(
    [...client.cookies].map(([name, value]) => ({ name, value, url: service.url, httpOnly: true })),
  );
  return context;
}

test("without JavaScript the same is sold, again to the same customer, and saved by name", async () => {
  const context = await withoutScripts(await service.member("owner"));
  const page = await context.newPage();
  await page.goto("/test/buy");
  await page.getByLabel("Phone, meter or smartcard number").fill("0805 640 2218");
  await page.getByRole("button", { name: "Find" }).click();
  await page.getByLabel("Amount").fill("1,500");
  await page.getByRole("button", { name: "See the price" }).click();
  await page.getByLabel("Amount").fill("2,000");
  await page.getByRole("button", { name: /^Buy ₦1,500/ }).click();
  await page.getByText("You changed the sale.").waitFor();
  expect(await salesTo("08056402218")).toEqual([]);
  await page.getByRole("button", { name: /^Buy ₦2,000/ }).click();
  await page.getByLabel("Name").fill("Mama Tolu");
  await page.getByRole("button", { name: "Save customer" }).click();
  await page.getByText("Mama Tolu is saved.").waitFor();
  await page.getByRole("link", { name: "Sell again to this customer" }).click();
  expect(await page.getByLabel("Phone number").inputValue()).toBe("0805 640 2218");
  await page.getByRole("button", { name: "₦100", exact: true }).click();
  await page.getByRole("button", { name: /^Buy ₦100 / }).click();
  await page.getByRole("heading", { name: /Glo Airtime, ₦100/ }).waitFor();
  expect((await salesTo("08056402218")).map(({ face }) => face).toSorted()).toEqual(["10000", "200000"]);
  await page.goto("/test/buy");
  await page.getByRole("link", { name: /Mama Tolu/ }).click();
  expect(await page.getByLabel("Phone number").inputValue()).toBe("0805 640 2218");
  await context.close();
});

test("a sale whose answer never came is found made, not made again", async () => {
  const { page, close } = await openTab(browser, { url: service.url, client: clerk });
  await page.goto("/test/buy/airtime?phone=08031234502&product=2001&amount=500");
  await page.route("**/order/*", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  const priced = page.url();
  const lost = page.waitForEvent("requestfailed");
  await page.getByRole("button", { name: /^Buy ₦500/ }).click();
  await lost;
  await expect.poll(() => salesTo("08031234502")).toHaveLength(1);
  await page.unroute("**/order/*");
  await page.goto(priced);
  await page.getByRole("link", { name: "Open the sale" }).click();
  await page.getByText("MTN Airtime for 0803 123 4502").waitFor();
  expect(await salesTo("08031234502")).toHaveLength(1);
  await close();
});

test("a whole sale by the keyboard: the focus is always on what comes next", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url, client: clerk });
  const focused = () => page.evaluate(() => document.activeElement?.id || document.activeElement?.textContent);
  await page.goto("/test/overview");
  await page.keyboard.press("g");
  await page.keyboard.press("b");
  await expect.poll(focused).toBe("to");
  await page.keyboard.type("08031234503");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("amount");
  await page.keyboard.type("750");
  await page.keyboard.press("Enter");
  await expect.poll(focused).toBe("Buy ₦750 MTN Airtime for ₦726");
  await page.keyboard.press("Enter");
  await page.getByText("MTN Airtime for 0803 123 4503").waitFor();
  await tabTo(page, /^Print receipt$/);
  await page.keyboard.press("Enter");
  await page.getByRole("heading", { name: "Receipt" }).waitFor();
  await tabTo(page, /^Print$/);
  expect(await salesTo("08031234503")).toHaveLength(1);
  expect(faults).toEqual([]);
  await close();
});

test("a tab whose answer is lost says what to do, and pressing again charges once", async () => {
  const { page, close } = await openTab(browser, { url: service.url, client: clerk, width: 360 });
  await page.goto("/test/buy/airtime?phone=08031234601&product=2001&amount=300");
  const button = page.getByRole("button", { name: /^Buy ₦300 / });
  await page.context().setOffline(true);
  await button.click();
  await page.getByText("You’re offline. Nothing was sent.").waitFor();
  await page.context().setOffline(false);
  // The sale is made, and the connection breaks before its answer.
  await page.route("**/order/**", async (route) => {
    await route.fetch({ maxRedirects: 0 });
    await route.abort("connectionreset");
  });
  await button.click();
  await page.getByRole("link", { name: "Check whether it was sold" }).waitFor();
  expect(await salesTo("08031234601")).toHaveLength(1);
  await page.unroute("**/order/**");
  await button.click();
  await page.getByText("MTN Airtime for 0803 123 4601").waitFor();
  expect([new URL(page.url()).pathname.split("/", 4).join("/"), await salesTo("08031234601")]).toEqual([
    "/test/buy/bought",
    [expect.anything()],
  ]);
  await close();
});

test("back from a bulk order leads to no form that sends it again", async () => {
  const { page, close } = await openTab(browser, { url: service.url, client: clerk });
  await page.goto("/test/bulk/new");
  await page.getByLabel("Airtime").check();
  await page.getByLabel("Or paste your lines").fill("08031234701,100\n08031234801,100");
  await page.getByRole("button", { name: "Check lines" }).click();
  await page.getByRole("button", { name: /^Pay .* for 2 lines$/ }).click();
  await page.getByText("Order started.").waitFor();
  const order = new URL(page.url()).pathname;
  await page.goBack();
  await page.getByRole("heading", { name: "New bulk order", level: 1 }).waitFor();
  expect(await page.getByRole("button", { name: /^Pay/ }).count()).toBe(0);
  await page.goForward();
  await expect.poll(() => new URL(page.url()).pathname).toBe(order);
  await close();
});
