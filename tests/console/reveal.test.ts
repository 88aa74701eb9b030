import { beforeAll, describe, expect, test } from "vitest";
import { setCompany } from "../../src/domain/identity/company/company.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, type MemberClient, startConsole } from "../support/console.ts";
import { formOf, formsOf, submit } from "../support/forms.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { filled, orderForm, referenceIn, saleForm } from "../support/selling-by-hand.ts";
import { testWebhooks } from "../support/webhooks.ts";

let token = "";

const reference = "light-1";
const place = `/test/transactions/${reference}`;

const receiver = closing(await startReceiver((response) => response.writeHead(500).end("no")));
const service = closing(await startConsole({ workers: true, webhooks: { ...testWebhooks, allowPrivate: true } }));
const owner = await service.member("owner");
const developer = await service.member("developer");
const other = await service.app.createMerchant();
const stranger = await service.member("owner", other.id);
const endpoint = { url: receiver.url, description: "", mode: "both", notify: "all", which: "all" };
expect((await developer.send("/test/webhooks/endpoints/new", endpoint)).status).toBe(200);
const { path, body } = sampleOf("electricity");
const bought = await service.app.call(service.app.merchant.testKey, path, { body: { ...body, reference } });
token = bought.body.token;
expect([bought.body.status, token.length]).toEqual(["successful", expect.any(Number)]);
await waitUntil(async () => (await developer.get(place)).text.includes("/resend"), "a delivery to send again");

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
  const calls = await submit(finance, form);
  expect(holds(calls)).toBe(false);
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
  expect(receipt.text).toMatch(/<dd class="whole[^"]*">[^<]{5,44}<\/dd>/);
  const details = { businessName: "Tolu Ventures", address: "1 Broad Street", phone: "08031234567", sells: "Airtime" };
  await owner.send("/account/business", details);
  const located = (await owner.get(`${place}/receipt`)).text;
  expect([located.includes("1 Broad Street"), located.includes("0803 123 4567")]).toEqual([true, true]);
  expect(receipt.text).not.toContain("<b>Vend");
  expect(receipt.text).not.toContain("You paid");
  expect(holds(receipt)).toBe(false);
});

/** Every 20 digits on a page, in the order in which they stand there. */
function tokensOn({ text }: ConsoleAnswer): string[] {
  const found = text.replace(/<\/?span>/g, "").match(/(?<!\d)\d{4}(?: ?\d{4}){4}(?!\d)/g) ?? [];
  return [...new Set(found.map((each) => each.replaceAll(" ", "")))];
}

const digits = (digit: number) => String(digit).repeat(20);
const ordered = ["kct1", "kct2", "main", "bonus"].map((type, at) => ({ type, value: digits(at + 1), order: at + 1 }));

test("a receipt shows every token to those who may see them, in the order in which they are typed, and says so", async () => {
  const { pool } = service.app.fresh;
  const kept = await pool.query("select fulfilment from purchases where reference = $1", [reference]);
  const { fulfilment } = kept.rows[0];
  const tokens = [ordered[2], ordered[0], ordered[3], ordered[1]];
  const scrambled = { ...fulfilment, token: digits(3), token_formatted: null, tokens };
  const change = "update purchases set fulfilment = $2 where reference = $1";
  await pool.query(change, [reference, scrambled]);
  const finance = await service.member("finance");
  const path = `${place}/receipt`;
  const before = await reveals();
  const hidden = await finance.get(path);
  expect([hidden.status, tokensOn(hidden)]).toEqual([200, []]);
  await service.age(finance);
  const calls = await submit(finance, formOf(hidden, /\/receipt$/));
  expect([tokensOn(calls), await reveals()]).toEqual([[], before]);
  const shown = await submit(finance, formOf(calls, /\/receipt/), { factor: finance.password });
  expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
  expect(tokensOn(shown)).toEqual(ordered.map(({ value }) => value));
  const labels = ["Key change token 1", "Key change token 2", "Token", "Bonus token"];
  const sheet = shown.text.slice(shown.text.indexOf("in this order"));
  const places = labels.map((label) => sheet.indexOf(`>${label}<`));
  expect([places.every((at) => at > 0), places]).toEqual([true, places.toSorted((one, other) => one - other)]);
  expect(await reveals()).toHaveLength(before.length + 1);
  for (const role of ["developer", "viewer"] as const) {
    const member = await service.member(role);
    const receipt = await member.get(path);
    expect([receipt.status, tokensOn(receipt), receipt.text.includes("Show it")]).toEqual([200, [], false]);
    const refused = await member.send(path);
    expect([refused.status, tokensOn(refused)]).toEqual([403, []]);
  }
  expect((await stranger.send(path)).status).toBe(404);
  await pool.query(change, [reference, fulfilment]);
});

