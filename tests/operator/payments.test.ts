import { expect, test } from "vitest";
import { findConditions } from "../../src/domain/alerts/conditions.ts";
import { creditMerchant } from "../../src/domain/members/new-merchants/create-merchants.ts";
import { kobo } from "../../src/kernel/money.ts";
import { clock } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { enterProvider, keep, receive, takeBack } from "../support/payments/kept-payments.ts";

const service = closing(await startConsole());
const { app } = service;
const { pool } = app.fresh;
const finance = await service.staff("finance");
const support = await service.staff("support");
const here = "/operator/payments";
const shop = await app.createMerchant({ credit: null });
await pool.query("update merchants set name = 'Kano Corner Shop' where id = $1", [shop.id]);

await enterProvider(app);
await keep(app, "T1", { merchantId: shop.id, sender: { sessionId: "000013251127", narration: "Stock" } });
await keep(app, "T2", {
  merchantId: null,
  amount: 700_000n,
  sender: { name: "BOLA ADE" },
  accountNumber: "0000000000",
});
await keep(app, "T3", { merchantId: null, amount: 900_000n, sender: { name: "Zainab 50%_x" } });
await takeBack(app, { provider: "paystack", paymentId: "T3" }, 900_000n);
await receive(app, "T4");
await receive(app, "T5");
await pool.query("update payments set heard_at = now() - interval '2 hours' where payment_id = 'T5'");
await pool.query(
  "update payments set state = 'refused', due_at = null, evidence = 'its status is failed' where payment_id = 'T4'",
);
// Spent by the time that it is taken back: ₦15,000 of ₦50,000 are left.
const { database } = app.services;
await creditMerchant({ database }, { merchantId: shop.id, mode: "live", amount: kobo(-3_500_000n), reason: "Spent" });
await takeBack(app, { provider: "paystack", paymentId: "T1" }, 5_000_000n);

/** As people read it: without tags. */
const plain = (text: string) => text.replaceAll(/<[^>]+>/g, " ").replaceAll(/\s+/g, " ");
const numberOf = async (paymentId: string) =>
  (await pool.query("select number from payments where payment_id = $1", [paymentId])).rows[0].number as number;
const rowsOf = (text: string) => (/<tbody.*?<\/tbody>/s.exec(text)?.[0].match(/<tr/g) ?? []).length;
const listed = async (query: string) => {
  const { status, text } = await finance.get(`${here}?${query}`);
  expect(status).toBe(200);
  return { rows: rowsOf(text), text: plain(text) };
};

test("a list has every payment, by its state, provider, merchant, days, number, ids and sender", async () => {
  for (const [query, rows] of [
    ["", 5],
    ["state=credited", 0],
    ["state=taken_back", 2],
    ["state=owed", 1],
    ["state=unmatched", 1],
    ["state=heard", 1],
    ["state=refused", 1],
    ["provider=paystack", 5],
    [`merchant=mer_${shop.id}`, 1],
    ["days=2", 5], // one is two hours old: in the first hours of a day that was yesterday
    ["from=2020-01-01&to=2020-01-31", 0],
    [`to=${encodeURIComponent(new Date(Date.now() - 3_600_000).toISOString())}`, 1],
    [`q=pay_${await numberOf("T2")}`, 1],
    ["q=T2", 1],
    ["q=000013251127", 1],
    ["q=bola", 1],
    ["q=zainab+50%25_", 1],
    ["q=zainab+50%25__", 0],
    ["q=nobody", 0],
  ] as const)
    expect([query, (await listed(query)).rows]).toEqual([query, rows]);
  const unmatched = await listed("state=unmatched");
  for (const words of ["BOLA ADE, Access Bank", "Nobody’s", "0000000000", "₦7,000.00"])
    expect(unmatched.text).toContain(words);
});

test("its file has the same rows, for those alone who see money", async () => {
  const file = await finance.get(`${here}.csv?state=unmatched`);
  const [heading = "", line = "", ...more] = file.text.trimEnd().split("\r\n");
  expect(heading.split(",")).toEqual(
    expect.arrayContaining(["payment", "session_id", "amount", "taken_back", "merchant"]),
  );
  expect([line.includes("BOLA ADE"), line.includes("7000.00"), more]).toEqual([true, true, []]);
  expect((await support.get(here)).text).not.toContain(`${here}.csv`);
  expect((await support.get(`${here}.csv`)).status).toBe(403);
});

