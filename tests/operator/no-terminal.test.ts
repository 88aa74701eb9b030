import { expect, test } from "vitest";
import { liveAccessRequested } from "../../src/domain/identity/emails/email-texts.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { setEndpoint } from "../support/endpoints.ts";
import { formOf, submit } from "../support/forms.ts";
import { enqueueEvent, logAttempt } from "../support/webhooks.ts";

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const id = formatMerchantId(app.merchant.id);
const change = `/operator/merchants/${id}/change`;
const admin = await service.staff("admin");

async function rows(text: string, values: unknown[] = []) {
  return (await pool.query(text, values)).rows;
}

test("categories are hidden from a merchant and shown again, each once in the log", async () => {
  const form = async () => formOf(await admin.get(change), "/categories");
  const { betting, ...some } = (await form()).fields;
  expect(betting).toBe("");
  await admin.send(`${change}/categories`, some);
  expect(await rows("select category from hidden_categories")).toEqual([{ category: "betting" }]);
  await expect.poll(async () => Object.keys((await form()).fields)).not.toContain("betting");
  await submit(admin, await form(), { betting: "on" });
  expect(await rows("select category from hidden_categories")).toEqual([]);
  expect(await rows("select 1 from audit_log where command = 'console merchant categories'")).toHaveLength(2);
});

test("the duplicate guard is set and taken away; what it can't be is refused at its field", async () => {
  const send = (seconds: string) => admin.send(`${change}/guard`, { seconds });
  const guard = async () =>
    (await rows("select duplicate_guard_seconds as s from merchants where id = $1", [app.merchant.id]))[0].s;
  const wrong = await send("3");
  expect([wrong.text.includes("Must be 5 to 86400 seconds"), wrong.text.includes('value="3"')]).toEqual([true, true]);
  await send("1,200");
  expect(await guard()).toBe(1_200);
  await send("");
  expect(await guard()).toBe(null);
});

test("how older clients number networks is set in one change; what is no list of all four is refused at its field", async () => {
  const usual = "1=MTN,2=GLO,3=9MOBILE,4=AIRTEL";
  const own = "1=MTN,2=AIRTEL,3=GLO,4=9MOBILE";
  const send = (fields: Record<string, string>) => admin.send(`${change}/legacy`, fields);
  const stored = async () =>
    (
      await rows(
        `select legacy_data_networks as data, legacy_airtime_networks as airtime, legacy_prefix_check as checks
           from merchants where id = $1`,
        [app.merchant.id],
      )
    )[0];
  const wrong = await send({ data_networks: "1=mtn,2=glo", airtime_networks: usual });
  expect([wrong.status, wrong.text.includes("Number all four networks")]).toEqual([400, true]);
  await send({ data_networks: "1=mtn, 2=airtel, 3=glo, 4=etisalat", airtime_networks: usual });
  expect(await stored()).toEqual({ data: own, airtime: null, checks: false });
  expect(formOf(await admin.get(change), "/legacy").fields).toMatchObject({
    data_networks: own,
    airtime_networks: usual,
  });
  await send({ data_networks: usual, airtime_networks: usual, checks_prefixes: "on" });
  expect(await stored()).toEqual({ data: null, airtime: null, checks: true });
  expect(await rows("select 1 from audit_log where command = 'console merchant legacy'")).toHaveLength(2);
});

test("webhooks that never arrived since a moment are sent again", async () => {
  const { database } = app.services;
  const wallet = { merchantId: app.merchant.id, mode: "live" } as const;
  const refused = await admin.send(`${change}/recovery`, { since: "2020-01-01T00:00", mode: "live" });
  expect([refused.status, refused.text.includes("set its URL first")]).toEqual([409, true]);
  await setEndpoint(database, wallet, "https://example.com/");
  for (const successful of [true, false]) {
    const delivery = await enqueueEvent(database, wallet);
    await logAttempt(database, wallet, delivery, { successful, httpStatus: successful ? 200 : 500 });
  }
  await pool.query("delete from webhook_outbox");
  expect((await admin.send(`${change}/recovery`, { since: "soon", mode: "live" })).text).toContain("Choose a day");
  const done = await admin.follow(await admin.send(`${change}/recovery`, { since: "2020-01-01T00:00", mode: "live" }));
  expect(done.text).toContain("1 live webhook of");
  expect(await rows("select 1 from webhook_outbox where due_at <= now()")).toHaveLength(1);
  // No sale brought them: the books are checked below.
  await pool.query("delete from webhook_outbox");
  await pool.query("delete from webhook_deliveries");
});

