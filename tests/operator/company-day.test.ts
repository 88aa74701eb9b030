import { generateSync } from "otplib";
import { expect, test } from "vitest";
import { closeDay } from "../../src/domain/history/closed-days/close-day.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { firstOperatorLink } from "../../src/domain/staff/staff.ts";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import { closing } from "../support/closing.ts";
import { type ConsoleClient, consolePassword, startConsole } from "../support/console.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";
import { formOf, submit } from "../support/forms.ts";
import { middayZone } from "../support/midday.ts";
import { emailsTo } from "../support/people.ts";

// A company of three has its first day, by the forms of its console: each step is a function, in the order of the day.

const suppliers = [openFakeSupplier("first"), openFakeSupplier("second")] as const;
const service = closing(await startConsole({ suppliers, workers: true, timeZone: middayZone }));
const { app } = service;
const { pool } = app.fresh;
const { database, people } = app.services;
const zone = wallTime(middayZone);
const merchant = formatMerchantId(app.merchant.id);
const price = 64_000n;
const cost = 60_000n;

/** Nothing is left of what the shared set-up entered: the day begins with what the company itself enters. */
await pool.query("delete from supplier_routes");
await app.feel("routes");
const startBalance = await balance();

async function one<Row>(text: string, values: unknown[] = []): Promise<Row> {
  return (await pool.query(text, values)).rows[0];
}

async function balance(): Promise<bigint> {
  const { balance: kobo } = await one<{ balance: string }>("select balance from wallets where wallet_id = $1", [
    app.merchant.id,
  ]);
  return BigInt(kobo);
}

const linkIn = (text: string) => (/https?:\/\/\S+/.exec(text)?.[0] ?? "").replace(service.url, "");

/** Opens a link, chooses a password, logs in and sets up two-step login, as everybody in the company does first. */
async function join(link: string, fields: Record<string, string>, email: string): Promise<ConsoleClient> {
  const person = service.guest();
  const made = await submit(person, formOf(await person.get(link), "/operator/join"), {
    ...{ password: consolePassword, ...fields },
  });
  const logIn = formOf(await person.follow(made), "/operator/log-in");
  expect((await submit(person, logIn, { email, password: consolePassword })).status).toBe(303);
  const shown = await submit(person, formOf(await person.get("/operator/security"), "/app"));
  const secret = /\b[A-Z2-7]{32,}\b/.exec(shown.text)?.[0] ?? "";
  const codes = await submit(person, formOf(shown, "/app/confirm"), { code: generateSync({ secret }) });
  expect(codes.text).toContain("backup codes");
  expect((await person.get("/operator/today")).status).toBe(200);
  return person;
}

/** @returns the page that it leads to, which says so */
async function done(
  person: ConsoleClient,
  path: string,
  fields: Record<string, string>,
  says: string,
): Promise<string> {
  const answer = await person.follow(await person.send(path, fields));
  expect([path, answer.status, answer.text.includes(says) ? says : answer.text]).toEqual([path, 200, says]);
  return answer.text;
}

async function approveLast(person: ConsoleClient, says: string): Promise<void> {
  const { id } = await one<{ id: number }>("select max(id) as id from changes where state = 'waiting'");
  await done(person, `/operator/approvals/${id}`, { do: "approve" }, says);
}

async function openCompany() {
  const link = ((await firstOperatorLink(people, service.url)) ?? "").slice(service.url.length);
  const ada = await join(link, { email: "ada@company.example", name: "Ada Obi" }, "ada@company.example");
  // She is alone, and it is marked so.
  await done(ada, "/operator/staff/invite", { email: "bola@company.example", role: "finance" }, "by you alone");
  await done(ada, "/operator/staff/invite", { email: "chidi@company.example", role: "catalogue" }, "by you alone");
  const invited = async (email: string, name: string) =>
    join(linkIn((await emailsTo(database, email))[0]?.text ?? ""), { name }, email);
  return {
    ada,
    bola: await invited("bola@company.example", "Bola Ade"),
    chidi: await invited("chidi@company.example", "Chidi Eze"),
  };
}

type Company = Awaited<ReturnType<typeof openCompany>>;

/** What a form of the last page sends along unseen. */
const hidden = (text: string, name: string) => new RegExp(`name="${name}" value="([^"]*)"`).exec(text)?.[1] ?? "";

