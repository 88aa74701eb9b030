import { randomBytes } from "node:crypto";
import { closeDay } from "../../src/domain/history/closed-days/close-day.ts";
import { writeEmail } from "../../src/domain/identity/emails/emails.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { inviteStaff } from "../../src/domain/staff/staff.ts";
import { importVouchers } from "../../src/domain/suppliers/vouchers/import.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { kobo } from "../../src/kernel/money.ts";
import { clock } from "./app.ts";
import type { StaffClient, TestConsole } from "./console.ts";
import { type FakeSupplier, vended } from "./fake-supplier.ts";
import { enterProvider, keep, provider, receive, takeBack } from "./payments/kept-payments.ts";
import { waitUntil } from "./receiver.ts";
import { testSecretBox } from "./webhooks.ts";

interface Company {
  /** Two suppliers that the service was started with, in order of preference. */
  readonly suppliers: readonly [FakeSupplier, FakeSupplier];
  /** Stands in all that people and suppliers wrote. At most 40 characters, with no quote of SQL's. */
  readonly word: string;
}

/** People who look, and what a page without a login is opened with. */
export interface FilledCompany {
  readonly admin: StaffClient;
  readonly finance: StaffClient;
  readonly support: StaffClient;
  /** A link that lets somebody join. */
  readonly joinPath: string;
}

const phone = "08031234567";
const meter = { biller: "ikeja-electric", meter_type: "prepaid", meter_number: "45012345678", amount: "5000.00" };

/**
 * Gives a company something of everything: sales of every state, a queue of review, requests for approval of every kind
 * that a page asks for, a supplier whose breaker is open and whose balance is low, vouchers, alerts, closed days, emails.
 * Workers must run.
 */
export async function fillCompany(service: TestConsole, company: Company): Promise<FilledCompany> {
  const { people } = service.app.services;
  const [admin, finance, support] = [
    await service.staff("admin"),
    await service.staff("finance"),
    await service.staff("support"),
  ];
  await service.staff("admin");
  const invitation = await inviteStaff(people, {
    ...{ email: "new@company.example", role: "catalogue", publicUrl: service.url, invitedBy: admin.email },
  });
  await nameThings(service, company);
  await sell(service, company);
  await writeRows(service, company);
  await receivePayments(service, company);
  const pinProduct = await stockVouchers(service);
  await ask(service, { admin, finance }, { ...company, pinProduct });
  return { admin, finance, support, joinPath: (invitation.link ?? "").slice(service.url.length) };
}

/** Names that people chose are the word, and a merchant has sent in its business. */
async function nameThings({ app }: TestConsole, { word }: Company): Promise<void> {
  const { pool } = app.fresh;
  await pool.query("update merchants set name = $2 where id = $1", [app.merchant.id, `Kano Corner Shop ${word}`]);
  await pool.query("update people set name = left(name || ' ' || $1, 100) where realm = 'staff'", [word]);
  await pool.query("update products set name = left(name || ' ' || $1, 150) where id = 1002", [word]);
  await pool.query(
    `insert into company (id, name, support_email, support_phone, bank_details, updated_at)
     values (1, $1, 'help@kobo.example', '08030000000', $2, now())`,
    [`Kobo House ${word}`, `GTBank 0123456789 ${word}`],
  );
  const fresh = await app.createMerchant({ approved: false });
  await pool.query(
    `insert into live_access_requests (
       merchant_id, business_name, registration_number, address, phone, website, sells, requested_by, requested_at
     )
     values ($1, $2, $2, $2, '08030000000', $2, $2, 'ask@shop.example', now())`,
    [fresh.id, word],
  );
}

/** Delivered, failed, unknown and in review, some of them with tokens, at both suppliers. */
async function sell({ app }: TestConsole, { suppliers, word }: Company): Promise<void> {
  const [first] = suppliers;
  let count = 0;
  async function buy(below = "/data/purchase", wish: object = { product_id: 1002 }): Promise<void> {
    count += 1;
    const metadata = { note: word };
    const body = { reference: `order-${count}`, phone, metadata, ...wish };
    const { status } = await app.call(app.merchant.liveKey, below, { body });
    if (status >= 300 && status !== 422) throw new Error(`a sale answered ${status}`);
  }
  first.answer = vended;
  for (const _ of Array(5)) await buy();
  await buy("/electricity/purchase", meter);
  const evidence = JSON.stringify({ message: word });
  first.answer = { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence };
  suppliers[1].answer = first.answer;
  await buy();
  first.answer = { kind: "unknown", evidence: `RC 99 ${word}`, askNobody: true };
  for (const _ of Array(3)) await buy();
  await buy("/electricity/purchase", meter);
  await waitUntil(async () => (await reviewed(app)) === 4, "sales in review");
  first.answer = { kind: "unknown", evidence: `RC 98 ${word}` };
  await buy();
}

