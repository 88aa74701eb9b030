import { generateSync } from "otplib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { consolePassword, startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";
import { lettersTo } from "../support/people.ts";

let service: TestConsole;
let browser: Browser;

beforeAll(async () => {
  [service, browser] = await Promise.all([startConsole(), launchBrowser()]);
});

afterAll(async () => {
  await browser?.close();
  await service.close();
});

function heading(page: Page, name: string | RegExp) {
  return page.getByRole("heading", { name, level: 1 });
}

test("an authenticator app is set up by its key, and its code is asked for at the next log-in", async () => {
  const owner = await service.member("owner");
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Set it up" }).click();
  await heading(page, "Set up an authenticator app").waitFor();
  const secret = (await page.locator(".code-block code").textContent()) ?? "";
  await page.getByLabel("The app's code").fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Confirm" }).click();
  await page.getByText("each lets you in once without the app").waitFor();
  await page.getByRole("link", { name: "I have kept them" }).click();
  await page.getByRole("button", { name: "Turn it off" }).waitFor();
  await close();

  const next = await openTab(browser, { url: service.url });
  await next.page.goto("/account/security");
  await next.page.getByLabel("E-mail").fill(owner.email);
  await next.page.getByLabel("Password").fill(consolePassword);
  await next.page.getByRole("button", { name: "Log in", exact: true }).click();
  const code = next.page.getByLabel("Code", { exact: true });
  await code.fill("000000");
  await next.page.getByRole("button", { name: "Go on" }).click();
  await next.page.getByText("That was not right. Try again.").waitFor();
  // The step after the one that was used to set it up.
  await code.fill(generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 }));
  await next.page.getByRole("button", { name: "Go on" }).click();
  await heading(next.page, "Security").waitFor();
  expect([...faults, ...next.faults]).toEqual([]);
  await next.close();
});

test("somebody is invited, accepts, gets another role, and is removed: the open tab is closed within a second", async () => {
  const owner = await service.member("owner");
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto("/account/members");
  await page.getByLabel("E-mail").fill("bola@shop.example");
  await page.getByLabel("Role", { exact: true }).selectOption("developer");
  await page.getByRole("button", { name: "Invite", exact: true }).click();
  await page.getByText("bola@shop.example is invited.").waitFor();

  const [letter] = await lettersTo(service.app.services.database, "bola@shop.example");
  const link = /http\S+\/accept-invitation\?token=\S+/.exec(letter?.text ?? "")?.[0] ?? "";
  const guest = await openTab(browser, { url: service.url });
  await guest.page.goto(link);
  await guest.page.getByLabel("Your name").fill("Bola Ade");
  await guest.page.getByLabel("Password").fill("wholly other marble 7");
  await guest.page.getByRole("button", { name: "Accept" }).click();
  await guest.page.getByText("You are a member now. Log in with your password.").waitFor();
  await guest.page.getByLabel("E-mail").fill("bola@shop.example");
  await guest.page.getByLabel("Password").fill("wholly other marble 7");
  await guest.page.getByRole("button", { name: "Log in", exact: true }).click();
  await guest.page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await heading(guest.page, "Webhooks").waitFor();

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "bola@shop.example" });
  await row.getByLabel("Role of Bola Ade").selectOption("viewer");
  await row.getByRole("button", { name: "Change" }).click();
  await page.getByText("The role is changed").waitFor();
  await guest.page.reload();
  await heading(guest.page, "Not for your role").waitFor();
  await guest.page.goto("/live/overview");
  await heading(guest.page, "Overview").waitFor();

  await row.getByText("Remove", { exact: true }).click();
  await row.getByRole("button", { name: "Remove Bola Ade" }).click();
  await page.getByText("The member is removed").waitFor();
  const removedMs = performance.now();
  await guest.page.getByRole("link", { name: "Transactions", exact: true }).click();
  await heading(guest.page, "No business yet").waitFor();
  console.info(`From the removal to the closed tab: ${Math.round(performance.now() - removedMs)} ms.`);
  expect([...faults, ...guest.faults]).toEqual([]);
  await Promise.all([close(), guest.close()]);
});
