import { expect, test } from "vitest";
import { formOf, submit } from "../support/forms.ts";
import { saleForm } from "../support/selling-by-hand.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const finance = await service.member("finance");

const meter = {
  label: "Mama Tolu's shop",
  category: "electricity",
  customer_ref: "45012345678",
  biller_slug: "ikeja-electric",
  meter_type: "prepaid",
  customer_name: "ADEYEMI TOLU",
};

async function rows(merchantId: number = service.app.merchant.id) {
  const found = await service.app.fresh.pool.query(
    "select id, label, customer_ref, biller_slug from beneficiaries where merchant_id = $1 order by id desc",
    [merchantId],
  );
  return found.rows;
}

/** Adds one through the page's own form. @returns its id */
async function add(changes: Readonly<Record<string, string>> = {}, client = finance): Promise<string> {
  const form = formOf(await client.get("/live/beneficiaries/add"), "/add");
  const sent = await submit(client, form, { ...meter, ...changes });
  expect([sent.status, sent.location], sent.text).toEqual([303, "/live/beneficiaries"]);
  return (await rows(client.merchantId))[0]?.id;
}

test("a number is kept, listed in both modes, found by any of its words and bought for", async () => {
  const id = await add({ label: "<b>Bold</b> shop" });
  for (const mode of ["live", "test"]) {
    const list = await finance.get(`/${mode}/beneficiaries?q=bold+45012345678&category=electricity`);
    expect(list.text).toContain("&lt;b>Bold&lt;/b> shop");
    expect(list.text).not.toContain("<b>Bold</b>");
    expect(list.text).toContain(`/${mode}/buy/electricity?meter_number=45012345678&amp;product=3001`);
  }
  expect((await finance.get("/live/beneficiaries?q=nobody")).text).not.toContain("&lt;b>Bold");
  expect((await finance.get("/live/beneficiaries?category=airtime")).text).not.toContain("&lt;b>Bold");

  const page = await finance.get(`/test/beneficiaries/${id}`);
  const [, href = ""] = /href="([^"]*buy\/electricity[^"]*)"/.exec(page.text) ?? [];
  const form = await saleForm(finance, href.replaceAll("&amp;", "&"));
  expect(form.fields).toMatchObject({ meter_number: "4501 2345 678", product: "3001" });
});

test("a change keeps what was not touched, and is entered in the audit log without the number", async () => {
  const id = await add({ customer_ref: "45099999999" });
  const form = formOf(await finance.get(`/live/beneficiaries/${id}`), id);
  expect(form.fields).toMatchObject({ label: meter.label, customer_ref: "45099999999", biller_slug: "ikeja-electric" });
  const sent = await submit(finance, form, { label: "The second shop" });
  expect(sent.location).toBe("/live/beneficiaries");
  expect((await rows()).find((row) => row.id === id)).toMatchObject({
    label: "The second shop",
    customer_ref: "45099999999",
    biller_slug: "ikeja-electric",
  });
  const { rows: entries } = await service.app.fresh.pool.query(
    "select who, command, details from audit_log where command like 'console beneficiary%' order by number desc limit 1",
  );
  expect(entries[0]).toMatchObject({ command: "console beneficiary change" });
  expect([entries[0].who, entries[0].details]).toEqual([
    expect.stringContaining(finance.email),
    expect.stringContaining(id),
  ]);
  expect(entries[0].details).not.toContain("45099999999");
});

test("what is wrong stands at its field, beside what was typed", async () => {
  await add({ customer_ref: "45011111111" });
  const before = await rows();
  const faults = [
    [{ customer_ref: "12" }, "customer_ref"],
    [{ label: " " }, "label"],
    [{ category: "" }, "category"],
    [{ phone: "123" }, "phone"],
    [{ biller_slug: "mtn-data" }, "biller_slug"],
    [{ customer_ref: "45011111111" }, "customer_ref"],
  ] as const;
  for (const [changes, field] of faults) {
    const typed = { ...meter, customer_name: "KEPT <i>", ...changes };
    const refused = await finance.send("/live/beneficiaries/add", typed);
    expect(refused.status, field).toBeGreaterThanOrEqual(400);
    expect(refused.text, field).toContain(`id="${field}-error"`);
    expect(formOf(refused, "/add").fields.customer_name).toBe("KEPT <i>");
    expect(refused.text).not.toContain("KEPT <i>");
  }
  expect(await rows()).toEqual(before);
});

test("removing asks first, and a form that is sent twice is carried out once", async () => {
  const id = await add({ customer_ref: "45022222222" });
  const calls = await finance.get(`/live/beneficiaries/${id}/remove`);
  expect(calls.text).toContain("4502 2222 222");
  expect((await rows()).some((row) => row.id === id)).toBe(true);
  const form = formOf(calls, "/remove");
  expect((await submit(finance, form)).location).toBe("/live/beneficiaries");
  expect((await rows()).some((row) => row.id === id)).toBe(false);
  const again = await finance.follow(await submit(finance, form));
  expect(again.text).toContain("Already sent");

  const adding = formOf(await finance.get("/live/beneficiaries/add"), "/add");
  await submit(finance, adding, { ...meter, customer_ref: "45033333333" });
  await submit(finance, adding, { ...meter, customer_ref: "45033333333" });
  expect((await rows()).filter((row) => row.customer_ref === "45033333333")).toHaveLength(1);
});
