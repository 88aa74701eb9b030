import { expect, test } from "vitest";
import { mayView } from "../../src/console/merchant/access.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import type { StaffClient } from "../support/console.ts";
import { entranceForms, findPages } from "../support/console-pages.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const id = formatMerchantId(service.app.merchant.id);
const at = `/operator/merchants/${id}`;

const pathOf = (path: string) => path.replace(/:\w+/g, "nothing").replace("*", "nowhere");

async function viewing(role: StaffClient["role"] = "support"): Promise<StaffClient> {
  const client = await service.staff(role);
  expect((await client.send(`${at}/view`)).location).toBe("/live/overview");
  return client;
}

const entriesOf = async ({ email }: StaffClient) =>
  (await pool.query("select command, details from audit_log where who = $1 order by number", [`staff:${email}`])).rows;

/** Rows of every table, but for the log of looks, and requests of the API that are given back as their slot ends. */
async function fingerprint(): Promise<string> {
  const { rows } = await pool.query<{ name: string }>(
    `select relname as name
       from pg_class
      where relkind = 'r'
        and relnamespace = 'public'::regnamespace
        and relname not in ('audit_log', 'merchant_views', 'request_counts', 'sessions')
      order by relname`,
  );
  const counts = rows.map(async ({ name }) => {
    const sums = await pool.query(
      `select md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${name} t`,
    );
    return `${name} ${sums.rows[0].sum}`;
  });
  return (await Promise.all(counts)).join("\n");
}

test("a view sees every page that the owner sees, but for secrets, files and what is a person's own", async () => {
  const client = await viewing();
  const wrong: string[] = [];
  for (const { path, capability, isFile } of service.routes.filter(({ method }) => method === "GET")) {
    const { status, text } = await client.get(pathOf(path));
    const isRefused = status === 403 && text.includes("Only the merchant’s people see this");
    if (status >= 500 || status === 401 || isRefused !== (isFile || !mayView(capability)))
      wrong.push(`${path} (${capability}) answered ${status}`);
  }
  expect(wrong).toEqual([]);
  const { text } = await client.get("/live/overview");
  expect([text.includes("read only until"), text.includes("/operator/views/end")]).toEqual([true, true]);
});

test("no spelling of a file's address brings a view the file, nor more entries than one, and no file is undeclared", async () => {
  const client = await viewing();
  const { rows } = await pool.query("select count(*)::integer as lines from audit_log");
  const files = service.routes.filter(({ isFile }) => isFile).map(({ path }) => pathOf(path));
  expect(files.length).toBeGreaterThan(15);
  const spelt = (path: string) => {
    const last = path.at(-1) ?? "";
    const encoded = `%${last.charCodeAt(0).toString(16)}`;
    return [
      ...[`${path}/`, path.replace(".", "%2e"), path.replace(".", "%2E"), `${path.slice(0, -1)}${encoded}`],
      ...[`${path}?x=1`, `${path}%3Fx`, `${path};x`, `/${path.slice(1, 2)}${path.slice(2).replaceAll("c", "%63")}`],
    ];
  };
  const taken: string[] = [];
  for (const path of files.flatMap(spelt)) {
    const { status, headers } = await client.get(path);
    if (status === 200 || headers.has("content-disposition")) taken.push(path);
  }
  expect(taken).toEqual([]);
  const after = await pool.query("select command from audit_log offset $1", [rows[0].lines]);
  expect(after.rows.filter(({ command }) => command === "console export")).toEqual([]);
});

test("a page of one address is logged once, however it is spelt, and names what was searched and opened", async () => {
  const client = await viewing();
  const spellings = ["/test/transactions", "/test/transactions/", "/test/transact%69ons", "/test/transactions?"];
  for (const path of [...spellings, "/test/transactions?phone=08031234567&open=viewed-1"]) await client.get(path);
  const seen = (await entriesOf(client)).slice(1).map(({ details }) => JSON.parse(details).path);
  expect(seen).toEqual(["/test/transactions", "/test/transactions?phone=…4567&open=viewed-1"]);
  const { status, text } = await client.get(`/test/transactions?x=${"y".repeat(300)}&open=viewed-1`);
  expect([status, text.includes("viewed-1")]).toEqual([403, false]);
});

test("a view gets no signature by the merchant's secret and no secret part of an address", async () => {
  const owner = await service.member("owner");
  const url = "https://hooks.example/in?key=hook-secret-1";
  const settings = { url, description: "", mode: "both", notify: "all", which: "all" };
  expect((await owner.send("/test/webhooks/endpoints/new", settings)).text).toContain("whsec_");
  const { path, body } = sampleOf("airtime");
  await service.app.call(service.app.merchant.testKey, path, { body: { ...body, reference: "signed-1" } });
  const { rows } = await pool.query("select id::text from webhook_deliveries order by 1 desc limit 1");
  const { pages } = await findPages(service, owner);
  const client = await viewing("admin");
  const at = `/test/webhooks/tester?delivery=${rows[0]?.id}`;
  expect((await owner.get(at)).text).toContain("webhook-signature: v1,");
  const wrong: string[] = [];
  for (const each of [at, ...pages.map((one) => one.path)]) {
    const { text } = await client.get(each);
    if (text.includes("v1,") || text.includes("hook-secret-1")) wrong.push(each);
  }
  expect(wrong).toEqual([]);
});

