import { mkdtemp, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { expect, test } from "vitest";
import { closing } from "../support/closing.ts";
import { type StaffClient, startConsole } from "../support/console.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey } from "../support/webhooks.ts";
import { base, decide, openPrices, plan, type } from "./open-prices.ts";

// What takes the second person away by another way than the change itself.

const service = closing(await startConsole({ suppliers: [openFakeSupplier("sold")] }));
const { pool } = service.app.fresh;
const { priceOf } = await openPrices(service);
const cheap = `/operator/routes/${plan}/suppliers/cheap`;

const costOf = async (supplier = "cheap") =>
  (
    await pool.query("select cost::integer from supplier_routes where product_id = $1 and supplier = $2", [
      plan,
      supplier,
    ])
  ).rows[0]?.cost;
const waiting = async (kind: string) =>
  (await pool.query("select id from changes where kind = $1 and state = 'waiting' order by id", [kind])).rows;

/** Asks, and takes it back where it waits for somebody. */
async function withdrawn(person: StaffClient, answer: Promise<string>): Promise<string> {
  const text = await answer;
  const { rows } = await pool.query("select max(id) as id from changes where state = 'waiting'");
  await person.send(`/operator/approvals/${rows[0].id}`, { do: "withdraw" });
  return text;
}

test("a cost that falls by a tenth, at once or in two steps of a day, waits for an admin, wherever it is typed", async () => {
  const [ada, admin] = [await service.staff("catalogue"), await service.staff("admin")];
  const seen = async () => /name="seen" value="([^"]*)"/.exec((await ada.get(cheap)).text)?.[1] ?? "";
  const save = async (cost: string) =>
    (await ada.follow(await ada.send(cheap, { code: "p1", cost, on: "on", seen: await seen() }))).text;
  expect(await save("1.00")).toContain("for approval. Nothing has changed");
  expect([await costOf(), (await waiting("lower cost")).length]).toEqual([50_000, 1]);
  expect(await withdrawn(ada, save("2.00"))).toContain("asked for this already");
  for (const cost of ["450.00", "0.5%", "1.00 USD"]) {
    expect(await withdrawn(ada, save(cost))).toContain("for approval. Nothing has changed");
  }
  expect(await save("460.00")).toContain("Saved.");
  expect(await save("430.00")).toContain("for approval");
  expect(await save("470.00")).toContain("Saved.");
  expect(await costOf()).toBe(47_000);
  // Of what was asked for under other costs nothing is carried out; asked for anew, it is.
  const [{ id: old }] = await waiting("lower cost");
  await admin.send(`/operator/approvals/${old}`, { do: "approve" });
  expect(await costOf()).toBe(47_000);
  await save("400.00");
  const { id } = (await waiting("lower cost")).at(-1);
  await ada.send(`/operator/approvals/${id}`, { do: "approve" });
  expect(await costOf()).toBe(47_000);
  expect((await admin.follow(await admin.send(`/operator/approvals/${id}`, { do: "approve" }))).text).toContain(
    "400.00",
  );
  expect(await costOf()).toBe(40_000);

  await pool.query("insert into suppliers (name, connector, settings) values ('new', 'manual', '{}')");
  const added = { supplier: "new", code: "p9", cost: "1.00", on: "on" };
  await ada.send(`/operator/routes/${plan}/add`, added);
  expect(await costOf("new")).toBe(undefined);
  const list = `product,code,cost\n${plan},p1,1.00`;
  const looked = await ada.send("/operator/routes/import", { supplier: "cheap", list });
  const imported = { supplier: "cheap", list, seen: /name="seen" value="([^"]*)"/.exec(looked.text)?.[1] ?? "" };
  const refused = await ada.send("/operator/routes/import/apply", imported);
  expect([refused.text.includes("an admin has to do this"), await costOf()]).toEqual([true, 40_000]);
  expect((await admin.send("/operator/routes/import/apply", imported)).status).toBe(303);
  expect(await costOf()).toBe(100);
});

test("two steps of a day are compared with the price of a day ago", async () => {
  const ada = await service.staff("catalogue");
  await decide(ada, await type(ada, [[base(plan), "700"]]));
  expect(await priceOf(plan)).toBe(70_000);
  await service.app.feel("catalogue");
  const further = await type(ada, [[base(plan, "700.00"), "760"]]);
  expect((await ada.get(further)).text).toContain("Ask for approval");
  await decide(ada, further);
  expect([await priceOf(plan), (await waiting("change prices")).length]).toEqual([70_000, 1]);
  await pool.query("update price_history set set_at = set_at - interval '25 hours'");
  await decide(ada, await type(ada, [[base(plan, "700.00"), "760"]]));
  expect(await priceOf(plan)).toBe(76_000);
});

