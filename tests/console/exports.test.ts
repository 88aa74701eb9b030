import { expect, test } from "vitest";
import { fillShop } from "../support/busy-shop.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { startReceiver, waitUntil } from "../support/receiver.ts";
import { testWebhooks } from "../support/webhooks.ts";

const receiver = closing(await startReceiver((response) => response.writeHead(200).end()));
const service = closing(
  await startConsole({
    workers: true,
    sandboxPendingSeconds: 1,
    webhooks: { ...testWebhooks, allowPrivate: true },
  }),
);
const merchant = await service.app.createMerchant();
const owner = await service.member("owner", merchant.id);
const finance = await service.member("finance", merchant.id);
const stranger = await service.member("owner");
const phone = "08031234561";
await fillShop(service, { merchant, owner, prefix: "order", word: "Mama Tolu's", phone, webhookUrl: receiver.url });
for (const [label, customer_ref] of [
  ["=cmd|'calc'!A1", "08051234567"],
  ['<b>Chidi</b>, "the second"', "08071234567"],
]) {
  const sent = { label, category: "airtime", customer_ref };
  expect((await service.app.call(merchant.testKey, "/beneficiaries", { body: sent })).status).toBe(201);
}
const pending = "select count(*)::int as count from purchases where abs(wallet_id) = $1 and status = 'pending'";
await waitUntil(async () => (await query(pending))[0]?.count === 0, "all purchases to end");
// A delivery is logged some moments after it was sent.
const due = "select count(*)::int as count from webhook_outbox where abs(wallet_id) = $1";
await waitUntil(async () => (await query(due))[0]?.count === 0, "all events to arrive");

async function query(sql: string): Promise<Record<string, unknown>[]> {
  return (await service.app.fresh.pool.query(sql, [owner.merchantId])).rows;
}

/** The cells of one column; none of the cells before it has a comma in it. */
function columnOf(text: string, name: string): string[] {
  const [heading = "", ...records] = text.trimEnd().split("\r\n");
  const at = heading.split(",").indexOf(name);
  return records.map((record) => record.split(",")[at] ?? "");
}

const files = ["webhooks/deliveries", "bulk", "beneficiaries"] as const;

test.each(files)("%s: the list leads to its file, which is kept and not shown", async (page) => {
  const list = await owner.get(`/test/${page}`);
  const href = new RegExp(`href="(/test/${page}\\.csv[^"]*)"`).exec(list.text)?.[1]?.replaceAll("&amp;", "&");
  const file = await owner.get(href ?? "");
  expect([file.status, file.headers.get("content-type"), file.headers.get("content-disposition")]).toEqual([
    200,
    "text/csv; charset=utf-8",
    expect.stringMatching(/^attachment; filename="[a-z-]+-\d+_test\.csv"$/),
  ]);
});

const byteOrderMark = "efbbbf";
const beginningOf = async (path: string, headers: Record<string, string>) => {
  const answer = await fetch(`${service.url}${path}`, { headers });
  const bytes = Buffer.from(await answer.arrayBuffer());
  return [answer.status, path, bytes.subarray(0, 3).toString("hex")];
};