test("every form is refused to a view, of routes behind the login and before it, and nothing is changed", async () => {
  const client = await viewing("admin");
  const before = await fingerprint();
  const paths = service.routes.filter(({ method }) => method === "POST").map(({ path }) => pathOf(path));
  expect(paths.length).toBeGreaterThan(50);
  for (const path of [...paths, ...entranceForms, "/account/choose"]) {
    const { status, text } = await client.send(path, { do: "all", name: "changed" });
    expect([path, status, text.includes("This view is read only")]).toEqual([path, 403, true]);
  }
  expect(await fingerprint()).toBe(before);
});

test("each page is in the log once before it is shown, with who looked and at whom", async () => {
  const client = await viewing();
  for (const path of ["/live/overview", "/live/wallet?days=7", "/live/overview"]) await client.get(path);
  await client.send("/operator/views/end");
  const page = (path: string) => ({
    command: "console view page",
    details: JSON.stringify({ merchant: id, path }),
  });
  const about = { details: JSON.stringify({ merchant: id }) };
  expect(await entriesOf(client)).toEqual([
    { command: "console view open", ...about },
    page("/live/overview"),
    page("/live/wallet?days=7"),
    { command: "console view end", ...about },
  ]);
  expect(client.cookies.has("viewing")).toBe(false);
  expect((await client.get("/live/overview")).location).toContain("/log-in");
});

test.each<[string, (client: StaffClient) => Promise<unknown>]>([
  ["after 15 minutes", () => pool.query("update merchant_views set ends_at = now()")],
  ["when the person logs out", (client) => client.send("/operator/log-out")],
  ["when the person is removed", ({ personId }) => pool.query("delete from staff where person_id = $1", [personId])],
  [
    "when the person has a role that may not look",
    ({ personId }) => pool.query("update staff set role = 'catalogue' where person_id = $1", [personId]),
  ],
])("a view ends %s", async (_when, end) => {
  const client = await viewing();
  expect((await client.get("/live/overview")).status).toBe(200);
  const cookie = client.cookies.get("viewing") ?? "";
  await end(client);
  const { status, text } = await client.get("/live/overview");
  expect([status, text.includes("This view has ended")]).toEqual([403, true]);
  client.cookies.set("viewing", cookie);
  const sent = await client.send("/live/keys", { label: "mine" });
  expect([sent.status, sent.text.includes("This view has ended")]).toEqual([403, true]);
});

test("a staff session lets nobody into merchants' pages, nor a view into the company's", async () => {
  const client = await viewing();
  const token = client.cookies.get("viewing") ?? "";
  const staff = client.cookies.get("staff") ?? "";
  const guest = service.guest();
  guest.cookies.set("merchant", staff);
  expect((await guest.get("/live/overview")).location).toContain("/log-in");
  for (const name of ["staff", "merchant"]) guest.cookies.set(name, token);
  expect((await guest.get("/live/overview")).location).toContain("/log-in");
  expect((await guest.get(at)).location).toContain("/operator/log-in");
});

test("a view wins over an account of the same browser, so that nothing is done in the wrong place", async () => {
  const client = await viewing();
  const owner = await service.member("owner");
  client.cookies.set("merchant", owner.cookies.get("merchant") ?? "");
  expect((await client.get("/live/overview")).text).toContain("read only");
  expect((await client.send("/test/sandbox/reset")).status).toBe(403);
  await client.send("/operator/views/end");
  expect((await client.get("/live/overview")).text).not.toContain("read only");
});

test("what was delivered is on no page of a view, however it is come to", async () => {
  const { path, body } = sampleOf("electricity");
  const sale = { body: { ...body, reference: "viewed-1" } };
  const bought = await service.app.call(service.app.merchant.testKey, path, sale);
  const token = String(bought.body.token).replace(/\D/g, "");
  expect(token).toMatch(/^\d{20}$/);
  const { pages } = await findPages(service, await service.member("owner"));
  const client = await viewing("admin");
  const shown = ["/test/transactions/viewed-1", "/test/transactions/viewed-1/receipt", "/test/buy/bought/viewed-1"];
  const wrong: string[] = [];
  for (const each of new Set([...shown, ...pages.map((page) => page.path)])) {
    const { text } = await client.get(each);
    if (text.replace(/<[^>]*>|[\s-]/g, "").includes(token) || text.includes('/reveal"')) wrong.push(each);
  }
  expect([pages.length > 30, wrong]).toEqual([true, []]);
});
