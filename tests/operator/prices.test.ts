import { expect, test } from "vitest";
import { setPrice } from "../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, type StaffClient, startConsole } from "../support/console.ts";
import { base, decide, here, openPrices, other, plan, third, type } from "./open-prices.ts";

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const { reset, priceOf, marks } = await openPrices(service);
const { database } = app.services;

async function bulk(
  client: StaffClient,
  fields: Record<string, string | readonly string[]>,
  filter = "",
): Promise<ConsoleAnswer> {
  const usual = { do: "bulk", scope: "base", step: "1", direction: "nearest" };
  return client.send(`${here}/preview${filter}`, { ...usual, ...fields });
}

test("only prices that were typed over change, after a preview, with event, history and the audit log's entry", async () => {
  const admin = await service.staff("admin");
  const shown = await admin.get(`${here}?q=${plan}`);
  expect([shown.text.includes(`name="${base(plan)}"`), shown.text.includes("21.87%")]).toEqual([true, true]);
  const path = await type(admin, [
    [base(plan), "650"],
    [base(other), "640.00"],
    [`price ${plan} tier-2 `, "630.00"],
  ]);
  const preview = await admin.get(path);
  expect(preview.text).toContain("Change 2 prices");
  expect([await priceOf(plan), await priceOf(plan, 2)]).toEqual([64_000, null]);
  expect((await admin.follow(await decide(admin, path))).text).toContain("in force");
  expect([await priceOf(plan), await priceOf(plan, 2), await priceOf(other)]).toEqual([65_000, 63_000, 64_000]);
  expect(await marks()).toEqual([
    { kind: "price", product_id: plan, tier: null },
    { kind: "price", product_id: plan, tier: 2 },
  ]);
  const { rows } = await pool.query("select details from audit_log where command = 'console prices change'");
  expect(JSON.parse(rows[0].details)).toMatchObject({ prices: 2, reason: "Market moved" });
  const history = await admin.get(`${here}/products/${plan}`);
  for (const words of ["₦640.00", "₦650.00", "none of its own", "Market moved", admin.email]) {
    expect([words, history.text.includes(words)]).toEqual([words, true]);
  }
  await reset();
});

test("where one price was changed between preview and button, none of them changes", async () => {
  const admin = await service.staff("admin");
  const path = await type(admin, [
    [base(plan), "650"],
    [base(other), "655"],
  ]);
  const order = {
    productId: other as ProductId,
    scope: { of: "everyone" },
    price: { kind: "fixed", kobo: kobo(66_000n) },
  };
  await setPrice(database, order as Parameters<typeof setPrice>[1]);
  const refused = await decide(admin, path);
  expect([refused.status, refused.text.includes("was changed since this preview")]).toEqual([400, true]);
  expect([await priceOf(plan), await priceOf(other)]).toEqual([64_000, 66_000]);
  await app.feel("catalogue");
  const late = await admin.send(`${here}/preview`, { do: "edit", [base(other)]: "670" });
  expect([
    late.status,
    late.text.includes("Someone else changed this price to 660.00"),
    late.text.includes('value="670"'),
  ]).toEqual([400, true, true]);
  await reset();
});

test("one preview in two tabs, sent at once, changes prices once", async () => {
  const admin = await service.staff("admin");
  const path = await type(admin, [[base(plan), "650"]]);
  const both = await Promise.all([decide(admin, path), decide(admin, path)]);
  expect(both.map(({ status }) => status).sort()).toEqual([303, 400]);
  expect(await marks()).toHaveLength(1);
  // Also where the price is again what it was.
  await reset();
  expect([(await decide(admin, path)).status, await priceOf(plan)]).toEqual([400, 64_000]);
});

test("a price below the cheapest cost is red, and is made only by who ticks that it is meant", async () => {
  const admin = await service.staff("admin");
  const path = await type(admin, [
    [base(plan), "499.99"],
    [base(other), "600"],
  ]);
  const preview = await admin.get(path);
  expect([preview.text.includes("Sell at 1 price below cost"), preview.text.includes('class="leads wrong"')]).toEqual([
    true,
    true,
  ]);
  const refused = await decide(admin, path, { below_cost_shown: "1" });
  expect([refused.status, refused.text.includes("Tick this to sell below cost")]).toEqual([400, true]);
  // The tick was for what was shown, and a cost that rose meanwhile puts another price below it.
  await pool.query("update supplier_routes set cost = 60001 where product_id = $1", [other]);
  await app.feel("routes");
  expect((await decide(admin, path, { below_cost: "on", below_cost_shown: "1" })).status).toBe(400);
  expect(await priceOf(plan)).toBe(64_000);
  expect((await decide(admin, path, { below_cost: "on", below_cost_shown: "2" })).status).toBe(303);
  expect([await priceOf(plan), await priceOf(other)]).toEqual([49_999, 60_000]);
  await app.feel("catalogue");
  const list = await admin.get(`${here}?margin=below-cost`);
  expect([list.text.includes(`products/${plan}"`), list.text.includes(`products/${third}"`)]).toEqual([true, false]);
  await pool.query("update supplier_routes set cost = 60000 where product_id = $1", [other]);
  await reset();
});