test("every CSV that a person keeps says that it is UTF-8, once, and the one that a program reads does not", async () => {
  const cookie = [...owner.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  const paths = service.routes.filter(({ path }) => path.endsWith(".csv")).map(({ path }) => path);
  expect(paths.length).toBeGreaterThan(10);
  for (const template of paths) {
    const path = template.replace(":reference", "order-bulk").replace(":category", "data");
    const isFound = !path.startsWith("/live/bulk/order-bulk");
    const expected = isFound ? [200, path, byteOrderMark] : [404, path, expect.not.stringContaining(byteOrderMark)];
    expect(await beginningOf(path, { cookie })).toEqual(expected);
  }
  const { testKey } = await service.app.createMerchant();
  const program = { authorization: `Bearer ${testKey}`, accept: "text/csv" };
  const [status, , beginning] = await beginningOf("/api/v1/merchant/wallet/statement", program);
  expect([status, beginning]).toEqual([200, Buffer.from("seq").toString("hex")]);
});

test("the delivery log's file has every attempt of its filter once, newest first", async () => {
  const idsOf = async (where: string) =>
    (
      await query(`select delivery_id from webhook_attempts where wallet_id = -$1::integer and ${where}
                  order by id desc`)
    ).map((row) => row.delivery_id);
  const all = await idsOf("true");
  expect(all.length).toBeGreaterThan(3);
  const [id = ""] = all;
  for (const [address, where] of [
    ["", "true"],
    ["status=success", "successful"],
    ["status=failed", "not successful"],
    ["event=transaction.failed", "event = 'transaction.failed'"],
    [`q=${id}`, `delivery_id = '${id}'`],
    ["q=order-1", "delivery_id in (select delivery_id from purchases where reference = 'order-1')"],
    ["upto=2", "id <= 2"],
    ["endpoint=whe_zz", "false"],
  ]) {
    const { text } = await owner.get(`/test/webhooks/deliveries.csv?${address}`);
    expect([address, columnOf(text, "delivery_id")]).toEqual([address, await idsOf(where ?? "")]);
  }
  const { text } = await owner.get("/test/webhooks/deliveries.csv?q=order-1");
  expect(columnOf(text, "answer")).toEqual(["HTTP 200"]);
  expect(columnOf((await owner.get("/live/webhooks/deliveries.csv")).text, "delivery_id")).toEqual([]);
});

test("the log is read to its end, however many reads it takes", async () => {
  const other = await service.app.createMerchant();
  const client = await service.member("owner", other.id);
  const insert = `
    with log as (insert into webhook_logs (wallet_id, last_id) values ($1, 501))
    insert into webhook_attempts (wallet_id, id, endpoint_number, delivery_id, attempt, event, url,
                                  url_version, successful, http_status, duration_ms, response_body, created_at)
    select $1, n, 1, gen_random_uuid(), 1, 'webhook.test', 'https://shop.example/' || n, 1, n % 5 > 0, 200, 5,
           '', now()
      from generate_series(1, 501) n`;
  await service.app.fresh.pool.query(insert, [other.id]);
  const urls = async (filter: string) =>
    columnOf((await client.get(`/live/webhooks/deliveries.csv${filter}`)).text, "url");
  const expected = Array.from({ length: 501 }, (_, at) => 501 - at);
  expect(await urls("")).toEqual(expected.map((n) => `https://shop.example/${n}`));
});

test("the file of beneficiaries has those of its filter, and what begins like a formula is made harmless", async () => {
  const refs = async (filter: string) => {
    const { text } = await finance.get(`/live/beneficiaries.csv${filter}`);
    return text.trimEnd().split("\r\n").slice(1);
  };
  const all = await refs("");
  expect(all).toHaveLength(3);
  expect(all[1]).toContain(",'=cmd|'calc'!A1,airtime,08051234567,");
  expect(all[0]).toContain(',"<b>Chidi</b>, ""the second""",airtime,08071234567,');
  expect(await refs("?q=chidi")).toEqual([all[0]]);
  expect(await refs("?category=electricity")).toEqual([]);
});

test("nobody takes files of another merchant's", async () => {
  for (const page of files) {
    const { status, text } = await stranger.get(`/test/${page}.csv`);
    expect([page, status, text.trimEnd().split("\r\n").length]).toEqual([page, 200, 1]);
  }
  expect((await stranger.get("/test/bulk.csv?q=order-bulk")).text).not.toContain("order-bulk");
});

test("each file that was taken is entered in the audit log with its filter, a bulk order's results among them", async () => {
  const taken = [
    ["webhooks/deliveries.csv?status=failed", "webhook-deliveries.csv", { status: "failed" }],
    ["bulk.csv", "bulk-orders.csv", {}],
    ["bulk/order-bulk/results.csv", "bulk-order-bulk.csv", {}],
    ["beneficiaries.csv?q=tolu", "beneficiaries.csv", { q: "tolu" }],
    ["transactions.csv?status=failed", "transactions.csv", { status: "failed" }],
  ] as const;
  for (const [path, file, filter] of taken) {
    expect((await owner.get(`/test/${path}`)).status).toBe(200);
    const { rows } = await service.app.fresh.pool.query(
      "select who, command, details from audit_log order by number desc limit 1",
    );
    const entry = { ...rows[0], details: JSON.parse(rows[0].details) };
    const details = { merchant: `mer_${owner.merchantId}`, mode: "test", file, filter };
    expect(entry).toEqual({ who: `member:${owner.email}`, command: "console export", details });
  }
});
