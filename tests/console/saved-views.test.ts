import { expect, test } from "vitest";
import { savedViewsMax } from "../../src/domain/history/views/view-queries.ts";
import type { MemberClient } from "../support/console.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const failed = { list: "transactions", query: "status=failed&days=7" };

const save = (who: MemberClient, name: string, view: Partial<typeof failed> = {}) =>
  who.send("/test/views/new", { ...failed, ...view, name });
const bar = async (who: MemberClient, path = "/test/transactions") =>
  /<nav class="views"[\s\S]*?<\/nav>/.exec((await who.get(path)).text)?.[0] ?? "";

test("a filtered list is kept by a name, opened by it in both modes and by the box, and removed", async () => {
  const owner = await service.member("owner");
  expect(await bar(owner)).toBe("");
  const offered = /href="(\/test\/views\/new[^"]*)"/.exec(await bar(owner, "/test/transactions?status=failed&days=7"));
  const form = await owner.get((offered?.[1] ?? "").replaceAll("&amp;", "&"));
  expect(form.text).toContain('name="query" value="days=7&amp;status=failed"');
  const saved = await save(owner, "Failed this week");
  expect(saved.location).toBe("/test/transactions?days=7&status=failed");
  for (const mode of ["live", "test"]) {
    expect(await bar(owner, `/${mode}/transactions`)).toContain(
      `href="/${mode}/transactions?days=7&amp;status=failed">Failed this week</a>`,
    );
  }
  expect(await bar(owner, "/test/transactions?status=failed&days=7")).toContain('aria-current="true"');
  expect((await owner.get("/test/search?q=failed+this")).location).toBe("/test/transactions?days=7&status=failed");
  const removed = await owner.send("/test/views/remove", { list: "transactions", name: "Failed this week" });
  expect((await owner.follow(removed)).text).toContain("No saved views");
});

test("a view of the same name takes its place, and nobody has more than there may be", async () => {
  const owner = await service.member("owner");
  for (const query of ["status=failed", "status=pending"])
    expect((await save(owner, "Mine", { query })).status).toBe(303);
  expect(await bar(owner)).toContain("?status=pending");
  expect(await bar(owner)).not.toContain("?status=failed");
  for (let n = 2; n <= savedViewsMax; n++) expect((await save(owner, `view ${n}`)).status).toBe(303);
  const more = await save(owner, "one more");
  expect([more.status, more.text.includes(`You have ${savedViewsMax} views`)]).toEqual([400, true]);
  expect(more.text).toContain('value="one more"');
});

test("a view is its person's and its business's alone, and goes with the membership", async () => {
  const [owner, colleague] = [await service.member("owner"), await service.member("owner")];
  await save(owner, "Only mine");
  expect((await colleague.get("/test/views")).text).toContain("No saved views");
  await colleague.send("/test/views/remove", { list: "transactions", name: "Only mine" });
  expect(await bar(owner)).toContain("Only mine");
  await pool.query("delete from members m using people p where p.id = m.person_id and p.email = $1", [owner.email]);
  const { rows } = await pool.query("select 1 from saved_views where name = 'Only mine'");
  expect(rows).toEqual([]);
});

test("a list that the role may not see is neither kept nor shown, and no view leads elsewhere", async () => {
  const finance = await service.member("finance");
  for (const view of [{ list: "requests" }, { list: "../../evil" }, { list: "constructor" }, { query: "" }]) {
    const refused = await save(finance, "Not mine", view);
    expect([view, refused.status, refused.text.includes("save it from there")]).toEqual([view, 400, true]);
  }
  const owner = await service.member("owner");
  await save(owner, "Errors", { list: "requests", query: "status=failed" });
  await pool.query("update members m set role = 'finance' from people p where p.id = m.person_id and p.email = $1", [
    owner.email,
  ]);
  expect((await owner.get("/test/views")).text).not.toContain("Errors</a>");
});

test("names and filters stay text, wherever they are shown", async () => {
  const owner = await service.member("owner");
  expect((await save(owner, "<img src=x>", { query: 'q="><script>x</script>' })).status).toBe(303);
  for (const path of ["/test/views", "/test/transactions", "/test/search?q=img"]) {
    const { text } = await owner.follow(await owner.get(path));
    expect(text).not.toContain("<img src=x>");
    expect(text).not.toContain("<script>x");
  }
  const nameless = await save(owner, "");
  expect([nameless.status, nameless.text.includes("Enter a name")]).toEqual([400, true]);
});