async function reviewed(app: TestConsole["app"]): Promise<number> {
  const { rows } = await app.fresh.pool.query("select count(*)::integer as count from inflight where step = 'review'");
  return rows[0].count;
}

/** What workers and suppliers would have written in the course of days. */
async function writeRows({ app, url }: TestConsole, { suppliers, word }: Company): Promise<void> {
  const { pool } = app.fresh;
  const { database, people } = app.services;
  const [, second] = suppliers;
  const rows: readonly [string, ...unknown[]][] = [
    [
      "insert into supplier_breakers (supplier, category, open_at) values ($1, 'data', now() + interval '1 day')",
      second.name,
    ],
    [
      `insert into supplier_balances (supplier, balance, currency, reported_at, alarm_below)
       values ($1, 100000, 'NGN', now(), 200000)
           on conflict (supplier) do update set balance = 100000, reported_at = now(), alarm_below = 200000`,
      suppliers[0].name,
    ],
    [
      "insert into webhook_failing_endpoints (merchant_id, failing_since) values ($1, now() - interval '1 hour')",
      app.merchant.id,
    ],
    [
      `insert into closed_days (day, closed_at, starts_at, ends_at, broken_invariants)
       values ('2025-01-02', now(), '2025-01-01T23:00Z', '2025-01-02T23:00Z', array['1 every wallet is the sum'])`,
    ],
    ["insert into alert_settings (id, emails, changed_at) values (1, array['oncall@company.example'], now())"],
    [
      `insert into alerts (name, sentence, began_at, notified_at, seen_at)
       values ('breaker ' || $1, $2, now() - interval '1 hour', now() - interval '1 hour', now() + interval '1 day')`,
      second.name,
      `The breaker of ${second.name} is open. ${word}`,
    ],
    [
      `insert into alert_posts (text, attempts, failure, created_at)
       values ($1, 8, $2, now() - interval '1 hour')`,
      `*Dispense*\n${word}`,
      `answered 500: ${word}`,
    ],
    [
      `insert into suppliers (name, connector, settings) values ('vtpass', 'vtpass', '{"base_url":"https://vtpass.com/api"}')`,
    ],
    ["insert into merchant_prices (merchant_id, product_id, price) values ($1, 1002, 63500)", app.merchant.id],
    ["insert into hidden_categories (merchant_id, category) values ($1, 'betting')", app.merchant.id],
    ["update merchants set duplicate_guard_seconds = 60 where id = $1", app.merchant.id],
    [
      `insert into purchase_incidents (wallet_id, purchase_id, number, kind, attempt, supplier, source, evidence)
       select wallet_id, id, 99, 'contradiction', 1, $1, 'callback', $2 from purchases where status = 'successful' limit 1`,
      second.name,
      word,
    ],
  ];
  await app.call(app.merchant.liveKey, "/webhook", { method: "PUT", body: { url: `${url}/hook` } });
  for (const [text, ...values] of rows) await pool.query(text, values);
  const zone = wallTime("Africa/Lagos");
  const yesterday = zone.dayOf(zone.dayOf(Date.now()).start - 1);
  await closeDay({ database, wallTime: zone, clock: { now: () => Date.now() } }, yesterday);
  await database.transaction((tx) =>
    writeEmail(tx, people, { to: "shop@shop.example", subject: `Your statement ${word}`, text: `Good day ${word}` }),
  );
}

/** Transfers of every state, one of them spent before it was taken back, and a receiving account. */
async function receivePayments({ app }: TestConsole, { word }: Company): Promise<void> {
  await enterProvider(app);
  const { id: merchantId } = app.merchant;
  await app.fresh.pool.query(
    `insert into funding_accounts (provider, merchant_id, state, account_number, bank_name, account_name, account_reference)
     values ($1, $2, 'active', '9900000001', $3, $3, 'CUS_1')`,
    [provider, merchantId, `Wema Bank ${word}`],
  );
  const sender = { name: `ADA EZE ${word}`, narration: `Stock ${word}`, sessionId: "000013251127143355" };
  await keep(app, "T685312322670591", { merchantId, sender, fee: 30_000n });
  await keep(app, `T2 ${word}`, { merchantId: null, sender, amount: 700_000n, accountNumber: `0000 ${word}` });
  const spent = await app.createMerchant({ credit: null });
  const back = await keep(app, "T3", { merchantId: spent.id, sender });
  const debit = { merchantId: spent.id, mode: "live", amount: kobo(-3_500_000n), reason: `Spent ${word}` } as const;
  await creditMerchant({ database: app.services.database }, debit);
  await takeBack(app, back, 5_000_000n);
  await app.fresh.pool.query("update payments set contradiction = $1 where payment_id = 'T3'", [
    `It never became money: its status is failed ${word}`,
  ]);
  const late = await receive(app, "T4");
  await app.fresh.pool.query(
    "update payments set heard_at = now() - interval '2 hours', evidence = $2 where payment_id = $1",
    [late.paymentId, `GET /transaction/verify/T4 -> 502 ${word} (12 ms)`],
  );
}

