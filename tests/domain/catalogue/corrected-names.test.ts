import { readFile } from "node:fs/promises";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startingCatalogue } from "../../../src/domain/catalogue/starting-catalogue.ts";
import { type FreshDatabase, migrationsDirectory, stockedDatabase } from "../../support/database.ts";

let fresh: FreshDatabase;
beforeAll(async () => {
  fresh = await stockedDatabase();
});
afterAll(() => fresh.drop());

const ids = [1623, 1624, 1625, 1626, 4302];
/** As a deployment before the correction has them. */
const shippedNames = `
  update products
     set name = case id when 4302 then 'Showmax Sports Mobile'
                        else 'Airtel ' || plan || ' CORPORATE GIFTING (30 days)' end,
         plan = case id when 4302 then 'Sports Mobile' else plan end,
         plan_type = case id when 4302 then null else 'CORPORATE GIFTING' end
   where id = any ($1)`;

async function correct(): Promise<void> {
  await fresh.pool.query("alter table webhook_logs drop column bodies_purged_to");
  await fresh.pool.query(await readFile(path.join(migrationsDirectory, "0039_names_and_bodies.sql"), "utf8"));
}

test("a deployment's products are called what a new one calls them, merchants are told, and what is routed keeps its meaning", async () => {
  await fresh.pool.query(shippedNames, [ids]);
  await fresh.pool.query("insert into suppliers (name, connector) values ('ours', 'vtpass')");
  await fresh.pool.query(
    "insert into supplier_routes (product_id, supplier, supplier_code, cost) values (1624, 'ours', 'cg-8gb', 240000)",
  );
  await fresh.pool.query("update products set price = 123456, available = false where id = 1623");
  const before = await revision();

  await correct();

  const corrected = ids.filter((id) => id !== 1624);
  const { rows } = await fresh.pool.query(
    'select id, name, plan, plan_type as "planType", code from products where id = any ($1) order by id',
    [ids],
  );
  const asNew = startingCatalogue.products
    .filter(({ id }) => ids.includes(id))
    .map(({ id, name, plan, planType = null, code }) => ({ id, name, plan, planType, code }));
  const routed = { name: "Airtel 8GB CORPORATE GIFTING (30 days)", planType: "CORPORATE GIFTING" };
  expect(rows).toEqual(asNew.map((product) => (product.id === 1624 ? { ...product, ...routed } : product)));
  const kept = await fresh.pool.query("select price, available from products where id = 1623");
  expect(kept.rows).toEqual([{ price: "123456", available: false }]);
  expect(await marks()).toEqual(corrected.map((product_id) => ({ kind: "name", product_id })));
  expect(await revision()).toBeGreaterThan(before);
});

async function marks() {
  return (await fresh.pool.query("select kind, product_id from catalogue_changes order by id")).rows;
}

async function revision(): Promise<number> {
  const { rows } = await fresh.pool.query("select revision from revisions where subject = 'catalogue'");
  return Number(rows[0].revision);
}
