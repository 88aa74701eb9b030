import { expect, test } from "vitest";
import type { StaffClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const merchant = `mer_${service.app.merchant.id}`;

const entriesOf = async ({ email }: StaffClient) =>
  (
    await pool.query("select command, details from audit_log where who = $1 order by number", [`staff:${email}`])
  ).rows.map(({ command, details }) => [command, JSON.parse(details)]);

test("each file of the company's console is in the audit log before it leaves, and none that nobody takes", async () => {
  const admin = await service.staff("admin");
  const pathOf = (path: string) => path.replace(":supplier", "first").replace(":id", merchant);
  const files = service.operatorRoutes.filter(({ method, isFile }) => method === "GET" && isFile);
  expect(files.map(({ path }) => path)).toContain("/operator/reports.csv");
  for (const { path } of files) {
    await fetch(`${service.url}${pathOf(path)}`, {
      method: "HEAD",
      headers: { cookie: `staff=${admin.cookies.get("staff")}` },
    });
  }
  expect(await entriesOf(admin)).toEqual([]);
  const taken: string[] = [];
  for (const { path } of files) {
    const { headers } = await admin.get(pathOf(path));
    if (headers.has("content-disposition")) taken.push(path);
  }
  expect(taken.length).toBeGreaterThan(2);
  const entries = await entriesOf(admin);
  expect(entries.length).toBe(taken.length);
  for (const [command, { file }] of entries)
    expect([command, file]).toEqual([
      expect.stringMatching(/^console (export|merchant statement)$/),
      expect.stringMatching(/\.csv$/),
    ]);
});

test("a merchant's own price list and template leave with an entry as well", async () => {
  const owner = await service.member("owner");
  for (const path of ["prices/prices.csv", "bulk/new/airtime/template.csv"]) await owner.get(`/test/${path}`);
  const taken = "select details from audit_log where who = $1 and command = 'console export' order by number";
  const { rows } = await pool.query(taken, [`member:${owner.email}`]);
  expect(rows.map(({ details }) => JSON.parse(details).file)).toEqual(["prices-test.csv", "airtime-template.csv"]);
});

test("a search is logged once a minute, of a customer's number the last four digits", async () => {
  const support = await service.staff("support");
  const search = () => support.get("/operator/search?q=0803+123+4567", { "x-fragment": "true" });
  for (const _again of [1, 2, 3]) await search();
  await support.get("/operator/sales?customer=08031234567");
  await support.get("/operator/sales?status=pending");
  const logged = [
    ["console search", { q: "…4567" }],
    ["console search", { customer: "…4567" }],
  ];
  expect(await entriesOf(support)).toEqual(logged);
  await pool.query("update log_in_failures set first_at = first_at - interval '61 seconds'");
  await search();
  expect(await entriesOf(support)).toEqual([...logged, logged[0]]);
});
