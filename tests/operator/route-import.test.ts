import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type ConsoleAnswer, startConsole } from "../support/console.ts";

const service = closing(await startConsole());
const { pool } = service.app.fresh;
const ada = await service.staff("catalogue");
const support = await service.staff("support");
await pool.query("insert into suppliers (name, connector) values ('byhand', 'manual'), ('speaks', 'vtpass')");

const hidden = ({ text }: ConsoleAnswer, name: string) =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1]?.replaceAll("&amp;", "&") ?? "";
async function lastEntry(): Promise<{ command: string; who: string; details: Record<string, unknown> }> {
  const { rows } = await pool.query("select who, command, details from audit_log order by number desc limit 1");
  return { ...rows[0], details: JSON.parse(rows[0].details) };
}

const importPath = "/operator/routes/import";
const list = (...lines: string[]) => ["product,code,cost,priority", ...lines].join("\n");

test("an import is previewed, applied as a whole, and written to the audit log", async () => {
  const first = await ada.send(importPath, { supplier: "byhand", list: list("1002,a,600.00,50", "1003,b,700.00,") });
  expect(first.text).toContain("Apply 2 changes");
  expect((await pool.query("select from supplier_routes where supplier = 'byhand'")).rowCount).toBe(0);
  const fields = (answer: ConsoleAnswer, text: string) => ({
    supplier: "byhand",
    list: text,
    seen: hidden(answer, "seen"),
  });
  const text = list("1002,a,600.00,50", "1003,b,700.00,");
  expect((await ada.send(`${importPath}/apply`, fields(first, text))).status).toBe(303);

  // One moved, one changed, one added, and with the tick one removed.
  const newer = list("1002,a,600.00,5", "1004,c,800.00,");
  const second = await ada.send(importPath, { supplier: "byhand", list: newer, whole: "on" });
  expect(second.text).toContain("Apply 3 changes");
  for (const word of ["Moved", "Added", "Removed", "was 50"]) expect(second.text).toContain(word);
  expect((await ada.send(`${importPath}/apply`, { ...fields(second, newer), whole: "on" })).status).toBe(303);
  const { rows } = await pool.query(
    "select product_id, supplier_code, priority from supplier_routes where supplier = 'byhand' order by product_id",
  );
  expect(rows).toEqual([
    { product_id: 1002, supplier_code: "a", priority: 5 },
    { product_id: 1004, supplier_code: "c", priority: 100 },
  ]);
  // It takes more than a tenth of the routes away, and nobody else could have agreed to it yet.
  expect(await lastEntry()).toMatchObject({
    command: "console approval alone",
    details: { kind: "import routes", summary: "Import a list of byhand that removes 1 route" },
  });
  const third = await ada.send(importPath, { supplier: "byhand", list: list("1004,c,800.00,7") });
  await ada.send(`${importPath}/apply`, fields(third, list("1004,c,800.00,7")));
  expect(await lastEntry()).toMatchObject({
    command: "console routes import",
    details: { supplier: "byhand", added: 0, moved: 1, removed: 0, changed: 0 },
  });
});

test("a list that takes away more than a tenth of what a supplier may sell is agreed to by a second person", async () => {
  const bola = await service.staff("catalogue");
  const found = await pool.query(
    "select id from products where amount_type = 'fixed' and foreign_face is null and id > 1010 order by id limit 11",
  );
  const ids: number[] = found.rows.map(({ id }) => id);
  const text = list(...ids.map((id) => `${id},c${id},99%,`));
  const routes = async () => (await pool.query("select from supplier_routes where supplier = 'speaks'")).rowCount;
  const send = async (whole: string) => {
    const look = await ada.send(importPath, { supplier: "speaks", list: whole, whole: "on" });
    const fields = { supplier: "speaks", list: whole, whole: "on", seen: hidden(look, "seen") };
    return (await ada.follow(await ada.send(`${importPath}/apply`, fields))).text;
  };
  expect(await send(text)).toContain("Imported: 11 routes changed.");
  expect(await send(list(...ids.slice(1).map((id) => `${id},c${id},99%,`)))).toContain("Imported: 1 route changed.");
  expect(await send(list(`${ids[1]},c${ids[1]},99%,`))).toContain("for approval. Nothing has changed");
  expect(await routes()).toBe(10);
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  const approved = await bola.follow(await bola.send(`/operator/approvals/${rows[0].id}`, { do: "approve" }));
  expect(approved.text).toContain("Imported: 9 routes changed.");
  expect(await routes()).toBe(1);
});