test("a payment’s page tells all that happened to it, whose it is and what the provider said, and who looked is known", async () => {
  const number = await numberOf("T1");
  const page = await support.get(`${here}/${number}`);
  const text = plain(page.text);
  for (const words of [
    ...[`pay_${number}`, "Taken back", "₦50,000.00 from ADA EZE, Access Bank", "000013251127", "Stock"],
    ...[
      "₦50,000.00 arrived from ADA EZE",
      "paystack told of it",
      "Verified, and credited to Kano Corner Shop: +₦50,000.00",
    ],
    ...[
      "Balance after ₦50,000.00, entry 1",
      "Taken back: −₦50,000.00",
      "₦35,000.00 was spent by then and became a debt",
    ],
    "Kano Corner Shop owes ₦35,000.00",
  ])
    expect(text).toContain(words);
  expect(page.text).toContain(`href="/operator/merchants/mer_${shop.id}"`);
  const reported = async (paymentId: string) => plain((await finance.get(`${here}/${await numberOf(paymentId)}`)).text);
  expect(await reported("T2")).toContain("Verified: ₦7,000.00, and nobody’s");
  expect(await reported("T3")).toContain("₦9,000.00 went back to its sender");
  expect(await reported("T4")).toContain("Never became money");
  expect(await reported("T5")).toContain("Asked 3 times");
  const { rows } = await pool.query(
    "select details from audit_log where who = $1 and command = 'console payment look'",
    [`staff:${support.email}`],
  );
  expect(rows).toEqual([{ details: `{"payment":"pay_${number}"}` }]);
});

test("the page of its merchant has accounts, debt and last payments, but not for catalogue people", async () => {
  await pool.query(
    `insert into funding_accounts (provider, merchant_id, state, account_number, bank_name, account_name, account_reference)
     values ('paystack', $1, 'active', '9900000001', 'Wema Bank', 'DISPENSE / KANO', 'CUS_1')`,
    [shop.id],
  );
  const at = `/operator/merchants/mer_${shop.id}`;
  const text = plain((await support.get(at)).text);
  for (const words of ["9900000001, Wema Bank", "Owes ₦35,000.00", "Can’t buy until it’s paid", "ADA EZE, Access Bank"])
    expect(text).toContain(words);
  expect((await (await service.staff("catalogue")).get(at)).text).not.toContain("9900000001");
});

test("Today counts what is unmatched, owed and not verified, and each number leads to just that", async () => {
  const today = async () => (await support.get("/operator/today")).text;
  await expect.poll(async () => plain(await today()), { timeout: 60_000 }).toContain("1 transfer unmatched");
  const text = await today();
  for (const words of ["1 merchant owes us", "₦35,000.00", "1 transfer not verified for over an hour", "₦7,000.00"])
    expect(plain(text)).toContain(words);
  const links = [...text.matchAll(/href="(\/operator\/payments\?[^"]+)"/g)].map(([, href = ""]) =>
    href.replaceAll("&amp;", "&"),
  );
  expect(links).toHaveLength(3);
  for (const href of links) expect([href, rowsOf((await support.get(href)).text)]).toEqual([href, 1]);
});

test("people on call are told of the same, each with its page", async () => {
  const found = await findConditions({ database, clock, wallTime: app.services.wallTime });
  const said = found.filter(({ path }) => path?.startsWith("/operator/payment"));
  expect(said.map(({ name, count, path }) => [name, count, path])).toEqual([
    ["unmatched payments", 1, `${here}?state=unmatched`],
    ["unverified payments", 1, `${here}?state=heard`],
    ["debts", 1, `${here}?state=owed`],
  ]);
  expect(said.map(({ sentence }) => sentence).join(" ")).toContain("Merchants owe ₦35,000.00");
});

test("a search by a payment’s name or its provider’s id leads to it", async () => {
  const number = await numberOf("T2");
  for (const q of [`pay_${number}`, "T2"])
    expect([q, (await support.get(`/operator/search?q=${q}`)).location]).toEqual([q, `${here}/${number}`]);
  expect((await (await service.staff("catalogue")).get(`/operator/search?q=pay_${number}`)).location).toBeNull();
});