test("a cap below what a supplier was sent today is a stop, which takes two people", async () => {
  const [ada, other] = [await service.staff("catalogue"), await service.staff("catalogue")];
  const key = service.app.merchant.liveKey ?? "";
  await pool.query("delete from supplier_routes where product_id = 1005");
  await pool.query(
    "insert into supplier_routes (product_id, supplier, supplier_code, cost) values (1005, 'sold', 'x', 50000)",
  );
  await service.app.feel("routes");
  const body = { reference: "capped-1", product_id: 1005, phone: "08031234567" };
  expect((await service.app.call(key, "/data/purchase", { body })).status).toBeLessThan(300);
  await service.app.services.routeCounts.flush();
  const at = "/operator/suppliers/sold";
  const limit = async (fields: object) =>
    (await ada.follow(await ada.send(`${at}/limits`, { cap: "", cap_sales: "", ...fields }))).text;
  const stored = async () =>
    (
      await pool.query(
        "select day_cost::text as cap, day_purchases as sales from supplier_limits where supplier = 'sold'",
      )
    ).rows;
  for (const fields of [{ cap: "1.00" }, { cap_sales: "1" }]) {
    expect(await withdrawn(ada, limit(fields))).toContain("for approval. Nothing has changed");
  }
  expect(await limit({ cap: "900,000" })).toContain("Saved.");
  expect(await stored()).toEqual([{ cap: "90000000", sales: null }]);
  await limit({ cap: "2.00" });
  const { id } = (await waiting("limit supplier")).at(-1);
  await other.send(`/operator/approvals/${id}`, { do: "approve" });
  expect(await stored()).toEqual([{ cap: "200", sales: null }]);
});

const run = (...words: string[]) =>
  operate(words, { DATABASE_URL: service.app.fresh.url, ENCRYPTION_KEY: testEncryptionKey });

async function approved(person: StaffClient, kind: string): Promise<string> {
  const { id } = (await waiting(kind)).at(-1);
  return (await person.follow(await person.send(`/operator/approvals/${id}`, { do: "approve" }))).text;
}

test("a command that stops a supplier by its state or its limits asks for a second person too", async () => {
  const [ada, other] = [await service.staff("catalogue"), await service.staff("catalogue")];
  const settings = async () =>
    (
      await pool.query(
        `select s.state, l.day_cost::text as cap, l.day_purchases as sales
           from suppliers s left join supplier_limits l on l.supplier = s.name where s.name = 'sold'`,
      )
    ).rows[0];
  await run("supplier", "cap", "sold", "--off");
  const before = await settings();
  // What it was sent yesterday counts as well: after midnight a cap of 1 stops it all the same.
  await pool.query("update supplier_hours set hour = hour - interval '20 hours' where supplier = 'sold'");
  await pool.query("update supplier_category_hours set hour = hour - interval '20 hours' where supplier = 'sold'");
  await pool.query("delete from supplier_days where supplier = 'sold'");
  for (const words of [
    ["cap", "sold", "--per-day", "1.00"],
    ["cap", "sold", "--purchases", "1"],
    ["disable", "sold"],
  ]) {
    const nobody = await run("supplier", ...words);
    expect([nobody.code, nobody.error]).toEqual([1, expect.stringContaining("--by must be the email")]);
    const reply = await run("supplier", ...words, "--by", ada.email);
    expect([reply.code, reply.out]).toEqual([0, expect.stringMatching(/^Nothing has changed yet: approval \d+ waits/)]);
    const again = await run("supplier", ...words, "--by", other.email);
    expect([again.code, again.error]).toEqual([1, expect.stringContaining("asked for this already")]);
    expect(await settings()).toEqual(before);
    const [kind, sentence] =
      words[0] === "disable" ? ["stop supplier", "is stopped"] : ["limit supplier", "new limits"];
    expect(await approved(other, kind ?? "")).toContain(sentence);
    expect(await settings()).not.toEqual(before);
    await run("supplier", "cap", "sold", "--off");
    await run("supplier", "enable", "sold");
  }
  expect((await run("supplier", "cap", "sold", "--purchases", "5000")).out).toContain("no more than 5000 purchases");
});

test("a list that a command imports takes routes away only by two people, and without --whole none", async () => {
  const [ada, other] = [await service.staff("catalogue"), await service.staff("catalogue")];
  const file = path.join(await mkdtemp(path.join(tmpdir(), "dispense-stops-")), "routes.csv");
  const imported = async (lines: readonly string[], ...words: string[]) => {
    await writeFile(file, `product,code,cost\n${lines.join("\n")}\n`);
    return run("route", "import", file, "--supplier", "sold", ...words);
  };
  const routes = async () => (await pool.query("select from supplier_routes where supplier = 'sold'")).rowCount ?? 0;
  const all = ["1005,x,500.00", "1006,x,500.00", "1007,x,500.00"];
  await imported(all);
  const before = await routes();
  expect(before).toBeGreaterThanOrEqual(3);
  expect((await imported(all.slice(0, 1))).out).toContain("1 products go to sold.");
  expect((await imported(all.slice(0, 1), "--whole")).error).toContain("--by must be the email");
  const reply = await imported(all.slice(0, 1), "--whole", "--by", ada.email);
  expect(reply.out).toMatch(/^Nothing has changed yet: approval \d+ waits/);
  expect(await routes()).toBe(before);
  expect(await approved(other, "import routes")).toContain("Imported: ");
  expect(await routes()).toBe(1);
});
