import { expect, test, vi } from "vitest";
import { announceTransfer } from "../../../../src/domain/funding/statements/announcements.ts";
import { creditLines } from "../../../../src/domain/funding/statements/credit-lines.ts";
import { setLineAside } from "../../../../src/domain/funding/statements/set-aside.ts";
import type { BankReference } from "../../../../src/domain/wallet/credit-queries.ts";
import { bookCredit } from "../../../../src/domain/wallet/credits.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { clock } from "../../../support/app.ts";
import { daysAgo } from "../../../support/bank-statement.ts";
import { closing } from "../../../support/closing.ts";
import { startConsole } from "../../../support/console.ts";
import { setEndpoint } from "../../../support/endpoints.ts";
import { bankAccount, importLines } from "../../../support/payments/kept-lines.ts";
import { emailsTo } from "../../../support/people.ts";
import { testSecretBox } from "../../../support/webhooks.ts";

const service = closing(await startConsole({ workers: true }));
const { app } = service;
const { database, wallTime } = app.services;
const { pool } = app.fresh;
const ada = { id: null, name: "Ada", email: null };

const credit = (merchantId: MerchantId, number: number, announcement: number | null = null) =>
  creditLines(
    {
      ...{ database, clock, creditAloneMax: kobo(100_000_000n) },
      openChanges: () => Promise.reject(new Error("nobody is asked")),
    },
    ada,
    [{ number, merchantId, announcement }],
  );

const events = async (merchantId: MerchantId) =>
  (
    await pool.query("select body from webhook_deliveries where wallet_id = $1 and event = 'wallet.funded'", [
      merchantId,
    ])
  ).rows.map(({ body }) => JSON.parse(body).data);

test("a merchant gets the event and the email of a bank statement’s line that was credited, once each", async () => {
  const { id } = await app.createMerchant({ credit: null });
  const owner = await service.member("owner", id);
  await setEndpoint(database, { merchantId: id, mode: "live" }, "https://shop.example/hook");
  await app.feel();
  const announcement = await announceTransfer(
    { database, clock, secretBox: testSecretBox },
    {
      ...{ merchantId: id, amount: kobo(5_000_000n), bank: "Access Bank", senderName: "Ada Stores" },
      ...{ slip: null, announcedBy: "ada" },
    },
  );
  const [named = 0, unnamed = 0] = await importLines(app, [
    { narration: "NIP TRF ADA STORES", amount: "50,000.00", reference: "NIP/000132611" },
    { narration: "CASH DEPOSIT", amount: "2,000.00", reference: "NIP/000132612" },
  ]);
  await credit(id, named, announcement);
  await vi.waitFor(async () => expect(await events(id)).toHaveLength(1), 30_000);
  await credit(id, unnamed);
  await vi.waitFor(async () => expect(await events(id)).toHaveLength(2), 30_000);
  const { rows: credits } = await pool.query("select id, booked_at from wallet_credits order by id");
  const came = {
    ...{ fee: "0.00", currency: "NGN", account_number: bankAccount, session_id: null },
    paid_at: wallTime.format(wallTime.startOfDay(daysAgo(1)) ?? 0),
  };
  expect(await events(id)).toEqual([
    {
      ...{ ...came, payment_id: `crd_${credits[0].id}`, amount: "50000.00", credited: "50000.00" },
      ...{ balance_after: "50000.00", sender_name: "Ada Stores", sender_bank: "Access Bank" },
      ...{ bank_reference: "NIP/000132611", narration: "NIP TRF ADA STORES" },
      credited_at: wallTime.format(credits[0].booked_at.getTime()),
    },
    {
      ...{ ...came, payment_id: `crd_${credits[1].id}`, amount: "2000.00", credited: "2000.00" },
      ...{ balance_after: "52000.00", sender_name: null, sender_bank: null },
      ...{ bank_reference: "NIP/000132612", narration: "CASH DEPOSIT" },
      credited_at: wallTime.format(credits[1].booked_at.getTime()),
    },
  ]);
  const emails = (await emailsTo(database, owner.email)).flatMap((email) => email?.text ?? []);
  expect(emails.map((text) => text.includes("Ada Stores, Access Bank"))).toEqual([false, true]);
  expect((await pool.query("select count(*)::int from statement_lines where event_due")).rows).toEqual([{ count: 0 }]);
});

test("nobody is sent an event of money that was credited by hand before, or of a line that was set aside", async () => {
  const { id } = await app.createMerchant({ credit: null });
  await setEndpoint(database, { merchantId: id, mode: "live" }, "https://shop.example/hook");
  await app.feel();
  const reference = "NIP/000132700" as BankReference;
  const [byHand = 0, aside = 0, last = 0] = await importLines(app, [
    { narration: "BY HAND", amount: "3,000.00", reference },
    { narration: "OUR OWN", amount: "4,000.00", reference: "NIP/000132701" },
    { narration: "THEIRS", amount: "5,000.00", reference: "NIP/000132702" },
  ]);
  await database.transaction((tx) =>
    bookCredit(tx, {
      ...{ merchantId: id, amount: kobo(300_000n), reason: "By hand", bankReference: reference },
      ...{ requestedBy: "Ada", approvedBy: null },
    }),
  );
  await setLineAside(database, ada, { number: aside, because: "our own transfer" });
  const before = await credit(id, byHand);
  expect(before).toMatchObject({ outcome: expect.stringContaining("1 transfer had been credited by hand before.") });
  await credit(id, last);
  await vi.waitFor(async () => expect(await events(id)).toMatchObject([{ amount: "5000.00" }]), 30_000);
});