test("what came to nobody’s account is credited to a merchant by two people, once", async () => {
  const [bola, chidi] = [await service.staff("finance"), await service.staff("admin")];
  const number = await numberOf("T2");
  const at = `${here}/${number}`;
  const merchant = `mer_${app.merchant.id}`;
  const wrong = await bola.send(`${at}/match`, { merchant: "mer_999999", reason: "x" });
  expect([wrong.status, plain(wrong.text).includes("There’s no such merchant.")]).toEqual([400, true]);
  const requested = await bola.follow(await bola.send(`${at}/match`, { merchant, reason: "Its receipt names it" }));
  expect(plain(requested.text)).toContain("for approval. Nothing has changed.");
  expect((await bola.follow(await bola.send(`${at}/match`, { merchant, reason: "Again" }))).text).toContain(
    "You asked for this already",
  );
  const balance = async () =>
    (await pool.query("select balance::int from wallets where wallet_id = $1", [app.merchant.id])).rows[0].balance;
  const before = await balance();
  const { rows } = await pool.query("select id from changes where kind = 'match payment'");
  const approval = `/operator/approvals/${rows[0].id}`;
  const shown = await chidi.get(approval);
  for (const words of ["Its receipt names it", "BOLA ADE, Access Bank", "0000000000"])
    expect([words, plain(shown.text).includes(words)]).toEqual([words, true]);
  expect(shown.text).toContain(`href="${at}"`);
  // The person who asked can't agree.
  await bola.send(approval, { do: "approve" });
  expect(await balance()).toBe(before);
  expect((await chidi.follow(await chidi.send(approval, { do: "approve" }))).text).toContain("₦7,000.00 of pay_");
  expect(await balance()).toBe(before + 700_000);
  const page = await support.get(at);
  expect(plain(page.text)).toContain("Matched to Test merchant: +₦7,000.00");
  expect((await bola.get(at)).text).not.toContain("Ask to match payment");
  expect((await bola.send(`${at}/match`, { merchant, reason: "Once more" })).text).toContain(
    "is credited to a merchant already",
  );
  expect((await support.send(`${at}/match`, { merchant, reason: "x" })).status).toBe(403);
});

test("what a provider says against what is booked is seen until one person says how it ended, once, and no money moves", async () => {
  await pool.query("update payments set contradiction = 'its status is failed' where payment_id in ('T1', 'T3')");
  const at = `${here}/${await numberOf("T1")}`;
  const words = "paystack said something else after this was booked: its status is failed";
  expect(plain((await support.get(at)).text)).toContain(words);
  expect((await listed("state=contradicted")).rows).toBe(2);
  await expect
    .poll(async () => plain((await support.get("/operator/today")).text), { timeout: 60_000 })
    .toContain("2 transfers contradicted");
  expect((await support.get(at)).text).not.toContain("End contradiction");
  const refused = await support.send(`${at}/contradiction`, { end: "theirs", note: "Its desk, case 7" });
  expect(refused.status).toBe(403);
  const entries = async () => (await pool.query("select count(*)::int from ledger_entries")).rows;
  const before = await entries();
  const shown = await finance.get(at);
  expect(shown.text).toContain(`/operator/money/credit?merchant=mer_${shop.id}&amp;take=back`);
  const ended = await finance.follow(
    await finance.send(`${at}/contradiction`, { end: "theirs", note: "Its desk, case 7" }),
  );
  for (const said of [
    "Ended: the provider was wrong. No money moved.",
    `Its desk, case 7 (${finance.email})`,
    "paystack contradicts it",
  ])
    expect([said, plain(ended.text).includes(said)]).toEqual([said, true]);
  expect(plain(ended.text)).not.toContain(words);
  expect(await entries()).toEqual(before);
  const again = await finance.send(`${at}/contradiction`, { end: "ours", note: "The other way round" });
  expect([again.status, again.text.includes("that was ended already")]).toEqual([400, true]);
  expect((await listed("state=contradicted")).rows).toBe(1);
  await expect
    .poll(async () => plain((await support.get("/operator/today")).text), { timeout: 60_000 })
    .toContain("1 transfer contradicted");
  const { rows } = await pool.query(
    "select who, details::jsonb from audit_log where command = 'console payment contradiction'",
  );
  const details = { payment: `pay_${await numberOf("T1")}`, end: "theirs", note: "Its desk, case 7" };
  expect(rows).toEqual([{ who: `staff:${finance.email}`, details }]);
});