/** Vouchers of one product, few enough to be said. @returns the product */
async function stockVouchers({ app }: TestConsole): Promise<number> {
  const { pool } = app.fresh;
  const { database, wallTime: zone } = app.services;
  await pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
  const { rows } = await pool.query(
    `select p.id from products p join billers b on b.slug = p.biller_slug
      where b.category = 'recharge_pin' and b.network = 'MTN' order by p.id limit 1`,
  );
  await pool.query(
    `insert into supplier_routes (product_id, supplier, supplier_code, cost_basis_points, priority)
     values ($1, 'shelf', '-', 9500, 3)`,
    [rows[0].id],
  );
  await pool.query("update revisions set revision = revision + 1 where subject = 'routes'");
  const file = {
    productId: rows[0].id,
    batch: "mtn-november.csv",
    rows: (async function* () {
      for (let n = 1; n <= 5; n += 1) yield { line: n, code: `1234567890123456${n}`, serial: `SN${n}`, expiresOn: "" };
    })(),
  };
  const services = { database, secretBox: testSecretBox, clock, wallTime: zone, randomness: randomBytes };
  await importVouchers(services, file, () => {});
  return rows[0].id;
}

/** Asks for what a second person approves; what is undecided fills their list. */
async function ask(
  service: TestConsole,
  { admin, finance }: Pick<FilledCompany, "admin" | "finance">,
  { suppliers, word, pinProduct }: Company & { readonly pinProduct: number },
): Promise<void> {
  const { app } = service;
  const id = formatMerchantId(app.merchant.id);
  const sale = async (status: string) => {
    const { body } = await app.call(app.merchant.liveKey, `/transactions?status=${status}`);
    return String(body.transactions[0].transaction_id);
  };
  const today = app.services.wallTime.dayOf(Date.now()).date;
  const statement = "reference,amount\nTHEIRS-1,576.00";
  const theirStatement = { from: today, to: today, by: "reference", tolerance: "", statement };
  const [delivered, waiting] = [await sale("successful"), await sale("pending")];
  const requests: readonly [StaffClient, string, Record<string, string>][] = [
    [finance, "/operator/money/credit", { merchant: id, amount: "5,000", bank_reference: "NIP/1", reason: word }],
    [finance, "/operator/money/credit", { merchant: id, amount: "250,000", bank_reference: "NIP/2", reason: word }],
    [finance, "/operator/money/debit", { merchant: id, amount: "1,000", reason: `Credited twice ${word}` }],
    [finance, `/operator/sales/${delivered}/refund`, { reason: `customer waited ${word}` }],
    [admin, "/operator/staff/change", { person: String(finance.personId), role: "support" }],
    [admin, `/operator/suppliers/${suppliers[0].name}/state`, { do: "stop" }],
    [admin, `/operator/merchants/${id}/change/status`, { do: "suspend", reason: `chargebacks ${word}` }],
    [admin, `/operator/merchants/${id}/change/status`, { do: "resume", reason: `settled ${word}` }],
    [admin, `/operator/sales/${waiting}/ask`, {}],
    [admin, "/operator/vouchers/import", { product: String(pinProduct), "secret-file": "pin\n12345" }],
    [admin, "/operator/reconciliation/keep", { ...theirStatement, supplier: suppliers[0].name }],
  ];
  const send = async (person: StaffClient, path: string, fields: Record<string, string>) => {
    const { status, text, location } = await person.send(path, fields);
    if (status !== 303) throw new Error(`${path} answered ${status}: ${text.slice(0, 2_000)}`);
    return location ?? "";
  };
  for (const request of requests) await send(...request);
  const change = await send(admin, "/operator/prices/preview", { do: "edit", "price 1002 base 640.00": "650" });
  await send(admin, change, { reason: `Market moved ${word}`, below_cost_shown: "0" });
}
