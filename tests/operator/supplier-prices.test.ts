import { afterAll, beforeEach, expect, test } from "vitest";
import type { ConnectorKind } from "../../src/providers/connector-kind.ts";
import { connectorKinds } from "../../src/providers/registry.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { priceListKind } from "../support/price-list/price-list-kind.ts";
import { sent, startPriceList } from "../support/price-list/price-list-server.ts";

// Other files share the list: it is as it was when this one is through.
const kinds = connectorKinds as ConnectorKind[];
kinds.push(priceListKind);
afterAll(() => void kinds.splice(kinds.indexOf(priceListKind), 1));
const server = closing(await startPriceList());
const service = closing(await startConsole({ supplierOrigins: [server.url] }));
const { pool } = service.app.fresh;
const at = "/operator/suppliers/lister/prices";
const chidi = await service.staff("catalogue");

beforeEach(async () => {
  await pool.query("truncate suppliers cascade");
  await pool.query(
    `insert into suppliers (name, connector, settings)
     values ('lister', 'price-list', jsonb_build_object('base_url', $1::text))`,
    [server.url],
  );
  // Product 1002 is 640.00 to everybody.
  await pool.query(
    `insert into supplier_routes (product_id, supplier, supplier_code, cost)
     values (1002, 'lister', '007', 60000), (1003, 'lister', 'gone', 60000), (1004, 'lister', 'kept', 50000)`,
  );
  server.products = [
    sent("data", "007", ["NGN", 64_001]),
    sent("data", "kept", ["NGN", 40_000]),
    sent("data", "fresh", ["NGN", 45_000]),
  ];
  server.broken = null;
});

const routes = async () =>
  (
    await pool.query(
      "select product_id as id, supplier_code as code, cost::int, enabled from supplier_routes order by product_id",
    )
  ).rows.map((row) => Object.values(row).join(" "));
const before = ["1002 007 60000 true", "1003 gone 60000 true", "1004 kept 50000 true"];

/** Asks for the list. @returns the page, what it says it shows, and each line's number by its code */
async function ask() {
  const done = await chidi.follow(await chidi.send(`${at}/ask`));
  return { ...done, ...(await shown()) };
}

async function shown() {
  const { text } = await chidi.get(at);
  const list = /name="shown" value="([^"]*)"/.exec(text)?.[1] ?? "";
  const lines = [...text.matchAll(/Line (\d+) · [^<]*code ([\w-]+)</g)];
  const lineOf = (code: string) => lines.find(([, , each]) => each === code)?.[1] ?? "none";
  return { page: text, list, lineOf };
}

test("asking changes no route and shows what differs, what would sell below cost in red with its price", async () => {
  const { text, page } = await ask();
  expect(text).toContain("3 products listed, 4 differences.");
  expect(page).toMatch(/<strong class="ink-bad">costs ₦640\.01, sells for ₦640\.00/);
  expect(page.match(/Below cost \(1\)|Gone \(1\)|Cost changed \(1\)|New \(1\)/g)).toHaveLength(4);
  expect(await routes()).toEqual(before);
  expect((await chidi.get(`${at}?change=gone`)).text).not.toContain("code kept");
});

test("chosen lines are applied and leave the list, and nothing else; who did it is in the audit log", async () => {
  const { list, lineOf } = await ask();
  const fresh = lineOf("fresh");
  const fields = { shown: list, do: "yes", line: [lineOf("kept"), fresh], [`product-${fresh}`]: "1005" };
  const { text } = await chidi.follow(await chidi.send(`${at}/accept`, fields));
  expect(text).toContain("1 route added, 1 cost changed.");
  expect(await routes()).toEqual([before[0], before[1], "1004 kept 40000 true", "1005 fresh 45000 true"]);
  const left = await shown();
  expect([left.lineOf("kept"), left.lineOf("fresh"), left.lineOf("007")]).toEqual(["none", "none", "1"]);
  const { rows } = await pool.query("select who, details from audit_log where command = 'console supplier prices'");
  expect([rows.length, rows[0].who]).toEqual([1, `staff:${chidi.email}`]);
  expect(JSON.parse(rows[0].details).chosen).toContain("cost_changed data kept 500.00 400.00");
});

test("a route that somebody changed meanwhile is refused by its line, and no other line is applied", async () => {
  const { list, lineOf } = await ask();
  await pool.query("update supplier_routes set cost = 47000 where supplier_code = 'kept'");
  const line = [lineOf("kept"), lineOf("gone")];
  const { status, text } = await chidi.send(`${at}/accept`, { shown: list, do: "yes", line });
  expect([status, text.includes("The route has another cost by now")]).toEqual([400, true]);
  expect(text).toMatch(new RegExp(`value="${line[0]}"[^>]*checked`));
  expect(await routes()).toEqual([before[0], before[1], "1004 kept 47000 true"]);
});

