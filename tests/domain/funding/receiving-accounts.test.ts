import { pino } from "pino";
import { beforeEach, expect, test, vi } from "vitest";
import { claimDueFundingAccounts, insertMissingFundingAccounts } from "../../../src/domain/funding/account-queries.ts";
import type { MerchantId } from "../../../src/kernel/ids.ts";
import { closing } from "../../support/closing.ts";
import { startConsole } from "../../support/console.ts";
import { openedAccount, openFakePayments } from "../../support/payments/fake-payments.ts";
import { emailsTo } from "../../support/people.ts";

const logged: string[] = [];
const log = pino({ level: "trace" }, { write: (line: string) => void logged.push(line) });
const [first, second] = [openFakePayments("first"), openFakePayments("second")];
const usual = first.answer;
const service = closing(
  await startConsole({ log, openPaymentProvider: ({ name }) => ({ first, second })[name] ?? null }),
);
const { app } = service;
const { services, fresh } = app;
const { database, fundingAccounts } = services;
await fresh.pool.query(
  `insert into payment_providers (name, connector, fee_bearer)
   values ('first', 'paystack', 'merchant'), ('second', 'paystack', 'company'), ('third', 'paystack', 'company')`,
);
await fresh.pool.query("update payment_providers set state = 'disabled' where name = 'third'");
await app.feel("payment_providers");

beforeEach(async () => {
  await fresh.pool.query("delete from funding_accounts");
  for (const fake of [first, second]) {
    fake.requested.length = 0;
    fake.answer = usual;
  }
});

const claims = { exceptOf: [], limit: 100, leaseSeconds: 90 };

/** What workers do: who lacks an account gets one requested, and what is due is asked for. */
async function work(): Promise<void> {
  await insertMissingFundingAccounts(database, 1_000, null);
  for (const claim of await claimDueFundingAccounts(database, claims)) await fundingAccounts.ask(claim);
}

async function rowsOf(merchantId: MerchantId) {
  const { rows } = await fresh.pool.query(
    `select provider, state, account_number as number, refusal, tries,
            round(extract(epoch from due_at - now()))::integer as due
       from funding_accounts
      where merchant_id = $1
      order by provider`,
    [merchantId],
  );
  return rows;
}

/** The same as they are stored: nothing in them passes with the time. */
async function storedOf(merchantId: MerchantId) {
  const columns = "provider, state, account_number, refusal, tries, epoch, due_at";
  const text = `select ${columns} from funding_accounts where merchant_id = $1 order by provider`;
  return (await fresh.pool.query(text, [merchantId])).rows;
}

const makeDue = () => fresh.pool.query("update funding_accounts set due_at = now()");

test("an approved merchant has an account at each enabled provider, once, and nobody else has one", async () => {
  const merchant = await app.createMerchant();
  const waiting = await app.createMerchant({ approved: false });
  await work();
  await makeDue();
  await work();
  const number = `99${String(merchant.id).padStart(8, "0")}`;
  const row = { state: "active", number, refusal: null, tries: 1, due: 0 };
  expect(await rowsOf(merchant.id)).toEqual([
    { ...row, provider: "first" },
    { ...row, provider: "second" },
  ]);
  expect(await rowsOf(waiting.id)).toEqual([]);
  expect(first.requested.filter(({ reference }) => reference === `mer_${merchant.id}`)).toEqual([
    {
      reference: `mer_${merchant.id}`,
      businessName: "Test merchant",
      email: "test@example.com",
      phone: null,
      identity: null,
    },
  ]);
  expect(first.requested.some(({ reference }) => reference === `mer_${waiting.id}`)).toBe(false);
  const { body } = await app.call(merchant.liveKey, "/wallet/funding-accounts");
  expect(body.accounts).toEqual([
    {
      ...{ provider: "first", state: "active", account_number: number, bank_name: "Wema Bank", account_name: "A SHOP" },
      ...{ fee_bearer: "merchant", refusal: null },
    },
    expect.objectContaining({ provider: "second", fee_bearer: "company" }),
  ]);
});

