import { generateSync } from "otplib";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { launchBrowser } from "../support/browser.ts";
import { consolePassword, startConsole, type TestConsole } from "../support/console.ts";
import { openTab } from "../support/console-tab.ts";
import { operate } from "../support/operate.ts";
import { emailsTo } from "../support/people.ts";
import { testEncryptionKey } from "../support/webhooks.ts";

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
  await page.getByRole("button", { name: "Set up authenticator app" }).click();
  await heading(page, "Set up an authenticator app").waitFor();
  const secret = (await page.locator(".code-block code").textContent()) ?? "";
  await page.getByLabel("6-digit code from the app").fill(generateSync({ secret }));
  await page.getByRole("button", { name: "Turn on two-step login" }).click();
  await page.getByText("Each one logs you in once").waitFor();
  await page.getByRole("link", { name: "I’ve saved my codes" }).click();
  await page.getByRole("button", { name: "Remove authenticator app" }).waitFor();
  await close();

  const next = await openTab(browser, { url: service.url });
  await next.page.goto("/account/security");
  await next.page.getByLabel("Email").fill(owner.email);
  await next.page.getByLabel("Password").fill(consolePassword);
  await next.page.getByRole("button", { name: "Log in", exact: true }).click();
  const code = next.page.getByLabel("Code", { exact: true });
  await code.fill("000000");
  await next.page.getByRole("button", { name: "Log in", exact: true }).click();
  await next.page.getByText("That didn’t match. Try again.").first().waitFor();
  // The step after the one that was used to set it up.
  await code.fill(generateSync({ secret, epoch: Math.floor(Date.now() / 1_000) + 30 }));
  await next.page.getByRole("button", { name: "Log in", exact: true }).click();
  await heading(next.page, "Security").waitFor();
  expect([...faults, ...next.faults]).toEqual([]);
  await next.close();
});

test("somebody is invited, accepts, gets another role, and is removed: the open tab is closed within a second", async () => {
  const owner = await service.member("owner");
  const { page, faults, close } = await openTab(browser, { url: service.url, client: owner });
  await page.goto("/account/members");
  await page.getByLabel("Email").fill("bola@shop.example");
  await page.getByLabel("Role", { exact: true }).selectOption("developer");
  await page.getByRole("button", { name: "Send invitation" }).click();
  await page.getByText("We’ve invited bola@shop.example.").waitFor();

  const [email] = await emailsTo(service.app.services.database, "bola@shop.example");
  const link = /http\S+\/accept-invitation\?token=\S+/.exec(email?.text ?? "")?.[0] ?? "";
  const guest = await openTab(browser, { url: service.url });
  await guest.page.goto(link);
  await guest.page.getByLabel("Your name").fill("Bola Ade");
  await guest.page.getByLabel("Password").fill("wholly other marble 7");
  await guest.page.getByRole("button", { name: "Join Test merchant" }).click();
  await guest.page.getByText("You’re on the team now. Log in with your password.").waitFor();
  await guest.page.getByLabel("Email").fill("bola@shop.example");
  await guest.page.getByLabel("Password").fill("wholly other marble 7");
  await guest.page.getByRole("button", { name: "Log in", exact: true }).click();
  await guest.page.getByRole("navigation").getByRole("link", { name: "Webhooks" }).click();
  await heading(guest.page, "Webhooks").waitFor();

  await page.reload();
  const row = page.getByRole("row").filter({ hasText: "bola@shop.example" });
  await row.getByLabel("Role of Bola Ade").selectOption("viewer");
  await row.getByRole("button", { name: "Change" }).click();
  await page.getByText("Bola Ade is now a viewer.").waitFor();
  await guest.page.reload();
  await heading(guest.page, "Not for your role").waitFor();
  await guest.page.goto("/live/overview");
  await heading(guest.page, "Overview").waitFor();

  await row.getByText("Remove", { exact: true }).click();
  await row.getByRole("button", { name: "Remove Bola Ade" }).click();
  await page.getByText("Bola Ade is removed and logged out everywhere.").waitFor();
  const removedMs = performance.now();
  await guest.page.getByRole("link", { name: "Transactions", exact: true }).click();
  await heading(guest.page, "No business yet").waitFor();
  console.info(`From the removal to the closed tab: ${Math.round(performance.now() - removedMs)} ms.`);
  expect([...faults, ...guest.faults]).toEqual([]);
  await Promise.all([close(), guest.close()]);
});

