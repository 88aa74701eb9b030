import { expect, test } from "vitest";
import { openLog } from "../../src/platform/telemetry/log.ts";
import { draftPurge, priceChanging } from "../../src/workers/change-prices.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { base, decide, here, openPrices, other, plan, third, type } from "./open-prices.ts";

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const { reset, priceOf, marks } = await openPrices(service);
const { database } = app.services;
const log = openLog({ level: "silent" });

test("a scheduled change is made once at its time by whichever worker, and not at all once it is cancelled", async () => {
  const admin = await service.staff("admin");
  const soon = "2030-01-01T06:00";
  const refused = await decide(admin, await type(admin, [[base(plan), "650"]]), { starts_at: "2020-01-01T06:00" });
  expect([refused.status, refused.text.includes("within the next year")]).toEqual([400, true]);
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const path = await type(admin, [[base(plan), "650"]]);
  expect((await admin.follow(await decide(admin, path, { starts_at: tomorrow }))).text).toContain("new prices start");
  expect([await priceOf(plan), await marks()]).toEqual([64_000, []]);
  const { rows } = await pool.query(
    `select starts_at at time zone 'Africa/Lagos' = $2::timestamp as is from price_changes where id = $1`,
    [path.slice(path.lastIndexOf("/") + 1), tomorrow],
  );
  expect(rows).toEqual([{ is: true }]);
  // Another one for the same price would never be made, so it isn't scheduled.
  const second = await decide(admin, await type(admin, [[base(plan), "660"]]), { starts_at: tomorrow });
  expect([second.status, second.text.includes("Cancel that first")]).toEqual([400, true]);

  const looks = Array.from({ length: 4 }, () => priceChanging.open({ database, log }));
  await Promise.all(looks.map((look) => look()));
  expect(await priceOf(plan)).toBe(64_000);
  await pool.query("update price_changes set starts_at = now() where state = 'scheduled'");
  const dying: typeof database = {
    ...database,
    transaction: (work) =>
      database.transaction(async (tx) => {
        await work(tx);
        throw new Error("killed before the commit");
      }),
  };
  await expect(priceChanging.open({ database: dying, log })()).rejects.toThrow("killed");
  expect([await priceOf(plan), await marks()]).toEqual([64_000, []]);
  const carried = await Promise.all(looks.map((look) => look()));
  expect(carried.filter((each) => each === "again")).toHaveLength(1);
  expect([await priceOf(plan), await marks()]).toEqual([65_000, [{ kind: "price", product_id: plan, tier: null }]]);
  const entries = "select who from audit_log where command = 'console prices carry-out'";
  expect((await pool.query(entries)).rows).toEqual([{ who: `staff:${admin.email}` }]);
  await reset();

  const cancelled = await type(admin, [[base(plan), "650"]]);
  await decide(admin, cancelled, { starts_at: tomorrow });
  expect((await admin.follow(await admin.send(`${cancelled}/cancel`))).text).toContain("Prices stay as they are");
  await pool.query("update price_changes set starts_at = now() where state = 'cancelled'");
  await looks[0]?.();
  expect([await priceOf(plan), (await admin.send(`${cancelled}/cancel`)).status, soon > tomorrow]).toEqual([
    ...[64_000, 400, true],
  ]);
});

test("a scheduled change sets nothing where one of its prices was changed before its time", async () => {
  const admin = await service.staff("admin");
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const path = await type(admin, [
    [base(plan), "650"],
    [base(other), "650"],
  ]);
  await decide(admin, path, { starts_at: tomorrow });
  await decide(admin, await type(admin, [[base(other), "645"]]));
  await pool.query("update price_changes set starts_at = now() where state = 'scheduled'");
  await priceChanging.open({ database, log })();
  expect([await priceOf(plan), await priceOf(other)]).toEqual([64_000, 64_500]);
  expect((await admin.get(path)).text).toContain("One of its prices was changed before its time");
  await reset();
});

