import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { categories } from "../../src/categories/registry.ts";
import { formOf, submit } from "../support/forms.ts";
import { orderForm, referenceIn, type Selling, startSelling } from "../support/selling-by-hand.ts";

let service: Selling["service"];
let finance: Selling["finance"];
let selling: Selling;
const check: Selling["check"] = (...given) => selling.check(...given);
const exampleOf: Selling["exampleOf"] = (slug) => selling.exampleOf(slug);
const purchasesOf: Selling["purchasesOf"] = (reference) => selling.purchasesOf(reference);
const balance: Selling["balance"] = (mode) => selling.balance(mode);

beforeAll(async () => {
  selling = await startSelling();
  ({ service, finance } = selling);
});

afterAll(() => service.close());

test("the categories lead to their billers, and those to their products", async () => {
  const start = await finance.get("/test/buy");
  for (const { slug, title } of categories) {
    expect(start.text).toContain(`/test/buy/${slug}"`);
    expect(start.text).toContain(title);
  }
  const data = await finance.get("/test/buy/data");
  expect(data.text).toContain("/test/buy/data?biller=mtn-data");
  const mtn = await finance.get("/test/buy/data?biller=mtn-data");
  expect(mtn.text).toContain("/test/buy/data?product=1002");
  const found = await finance.get("/test/buy/data?q=no+such+plan");
  expect(found.text).toContain("No products match");
});

describe.each(categories.map(({ slug }) => slug))("%s", (slug) => {
  test("is sold through the forms of its own schema: priced first, charged once, told with a way to its timeline", async () => {
    const before = await balance();
    const checked = await check(slug);
    expect([checked.status, checked.text.includes("You pay")]).toEqual([200, true]);
    expect(await balance()).toBe(before);

    const form = orderForm(checked);
    const sent = await submit(finance, form);
    const reference = referenceIn(form.action);
    expect([sent.status, sent.location]).toEqual([303, `/test/buy/bought/${reference}`]);
    const [purchase, ...others] = await purchasesOf(reference);
    expect([purchase, others]).toMatchObject([{ channel: "dashboard", status: "successful" }, []]);
    expect(await balance()).toBe(before - BigInt(purchase.total));

    const result = await finance.follow(sent);
    expect(result.text).toMatch(/class="status ok">Delivered/);
    expect(result.text).toContain(`/test/transactions/${reference}`);
  });

  test("shows whose number it is before it is paid, where its numbers can be verified", async () => {
    const { category } = await exampleOf(slug);
    const checked = await check(slug);
    expect(checked.text.includes("Account name")).toBe(category.verify !== undefined);
  });

  test("shows what is worth money to the session that bought it, on its receipt as well, and writes each showing down", async () => {
    const { category } = await exampleOf(slug);
    const form = orderForm(await check(slug));
    const result = await finance.follow(await submit(finance, form));
    const reference = referenceIn(form.action);
    const { rows } = await service.app.fresh.pool.query("select fulfilment from purchases where reference = $1", [
      reference,
    ]);
    const secrets = category.secrets.flatMap((name) => leavesOf(rows[0].fulfilment?.[name]));
    if (category.secrets.length === 0) return expect(result.text).not.toContain("Show it");
    const pages = [
      result,
      await finance.get(`/test/transactions/${reference}`),
      await finance.get(`/test/transactions/${reference}/receipt`),
    ];
    expect(secrets.length > 0 || slug === "internet").toBe(true);
    for (const shown of pages) {
      expect([shown.status, shown.headers.get("cache-control")]).toEqual([200, "no-store"]);
      for (const secret of secrets) expect(bare(shown.text)).toContain(bare(secret));
    }
    // What refreshes a part of the page by itself shows nothing, and leads to what does.
    const refreshed = await finance.get(`/test/buy/bought/${reference}`, { "x-fragment": "true" });
    expect(refreshed.text).toContain("See what was delivered");
    for (const secret of secrets) expect(bare(refreshed.text)).not.toContain(bare(secret));
    const audit = await service.app.fresh.pool.query(
      "select command from audit_log where details like $1 order by number",
      [`%${reference}%`],
    );
    expect(audit.rows.map(({ command }) => command)).toEqual(["console buy", ...pages.map(() => "console reveal")]);
  });

  test("keeps what was typed beside each fault", async () => {
    const { category } = await exampleOf(slug);
    const wrong = category.customerField === "recipients" ? "nobody" : "?wrong?";
    const refused = await check(slug, { [category.customerField]: wrong });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain(`id="${category.customerField}-error"`);
    expect(formOf(refused, "/check").fields[category.customerField]).toBe(wrong);
  });
});

/** Texts within a secret that are long enough to be looked for. */
function leavesOf(value: unknown): string[] {
  if (typeof value === "string")
    return value.length >= 8 && !/^\d{4}-/.test(value) && !/[&:]/.test(value) ? [value] : [];
  if (typeof value === "object" && value !== null) return Object.values(value).flatMap(leavesOf);
  return [];
}

/** A token stands on a page in groups, and is copied without them. */
function bare(text: string): string {
  return text.replace(/[-\s]|<\/?span>/g, "");
}