test("a merchant’s own price is typed in the table, previewed against what its tier pays, set, undone and emptied", async () => {
  await pool.query("update merchants set price_tier = 2 where id = $1", [app.merchant.id]);
  await pool.query("insert into tier_prices (product_id, tier, price) values (1002, 2, 50000)");
  await pool.query("update revisions set revision = revision + 1 where subject = 'catalogue'");
  const at = `/operator/prices?merchant=${id}`;
  const own = () =>
    rows("select price::int as price from merchant_prices where product_id = 1002 and merchant_id = $1", [
      app.merchant.id,
    ]);
  await expect.poll(async () => (await admin.get(`${at}&tier=2&q=1002`)).text).toContain("500.00");
  expect((await admin.get(`/operator/merchants/${id}`)).text).toContain(`margin=own&amp;merchant=${id}`);
  const edit = async (shown: string, typed: string) =>
    (await admin.send("/operator/prices/preview", { do: "edit", [`price 1002 ${id} ${shown}`]: typed })).location ?? "";
  const draft = await edit("", "550");
  const preview = (await admin.get(draft)).text;
  expect([preview.includes("10%"), preview.includes(id)]).toEqual([true, true]);
  await admin.send(draft, { reason: "agreed", below_cost: "on", below_cost_shown: "1" });
  expect(await own()).toEqual([{ price: 55_000 }]);
  expect(await rows("select merchant_id from catalogue_changes where kind = 'price' order by id desc limit 1")).toEqual(
    [{ merchant_id: app.merchant.id }],
  );
  await expect.poll(async () => (await admin.get(`${at}&margin=own`)).text).toContain(`price 1002 ${id} 550.00`);
  const moved = await edit("550.00", "560");
  await pool.query("update merchant_prices set price = 55100");
  expect((await admin.send(moved, { reason: "late", below_cost: "on", below_cost_shown: "1" })).text).toContain(
    "was changed since",
  );
  await pool.query("update merchant_prices set price = 55000");
  const undo = (await admin.send(`${draft}/undo`)).location ?? "";
  await admin.send(undo, { reason: "undo" });
  expect(await own()).toEqual([]);
  const nobody = await admin.send("/operator/prices/preview", { do: "edit", "price 1002 mer_999999 ": "550" });
  expect(nobody.status).toBe(404);
});

test("float, incidents and the ledger check are pages; one check runs at a time, and the log keeps what came of it", async () => {
  expect((await admin.get("/operator/float")).text).toContain("Owed to merchants");
  expect((await admin.get("/operator/incidents")).text).toContain("No incidents");
  const finance = await service.staff("finance");
  await pool.query("update wallets set balance = balance + 1 where wallet_id = $1", [app.merchant.id]);
  const started = await Promise.all([finance.send("/operator/ledger"), finance.send("/operator/ledger")]);
  const texts = await Promise.all(started.map(async (answer) => (await finance.follow(answer)).text));
  expect(texts.some((text) => text.includes("A check is running"))).toBe(true);
  await expect
    .poll(async () => (await finance.get("/operator/ledger")).text, { timeout: 20_000 })
    .toContain("1 balance and seq equal the entries");
  expect(await rows("select 1 from audit_log where command = 'console ledger check'")).toHaveLength(1);
  await pool.query("update wallets set balance = balance - 1 where wallet_id = $1", [app.merchant.id]);
  await finance.send("/operator/ledger");
  await expect
    .poll(async () => (await finance.get("/operator/ledger")).text, { timeout: 20_000 })
    .toContain("all hold");
  expect((await (await service.staff("support")).send("/operator/ledger")).status).toBe(403);
});

test("the email about live access leads to the page where it is decided", () => {
  const company = { name: "Kobo", logo: null, supportEmail: null, supportPhone: null, bankDetails: null };
  const about = { merchant: "Shop", id: "mer_7", by: "a@shop.example", publicUrl: "https://kobo.example" };
  expect(liveAccessRequested({ name: "Kobo", company }, about).text).toContain(
    "https://kobo.example/operator/merchants/mer_7#access",
  );
});