/** Two suppliers serve product 1002, for 600 and 605 naira. */
async function importRoutes({ chidi }: Company): Promise<void> {
  const at = "/operator/routes/import";
  for (const [supplier, line] of [
    ["first", "1002,A2,600.00,1"],
    ["second", "1002,B2,605.00,2"],
  ] as const) {
    const fields = { supplier, list: `product,code,cost,priority\n${line}\n` };
    const preview = await chidi.send(at, fields);
    expect(preview.text).toContain("Apply 1 change");
    const seen = hidden(preview.text, "seen").replaceAll("&amp;", "&");
    expect((await chidi.send(`${at}/apply`, { ...fields, seen })).status).toBe(303);
  }
  await app.feel("routes");
}

/** A dearer price from tomorrow on, which Chidi takes back before it is anybody's. */
async function changeNoPrice({ chidi }: Company): Promise<void> {
  const preview = await chidi.send("/operator/prices/preview", { do: "edit", "price 1002 base 640.00": "650" });
  const change = preview.location ?? "";
  const tomorrow = new Date(Date.now() + 86_400_000).toISOString().slice(0, 16);
  const fields = { reason: "Market moved", below_cost_shown: "0", starts_at: tomorrow };
  await done(chidi, change, fields, "new prices start");
  await done(chidi, `${change}/cancel`, {}, "Prices stay as they are");
  expect(await one("select price::int from products where id = 1002")).toEqual({ price: Number(price) });
}

/** One transfer below what a person may book alone, one above. @returns what came in */
async function creditByTwo({ ada, bola }: Company): Promise<bigint> {
  const fields = { merchant, reason: "Transfer" };
  await done(bola, "/operator/money/credit", { ...fields, amount: "50,000", bank_reference: "NIP/001" }, "credited to");
  await done(
    bola,
    "/operator/money/credit",
    { ...fields, amount: "250,000.00", bank_reference: "NIP/002" },
    "for approval",
  );
  expect(await balance()).toBe(startBalance + 5_000_000n);
  const { id } = await one<{ id: number }>("select max(id) as id from changes");
  await done(ada, `/operator/approvals/${id}`, { do: "approve" }, "credited to");
  return 30_000_000n;
}

let references = 0;

/** @returns transaction ids */
async function sell(count: number, expected: string): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n += 1) {
    references += 1;
    const body = { reference: `day-${references}`, product_id: 1002, phone: "08031234567" };
    const answer = await app.call(app.merchant.liveKey, "/data/purchase", { body });
    expect(answer.body.status).toBe(expected);
    ids.push(answer.body.transaction_id);
  }
  return ids;
}

/** The first supplier says nothing of what it was sent, and never will. @returns the sales that wait for a person */
async function outage(): Promise<string[]> {
  suppliers[0].answer = { kind: "unknown", evidence: "504 Gateway Time-out", askNobody: true };
  const ids = await sell(4, "pending");
  await expect
    .poll(async () => (await one<{ n: number }>("select count(*)::int as n from inflight where step = 'review'")).n)
    .toBe(4);
  suppliers[0].answer = vended;
  return ids;
}

/** By the supplier's statement half of them were delivered: Bola uploads it, Ada approves all at once. */
async function resolveReview({ ada, bola }: Company, ids: readonly string[]): Promise<void> {
  expect((await bola.get("/operator/review")).text).toContain("4 sales");
  const at = "/operator/review/statement";
  const lines = ids.map((id, n) => `${id}-1,${n % 2 === 0 ? "delivered" : "not delivered"}`);
  const fields = {
    ...{ supplier: "first", by: "reference", statement: ["reference,state", ...lines].join("\n") },
    ...{ reference_column: "reference", state_column: "state", evidence: "their statement of today, by email" },
  };
  const seen = hidden((await bola.send(at, fields)).text, "seen");
  await done(bola, `${at}/ask`, { ...fields, seen }, "for approval");
  await approveLast(ada, "2 sales delivered, 2 sales refunded.");
  expect((await bola.get("/operator/review")).text).toContain("No sales in review");
}