test("providers are told the business's details and its owner's address", async () => {
  const merchant = await app.createMerchant();
  const { email } = await service.member("owner", merchant.id);
  await fresh.pool.query(
    `insert into live_access_requests
       (merchant_id, business_name, registration_number, address, phone, website, sells, requested_by)
     values ($1, 'Ada Stores', null, 'Kano', '+234 803 123 4567', null, 'airtime', $2)`,
    [merchant.id, email],
  );
  await work();
  const requested = first.requested.find(({ reference }) => reference === `mer_${merchant.id}`);
  expect(requested).toMatchObject({ businessName: "Ada Stores", email, phone: "08031234567" });
});

test("a process that died after its provider had answered, and one that came late, leave one account", async () => {
  const merchant = await app.createMerchant();
  await insertMissingFundingAccounts(database, 1_000, null);
  const died = await claimDueFundingAccounts(database, claims);
  expect(await claimDueFundingAccounts(database, claims)).toEqual([]);
  await makeDue();
  await work();
  const before = await storedOf(merchant.id);
  first.answer = () => openedAccount("0000000001");
  for (const claim of died) expect(await fundingAccounts.ask(claim)).toBe("gone");
  expect(before.map(({ state, tries }) => [state, tries])).toEqual([
    ["active", 2],
    ["active", 2],
  ]);
  expect(await storedOf(merchant.id)).toEqual(before);
});

test("a number that another merchant has is given to nobody else, whatever the provider says", async () => {
  const one = await app.createMerchant();
  await work();
  const other = await app.createMerchant();
  const [known] = await storedOf(one.id);
  first.answer = () => openedAccount(known.account_number);
  await work();
  const [row, atSecond] = await rowsOf(other.id);
  expect(row).toMatchObject({ state: "refused", number: null, refusal: "The account number is in use." });
  expect(atSecond.state).toBe("active");
  expect((await storedOf(one.id))[0]).toEqual(known);
});

test("without a clear answer it is asked again, ever later; refused is asked again on request, once a minute", async () => {
  const merchant = await app.createMerchant();
  second.answer = () => ({ kind: "unknown", evidence: "" });
  first.answer = () => ({ kind: "refused", reason: "BVN is <b>required</b>", evidence: "" });
  await work();
  const [refused, unknown] = await rowsOf(merchant.id);
  expect(refused).toMatchObject({ state: "refused", refusal: "BVN is <b>required</b>", due: 60 });
  expect(unknown).toMatchObject({ state: "requested", tries: 1, due: 5 });
  await fresh.pool.query("update funding_accounts set due_at = now() where provider = 'second'");
  await work();
  expect((await rowsOf(merchant.id))[1]).toMatchObject({ state: "requested", tries: 2, due: 20 });
  const request = () => app.call(merchant.liveKey, "/wallet/funding-accounts", { method: "POST" });
  const [early] = (await request()).body.accounts;
  expect(early).toMatchObject({ state: "refused", account_number: null, refusal: "BVN is <b>required</b>" });
  await makeDue();
  first.answer = usual;
  for (const attempt of [1, 2]) {
    const { status, body } = await request();
    expect([attempt, status, body.accounts[0].state, body.accounts[0].refusal]).toEqual([
      attempt,
      200,
      "requested",
      null,
    ]);
  }
  await work();
  expect((await rowsOf(merchant.id))[0]).toMatchObject({ state: "active", tries: 1 });
});

test("the sandbox has an account that was made up, and asks no provider", async () => {
  const merchant = await app.createMerchant();
  for (const method of ["GET", "POST"]) {
    const { status, body } = await app.call(merchant.testKey, "/wallet/funding-accounts", { method });
    expect([status, body.sandbox, body.accounts.length, body.accounts[0].account_name]).toEqual([
      200,
      true,
      1,
      "NOT A REAL ACCOUNT",
    ]);
  }
  expect(first.requested).toEqual([]);
});

