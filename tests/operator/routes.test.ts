import { expect, test } from "vitest";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, startConsole } from "../support/console.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";

const suppliers = ["alpha", "beta", "gamma"].map((name) => openFakeSupplier(name));
const service = closing(await startConsole({ suppliers }));
const { app } = service;
const { pool } = app.fresh;
const ada = await service.staff("catalogue");
const support = await service.staff("support");
const names = suppliers.map(({ name }) => name);

const product = 1002;
const page = `/operator/routes/${product}`;

/** `supplier priority weight on` of a product's routes, by priority. */
async function stored(id = product): Promise<string[]> {
  const { rows } = await pool.query(
    `select concat_ws(' ', supplier, priority, weight, case when enabled then 'on' else 'off' end) as route
       from supplier_routes
      where product_id = $1
      order by priority, supplier`,
    [id],
  );
  return rows.map(({ route }) => route);
}

async function orderOf(id = product): Promise<string[]> {
  return (await stored(id)).map((route) => route.split(" ")[0] ?? "");
}

const hidden = ({ text }: ConsoleAnswer, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
const rowsOf = ({ text }: ConsoleAnswer) =>
  [...text.matchAll(/type="hidden" name="supplier" value="([^"]+)"/g)].map(([, name]) => name);

/** The form of the page, as it was drawn. */
async function form(more: Record<string, string | readonly string[]> = {}) {
  const drawn = await ada.get(page);
  const boxes = [...drawn.text.matchAll(/name="(weight-[a-z]+)"[^>]*value="(\d+)"/g)].map(([, name, value]) => [
    name,
    value,
  ]);
  const on = [...drawn.text.matchAll(/<input[^>]*name="(on-[a-z]+)"[^>]*>/g)]
    .filter(([input]) => input.includes("checked"))
    .map(([, name]) => [name, "on"]);
  return {
    ...{
      seen: hidden(drawn, "seen"),
      drawn: hidden(drawn, "drawn"),
      by: "priority",
      supplier: rowsOf(drawn) as string[],
    },
    ...Object.fromEntries([...boxes, ...on]),
    ...more,
  } as Record<string, string | readonly string[]>;
}

async function lastEntry(): Promise<{ command: string; who: string; details: Record<string, unknown> }> {
  const { rows } = await pool.query("select who, command, details from audit_log order by number desc limit 1");
  return { ...rows[0], details: JSON.parse(rows[0].details) };
}

test("a person puts the routes in another order, weighs and stops them in one form, and sales follow", async () => {
  const before = await form();
  expect(before.supplier).toEqual(names);
  const { "on-beta": _stopped, ...others } = before;
  const answer = await ada.send(page, {
    ...others,
    ...{ supplier: ["gamma", "alpha", "beta"], "weight-gamma": "70", by: "weight" },
  });
  expect((await ada.follow(answer)).text).toContain("Saved.");
  expect(await stored()).toEqual(["gamma 10 70 on", "alpha 20 100 on", "beta 30 100 off"]);
  const { command, who, details } = await lastEntry();
  expect([command, who]).toEqual(["console routes arrange", expect.stringContaining(ada.email)]);
  expect(details).toMatchObject({ product, by: "weight" });
  // Back: by priority, gamma first.
  await ada.send(page, await form({ "on-beta": "on", by: "priority", "weight-gamma": "100" }));
  await app.feel("routes");
  const body = { product_id: product, phone: "08031234567", reference: "after-reordering" };
  await app.call(app.merchant.liveKey, "/data/purchase", { body });
  expect(suppliers.map(({ calls }) => calls.length)).toEqual([0, 0, 1]);
});

test("without JavaScript a button moves a row, keeps what was typed, and saves nothing", async () => {
  const before = await stored();
  const fields = await form({ "weight-alpha": "7x", move: "up alpha" });
  const moved = await ada.send(`${page}/arrange`, fields);
  expect([moved.status, rowsOf(moved)]).toEqual([200, ["alpha", "gamma", "beta"]]);
  expect(moved.text).toContain('value="7x"');
  expect(await stored()).toEqual(before);
  const refused = await ada.send(page, { ...fields, supplier: rowsOf(moved) as string[] });
  expect([refused.status, rowsOf(refused)]).toEqual([400, ["alpha", "gamma", "beta"]]);
  expect(refused.text).toContain("A whole number from 0 to 100.");
  expect(await stored()).toEqual(before);
});

test("a form that somebody else overtook changes nothing, and shows what is stored beside what was typed", async () => {
  const mine = await form({ "weight-alpha": "11", supplier: ["beta", "alpha", "gamma"] });
  await ada.send(page, await form({ "weight-alpha": "22" }));
  const overtaken = await stored();
  const refused = await ada.send(page, mine);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Someone else changed these routes.");
  expect(refused.text).toContain('value="11"');
  expect(refused.text).toContain("now 22");
  expect(rowsOf(refused)).toEqual(["beta", "alpha", "gamma"]);
  expect(await stored()).toEqual(overtaken);
  // Moving a row meanwhile doesn't make an overtaken form pass unseen.
  const moved = await ada.send(`${page}/arrange`, { ...mine, move: "up gamma" });
  expect(moved.text).toContain("What is stored now stands beside what you typed.");
  // A person who has seen both saves again.
  const again = { ...mine, seen: hidden(refused, "seen"), drawn: hidden(refused, "drawn") };
  expect((await ada.send(page, again)).status).toBe(303);
  expect(await stored()).toEqual(["beta 10 100 on", "alpha 20 11 on", "gamma 30 100 on"]);
});

test("a form that leaves a route out, or names one twice, changes nothing", async () => {
  const before = await stored();
  for (const supplier of [["beta"], ["beta", "beta", "gamma"], ["beta", "alpha", "nobody"]]) {
    expect((await ada.send(page, await form({ supplier, "weight-nobody": "1" }))).status).toBe(400);
  }
  expect(await stored()).toEqual(before);
});

test("a route is added last, changed at its own page, and removed after a question", async () => {
  await pool.query("insert into suppliers (name, connector) values ('byhand', 'manual'), ('speaks', 'vtpass')");
  const wrong = await ada.send(`${page}/add`, { supplier: "speaks", code: "", cost: "cheap", on: "on" });
  expect(wrong.status).toBe(400);
  expect(wrong.text).toContain("speaks calls products by codes");
  expect(wrong.text).toContain("It must be naira such as 612.00");
  expect(wrong.text).toContain('value="cheap"');
  expect((await ada.send(`${page}/add`, { supplier: "alpha", code: "x", cost: "1.00" })).text).toContain(
    "There is a route to this supplier already.",
  );
  await ada.send(`${page}/add`, { supplier: "byhand", code: "", cost: "98%", on: "on" });
  expect((await stored()).at(-1)).toBe("byhand 40 100 on");
  expect((await lastEntry()).command).toBe("console routes add");

  const own = `${page}/suppliers/byhand`;
  const seen = hidden(await ada.get(own), "seen");
  await ada.send(own, { seen, code: "by-hand-1", cost: "97.5%" });
  const { rows } = await pool.query(
    "select supplier_code, cost_basis_points, enabled, priority from supplier_routes where supplier = 'byhand'",
  );
  expect(rows).toMatchObject([{ supplier_code: "by-hand-1", cost_basis_points: 9750, enabled: false, priority: 40 }]);
  const stale = await ada.send(own, { seen, code: "by-hand-2", cost: "98%" });
  expect([stale.status, stale.text.includes("by-hand-2"), stale.text.includes("Stored now: code by-hand-1")]).toEqual([
    ...[400, true, true],
  ]);

  expect((await ada.get(`${own}/remove`)).text).toContain("Remove route");
  await ada.send(`${own}/remove`);
  expect(await orderOf()).not.toContain("byhand");
  expect((await lastEntry()).details).toMatchObject({ product, supplier: "byhand", cost: "97.5%" });
});

test("the list says who is first, why a supplier is left out, and which products nobody can sell", async () => {
  const found = await support.get("/operator/routes?find=1002");
  for (const name of names) expect(found.text).toContain(name);
  expect(found.text).not.toContain("can’t be sold now");
  await pool.query("update suppliers set state = 'disabled' where name <> 'alpha'");
  await pool.query(
    "insert into supplier_breakers (supplier, category, open_at) values ('alpha', 'data', now() + interval '1 hour')",
  );
  await app.feel("routes");
  const away = await support.get("/operator/routes?state=unserved&category=data");
  expect(away.text).toContain("Can’t sell");
  expect(away.text).toContain("breaker for data is open");
  expect((await support.get("/operator/routes?state=unserved&category=airtime")).text).toContain("No products match");
  await pool.query("delete from supplier_breakers");
  await pool.query("update suppliers set state = 'enabled'");
  await app.feel("routes");
});

test("a sale is explained for a merchant and an amount, as routing would choose, and what makes no sense stays typed", async () => {
  const merchant = formatMerchantId(app.merchant.id);
  const explained = await support.get(`${page}/explain?merchant=${merchant}`);
  expect(explained.text).toContain("Sells it");
  const order = [...explained.text.matchAll(/data-title="Why"[^>]*>([^<]+)/g)].map(([, why]) => why);
  expect(order[0]).toMatch(/^Chosen: first in priority of/);
  const airtime = "/operator/routes/2001/explain";
  const priced = await support.get(`${airtime}?merchant=${merchant}&amount=1,000`);
  expect(priced.text).toContain("₦900.00");
  for (const [query, sentence] of [
    ["merchant=nobody", "No merchant has this ID"],
    [`merchant=${merchant}&amount=0.01`, "Must be between"],
    [`merchant=${merchant}&amount=100,00`, "isn&#39;t read as an amount"],
  ] as const) {
    const refused = await support.get(`${airtime}?${query}`);
    expect(
      [refused.status, refused.text.includes(sentence) || refused.text.replaceAll("'", "&#39;").includes(sentence)],
      sentence,
    ).toEqual([400, true]);
  }
});

test("support reads every page and sees no form; what it sends is refused", async () => {
  expect((await support.get(page)).text).not.toContain('name="weight-');
  const before = await stored();
  for (const [path, fields] of [
    [page, await form({ supplier: ["gamma", "beta", "alpha"] })],
    ["/operator/routes/import/apply", { supplier: "alpha", list: "product,code,cost\n1002,z,1.00" }],
    [`${page}/suppliers/alpha/remove`, {}],
  ] as const) {
    expect((await support.send(path, fields)).status).toBe(403);
  }
  expect(await stored()).toEqual(before);
});