test("a list that was asked for again meanwhile is refused, and what was chosen then is not chosen now", async () => {
  const { list, lineOf } = await ask();
  const line = lineOf("gone");
  server.products = [...server.products, sent("data", "another", ["NGN", 1_000])];
  await ask();
  const { status, text } = await chidi.send(`${at}/accept`, { shown: list, do: "yes", line });
  expect([status, text.includes("The list changed meanwhile")]).toEqual([400, true]);
  expect(text).not.toContain(" checked");
  expect(await routes()).toEqual(before);
});

test("a cost above the price is taken with a warning that names it, or taken with its route turned off", async () => {
  const first = await ask();
  const taken = { shown: first.list, do: "yes", line: first.lineOf("007") };
  const { text } = await chidi.follow(await chidi.send(`${at}/accept`, taken));
  expect(text).toMatch(/Below cost now: .* costs ₦640\.01 and sells for ₦640\.00/);
  await pool.query("update supplier_routes set cost = 60000 where product_id = 1002");
  const second = await ask();
  await chidi.send(`${at}/accept`, { shown: second.list, do: "off", line: second.lineOf("007") });
  expect((await routes())[0]).toBe("1002 007 64001 false");
});

test("more than half of a category as gone is refused until it is meant; something new needs our product", async () => {
  server.products = [sent("data", "fresh", ["NGN", 45_000])];
  const { list, lineOf } = await ask();
  const line = ["007", "gone", "kept"].map(lineOf);
  const refused = await chidi.send(`${at}/accept`, { shown: list, do: "yes", line });
  expect([refused.status, refused.text.includes("was the list cut short?")]).toEqual([400, true]);
  const unnamed = await chidi.send(`${at}/accept`, { shown: list, do: "yes", line: lineOf("fresh") });
  expect([unnamed.status, unnamed.text.includes("type the number of our product")]).toEqual([400, true]);
  expect(await routes()).toEqual(before);
  await chidi.send(`${at}/accept`, { shown: list, do: "yes", line, many_gone: "on" });
  expect((await routes()).every((row) => row.endsWith("false"))).toBe(true);
});

test("the downloaded file, marked, is applied by upload; another file is refused at its field", async () => {
  await ask();
  const { text: csv } = await chidi.get(`${at}.csv`);
  const marked = csv.replace(/^,cost_changed,/m, "yes,cost_changed,");
  const { text } = await chidi.follow(await chidi.send(`${at}/upload`, { file: marked, "file-name": "marked.csv" }));
  expect(text).toContain("1 cost changed.");
  expect((await routes())[2]).toBe("1004 kept 40000 true");
  for (const [file, why] of [
    ["", "Choose the file"],
    ["a,b\n1,2\n", "The file has no column"],
    ["PK\u0003\u0004", "Excel workbook"],
    [csv, "No line is marked"],
    [marked.replace("kept", "kept2"), "not as it was written"],
  ] as const) {
    const refused = await chidi.send(`${at}/upload`, { file });
    expect([refused.status, refused.text.includes(why)], why).toEqual([400, true]);
  }
});

test("a list that is not told whole changes nothing, and who has no list is told so", async () => {
  await ask();
  const { page } = await shown();
  server.broken = { path: "/data/1", by: "outage" };
  expect((await chidi.follow(await chidi.send(`${at}/ask`))).text).toContain("sent an incomplete list");
  expect((await shown()).page.includes("code kept")).toBe(page.includes("code kept"));
  await pool.query("insert into suppliers (name, connector, settings) values ('desk', 'manual', '{}')");
  const desk = await chidi.follow(await chidi.send("/operator/suppliers/desk/prices/ask"));
  expect(desk.text).toContain("desk has no list");
});

test("a list of which not all is kept says how much more there is, and where", async () => {
  await ask();
  expect((await shown()).page).not.toContain("more differences");
  await pool.query("update supplier_catalogues set new_products = new_products + 7000");
  expect((await shown()).page).toContain("7,000 more differences are not here.");
});

test("support reads the list and can’t accept a line of it", async () => {
  const { list, lineOf } = await ask();
  const support = await service.staff("support");
  expect((await support.get(at)).text).not.toContain("Accept chosen");
  const refused = await support.send(`${at}/accept`, { shown: list, do: "yes", line: lineOf("kept") });
  expect(refused.status).toBe(403);
  expect(await routes()).toEqual(before);
});
