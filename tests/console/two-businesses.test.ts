import { expect, test } from "vitest";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import { formOf, submit } from "../support/forms.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { sharedConsole } from "../support/shared-console.ts";

let first: RegisteredMerchant;
let second: RegisteredMerchant;

/** A person who owns one business and is finance at another; each has sold something. */
const service = await sharedConsole();
[first, second] = [await service.app.createMerchant(), await service.app.createMerchant()];
await service.app.fresh.pool.query(
  "update merchants set name = case id when $1 then 'First shop' else 'Second shop' end where id = any ($2)",
  [first.id, [first.id, second.id]],
);
const ada = await service.member("owner", first.id);
await service.app.fresh.pool.query(
  `insert into members (merchant_id, person_id, role, created_at)
   select $1, id, 'finance', now() from people where email = $2`,
  [second.id, ada.email],
);
const { path, body } = sampleOf("airtime");
for (const [merchant, reference] of [
  [first, "of-the-first"],
  [second, "of-the-second"],
] as const) {
  const { status } = await service.app.call(merchant.testKey, path, { body: { ...body, reference } });
  expect(status).toBeLessThan(300);
}

const choose = ({ id }: RegisteredMerchant) => ada.send("/account/choose", { merchant: formatMerchantId(id) });

async function labelsOf({ id }: RegisteredMerchant): Promise<string[]> {
  const { rows } = await service.app.fresh.pool.query("select label from beneficiaries where merchant_id = $1", [id]);
  return rows.map(({ label }) => label);
}

test("each business is seen by itself, under its own role, once it is chosen", async () => {
  for (const [merchant, own, others, isOwner] of [
    [first, "of-the-first", "of-the-second", true],
    [second, "of-the-second", "of-the-first", false],
  ] as const) {
    expect((await choose(merchant)).location).toBe("/live/overview");
    const list = await ada.get("/test/transactions");
    expect([list.text.includes(own), list.text.includes(others)]).toEqual([true, false]);
    expect((await ada.get(`/test/transactions/${own}`)).status).toBe(200);
    expect((await ada.get(`/test/transactions/${others}`)).status).toBe(404);
    const file = await ada.get("/test/transactions.csv");
    expect([file.text.includes(own), file.text.includes(others)]).toEqual([true, false]);
    const pages = await Promise.all(["/account/members", "/test/keys"].map((path) => ada.get(path)));
    expect(pages.map(({ status }) => status)).toEqual(isOwner ? [200, 200] : [403, 403]);
    expect((await ada.get("/test/overview")).text).toContain("First shop");
    expect((await ada.get("/test/overview")).text).toContain("Second shop");
  }
});

test("a form of the one that is sent while the other is chosen changes neither, and its own once that is chosen again", async () => {
  await choose(first);
  const form = formOf(await ada.get("/test/beneficiaries/add"), "/beneficiaries/add");
  const typed = { label: "The mother of Ada", category: "airtime", number: "08031234567", customer_ref: "08031234567" };
  await choose(second);
  const refused = await submit(ada, form, typed);
  expect([
    refused.status,
    refused.text.includes("for another business"),
    refused.text.includes("The mother of Ada"),
  ]).toEqual([409, true, true]);
  expect([await labelsOf(first), await labelsOf(second)]).toEqual([[], []]);
  await choose(first);
  expect((await submit(ada, form, typed)).status).toBe(303);
  expect([await labelsOf(first), await labelsOf(second)]).toEqual([["The mother of Ada"], []]);
});

test("a form that names the other business than the one chosen does nothing, whatever the page was", async () => {
  await choose(second);
  const forged = {
    merchant: formatMerchantId(first.id),
    label: "Forged",
    category: "airtime",
    customer_ref: "08031234568",
  };
  expect((await ada.send("/test/beneficiaries/add", forged)).status).toBe(409);
  expect([...(await labelsOf(first)), ...(await labelsOf(second))]).not.toContain("Forged");
});

test("a form that was for the other business is shown to be copied, without its secret", async () => {
  await choose(second);
  const secret = `whsec_${Buffer.alloc(32, 4).toString("base64")}`;
  const sent = { merchant: formatMerchantId(first.id), secret, headers: "webhook-id: 1", body: "{}" };
  await service.app.fresh.pool.query("update members set role = 'developer' where merchant_id = $1", [second.id]);
  const refused = await ada.send("/test/webhooks/tester", sent);
  expect([refused.status, refused.text.includes("webhook-id: 1"), refused.text.includes("whsec_")]).toEqual([
    409,
    true,
    false,
  ]);
});

test("a part of a page, a search and a file of the one that a tab shows are never the other's, which says so", async () => {
  await choose(first);
  const list = await ada.get("/test/transactions");
  const [, business = ""] = /<html [^>]*data-business="(mer_\d+)"/.exec(list.text) ?? [];
  expect(business).toBe(formatMerchantId(first.id));
  const [, file = ""] = /href="(\/test\/transactions\.csv[^"]*)"/.exec(list.text) ?? [];
  expect((await ada.get(file)).text).toContain("of-the-first");
  await choose(second);
  const part = { "x-fragment": "true", "x-business": business };
  for (const [path, headers] of [
    ["/test/transactions", part],
    ["/test/search?q=of-the", part],
    [file, {}],
  ] as const) {
    const { status, text } = await ada.get(path, headers);
    expect([path, status, text.includes("of-the-"), text.includes("in another tab")]).toEqual([path, 409, false, true]);
  }
  const own = { "x-fragment": "true", "x-business": formatMerchantId(second.id) };
  expect((await ada.get("/test/transactions", own)).text).toContain("of-the-second");
});

test("pages of the account lead back to the mode that they were opened from, in each tab its own", async () => {
  await choose(first);
  const linkIn = (text: string, label: string) =>
    new RegExp(`<a href="([^"]*)"[^>]*>(?:(?!</a>).)*<span class="label">${label}</span>`).exec(text)?.[1] ?? "";
  const [test, live] = [await ada.get("/test/overview"), await ada.get("/live/overview")];
  for (const [page, mode] of [
    [test, "test"],
    [live, "live"],
  ] as const) {
    const team = await ada.get(linkIn(page.text, "Team"));
    const security = await ada.get(linkIn(team.text, "Security"));
    expect([linkIn(team.text, "Sell"), linkIn(security.text, "Sell")]).toEqual([`/${mode}/buy`, `/${mode}/buy`]);
  }
  await ada.get("/test/overview");
  expect(linkIn((await ada.get("/account/members")).text, "Sell")).toBe("/test/buy");
});

test("no link changes the business that is shown: it is chosen by a form of our own pages", async () => {
  await choose(first);
  await ada.get(`/account/choose?merchant=${formatMerchantId(second.id)}`);
  expect((await ada.get("/test/transactions")).text).toContain("of-the-first");
  const elsewhere = { origin: "https://evil.example", "sec-fetch-site": "cross-site" };
  const merchant = formatMerchantId(second.id);
  expect((await ada.send("/account/choose", { merchant }, elsewhere)).status).toBe(403);
  const offered = await ada.get("/test/transactions");
  expect(offered.text).toContain("of-the-first");
  expect(offered.text).toMatch(new RegExp(`<button[^>]*name="merchant" value="${merchant}"`));
});
