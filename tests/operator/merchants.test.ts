import { expect, test } from "vitest";
import { createKey } from "../../src/domain/merchants/api-keys.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { sharedConsole } from "../support/shared-console.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const id = formatMerchantId(service.app.merchant.id);
const at = `/operator/merchants/${id}`;

async function one<Row>(sql: string, values: unknown[] = []): Promise<Row> {
  return (await pool.query(sql, values)).rows[0];
}

const entriesOf = async (email: string) =>
  (await pool.query("select command, details from audit_log where who = $1 order by number", [`staff:${email}`])).rows;

test("a merchant is found by its id, a part of its name, its email or a person's, and by its state", async () => {
  const support = await service.staff("support");
  const owner = await service.member("owner");
  const { name, email } = await one<{ name: string; email: string }>(
    "select name, email from merchants where id = $1",
    [service.app.merchant.id],
  );
  for (const q of [id, name.slice(0, 4).toUpperCase(), email, owner.email]) {
    const { text } = await support.get(`/operator/merchants?q=${encodeURIComponent(q)}`);
    expect([q, text.includes(at)]).toEqual([q, true]);
  }
  expect((await support.get("/operator/merchants?q=nobody")).text).toContain("No merchants match");
  expect((await support.get("/operator/merchants?state=live")).text).toContain(at);
  expect((await support.get("/operator/merchants?state=suspended")).text).not.toContain(at);
});

test("a look of support at a merchant is in the audit log before the page is, that of others is not", async () => {
  const support = await service.staff("support");
  const finance = await service.staff("finance");
  const { status, text } = await support.get(at);
  expect([status, text.includes("console merchant look")]).toEqual([200, true]);
  await finance.get(at);
  expect(await entriesOf(support.email)).toEqual([
    { command: "console merchant look", details: JSON.stringify({ merchant: id }) },
  ]);
  expect(await entriesOf(finance.email)).toEqual([]);
  expect((await support.get("/operator/merchants/mer_999999")).status).toBe(404);
});

test("an admin suspends with a reason, which is shown, resumes, and changes tiers and addresses", async () => {
  const admin = await service.staff("admin");
  await admin.send(`${at}/change/status`, { do: "suspend", reason: "chargebacks" });
  expect((await admin.get(at)).text).toContain("chargebacks");
  await admin.send(`${at}/change/status`, { do: "resume", reason: "settled" });
  await admin.send(`${at}/change/limits`, { limit_tier: "2" });
  await admin.send(`${at}/change/prices`, { price_tier: "3" });
  await admin.send(`${at}/change/addresses`, { ranges: "192.0.2.0/24, 2001:db8::/32" });
  const row = await one("select status, limit_tier, price_tier from merchants where id = $1", [
    service.app.merchant.id,
  ]);
  expect(row).toEqual({ status: "active", limit_tier: 2, price_tier: 3 });
  expect((await admin.get(at)).text).toContain("192.0.2.0/24, 2001:db8::/32");
  await admin.send(`${at}/change/addresses`, { ranges: "" });
});

test("a key is revoked unseen, and another merchant's key is none of this page", async () => {
  const admin = await service.staff("admin");
  const key = await createKey(service.app.services as never, {
    merchantId: service.app.merchant.id,
    mode: "live",
    label: "Old till",
    createdBy: "test",
  });
  const { text } = await admin.get(at);
  expect([text.includes("Old till"), text.includes(key.text)]).toEqual([true, false]);
  expect((await admin.get(`${at}/keys/key_${key.id}/revoke`)).text).toContain("Revoke “Old till”?");
  expect((await admin.send(`${at}/keys/key_999999/revoke`)).status).toBe(404);
  expect((await admin.send(`${at}/keys/key_${key.id}/revoke`)).status).toBe(303);
  const { revoked } = await one<{ revoked: boolean }>(
    "select revoked_at is not null as revoked from api_keys where id = $1",
    [key.id],
  );
  expect(revoked).toBe(true);
});

