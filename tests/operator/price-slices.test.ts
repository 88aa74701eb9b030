import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";
import { base, decide, here, openPrices, other, plan, third, type } from "./open-prices.ts";

// A tenth in 24 hours is what one person may move a price: in one step or in several, wherever each of them is typed.

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const { priceOf } = await openPrices(service);
const [ada, admin] = [await service.staff("catalogue"), await service.staff("admin")];
const run = (...words: string[]) => operate(words, { DATABASE_URL: app.fresh.url, ENCRYPTION_KEY: testEncryptionKey });

async function raise(person: StaffClient, cells: readonly (readonly [string, string])[]): Promise<string> {
  await app.feel("catalogue");
  return (await person.follow(await decide(person, await type(person, cells)))).text;
}

async function upload(person: StaffClient, file: string): Promise<string> {
  await app.feel("catalogue");
  const { location } = await person.send(`${here}/upload`, { file });
  return (await person.follow(await decide(person, location ?? ""))).text;
}

const lastRequest = async () =>
  (await pool.query("select max(id) as id from changes where state = 'waiting'")).rows[0].id;

test("by the page: a second tenth waits, also as a tier's own price over a base price that was just raised", async () => {
  expect(await raise(ada, [[base(plan), "704.00"]])).toContain("in force");
  expect(await raise(ada, [[base(plan, "704.00"), "704.01"]])).toContain("for approval. Nothing has changed");
  expect(await raise(ada, [[`price ${plan} tier-2 `, "704.00"]])).toContain("in force");
  expect(await raise(ada, [[`price ${plan} tier-3 `, "774.00"]])).toContain("for approval. Nothing has changed");
  expect(await raise(ada, [[`price ${plan} tier-2 704.00`, "760.00"]])).toContain("for approval. Nothing has changed");
  expect([await priceOf(plan), await priceOf(plan, 2), await priceOf(plan, 3)]).toEqual([70_400, 70_400, null]);
});

test("by a file: a second tenth waits, whoever made the first one", async () => {
  expect(await upload(ada, `product_id,base_price\n${other},704.00`)).toContain("in force");
  const bola = await service.staff("catalogue");
  expect(await upload(bola, `product_id,base_price\n${other},774.00`)).toContain("for approval. Nothing has changed");
  expect(await priceOf(other)).toBe(70_400);
});

test("fifty prices a day are one person's, however many changes they are in", async () => {
  const { rows } = await pool.query(
    `select id, (price * 102 / 100)::numeric / 100 as price from products
      where price > 0 and price_basis_points is null and id <> all ($1) order by id limit 60`,
    [[plan, other, third]],
  );
  const list = (from: number) =>
    rows.slice(from, from + 30).map(({ id, price }) => `${id},${Number(price).toFixed(2)}`);
  const uche = await service.staff("catalogue");
  expect(await upload(uche, ["product_id,base_price", ...list(0)].join("\n"))).toContain("in force");
  expect(await upload(uche, ["product_id,base_price", ...list(30)].join("\n"))).toContain("for approval. Nothing has");
});

test("by a command: a second tenth is asked for, its number printed, and done once an admin agrees", async () => {
  expect((await run("set-price", String(third), "704.00")).out).toContain(`Product ${third} costs 704.00`);
  expect((await run("set-price", String(third), "774.00")).error).toContain("--by must be the email of a person");
  const printed = await run("set-price", String(third), "774.00", "--by", ada.email);
  const id = await lastRequest();
  expect(printed.out).toContain(`Nothing has changed yet: approval ${id} waits for a second person`);
  expect((await run("set-price", String(third), "780.00", "--by", ada.email)).error).toContain(`as approval ${id} `);
  expect(await priceOf(third)).toBe(70_400);
  await ada.send(`/operator/approvals/${id}`, { do: "approve" });
  expect(await priceOf(third)).toBe(70_400);
  const agreed = await admin.follow(await admin.send(`/operator/approvals/${id}`, { do: "approve" }));
  expect([agreed.text.includes("in force"), await priceOf(third)]).toEqual([true, 77_400]);
  const { rows } = await pool.query("select after, made_by from price_history where change_id = $1", [id]);
  expect(rows).toEqual([{ after: { price: 77_400 }, made_by: `staff:${ada.email}` }]);
  await service.staff("admin");
  // What no admin is asked for by the page is asked for here: a command proves nobody's role.
  const cheap = await run("set-price", String(third), "1.00", "--by", admin.email, "--json");
  expect(cheap.lines).toEqual([{ approval: await lastRequest(), done: false }]);
  expect(await priceOf(third)).toBe(77_400);
});

test("by a command: a tier's own price that is taken away moves what it pays, and a fee moves large sales alone", async () => {
  const free = 1005;
  const { rows } = await pool.query("select price::integer from products where id = $1", [free]);
  await pool.query("insert into tier_prices (product_id, tier, price) values ($1, 4, $2)", [free, rows[0].price / 2]);
  const cleared = await run("clear-price", String(free), "--tier", "4", "--by", ada.email);
  expect([cleared.out.includes("waits for a second person"), await priceOf(free, 4)]).toEqual([
    true,
    rows[0].price / 2,
  ]);
  const fee = await run("set-price", "2001", "96.8%", "--fee", "15%", "--fee-cap", "1.00");
  expect(fee.out).toContain("costs 96.8%");
  const uncapped = await run("set-price", "2001", "96.8%", "--fee", "15%", "--fee-cap", "10000.00", "--by", ada.email);
  expect(uncapped.out).toContain("waits for a second person");
});