test("the page shows each account by its state, and whoever is not approved that there will be one", async () => {
  const merchant = await app.createMerchant();
  const owner = await service.member("owner", merchant.id);
  first.answer = () => ({ kind: "refused", reason: "BVN is <b>required</b>", evidence: "" });
  // Other merchants of this file get numbers of their own.
  second.answer = ({ reference }) =>
    openedAccount(reference === `mer_${merchant.id}` ? "0123456789" : `98${reference.slice(4).padStart(8, "0")}`);
  expect((await owner.get("/live/wallet")).text).toContain("Paystack is opening your account number");
  await work();
  const { text } = await owner.get("/live/wallet");
  expect(text).toContain("Paystack didn’t open an account: “BVN is &lt;b>required&lt;/b>”");
  expect(text).toContain("<code>012 345 6789</code>");
  expect(text).toContain('data-text="0123456789"');
  expect(text).toContain("You get all that you send.");
  expect((await owner.get("/test/wallet")).text).not.toContain("/wallet/accounts");
  const waiting = await app.createMerchant({ approved: false });
  const its = await service.member("owner", waiting.id);
  expect((await its.get("/live/wallet")).text).toContain("when live selling is approved");
});

test("an identity number is passed through where a person typed it: no row, line, page or email has it", async () => {
  const number = "22233344455";
  const merchant = await app.createMerchant();
  const owner = await service.member("owner", merchant.id);
  first.answer = ({ identity }) =>
    identity === null ? { kind: "refused", reason: "BVN is required", evidence: "" } : openedAccount("0123456780");
  await work();
  const wrong = await owner.send("/live/wallet/accounts", { kind: "bvn", identity: "2223334445" });
  expect([wrong.status, wrong.text.includes("has 11 digits"), wrong.text.includes("2223334445")]).toEqual([
    400,
    true,
    false,
  ]);
  const done = await owner.send("/live/wallet/accounts", { kind: "bvn", identity: "222 3334 4455" });
  expect(done.status).toBe(303);
  expect(first.requested.at(-1)?.identity).toEqual({ kind: "bvn", number });
  expect((await rowsOf(merchant.id))[0]).toMatchObject({ state: "active", number: "0123456780" });
  const page = (await owner.follow(done)).text;
  expect(page).toContain("Account opened.");
  const spellings = [number, "222 3334 4455", "222+3334+4455"];
  const kept = [page, ...logged, ...(await allRows()), JSON.stringify(await emailsTo(database, owner.email))];
  expect(spellings.filter((spelling) => kept.some((text) => text.includes(spelling)))).toEqual([]);
  const { rows } = await fresh.pool.query("select details from audit_log where command like '%receiving-account%'");
  expect(rows.map(({ details }) => details)).toEqual([expect.stringContaining('"identity":"bvn"')]);
});

/** Every row of every table, as text. */
async function allRows(): Promise<string[]> {
  const { rows: tables } = await fresh.pool.query<{ name: string }>(
    "select quote_ident(table_name) as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'",
  );
  const texts: string[] = [];
  for (const { name } of tables) {
    const { rows } = await fresh.pool.query<{ text: string }>(`select t::text as text from ${name} t`);
    texts.push(...rows.map(({ text }) => text));
  }
  return texts;
}

test("a form whose session had ended waits without the identity number", async () => {
  const guest = service.guest();
  const { text } = await guest.send("/live/wallet/accounts", { kind: "nin", identity: "33344455566" });
  expect(text).not.toContain("33344455566");
});

test("five numbers within an hour are tried, and no more", async () => {
  const merchant = await app.createMerchant();
  const owner = await service.member("owner", merchant.id);
  first.answer = () => ({ kind: "refused", reason: "No match", evidence: "" });
  await work();
  const requested = first.requested.length;
  const send = (last: number) => owner.send("/live/wallet/accounts", { kind: "nin", identity: `2223334440${last}` });
  for (const last of [1, 2, 3, 4, 5]) expect((await send(last)).status).toBe(303);
  const refused = await send(6);
  expect([refused.status, refused.text.includes("Try again in an hour")]).toEqual([429, true]);
  expect(first.requested.length - requested).toBe(5);
});

test("workers find who lacks an account, and get it, by themselves", async () => {
  const merchant = await app.createMerchant();
  const stop = services.startWorkers();
  await vi.waitFor(
    async () => expect((await rowsOf(merchant.id)).map(({ state }) => state)).toEqual(["active", "active"]),
    60_000,
  );
  await stop();
});
