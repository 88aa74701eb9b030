import { beforeEach, expect, test } from "vitest";
import { type Condition, insertProcessAlert } from "../../../src/domain/alerts/alert-queries.ts";
import { judgeAlerts } from "../../../src/domain/alerts/alerts.ts";
import { findConditions } from "../../../src/domain/alerts/conditions.ts";
import { listPosts } from "../../../src/domain/alerts/post-queries.ts";
import { sendPosts } from "../../../src/domain/alerts/send-posts.ts";
import { saveSettings, webhookIdentity } from "../../../src/domain/alerts/settings.ts";
import { openEmail } from "../../../src/domain/identity/emails/emails.ts";
import { wallTime } from "../../../src/kernel/clock.ts";
import { kobo } from "../../../src/kernel/money.ts";
import type { Statement } from "../../../src/platform/database/database.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { openFakeSupplier, silent } from "../../support/fake-supplier.ts";
import { startReceiver } from "../../support/receiver.ts";
import { testSecretBox, testWebhooks } from "../../support/webhooks.ts";

const supplier = openFakeSupplier();
supplier.answer = silent;
const app = closing(await startApp({ suppliers: [supplier], webhooks: { ...testWebhooks, allowPrivate: true } }));
const { database, people, webhooks } = app.services;
const { pool } = app.fresh;
const zone = wallTime("Africa/Lagos");
const minuteMs = 60_000;
const start = Date.now();

function servicesAt(now: number) {
  const clock = { now: () => now };
  return {
    database,
    clock,
    wallTime: zone,
    secretBox: testSecretBox,
    company: people.company,
    publicUrl: "https://pay.example",
  };
}

async function sendTo(emails: readonly string[], url: string | null): Promise<void> {
  const webhook = url === null ? null : testSecretBox.seal(url, webhookIdentity);
  await saveSettings(servicesAt(start), { emails, webhook });
}

const subjects = async () =>
  (await pool.query("select subject, recipient from emails order by id")).rows.map(({ subject }) => subject);

beforeEach(() => pool.query("truncate alerts, alert_posts, alert_settings, emails"));

const review: Condition = { name: "review", sentence: "1 sale is in review: a person has to decide." };

