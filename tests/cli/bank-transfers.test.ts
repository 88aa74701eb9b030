import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { newMerchant } from "../../rigs/base/merchants.ts";
import { announceTransfer } from "../../src/domain/funding/statements/announcements.ts";
import { formatTransferReference } from "../../src/domain/funding/statements/transfer-reference.ts";
import { kobo } from "../../src/kernel/money.ts";
import { clock } from "../support/app.ts";
import { daysAgo, gtbStatement } from "../support/bank-statement.ts";
import { closing } from "../support/closing.ts";
import { ownDatabase } from "../support/merchants.ts";
import { operate } from "../support/operate.ts";
import { testEncryptionKey, testWebhooks } from "../support/webhooks.ts";

const own = closing(await ownDatabase());
const folder = await mkdtemp(path.join(tmpdir(), "statements-"));
afterAll(() => rm(folder, { recursive: true }));
const settings = { DATABASE_URL: own.fresh.url, ENCRYPTION_KEY: testEncryptionKey, CREDIT_ALONE_MAX: "100000.00" };
const run = (...words: string[]) => operate(["--as", "Ada", ...words], settings);
const account = "0123456789";

async function file(name: string, text: string): Promise<string> {
  const at = path.join(folder, name);
  await writeFile(at, text);
  return at;
}

test("a transfer that a merchant announced is credited once by its statement's line, and by hand never again", async () => {
  const { id } = await newMerchant(own.database);
  const merchant = `mer_${id}`;
  const { secretBox } = testWebhooks;
  await announceTransfer(
    { database: own.database, clock, secretBox },
    {
      merchantId: id,
      amount: kobo(5_000_000n),
      bank: "Access Bank",
      senderName: "Ada Stores",
      slip: null,
      announcedBy: "ada",
    },
  );
  expect((await run("funding", "add-account", account, "--bank", "GTBank")).code).toBe(0);
  const narration = `NIP TRF ADA STORES ${formatTransferReference(id)}`;
  const came = [{ narration, amount: "50,000.00", reference: "NIP/000132611" }];
  const statement = await file("gtb.csv", gtbStatement(came, account));
  const first = await run("funding", "import", statement, "--account", account, "--json");
  expect([first.code, first.lines]).toMatchObject([0, [{ layout: "GTBank", new: 1, known: 0, debits: 1, wrong: 0 }]]);
  const again = await run("funding", "import", statement, "--account", account, "--json");
  expect(again.lines).toMatchObject([{ new: 0, known: 1 }]);
  const [line] = (await run("funding", "lines", "--json")).lines;
  expect(line).toMatchObject({ amount: "50000.00", merchant_id: merchant, matched_by: "reference", announced: 1 });
  const credited = await run("funding", "credit", String(line.line));
  expect([credited.code, credited.error, credited.out]).toEqual([0, "", "1 transfer credited, ₦50,000.00 in all.\n"]);
  const twice = await run("funding", "credit", String(line.line));
  expect([twice.code, twice.error]).toEqual([
    1,
    expect.stringContaining("was credited or set aside meanwhile. Nothing was credited."),
  ]);
  const [wallet] = (await run("wallet", merchant, "--json")).lines;
  expect([wallet.balance, wallet.entries.length, wallet.entries[0].bank_reference]).toEqual([
    "50000.00",
    1,
    "NIP/000132611",
  ]);
  const byHand = await run(
    ...["credit-wallet", merchant, "50000", "--reason", "transfer", "--bank-reference", "nip / 000132611"],
  );
  expect(byHand.out).toContain("Nothing changes: the same transfer is credit");
  expect((await run("check-ledger")).code).toBe(0);
});

test("wrong lines are named and end with code 1, unknown headings are mapped once, and files that overlap count each line once", async () => {
  const [other, day] = ["9876543210", daysAgo(2)];
  await run("funding", "add-account", other, "--bank", "Kuda");
  const mapped = await file("own.csv", `Paid,Text,In,Ref\n${day},CASH,"1,000.00",KUDA000001\n${day},X,2000,1.2E+12\n`);
  const words = ["funding", "import", mapped, "--account", other, "--json"];
  const unknown = await run(...words);
  expect([unknown.code, unknown.error]).toEqual([1, expect.stringContaining("They are: Paid, Text, In, Ref.")]);
  const kept = await run(...words, "--map", "date=Paid,narration=Text,credit=In,reference=Ref");
  const faults = [{ line: 3, sentence: expect.stringContaining("which is rounded and can’t be used") }];
  expect([kept.code, kept.lines]).toMatchObject([1, [{ layout: "mapped by hand", new: 1, wrong: 1, lines: faults }]]);
  const longer = await file(
    "own-2.csv",
    `Paid,Text,In,Ref\n${day},Later text,500,KUDA000002\n${day},CASH IN,"1,000.00",kuda 000001\n`,
  );
  const second = await run("funding", "import", longer, "--account", other, "--json");
  expect([second.code, second.lines]).toMatchObject([0, [{ new: 1, known: 1 }]]);
  const wrongBank = await run(
    "funding",
    "import",
    await file("gtb-2.csv", gtbStatement([], other)),
    "--account",
    other,
  );
  expect(wrongBank.error).toContain("Has the headings of a statement of GTBank, and account 9876543210 is at Kuda.");
});

test("a line that a payment provider paid is its settlement by a command, and the float has what is left", async () => {
  await own.fresh.pool.query("insert into payment_providers (name, connector) values ('paystack', 'paystack')");
  await run("funding", "add-account", account, "--bank", "GTBank");
  const came = [{ narration: "PAYSTACK SETTLEMENT", amount: "900.00", reference: "NIP/000132699" }];
  await run("funding", "import", await file("settled.csv", gtbStatement(came, account)), "--account", account);
  const text = "select number from statement_lines where narration = 'PAYSTACK SETTLEMENT'";
  const line = String((await own.fresh.pool.query(text)).rows[0].number);
  expect((await run("funding", "settlement", line, "nobody")).error).toContain("There is no such payment provider");
  const booked = await run("funding", "settlement", line, "paystack");
  expect([booked.code, booked.out]).toEqual([
    0,
    `Line ${line} is a settlement. paystack paid ₦900.00 more than our books say it held.\n`,
  ]);
  expect((await run("funding", "settlement", line, "paystack")).error).toContain("is a settlement of paystack already");
  const [float] = (await run("float", "--json")).lines;
  expect(float.payment_providers).toEqual([
    { provider: "paystack", amount: "-900.00", last_settlement: { amount: "900.00", paid_on: daysAgo(1) } },
  ]);
  for (const words of ["difference with paystack", "last settlement of paystack"])
    expect((await run("float")).out).toContain(words);
  const opened = await run("funding", "settlement", line, "--json");
  expect(opened.lines).toEqual([{ line: Number(line), settlement_of: null, held_by_provider: "0.00" }]);
  expect((await run("check-ledger")).code).toBe(0);
});