test("an undoing is a change of its own, and overwrites newer prices only where that is ticked", async () => {
  const admin = await service.staff("admin");
  const path = await type(admin, [
    [base(plan), "650"],
    [`price ${other} tier-2 `, "630"],
  ]);
  await decide(admin, path);
  await app.feel("catalogue");
  await decide(admin, await type(admin, [[base(plan, "650.00"), "655"]]));
  await app.feel("catalogue");
  const undo = (await admin.send(`${path}/undo`)).location ?? "";
  const preview = await admin.get(undo);
  expect([preview.text.includes("Undoes change"), preview.text.includes("Overwrite 1 price")]).toEqual([true, true]);
  // The newer price can be left out, and keeps what it is then.
  const [, newer = ""] = /name="line" value="([^"]*)" checked/.exec(preview.text) ?? [];
  const less = (await admin.send(`${undo}/leave-out`, { line: [newer] })).location ?? "";
  const rest = (await admin.get(less)).text;
  expect([newer, rest.includes("Undoes change"), rest.includes("Overwrite")]).toEqual([
    `${plan} everyone`,
    true,
    false,
  ]);
  const all = [newer, `${other} tier 2`];
  expect((await admin.send(`${undo}/leave-out`, { line: all })).text).toContain("No price would change");
  const refused = await decide(admin, undo);
  expect([refused.status, await priceOf(plan), await priceOf(other, 2)]).toEqual([400, 65_500, 63_000]);
  expect((await decide(admin, undo, { changed_since: "on" })).status).toBe(303);
  expect([await priceOf(plan), await priceOf(other, 2)]).toEqual([64_000, null]);
  expect((await admin.get(path)).text).toContain("Undone by");
  await reset();
});

test("the file has exactly the filter, comes back as a preview, and its wrong lines are named by number", async () => {
  const admin = await service.staff("admin");
  await pool.query("update products set name = '=1+1 MTN' where id = $1", [plan]);
  await app.feel("catalogue");
  const { text } = await admin.get(`${here}/prices.csv?q=1%2B1`);
  const lines = text.replace("\uFEFF", "").trim().split("\r\n");
  expect([lines.length, lines[1]?.includes("'=1+1 MTN"), lines[1]?.endsWith("640.00")]).toEqual([2, true, true]);
  const upload = (file: string) => admin.send(`${here}/upload`, { file });
  const wrong = await upload(
    `product_id;base_price;tier_2_price\n${plan};650;\n99;1;\n${other};none;630\n${third};1,50;\n${plan};651;`,
  );
  for (const words of ["There’s no product “99”", "can’t be taken away", "“1,50” isn’t a price", "stands in line 2"]) {
    expect([words, wrong.status, wrong.text.includes(words)]).toEqual([words, 400, true]);
  }
  expect((await upload("name,price\nx,1")).status).toBe(400);
  const changed = [lines[0], lines[1]?.replace(/640\.00$/, "650.00")].join("\r\n");
  const good = await upload(changed);
  const path = good.location ?? "";
  expect((await admin.get(path)).text).toContain("Change 1 price");
  expect((await decide(admin, path)).status).toBe(303);
  expect(await priceOf(plan)).toBe(65_000);
  await reset();
});

test("a sale while its price changes is charged the price that its shop expected, or is refused with PRICE_CHANGED", async () => {
  const admin = await service.staff("admin");
  const path = await type(admin, [[base(plan), "650"]]);
  const buy = (reference: string) =>
    app.call(app.merchant.testKey, "/data/purchase", {
      body: { reference, product_id: plan, phone: "08031234567", expected_price: "640.00" },
    });
  const first = Array.from({ length: 10 }, (_, at) => buy(`before-${at}`));
  await decide(admin, path);
  await app.feel();
  const last = Array.from({ length: 10 }, (_, at) => buy(`after-${at}`));
  const before = await Promise.all(first);
  const after = await Promise.all(last);
  const ends = before.map(({ status, body }) => (status === 409 ? body.code : `${status} ${body.total_deducted}`));
  expect(ends.filter((end) => !["PRICE_CHANGED", "201 640.00"].includes(end))).toEqual([]);
  expect(new Set(after.map(({ body }) => body.code))).toEqual(new Set(["PRICE_CHANGED"]));
  const { rows } = await pool.query("select distinct total from purchases");
  expect(rows).toEqual(ends.includes("201 640.00") ? [{ total: "64000" }] : []);
  await reset();
});

test("a preview that nobody made a change of is gone after a week, and what was done stays", async () => {
  const admin = await service.staff("admin");
  const done = await type(admin, [[base(plan), "650"]]);
  await decide(admin, done);
  const old = await type(admin, [[base(other), "650"]]);
  const young = await type(admin, [[base(third), "650"]]);
  await pool.query("update price_changes set created_at = now() - interval '8 days' where id <> $1", [
    young.slice(young.lastIndexOf("/") + 1),
  ]);
  await draftPurge.open({ database, log })();
  const found = await Promise.all([done, old, young].map(async (path) => (await admin.get(path)).status));
  expect(found).toEqual([200, 404, 200]);
  await reset();
});