describe("what a session bought by hand", () => {
  let clerk: MemberClient;
  let bought = "";
  let shown: ConsoleAnswer;

  const meter = { meter_number: "45012345678", amount: "5000", phone: "08031234567" };
  const product = 3001;

  /** What the check page asks to be bought. */
  async function checkedOrder(client: MemberClient) {
    const details = await saleForm(client, `/test/buy/electricity?product=${product}`);
    return orderForm(await client.follow(await submit(client, details, filled(details, meter))));
  }

  async function tokenOf(name: string): Promise<string> {
    const { rows } = await service.app.fresh.pool.query("select fulfilment from purchases where reference = $1", [
      name,
    ]);
    return rows[0].fulfilment.token;
  }

  const pages = () => [
    `/test/buy/bought/${bought}`,
    `/test/transactions/${bought}`,
    `/test/transactions/${bought}/receipt`,
  ];

  beforeAll(async () => {
    clerk = await service.member("finance");
    const order = await checkedOrder(clerk);
    shown = await clerk.follow(await submit(clerk, order));
    bought = referenceIn(order.action);
  });

  test("is shown there without a password, however long ago the last one was given", async () => {
    expect(tokensOn(shown)).toContain(await tokenOf(bought));
    await service.age(clerk);
    for (const path of pages())
      expect([path, tokensOn(await clerk.get(path))]).toEqual([path, [await tokenOf(bought)]]);
  });

  test("stays hidden from every other session, of the same person too", async () => {
    const again = service.guest();
    await again.send("/log-in", { email: clerk.email, password: clerk.password });
    for (const client of [again, owner, await service.member("finance")]) {
      for (const path of pages()) {
        const page = await client.get(path);
        expect([path, page.status, tokensOn(page)]).toEqual([path, 200, []]);
      }
    }
  });

  test("is still shown after the session gave its factor anew, and what somebody else bought is not", async () => {
    await service.age(clerk);
    const calls = await submit(clerk, formOf(await clerk.get(place), "/reveal"));
    const before = clerk.cookies.get("merchant") ?? [...clerk.cookies.values()].join();
    await submit(clerk, formOf(calls, "/reveal"), { factor: clerk.password });
    expect([...clerk.cookies.values()].join()).not.toBe(before);
    await service.age(clerk);
    for (const path of pages())
      expect([path, tokensOn(await clerk.get(path))]).toEqual([path, [await tokenOf(bought)]]);
    expect(tokensOn(await clerk.get(place))).toEqual([]);
  });

  test("is not taken over by sending an order under a reference that was sold before", async () => {
    const first = await checkedOrder(owner);
    const theirs = referenceIn(first.action);
    expect(tokensOn(await owner.follow(await submit(owner, first)))).toEqual([await tokenOf(theirs)]);
    // As it is two weeks later: nobody's session is kept with the sale any more.
    await service.app.fresh.pool.query(
      "delete from one_time_tokens where purpose = 'bought' and person_id in (select id from people where email = $1)",
      [owner.email],
    );
    // Only the person who began a sale can send it again; another session of theirs finds it made, and nothing of it open.
    const theirsElsewhere = service.guest();
    await theirsElsewhere.send("/log-in", { email: owner.email, password: owner.password });
    const { once: _used, ...fields } = first.fields;
    const sent = await theirsElsewhere.send(first.action, fields);
    expect([sent.status, sent.location]).toEqual([303, `/test/buy/bought/${theirs}`]);
    const stolen = await clerk.send(first.action, fields);
    expect([stolen.status, tokensOn(stolen)]).toEqual([409, []]);
    await service.age(owner);
    await service.age(clerk);
    for (const client of [theirsElsewhere, clerk]) {
      for (const path of [`/test/buy/bought/${theirs}`, `/test/transactions/${theirs}`]) {
        expect([path, tokensOn(await client.get(path))]).toEqual([path, []]);
      }
    }
  });

  test("is shown to a role that may see it alone, and no longer after a log-out", async () => {
    const { pool } = service.app.fresh;
    const role = "update members set role = $2 from people p where p.id = person_id and p.email = $1";
    await pool.query(role, [clerk.email, "developer"]);
    for (const path of pages().slice(1)) expect(tokensOn(await clerk.get(path))).toEqual([]);
    await pool.query(role, [clerk.email, "finance"]);
    await clerk.send("/log-out");
    await clerk.send("/log-in", { email: clerk.email, password: clerk.password });
    for (const path of pages()) expect(tokensOn(await clerk.get(path))).toEqual([]);
  });
});
