import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { formOf, formsOf, submit } from "../support/forms.ts";
import { here } from "./open-prices.ts";

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const [ada, bola] = [await service.staff("admin"), await service.staff("catalogue")];

const rates = `${here}/rates`;

/** What one unit costs in kobo, of products and for suppliers' costs. */
async function rateOf(currency: string): Promise<unknown[]> {
  const { rows } = await pool.query(
    `select fx_rate::int as rate from products where face_currency = $1
     union
     select rate::int from fx_rates where currency = $1`,
    [currency],
  );
  return rows.map(({ rate }) => rate);
}

async function waiting(): Promise<string> {
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  return `/operator/approvals/${rows[0].id}`;
}

async function audited(command: string): Promise<unknown[]> {
  const { rows } = await pool.query("select who, details::jsonb from audit_log where command = $1 order by number", [
    command,
  ]);
  return rows;
}

async function newRate(client: StaffClient, rate: string, more: Record<string, string> = {}) {
  return submit(client, formOf(await client.get(`${rates}?currency=USD`), "/rates"), { rate, ...more });
}

const plan = { biller: "mtn-data", name: "MTN 7GB (30 days)", code: "mtn-7gb-30d", price: "2,985.00", plan: "7GB" };

async function addProduct(client: StaffClient, fields: Record<string, string> = {}) {
  return submit(client, formOf(await client.get(`${here}/products/new`), "/new"), { ...plan, ...fields });
}

test("an admin sets a rate for all that is sold in a currency, and a leap only where it is confirmed", async () => {
  const [before] = (await rateOf("USD")) as number[];
  const now = ((before ?? 0) / 100) * 1.1;
  expect((await ada.follow(await newRate(ada, now.toFixed(2)))).text).toContain("One USD is");
  expect(await rateOf("USD")).toEqual([Math.round(now * 100)]);
  const leap = await newRate(ada, "10");
  expect([leap.status, leap.text.includes("less than half")]).toEqual([400, true]);
  expect(await rateOf("USD")).toEqual([Math.round(now * 100)]);
  expect((await newRate(ada, "10", { confirm: "on" })).status).toBe(303);
  expect(await rateOf("USD")).toEqual([1_000]);
  expect(await audited("console exchange-rate")).toMatchObject([
    { who: expect.stringContaining(ada.email), details: { currency: "USD", rate: now.toFixed(2) } },
    { details: { rate: "10.00", confirmed: true } },
  ]);
});

test("a person of the catalogue asks for a rate, and one that was changed meanwhile is not approved", async () => {
  expect((await newRate(bola, "11")).status).toBe(303);
  const first = await waiting();
  expect(await rateOf("USD")).toEqual([1_000]);
  expect((await bola.follow(await newRate(bola, "12"))).text).toContain("asked for this already");
  expect((await newRate(ada, "12")).status).toBe(303);
  expect(await rateOf("USD")).toEqual([1_200]);
  const stale = (await ada.follow(await ada.send(first, { do: "approve" }))).text;
  expect([stale.includes("has changed since it was asked for"), stale.includes("changed since")]).toEqual([true, true]);
  expect(await rateOf("USD")).toEqual([1_200]);
  expect((await bola.send(first, { do: "renew" })).status).toBe(303);
  expect((await ada.send(await waiting(), { do: "approve" })).status).toBe(303);
  expect(await rateOf("USD")).toEqual([1_100]);
});

test.each([
  [{ rate: "nothing" }, "rate"],
  [{ rate: "100000.01", confirm: "on" }, "rate"],
  [{ currency: "NGN" }, "currency"],
  [{ currency: "US" }, "currency"],
])("a rate of %o is refused at its field, and nobody is asked", async (fields, field) => {
  const count = async () => (await pool.query("select count(*)::int from changes")).rows[0].count;
  const before = await count();
  const sent = await newRate(bola, "13", fields);
  expect([sent.status, sent.text.includes(`id="${field}-error"`), await count()]).toEqual([400, true, before]);
});