test("an import is refused when a route changed between preview and button, and shows what it does now", async () => {
  const text = list("1002,a,650.00,5", "1004,c,850.00,");
  const previewed = await ada.send(importPath, { supplier: "byhand", list: text });
  await pool.query("update supplier_routes set cost = 65000 where supplier = 'byhand' and product_id = 1002");
  const fields = { supplier: "byhand", list: text, seen: hidden(previewed, "seen") };
  const refused = await ada.send(`${importPath}/apply`, fields);
  expect(refused.status).toBe(400);
  expect(refused.text).toContain("Someone else changed these routes.");
  expect(refused.text).toContain("Apply 1 change");
  const { rows } = await pool.query("select cost from supplier_routes where supplier = 'byhand' and product_id = 1004");
  expect(rows).toEqual([{ cost: "80000" }]);
});

test("wrong lines are named by their numbers, nothing is applied, and the list stands there to be mended", async () => {
  const text = list(
    "1002,a,cheap,5",
    "999999,b,1.00,",
    "1003,c,1.00,,,x",
    "1004,d,1.00,",
    "1004,e,1.00,",
    "1005,f,1.00,1000",
  );
  const wrong = await ada.send(importPath, { supplier: "byhand", list: text });
  expect(wrong.status).toBe(400);
  for (const sentence of [
    "Line 2 (1002, a, cheap): It must be naira",
    "Line 3: There is no such product.",
    "Line 4 has 6 cells, and the heading has 4.",
    "Product 1004 is in line 5 and in line 6.",
    "Line 7 (1005, f, 1.00): It must be a whole number from 1 to 999.",
    "1005,f,1.00,1000",
  ]) {
    expect(wrong.text).toContain(sentence);
  }
  expect(wrong.text).not.toContain("/import/apply");
  const seen = hidden(await ada.send(importPath, { supplier: "byhand", list: list("1002,a,1.00,5") }), "seen");
  // A person who leaves the preview out gets no further: not the line that is right either.
  const half = list("1002,a,cheap,5", "1004,d,1.00,");
  const forced = await ada.send(`${importPath}/apply`, { supplier: "byhand", list: half, seen });
  expect(forced.status).toBe(400);
  const { rows } = await pool.query(
    "select count(*)::integer as n from supplier_routes where supplier_code in ('d', 'e')",
  );
  expect(rows).toEqual([{ n: 0 }]);
});

test("what is no list is refused at its field, and nothing typed is lost", async () => {
  for (const [text, sentence] of [
    ["", "Paste the list, or choose its file."],
    ["PK\u0003\u0004", "an Excel workbook"],
    ["id,price\n1,2", "has no column product, cost"],
    ['product,cost\n1002,"1', "isn’t CSV"],
    ["product,cost\n1002,1.00", "speaks calls products by codes"],
  ] as const) {
    const refused = await ada.send(importPath, { supplier: "speaks", list: text });
    expect([refused.status, refused.text.includes(sentence)], sentence).toEqual([400, true]);
    if (text.startsWith("id")) expect(refused.text).toContain("id,price");
  }
});

test("a file of one supplier's routes is imported again without a change, by that supplier alone", async () => {
  const file = await support.get("/operator/routes/routes.csv?supplier=byhand");
  expect(file.headers.get("content-disposition")).toContain("routes-byhand.csv");
  expect((await ada.send(importPath, { supplier: "byhand", list: file.text, whole: "on" })).text).toContain(
    "Nothing changes",
  );
  expect((await ada.send(importPath, { supplier: "speaks", list: file.text })).text).toContain(
    "It is a route to byhand.",
  );
});