test("support asks for live access and an admin gives it, even where support is alone and there's one admin", async () => {
  const support = await service.staff("support");
  const { rows } = await pool.query(
    `insert into merchants (name, email) values ('Ask Shop', 'ask@shop.example') returning id`,
  );
  const path = `/operator/merchants/mer_${rows[0].id}`;
  await pool.query("insert into wallets (wallet_id) values ($1), (-$1)", [rows[0].id]);
  await pool.query(
    `insert into live_access_requests (merchant_id, business_name, address, phone, sells, requested_by, requested_at)
     values ($1, 'Ask Shop Ltd', '1 Broad Street', '08030000000', 'airtime', 'ask@shop.example', now())`,
    [rows[0].id],
  );
  await pool.query("update people set totp_confirmed_at = null, totp_seed = null where email like 'admin-%'");
  const page = await support.get(path);
  expect([page.text.includes("Ask Shop Ltd"), page.text.includes("Ask for live access")]).toEqual([true, true]);
  const answer = await support.follow(await support.send(`${path}/access`));
  expect(answer.text).toContain("for approval");
  const isApproved = async () =>
    (await one<{ is: boolean }>("select api_approved_at is not null as is from merchants where id = $1", [rows[0].id]))
      .is;
  expect(await isApproved()).toBe(false);
  const admin = await service.staff("admin");
  const { number } = await one<{ number: number }>("select max(id) as number from changes");
  const finance = await service.staff("finance");
  expect((await finance.follow(await finance.send(`/operator/approvals/${number}`, { do: "approve" }))).text).toContain(
    "Your role can’t decide this",
  );
  const done = await admin.follow(await admin.send(`/operator/approvals/${number}`, { do: "approve" }));
  expect(done.text).toContain("can sell live now. It has no owners, so nobody was emailed.");
  expect((await admin.get(path)).text).toContain("console approval approve");
  expect(await isApproved()).toBe(true);
});

test("the statement is a page and a file with the same entries, and taking the file is logged", async () => {
  const finance = await service.staff("finance");
  await finance.send("/operator/money/credit", {
    ...{ merchant: id, amount: "1,500.00", bank_reference: "nip 77/01", reason: "Transfer for the statement" },
  });
  expect((await finance.get(`${at}/statement`)).text).toContain("Transfer for the statement");
  const file = await finance.get(`${at}/statement.csv`);
  expect([file.status, file.headers.get("content-type")]).toEqual([200, "text/csv; charset=utf-8"]);
  expect(file.text).toContain("Transfer for the statement");
  expect((await entriesOf(finance.email)).map(({ command }) => command)).toContain("console merchant statement");
  const support = await service.staff("support");
  expect((await support.get(`${at}/statement.csv`)).status).toBe(403);
});

test("health counts the live requests of a day, those that were refused and how long they took, and no sandbox ones", async () => {
  const support = await service.staff("support");
  const log = (wallet: number, number: number, code: string | null, ms: number) =>
    pool.query(
      `insert into request_log (
         wallet_id, at, number, method, endpoint, path, status, code, duration_ms, request_id, is_request_id_sent
       )
       values ($1, now(), $2, 'GET', '/x', '/x', 200, $3, $4, 'r', false)`,
      [wallet, number, code, ms],
    );
  const wallet = service.app.merchant.id;
  for (let number = 1; number <= 19; number += 1) await log(wallet, number, number === 1 ? "NOT_FOUND" : null, 40);
  await log(wallet, 20, null, 900);
  await log(-wallet, 21, "NOT_FOUND", 5_000);
  const { text } = await support.get(at);
  expect(text).toContain("20, 1 of them refused");
  expect(text).toMatch(/95 of 100 within<\/dt><dd>40 ms/);
  expect(text).toMatch(/NOT_FOUND<\/dt><dd>1</);
  expect(text).toContain("Not set up");
});