test("a passkey is added in the browser, logs in without a password, and confirms what is sensitive", async () => {
  const owner = await service.member("owner");
  // A passkey belongs to a name: an address of digits has none.
  const url = service.url.replace("127.0.0.1", "localhost");
  const { page, faults, close } = await openTab(browser, { url, client: owner });
  const device = await page.context().newCDPSession(page);
  await device.send("WebAuthn.enable");
  const kind = { protocol: "ctap2", transport: "internal", hasResidentKey: true, hasUserVerification: true } as const;
  await device.send("WebAuthn.addVirtualAuthenticator", { options: { ...kind, isUserVerified: true } });
  await page.goto("/account/security");
  await page.getByRole("button", { name: "Add a passkey" }).click();
  await page.getByLabel("Name").fill("My laptop");
  await page.getByRole("button", { name: "Add passkey" }).click();
  await page.getByText("Passkey added. You can log in with it.").waitFor();
  await page.getByRole("row").filter({ hasText: "My laptop" }).getByText("never").waitFor();

  await page.locator(".who summary").click();
  await page.getByRole("button", { name: "Log out", exact: true }).first().click();
  await heading(page, "Log in").waitFor();
  await page.getByRole("button", { name: "Log in with a passkey" }).click();
  await heading(page, "Overview").waitFor();
  await page.getByText("Ada owner").first().waitFor();

  await service.age(owner);
  await page.goto("/account/security");
  await page.getByLabel("New email").fill("moved@shop.example");
  await page.getByRole("button", { name: "Change email" }).click();
  await page.getByRole("button", { name: "Confirm with passkey" }).click();
  await page.getByText("We’ve emailed the new address.").waitFor();
  expect(faults).toEqual([]);
  await close();
});

test("live access is asked for, approved by the operator's command, and seen", async () => {
  const { page, faults, close } = await openTab(browser, { url: service.url });
  await page.goto("/sign-up");
  await page.getByLabel("Business").fill("Chidi's Corner");
  await page.getByLabel("Your name").fill("Chidi Eze");
  await page.getByLabel("Email").fill("chidi@shop.example");
  await page.getByLabel("Password").fill(consolePassword);
  await page.getByRole("button", { name: "Sign up" }).click();
  await heading(page, "Check your email").waitFor();
  const [email] = await emailsTo(service.app.services.database, "chidi@shop.example");
  await page.goto(/http\S+\/verify-email\?token=\S+/.exec(email?.text ?? "")?.[0] ?? "");
  await page.getByLabel("Email").fill("chidi@shop.example");
  await page.getByLabel("Password").fill(consolePassword);
  await page.getByRole("button", { name: "Log in", exact: true }).click();
  await page.getByRole("button", { name: "Confirm email" }).click();
  await page.getByText("Your email is confirmed.").waitFor();

  await page.getByRole("link", { name: "Fill in details" }).click();
  await page.getByLabel("Name as registered").fill("Chidi's Corner Limited");
  await page.getByLabel("Address").fill("1 Sani Abacha Way, Kano");
  await page.getByLabel("Phone", { exact: true }).fill("08031234567");
  await page.getByLabel("What you sell and to whom").fill("Airtime, to whoever comes in.");
  await page.getByRole("button", { name: "Save and ask for live access" }).click();
  await page.getByText("You’ve asked for live access.").waitFor();

  const operator = { DATABASE_URL: service.app.fresh.url, ENCRYPTION_KEY: testEncryptionKey };
  const { lines } = await operate(["live-access", "list", "--json"], operator);
  expect(lines).toMatchObject([{ business_name: "Chidi's Corner Limited", asked_by: "chidi@shop.example" }]);
  expect(await operate(["approve-merchant", lines[0].merchant_id], operator)).toMatchObject({ code: 0 });
  await page.reload();
  await page.getByText("Approved", { exact: true }).waitFor();
  await page.getByRole("link", { name: "Create a live key" }).click();
  await page.getByLabel("Name", { exact: true }).fill("The till");
  await page.getByRole("button", { name: "Create live key" }).click();
  expect(await page.locator(".secret code").textContent()).toMatch(/^ds_live_/);
  const [last] = await emailsTo(service.app.services.database, "chidi@shop.example");
  expect(last?.text).toContain("live key");
  expect(faults).toEqual([]);
  await close();
});