test("an alert is said once when it begins, again after 6 hours while it lasts, and when it is over", async () => {
  await sendTo(["ada@company.example", "bola@company.example"], null);
  const at = (minutes: number, present: readonly Condition[]) =>
    judgeAlerts(servicesAt(start + minutes * minuteMs), present);
  // Of several processes that see it at one time, one says it.
  const first = await Promise.all([at(0, [review]), at(0, [review]), at(0, [review])]);
  expect(first.map(({ begun }) => begun.length).sort()).toEqual([0, 0, 1]);
  expect(await subjects()).toEqual([review.sentence, review.sentence]);
  expect(await at(359, [review])).toEqual({ begun: [], lasts: [], over: [] });
  expect(await at(360, [review])).toEqual({ begun: [], lasts: ["review"], over: [] });
  expect(await at(361, [review])).toEqual({ begun: [], lasts: [], over: [] });
  // Unseen for a moment, as a breaker that tries its supplier, it is not over.
  expect(await at(362, [])).toEqual({ begun: [], lasts: [], over: [] });
  expect(await at(363, [review])).toEqual({ begun: [], lasts: [], over: [] });
  expect(await at(366, [])).toEqual({ begun: [], lasts: [], over: ["review"] });
  expect(await at(367, [])).toEqual({ begun: [], lasts: [], over: [] });
  const all = await subjects();
  expect(all).toHaveLength(6);
  expect(all[2]).toMatch(/^Still, since /);
  expect(all[4]).toMatch(/^Over \(began /);
});

test("an alert is said again as soon as its count or its sum has doubled, with a link to where it is dealt with", async () => {
  await sendTo(["ada@company.example"], null);
  const seen = (minutes: number, count: number, amount: bigint) =>
    judgeAlerts(servicesAt(start + minutes * minuteMs), [
      { ...review, path: "/operator/review", count, amount: kobo(amount) },
    ]);
  expect((await seen(0, 3, 1_000n)).begun).toEqual(["review"]);
  expect((await seen(1, 5, 1_900n)).lasts).toEqual([]);
  expect((await seen(2, 6, 1_900n)).lasts).toEqual(["review"]);
  expect((await seen(3, 6, 1_900n)).lasts).toEqual([]);
  expect((await seen(4, 6, 3_800n)).lasts).toEqual(["review"]);
  const { rows } = await pool.query("select min(id) as id from emails");
  const email = await openEmail(database, people.secretBox, rows[0].id);
  expect(email?.text).toContain("https://pay.example/operator/review");
});

test("a look that fails hides no other alert, and is one itself", async () => {
  await insertProcessAlert(database, { name: "clock", sentence: "A clock is off." });
  const broken = {
    ...database,
    query: (statement: Statement, values: never) =>
      statement.name === "list_stock_levels"
        ? Promise.reject(new Error("no such shelf"))
        : database.query(statement, values),
  } as typeof database;
  const found = await findConditions({ ...servicesAt(start), database: broken });
  expect(found.map(({ name }) => name)).toEqual(["look lowStock", "clock"]);
  await pool.query("truncate process_alerts");
});

test("what no supplier can be asked for, who waits, what was taken back and what wasn't made are found, counted and named", async () => {
  const names = async () => (await findConditions(servicesAt(Date.now()))).map(({ name }) => name);
  expect(await names()).toEqual([]);
  await pool.query("update supplier_routes set enabled = false where product_id = 1003");
  await pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
  await expect
    .poll(async () => {
      const body = { reference: `refused-${Date.now()}`, product_id: 1003, phone: "08031234567" };
      return (await app.call(app.merchant.liveKey, "/data/purchase", { body })).status;
    })
    .toBe(503);
  await app.services.routeCounts.flush();
  await pool.query(`insert into changes (kind, summary, fields, subjects, requested_at, ends_at, due_at, state, is_alone, decided_at, progress)
     values ('change prices', 'x', '{"prices":1}', '{}', now(), now(), now(), 'done', true, now(),
             '{"done":1,"all":1,"counts":{"set":0,"changed":1}}')`);
  await pool.query(
    `insert into live_access_requests (merchant_id, business_name, address, phone, sells, requested_by, requested_at)
     select id, 'Ada Shop', 'Ikeja', '08031234567', 'airtime', 'ada@shop.example', now() from merchants limit 1`,
  );
  await pool.query(
    "update merchants set api_approved_at = null where id in (select merchant_id from live_access_requests)",
  );
  const found = await findConditions(servicesAt(Date.now()));
  expect(found.map(({ name }) => name.replace(/\d+$/, "n"))).toEqual(["unserved n", "merchants", "price change n"]);
  const [unserved] = found;
  expect(unserved).toMatchObject({ path: "/operator/routes/1003", count: expect.any(Number) });
  expect(unserved?.sentence).toMatch(
    /^No supplier for .+: \d+ refused \(₦[0-9,.]+\) in two hours, 100% of what was asked for\.$/,
  );
  await pool.query(
    "update merchants set api_approved_at = now() where id in (select merchant_id from live_access_requests)",
  );
  await pool.query("truncate unserved_hours, live_access_requests, changes cascade");
});

test("several at one time are one email and one message", async () => {
  await sendTo(["ada@company.example"], "https://hooks.example/1");
  await judgeAlerts(servicesAt(start), [review, { name: "clock", sentence: "A clock is off." }]);
  expect(await subjects()).toEqual([expect.stringMatching(/^2 alerts: /)]);
  const posts = await listPosts(database, 10);
  expect(posts.map(({ text }) => text.split("\n").length)).toEqual([3]);
});

test("what is wrong is found where it stands: breaker, hour-old sale, balance, stock, books, another process's sign", async () => {
  expect(await findConditions(servicesAt(start))).toEqual([]);
  const body = { reference: "long", product_id: 1002, phone: "08031234567" };
  expect((await app.call(app.merchant.liveKey, "/data/purchase", { body })).status).toBe(202);
  await pool.query("insert into supplier_breakers (supplier, category, open_at) values ($1, 'data', now())", [
    supplier.name,
  ]);
  await pool.query(
    `insert into supplier_balances (supplier, balance, currency, reported_at, alarm_below)
     values ($1, 100, 'NGN', now(), 200)`,
    [supplier.name],
  );
  const yesterday = zone.dayOf(zone.dayOf(start).start - 1);
  await pool.query(
    "insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants) values ($1, now(), $2, $3, $4)",
    [yesterday.date, new Date(yesterday.start), new Date(yesterday.end), ["1 every wallet"]],
  );
  await insertProcessAlert(database, { name: "clock", sentence: "A clock is off." });
  const found = await findConditions(servicesAt(Date.now() + 61 * minuteMs));
  expect(found.map(({ name }) => name).sort()).toEqual(
    ["balance", "books", "breaker", "clock", "pending"].map((name) =>
      name === "balance" ? `balance ${supplier.name}` : name === "breaker" ? `breaker ${supplier.name} data` : name,
    ),
  );
  await pool.query("update process_alerts set seen_at = now() - interval '10 minutes'");
  await pool.query("delete from supplier_breakers");
  await pool.query("delete from supplier_balances");
  const later = await findConditions(servicesAt(Date.now()));
  expect(later.map(({ name }) => name)).toEqual(["books"]);
  await pool.query("delete from closed_days");
});

test("a message reaches the webhook as Slack reads it, a failed one is tried again and then given up", async () => {
  let isWell = false;
  const receiver = await startReceiver((response) => {
    response.statusCode = isWell ? 200 : 500;
    response.end();
  });
  const sender = webhooks.openSender();
  try {
    await sendTo([], receiver.url);
    await judgeAlerts(servicesAt(start), [review]);
    const send = (now: number) => sendPosts({ ...servicesAt(now), sender, rules: webhooks.rules }, 10);
    expect(await send(start)).toBe(1);
    expect(await send(start + 1_000)).toBe(0);
    expect(await listPosts(database, 1)).toMatchObject([{ sentAt: null, failure: "It answered 500.", attempts: 1 }]);
    isWell = true;
    expect(await send(start + 20_000)).toBe(1);
    expect(await listPosts(database, 1)).toMatchObject([{ dueAt: null, failure: null, attempts: 2 }]);
    expect(JSON.parse(receiver.received[1]?.body ?? "{}")).toEqual({ text: expect.stringContaining(review.sentence) });

    isWell = false;
    await judgeAlerts(servicesAt(start + minuteMs), [{ name: "clock", sentence: "A clock is off." }]);
    for (let hours = 1; hours < 9; hours++) await send(start + hours * 60 * minuteMs);
    expect(await listPosts(database, 1)).toMatchObject([{ dueAt: null, sentAt: null, attempts: 5 }]);
    expect(receiver.received).toHaveLength(7);
  } finally {
    await sender.close();
    await receiver.close();
  }
});

test("an address that became private is never reached, whatever was stored", async () => {
  const receiver = await startReceiver();
  const rules = { allowPrivate: false, ownAddresses: new Set<string>() };
  const sender = webhooks.openSender();
  try {
    await sendTo([], receiver.url);
    await judgeAlerts(servicesAt(start), [review]);
    await sendPosts({ ...servicesAt(start), sender, rules }, 10);
    expect(receiver.received).toHaveLength(0);
    expect((await listPosts(database, 1))[0]?.failure).toMatch(/^Must begin with https/);
  } finally {
    await sender.close();
    await receiver.close();
  }
});
