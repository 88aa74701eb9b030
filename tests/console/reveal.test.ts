import { afterAll, beforeAll, expect, test } from "vitest";
import { setCompany } from "../../src/domain/company/company.ts";
import { type ConsoleAnswer, type MemberClient, startConsole, type TestConsole } from "../support/console.ts";
import { formOf, formsOf, submit } from "../support/forms.ts";
import { type Receiver, startReceiver, waitUntil } from "../support/receiver.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { testWebhooks } from "../support/webhooks.ts";

let service: TestConsole;
let receiver: Receiver;
let owner: MemberClient;
let developer: MemberClient;
let stranger: MemberClient;
let token = "";

const reference = "light-1";
const place = `/test/transactions/${reference}`;

beforeAll(async () => {
  receiver = await startReceiver((response) => response.writeHead(500).end("no"));
  service = await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } });
  owner = await service.member("owner");
  developer = await service.member("developer");
  const other = await service.app.createMerchant();
  stranger = await service.member("owner", other.id);
  const endpoint = { url: receiver.url, description: "", mode: "both", notify: "all", which: "all" };
  expect((await developer.send("/test/webhooks/endpoints/new", endpoint)).status).toBe(200);
  const { path, body } = sampleOf("electricity");
  const bought = await service.app.call(service.app.merchant.testKey, path, { body: { ...body, reference } });
  token = bought.body.token;
  expect([bought.body.status, token.length]).toEqual(["successful", expect.any(Number)]);
  await waitUntil(async () => (await developer.get(place)).text.includes("/resend"), "a delivery to send again");
});

afterAll(async () => {
  await service.close();
  await receiver.close();
});

async function reveals(): Promise<{ who: string; details: string }[]> {
  const { rows } = await service.app.fresh.pool.query(
    "select who, details from audit_log where command = 'console reveal' order by number",
  );
  return rows;
}

/** The token in whatever groups of digits a page writes it. */
function holds({ text }: ConsoleAnswer): boolean {
  return text.replace(/[\s-]/g, "").includes(token.replace(/[\s-]/g, ""));
}

test("a token is shown in the answer of the form alone, once, and the showing is entered before", async () => {
  const before = await reveals();
  const hidden = await owner.get(place);
  expect([hidden.status, holds(hidden)]).toEqual([200, false]);
  const form = formOf(hidden, "/reveal");
  const shown = await submit(owner, form);
  expect([shown.status, holds(shown), shown.headers.get("cache-control")]).toEqual([200, true, "no-store"]);
  const entries = (await reveals()).slice(before.length);
  expect(entries).toEqual([
    { who: `member:${owner.email}`, details: expect.stringContaining(`"reference":"${reference}"`) },
  ]);
  expect(entries[0]?.details).not.toContain(token);

  const again = await submit(owner, form);
  expect([again.status, holds(again)]).toEqual([303, false]);
  expect(holds(await owner.follow(again))).toBe(false);
  for (const path of [place, `/test/transactions?open=${reference}`, `${place}/receipt`, "/test/transactions"])
    expect([path, holds(await owner.get(path))]).toEqual([path, false]);
  expect(await reveals()).toHaveLength(before.length + 1);
});

test("an old factor is asked for anew before anything is shown", async () => {
  const finance = await service.member("finance");
  const form = formOf(await finance.get(place), "/reveal");
  await service.age(finance);
  const before = await reveals();
  const asked = await submit(finance, form);
  expect(holds(asked)).toBe(false);
  expect(await reveals()).toEqual(before);
});

test("roles that may not see it get neither the form nor the token", async () => {
  const before = await reveals();
  for (const role of ["developer", "viewer"] as const) {
    const member = await service.member(role);
    const page = await member.get(place);
    expect([page.status, page.text.includes("/reveal"), holds(page)]).toEqual([200, false, false]);
    const refused = await member.send(`${place}/reveal`);
    expect([refused.status, holds(refused)]).toEqual([403, false]);
  }
  expect(await reveals()).toEqual(before);
});

test("another merchant finds nothing, whichever way it asks", async () => {
  const before = await reveals();
  const { rows } = await service.app.fresh.pool.query("select id from webhook_deliveries limit 1");
  for (const path of [place, `${place}/receipt`]) expect((await stranger.get(path)).status).toBe(404);
  for (const path of [`${place}/reveal`, `/test/webhooks/deliveries/${rows[0].id}/resend`]) {
    const refused = await stranger.send(path);
    expect([refused.status, holds(refused)]).toEqual([404, false]);
  }
  expect((await owner.send(`/live/transactions/${reference}/reveal`)).status).toBe(404);
  expect(await reveals()).toEqual(before);
});

test("the event of a delivery is sent again from the timeline, by those who develop", async () => {
  const tries = receiver.received.length;
  const sent = await submit(developer, formOf(await developer.get(place), "/resend"));
  expect([sent.status, sent.location]).toEqual([303, expect.stringContaining("/test/webhooks/deliveries/")]);
  await waitUntil(() => receiver.received.length > tries, "one more try");
  const finance = await service.member("finance");
  const actions = formsOf(await finance.get(place)).map(({ action }) => action);
  expect(actions.filter((action) => action.endsWith("/resend"))).toEqual([]);
});

test("the requery as curl asks this deployment, with the key left open", async () => {
  const page = await developer.get(place);
  const [, text = ""] = /data-text="(curl [^"]*)"/.exec(page.text) ?? [];
  const [, url = ""] = /'(http[^']*)'/.exec(text.replaceAll("&#39;", "'")) ?? [];
  expect(text).toContain("YOUR_TEST_KEY");
  expect(url.startsWith(`${service.url}/`)).toBe(true);
  const answer = await fetch(url, { headers: { authorization: `Bearer ${service.app.merchant.testKey}` } });
  expect([answer.status, await answer.json()]).toEqual([200, expect.objectContaining({ reference })]);
});

test("a receipt names the company and its support, and neither what the merchant paid nor what was delivered", async () => {
  const { database, clock } = service.app.services;
  await setCompany({ database, clock }, { name: "<b>Vend & Co</b>", supportEmail: "help@vend.example" });
  await expect
    .poll(async () => (await owner.get(`${place}/receipt`)).text, { timeout: 5_000 })
    .toContain("&lt;b>Vend &amp; Co&lt;/b>");
  const receipt = await (await service.member("viewer")).get(`${place}/receipt`);
  expect(receipt.text).toContain("help@vend.example");
  expect(receipt.text).toContain("5,000.00");
  expect(receipt.text).not.toContain("<b>Vend");
  expect(receipt.text).not.toContain("You paid");
  expect(holds(receipt)).toBe(false);
});