test("the catalogue's person changes a little alone; over ten percent waits for an admin, exactly as it was asked", async () => {
  const [maker, checker] = [await service.staff("catalogue"), await service.staff("admin")];
  const small = await type(maker, [[base(plan), "704.00"]]);
  expect((await decide(maker, small)).status).toBe(303);
  expect(await priceOf(plan)).toBe(70_400);
  await reset();
  const large = await type(maker, [[base(plan), "704.01"]]);
  expect((await maker.follow(await decide(maker, large))).text).toContain("for approval");
  expect(await priceOf(plan)).toBe(64_000);
  const { rows } = await pool.query("select max(id) as id from changes");
  const approve = async () =>
    checker.follow(await checker.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }));
  const setAfter = (from: number, to: number) =>
    pool.query("update changes set lines = replace(lines, $1, $2) where id = $3", [
      ...[`{"price":${from}}`, `{"price":${to}}`, rows[0].id],
    ]);
  await setAfter(70_401, 1);
  expect((await approve()).text).toContain("was changed in the database");
  expect(await priceOf(plan)).toBe(64_000);
  await setAfter(1, 70_401);
  expect((await approve()).text).toContain("in force");
  expect(await priceOf(plan)).toBe(70_401);
  const other = await service.staff("catalogue");
  expect((await other.get(large)).text).toContain(maker.email);
  await reset();
});

test("a rule changes all that match or those chosen, rounded as said, and names what it leaves out", async () => {
  const admin = await service.staff("admin");
  const picked = [String(plan), String(other), String(third)];
  const sent = await bulk(admin, { pick: picked, how: "margin", value: "3.3", step: "500", direction: "up" });
  const preview = await admin.follow(sent);
  expect(preview.text).toContain("1 without a supplier’s cost");
  await decide(admin, sent.location ?? "");
  // 500 and 600 naira and 3.3 % are 516.50 and 619.80.
  expect([await priceOf(plan), await priceOf(other), await priceOf(third)]).toEqual([52_000, 62_000, 64_000]);
  await app.feel("catalogue");
  const down = await bulk(admin, { how: "amount", value: "−19.50", scope: "tier-3" }, "?biller=mtn-data");
  const { rows } = await pool.query(
    "select count(*)::integer as fixed from products where biller_slug = 'mtn-data' and price > 1950",
  );
  const path = down.location ?? "";
  expect((await admin.get(path)).text).toContain(`Change ${rows[0].fixed} prices`);
  expect((await decide(admin, path)).status).toBe(303);
  expect([await priceOf(plan, 3), await priceOf(third, 3)]).toEqual([50_050, 62_050]);
  const wrong = await bulk(admin, { pick: picked, how: "percent", value: "lots" });
  expect([wrong.status, wrong.text.includes("Write a percentage"), wrong.text.includes('value="lots"')]).toEqual([
    ...[400, true, true],
  ]);
  await reset();
});

test("a product goes off sale with what to buy instead, and on sale again", async () => {
  const admin = await service.staff("admin");
  const path = `${here}/products/${plan}`;
  expect((await admin.send(`${path}/sale`, { do: "off", replaced_by: "1x" })).status).toBe(400);
  expect(
    (await admin.follow(await admin.send(`${path}/sale`, { do: "off", replaced_by: String(other) }))).text,
  ).toContain("is off sale");
  await app.feel("catalogue");
  expect((await admin.get(`${here}?sale=off`)).text).toContain(`products/${plan}"`);
  await admin.send(`${path}/sale`, { do: "on" });
  const { rows } = await pool.query("select available, replaced_by from products where id = $1", [plan]);
  expect(rows).toEqual([{ available: true, replaced_by: null }]);
  const entries = "select command from audit_log where command like 'console product%' order by number";
  expect((await pool.query(entries)).rows.map(({ command }) => command)).toEqual([
    "console product off-sale",
    "console product on-sale",
  ]);
});