test("a biller goes off sale with all its products and back on it, each time entered in the audit log", async () => {
  const statusOf = async () => (await pool.query("select status from billers where slug = 'mtn-data'")).rows[0].status;
  const switchIt = async (to: "on" | "off") => {
    const forms = formsOf(await bola.get(`${here}/billers?category=data`));
    const form = forms.find(({ fields }) => fields.biller === "mtn-data" && fields.do === to);
    if (form === undefined) throw new Error(`no form turns it ${to}`);
    return bola.follow(await submit(bola, form));
  };
  await switchIt("off");
  expect(await statusOf()).toBe("unavailable");
  const page = await switchIt("on");
  expect([await statusOf(), page.text.includes("mtn-data is on sale")]).toEqual(["available", true]);
  expect(await audited("console biller off-sale")).toMatchObject([{ details: { biller: "mtn-data" } }]);
});

test("an admin adds a product, which is listed at its price; the same code is refused at its field", async () => {
  const added = await ada.follow(await addProduct(ada, { fee: "1.5%", legacy_plan: "902", validity: "30 days" }));
  expect(added.text).toContain("Product 100000, MTN 7GB (30 days), is on sale.");
  const { rows } = await pool.query(
    "select biller_slug, name, plan, validity, price::int, fee_basis_points, legacy_plan_id from products where id = 100000",
  );
  expect(rows).toEqual([
    {
      ...{ biller_slug: "mtn-data", name: plan.name, plan: "7GB", validity: "30 days" },
      ...{ price: 298_500, fee_basis_points: 150, legacy_plan_id: 902 },
    },
  ]);
  const again = await addProduct(ada);
  expect([again.status, again.text.includes('id="code-error"')]).toEqual([400, true]);
  expect(again.text).toContain('value="mtn-7gb-30d"');
});

test("a product that can't be is refused before a second person is asked; one that can waits and is added once", async () => {
  const count = async () =>
    (await pool.query("select count(*)::int from products where code like 'glo-new%'")).rows[0].count;
  const refused = await addProduct(bola, { biller: "glo-data", code: "Glo New" });
  expect([refused.status, refused.text.includes('id="code-error"')]).toEqual([400, true]);
  expect((await addProduct(bola, { biller: "glo-data", code: "glo-new-7gb" })).status).toBe(303);
  const request = await waiting();
  expect((await ada.get(request)).text).toContain("glo-new-7gb");
  expect(await count()).toBe(0);
  for (let time = 0; time < 2; time++) await ada.send(request, { do: "approve" });
  expect(await count()).toBe(1);
});

test.each([
  [{ price: "cheap" }, "price"],
  [{ fee: "some" }, "fee"],
  [{ min: "100" }, "min"],
  [{ max_quantity: "0.5" }, "max_quantity"],
  [{ legacy_plan: "902" }, "legacy_plan"],
  [{ attributes: "[]" }, "attributes"],
  [{ currency: "USD" }, "currency"],
  [{ meter_type: "prepaid" }, "meter_type"],
])("a new product of %o is refused at its field, with what was typed", async (fields, field) => {
  const sent = await addProduct(ada, { code: "another-7gb", ...fields });
  expect([sent.status, sent.text.includes(`id="${field}-error"`)], sent.text).toEqual([400, true]);
  expect(sent.text).toContain('value="another-7gb"');
});

test("a product is named anew, gets a number for older clients once, and its price stays", async () => {
  const path = `${here}/products/1003`;
  const stored = async () =>
    (await pool.query("select name, legacy_plan_id, price::int from products where id = 1003")).rows[0];
  const { price } = await stored();
  await pool.query("update products set legacy_plan_id = null where id = 1003");
  await app.feel("catalogue");
  const names = { name: "MTN, named anew", legacy_plan: "903" };
  const form = async () => formOf(await bola.get(path), "/names");
  expect((await submit(bola, await form(), names)).status).toBe(303);
  expect(await stored()).toEqual({ name: names.name, legacy_plan_id: 903, price });
  await app.feel("catalogue");
  expect(Object.keys((await form()).fields)).not.toContain("legacy_plan");
  const taken = await bola.send(`${path}/names`, { name: "MTN", legacy_plan: "904" });
  expect([taken.status, taken.text.includes("It is 903")]).toEqual([400, true]);
  const empty = await bola.send(`${path}/names`, { name: "" });
  expect([empty.status, empty.text.includes('id="name-error"')], empty.text).toEqual([400, true]);
});