/** Two PINs wait sealed until Ada lets them be sold. */
async function importVouchers({ ada, chidi }: Company): Promise<void> {
  await pool.query("insert into suppliers (name, connector) values ('shelf', 'voucher-stock')");
  const { id } = await one<{ id: number }>(
    `select p.id from products p join billers b on b.slug = p.biller_slug
      where b.category = 'recharge_pin' and b.network = 'MTN' order by p.id limit 1`,
  );
  await pool.query(
    "insert into supplier_routes (product_id, supplier, supplier_code, cost) values ($1, 'shelf', '-', 1)",
    [id],
  );
  const file = "pin,serial\n12345678901234561,SN1\n12345678901234562,SN2\n";
  const sent = await chidi.send("/operator/vouchers/import", { product: String(id), "secret-file": file });
  const at = sent.location ?? "";
  await expect.poll(async () => (await chidi.get(at)).text.includes("<progress")).toBe(false);
  await done(chidi, `${at}/sell`, {}, "Waiting for approval by a second person");
  expect(await one("select count(*)::int as n from vouchers")).toEqual({ n: 0 });
  await approveLast(ada, "on sale");
  expect(await one("select count(*)::int as n from vouchers")).toEqual({ n: 2 });
}

/** The supplier's own statement has a line too many, which is claimed from it. */
async function reconcile({ bola }: Company): Promise<void> {
  const today = zone.dayOf(Date.now()).date;
  const { rows } = await pool.query(
    "select supplier_reference as ours from vend_attempts where supplier = 'first' and verdict = 'vended'",
  );
  const lines = ["Ref,Charge", ...rows.map(({ ours }) => `${ours},600.00`), "theirs-alone,600.00"];
  const fields = {
    ...{ supplier: "first", from: today, to: today, by: "reference", tolerance: "" },
    ...{ reference_column: "Ref", amount_column: "Charge", statement: lines.join("\n") },
  };
  const { status, text } = await bola.send("/operator/reconciliation", fields);
  expect([status, text.includes("1 difference"), text.includes("theirs-alone")]).toEqual([200, true, true]);
  await done(bola, "/operator/reconciliation/keep", fields, "1 difference kept");
  const { id } = await one<{ id: number }>("select id from reconciliation_differences");
  const claim = { reason: "they charged a sale that is not ours", end: "theirs", case_number: "TS-88121" };
  await done(bola, `/operator/reconciliation/differences/${id}`, claim, "claimed from the supplier");
}

/** A customer who waited for two hours gets the money back, at the company's cost. */
async function refundOne({ ada, bola }: Company, id: string): Promise<void> {
  const reason = "customer waited for two hours";
  await done(bola, `/operator/sales/${id}/refund`, { reason }, "for approval");
  await approveLast(ada, "₦640.00 went back to the merchant");
}

async function closeTheDay({ bola }: Company, sold: bigint, failed: bigint): Promise<void> {
  const today = zone.dayOf(Date.now());
  const clock = { now: () => today.end + 3_600_000 };
  expect(await closeDay({ database, wallTime: zone, clock }, today)).toEqual({ brokenInvariants: [] });
  const stored = await one(
    `select sold::int, failed::int, pending::int, sales::int, cost::int
       from closed_day_sales where day = $1 and dimension = 'all'`,
    [today.date],
  );
  const sums = { sales: Number(sold * price), cost: Number(sold * cost) };
  expect(stored).toEqual({ sold: Number(sold), failed: Number(failed), pending: 0, ...sums });
  expect((await bola.get(`/operator/closed-days/${today.date}`)).text).toContain("Nothing changed since");
  expect((await bola.get("/operator/closed-days")).text).toContain("Balanced");
}

test("three people run a day from the first link to the closed books, and every kobo is where it belongs", async () => {
  const company = await openCompany();
  await importRoutes(company);
  const credited = await creditByTwo(company);
  const delivered = await sell(6, "successful");
  const waiting = await outage();
  await resolveReview(company, waiting);
  await changeNoPrice(company);
  await importVouchers(company);
  await reconcile(company);
  await refundOne(company, delivered[0] ?? "");
  const [sold, failed] = [8n, 2n];
  await closeTheDay(company, sold, failed);

  expect(await balance()).toBe(startBalance + credited - sold * price + price);
  const checks = await checkLedger(database);
  expect(checks.filter(({ broken }) => broken.length > 0)).toEqual([]);
  expect((await company.ada.send("/operator/audit/check")).text).toContain("The chain is whole");
});
