import { expect, test } from "vitest";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import type { MemberClient } from "../support/console.ts";
import { submit } from "../support/forms.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { orderForm, referenceIn, startSelling } from "../support/selling-by-hand.ts";

const selling = await startSelling();
const service = closing(selling.service);
const { shop, check, balance } = selling;
const [ada, bisi] = [await service.member("cashier", shop.id), await service.member("cashier", shop.id)];
const owner = await service.member("owner", shop.id);

async function sell(client: MemberClient, slug: string): Promise<string> {
  const form = orderForm(await check(slug, {}, { client }));
  const sold = await submit(client, form);
  expect(sold.status).toBe(303);
  return referenceIn(form.action);
}

/** Every address under which a sale could be seen. */
const addressesOf = (reference: string) => [
  `/test/buy/bought/${reference}`,
  `/test/transactions/${reference}/receipt`,
  `/test/transactions/${reference}`,
  `/test/transactions?open=${reference}`,
  `/test/my-sales?q=${reference}`,
];

async function seen(client: MemberClient, reference: string): Promise<readonly boolean[]> {
  const pages = await Promise.all(addressesOf(reference).map((path) => client.get(path)));
  // A list names what it was asked for, whether or not it is there.
  return pages.map(
    ({ status, text }, at) => status === 200 && text.includes(at < 3 ? reference : `${reference}/receipt`),
  );
}

/** Twenty digits, in whatever groups and elements. */
function hasToken(text: string): boolean {
  return /\d{20}/.test(text.replace(/<[^>]+>|\s/g, ""));
}

const own = await sell(ada, "electricity");

test("a cashier opens her own sale, its receipt and its token, and no other cashier's, under any address", async () => {
  for (const path of addressesOf(own).slice(0, 2))
    expect([path, hasToken((await ada.get(path)).text)]).toEqual([path, true]);
  expect((await ada.get("/test/my-sales")).text).toContain(`/transactions/${own}/receipt`);
  expect(await seen(ada, own)).toEqual([true, true, false, false, true]);
  expect(await seen(bisi, own)).toEqual([false, false, false, false, false]);
  for (const path of [`/test/buy/bought/${own}`, `/test/transactions/${own}/receipt`]) {
    const { status, text } = await bisi.send(path);
    expect([path, status, hasToken(text)]).toEqual([path, 404, false]);
  }
  expect((await bisi.get("/test/my-sales")).text).not.toContain(own);
  const offers = async (client: MemberClient) => (await client.get("/test/buy")).text.includes("Last customers");
  expect([await offers(ada), await offers(bisi)]).toEqual([true, false]);
});

test("a sale that came by the API, or by somebody else, is nobody's who claims its reference afterwards or before", async () => {
  const form = orderForm(await check("airtime", {}, { client: ada }));
  const { path, body } = sampleOf("airtime");
  for (const claimed of ["till-1", own]) {
    const action = form.action.replace(referenceIn(form.action), claimed);
    await submit(bisi, { ...form, action }, { phone: "08030000001" });
  }
  const sold = await service.app.call(shop.testKey, path, { body: { ...body, reference: "till-2" } });
  expect(sold.status).toBeLessThan(300);
  const action = form.action.replace(referenceIn(form.action), "till-2");
  await submit(bisi, { ...form, action }, { phone: "08030000001" });
  for (const reference of [own, "till-2"]) expect(await seen(bisi, reference)).toEqual(Array(5).fill(false));
});

test("what the wallet holds is on no page of a cashier, also where it is too little", async () => {
  const naira = (amount: bigint) => `${amount / 100n}`.replace(/\B(?=(\d{3})+$)/g, ",");
  const before = await balance();
  const page = await check("airtime", {}, { client: ada });
  const form = orderForm(page);
  const bought = await ada.follow(await submit(ada, form));
  const balances = [before, await balance()].map(naira);
  for (const { text } of [page, bought, await ada.get("/test/overview"), await ada.get("/test/my-sales")])
    expect(balances.filter((amount) => text.includes(amount))).toEqual([]);
  expect(balances.some((amount) => page.text.includes(amount))).toBe(false);
  const poor = await service.app.createMerchant({ credit: kobo(1_234n) });
  const cashier = await service.member("cashier", poor.id);
  const short = await check("airtime", {}, { client: cashier, mode: "live" });
  const refused = await submit(cashier, orderForm(short));
  for (const { text } of [short, refused]) {
    expect(text).toContain("The shop’s balance is too low. Ask the owner.");
    expect(text).not.toContain("12.34");
  }
});

test("what a sale costs the shop, and its discount, is on no page of a cashier, before, after and beside the sale", async () => {
  const page = await check("airtime", { amount: "7100" }, { client: ada });
  const order = orderForm(page);
  const changed = await submit(ada, order, { asked: "7000.00" });
  expect([changed.status, changed.text]).toEqual([409, expect.stringContaining("The price changed.")]);
  const bought = await ada.follow(await submit(ada, orderForm(changed)));
  const start = await ada.get("/test/buy");
  const receipt = await ada.get(`/test/transactions/${referenceIn(order.action)}/receipt`);
  const { total } = (await selling.purchasesOf(referenceIn(order.action)))[0];
  const cost = `${BigInt(total) / 100n}`;
  for (const { text } of [page, changed, bought, start, receipt, await ada.get("/test/my-sales")]) {
    expect([text.replaceAll(",", "").includes(cost), /discount|You paid|>You pay<|>Cost<|margin/i.test(text)]).toEqual([
      false,
      false,
    ]);
  }
  expect(page.text.replace(/<[^>]+>/g, "")).toContain("The customer pays₦7,100.00");
  const own = await check("airtime", { amount: "7100" }, { client: owner });
  expect([own.text.replaceAll(",", "").includes(cost), own.text.includes("Your discount")]).toEqual([true, true]);
});

test("the owner reads what each cashier sold on the day, and sums agree with the cashier's own", async () => {
  await sell(bisi, "airtime");
  const team = await owner.get("/test/team-sales");
  expect(team.status).toBe(200);
  const mine = await ada.get("/test/my-sales");
  const sum = /Customers paid[\s\S]*?(₦[\d,.]+)/.exec(mine.text.replace(/<[^>]+>/g, " "))?.[1] ?? "none";
  const rows = team.text
    .split("<tr")
    .slice(1)
    .filter((row) => row.includes("Ada cashier"));
  expect(rows).toHaveLength(2);
  expect(rows.filter((row) => row.replace(/<[^>]+>/g, "").includes(sum))).toHaveLength(1);
});

test("a cashier who becomes a viewer in between sells nothing more with the form that stands open", async () => {
  const cashier = await service.member("cashier", shop.id);
  const form = orderForm(await check("airtime", {}, { client: cashier }));
  await service.app.fresh.pool.query(
    "update members set role = 'viewer' where person_id = (select id from people where email = $1)",
    [cashier.email],
  );
  const before = await balance();
  expect((await submit(cashier, form)).status).toBe(403);
  expect(await balance()).toBe(before);
});
