import { expect, test } from "vitest";
import { formatTransferReference } from "../../src/domain/funding/statements/transfer-reference.ts";
import { formatMerchantId } from "../../src/domain/merchants/merchant.ts";
import { type Came, daysAgo, gtbStatement } from "../support/bank-statement.ts";
import type { ConsoleAnswer, StaffClient } from "../support/console.ts";
import { enterProvider } from "../support/payments/kept-payments.ts";
import { sharedConsole } from "../support/shared-console.ts";
import { dayNumber, workbookParts, zipOf } from "../support/workbook.ts";

const service = await sharedConsole();
const { pool } = service.app.fresh;
const account = "0123456789";
const here = "/operator/transfers";
let references = 0;

const png = Buffer.concat([Buffer.from("89504e470d0a1a0a", "hex"), Buffer.from("not much of a picture")]);

const nextReference = () => `NIP${Date.now()}${String(++references).padStart(4, "0")}`;

async function addAccount(client: StaffClient): Promise<void> {
  await client.send(`${here}/import/account`, { account_number: account, bank: "GTBank" });
}

function upload(client: StaffClient, lines: readonly Came[]): Promise<ConsoleAnswer> {
  const file = { field: "file", name: "statement.csv", type: "text/csv", bytes: gtbStatement(lines, account) };
  return client.upload(`${here}/import`, { account }, file);
}

/** The boxes of the lines with this in their narration, as they would be sent. */
async function boxesOf(client: StaffClient, narration: string): Promise<readonly string[]> {
  const { text } = await client.get(here);
  const rows = text.match(/<tr.*?<\/tr>/gs) ?? [];
  return rows.filter((row) => row.includes(narration)).flatMap((row) => /value="(\d+-\d+-\d+)"/.exec(row)?.[1] ?? []);
}

const credit = async (client: StaffClient, lines: readonly string[]) =>
  client.follow(await client.send(`${here}/credit`, { line: lines }));

async function walletOf(merchantId: number) {
  const text = "select balance::int, seq::int from wallets where wallet_id = $1";
  return (await pool.query(text, [merchantId])).rows[0];
}

test("what a merchant announced with its slip is proposed for the statement's line, and a person's press credits it", async () => {
  const { id } = await service.app.createMerchant({ credit: null });
  const [owner, finance] = [await service.member("owner", id), await service.staff("finance")];
  const reference = formatTransferReference(id);
  expect((await owner.get("/live/wallet/transfers")).text).toContain(reference);
  const fields = { amount: "50,000", bank: "Access Bank", sender: "Mama Tolu Stores" };
  const slip = { field: "slip", name: "slip.png", type: "image/png", bytes: png };
  const listed = await owner.follow(await owner.upload("/live/wallet/transfers", fields, slip));
  for (const words of ["Thanks.", "Mama Tolu Stores", "₦50,000.00", "Waiting for the bank"])
    expect(listed.text).toContain(words);
  await addAccount(finance);
  const narration = `NIP/ACC/MAMA TOLU/${reference}`;
  const came = [{ narration, amount: "50,000.00", reference: nextReference() }];
  expect((await finance.follow(await upload(finance, came))).text).toContain("1 new transfer from GTBank");
  expect((await finance.follow(await upload(finance, came))).text).toContain("0 new transfers");
  const boxes = await boxesOf(finance, narration);
  expect(boxes).toEqual([expect.stringMatching(new RegExp(`^\\d+-${id}-\\d+$`))]);
  expect((await finance.get(`${here}?match=found`)).text).toMatch(new RegExp(`value="${boxes[0]}" checked`));
  expect(await walletOf(id)).toEqual({ balance: 0, seq: 0 });
  const both = await Promise.all([credit(finance, boxes), credit(await service.staff("admin"), boxes)]);
  expect(both.filter(({ text }) => text.includes("1 transfer credited, ₦50,000.00 in all."))).toHaveLength(1);
  expect(await walletOf(id)).toEqual({ balance: 5_000_000, seq: 1 });
  expect((await owner.get("/live/wallet/transfers")).text).toMatch(/Mama Tolu Stores.*Credited/s);
  expect((await owner.get("/live/wallet")).text).toContain("Mama Tolu Stores, Access Bank");
  const { rows } = await pool.query(
    "select who from audit_log where command = 'console transfers credit' and details like $1",
    [`%${boxes[0]?.split("-")[0]}%`],
  );
  expect(rows).toHaveLength(1);
});

test("a slip is for staff alone, a file that runs nothing; what is no picture and no PDF is refused with what it is", async () => {
  const { id } = await service.app.createMerchant({ credit: null });
  const [owner, finance] = [await service.member("owner", id), await service.staff("finance")];
  const fields = { amount: "7,000", bank: "UBA", sender: "Slip Sender" };
  const send = (name: string, type: string, bytes: Buffer | string) =>
    owner.upload("/live/wallet/transfers", fields, { field: "slip", name, type, bytes });
  const refused = [
    ["slip.png", "image/png", "MZ\u0090\u0000\u0003 This program cannot be run", "a program for Windows"],
    ["slip.pdf", "application/pdf", "\u007fELF\u0002\u0001\u0001", "a program"],
    ["slip.jpg", "image/jpeg", "#!/bin/sh\nrm -rf /", "a script"],
    ["slip.svg", "image/svg+xml", "<svg onload='alert(1)'/>", "a web page or a drawing with code"],
    ["slip.png", "image/png", "PK\u0003\u0004and so on", "a ZIP file, an app or an Office document"],
    ["slip.txt", "text/plain", "I have sent it", "another kind of file"],
  ] as const;
  for (const [name, type, bytes, what] of refused) {
    const { status, text } = await send(name, type, Buffer.from(bytes, "latin1"));
    expect([what, status, text.includes(`This is ${what}.`)]).toEqual([what, 400, true]);
  }
  const large = await send("slip.png", "image/png", Buffer.concat([png, Buffer.alloc(2 * 1_048_576)]));
  expect([large.status, large.text.includes("larger than 2 MB")]).toEqual([400, true]);
  const count = "select count(*)::int as count from announced_transfers where merchant_id = $1";
  expect((await pool.query(count, [id])).rows).toEqual([{ count: 0 }]);
  const pdf = Buffer.from("%PDF-1.7\n<</Type/Catalog>>\xff\x00\x01", "latin1");
  expect((await send("odd name.exe", "application/x-msdownload", pdf)).status).toBe(303);
  const { rows } = await pool.query(
    "select t.number, s.sealed from announced_transfers t join transfer_slips s on s.transfer_number = t.number where t.merchant_id = $1",
    [id],
  );
  expect(rows[0].sealed).toMatch(/^v1\./);
  const at = `/operator/transfers/announced/${rows[0].number}/slip`;
  const shown = await fetch(`${service.url}${at}`, { headers: { cookie: cookieOf(finance) } });
  expect([shown.status, Buffer.from(await shown.arrayBuffer()).equals(pdf)]).toEqual([200, true]);
  expect(Object.fromEntries(shown.headers)).toMatchObject({
    "content-type": "application/pdf",
    "content-disposition": `attachment; filename="slip-${rows[0].number}.pdf"`,
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringMatching(/^sandbox; default-src 'none'/),
  });
  const support = await service.staff("support");
  expect((await support.get(at)).status).toBe(403);
  const asMerchant = await fetch(`${service.url}${at}`, { headers: { cookie: cookieOf(owner) }, redirect: "manual" });
  expect([asMerchant.status, asMerchant.headers.get("location")]).toEqual([303, expect.stringContaining("/log-in")]);
});

function cookieOf({ cookies }: { readonly cookies: ReadonlyMap<string, string> }): string {
  return [...cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

test("more than one person may book in a day waits for a second one, who sees each line; nobody credits them meanwhile", async () => {
  const { id } = await service.app.createMerchant({ credit: null });
  const [maker, checker] = [await service.staff("finance"), await service.staff("finance")];
  await addAccount(maker);
  const reference = formatTransferReference(id);
  const came = [1, 2, 3].map((nth) => ({
    narration: `BIG ${nth} ${reference}`,
    amount: "40,000.00",
    reference: nextReference(),
  }));
  await upload(maker, came);
  // Two of them are what one may book alone in a day, and the third is more.
  const boxes = await boxesOf(maker, `BIG`).then((all) => all.filter((box) => box.includes(`-${id}-`)));
  expect(boxes).toHaveLength(3);
  expect((await credit(maker, boxes.slice(0, 2))).text).toContain("2 transfers credited, ₦80,000.00 in all.");
  expect((await credit(maker, boxes.slice(2))).text).toContain("for approval");
  expect(await walletOf(id)).toEqual({ balance: 8_000_000, seq: 2 });
  const text = "select max(id) as id from changes where kind = 'credit bank transfers'";
  const path = `/operator/approvals/${(await pool.query(text)).rows[0].id}`;
  // It can’t be chosen any more, nor credited from a page that still offers it.
  expect(await boxesOf(checker, "BIG")).toEqual([]);
  expect((await credit(checker, boxes.slice(2))).text).toContain(
    "is about one of these lines already. Nothing was credited.",
  );
  const byHand = { merchant: formatMerchantId(id), amount: "40,000", reason: "By hand" };
  const waiting = (await checker.get(path)).text;
  for (const words of ["Transfers that are credited", formatMerchantId(id), "₦40,000.00"])
    expect(waiting).toContain(words);
  const typed = await checker.send("/operator/money/credit", { ...byHand, bank_reference: waitingReference(waiting) });
  expect([typed.status, typed.text.includes("has this reference: one of many.")]).toEqual([400, true]);
  expect((await maker.follow(await maker.send(path, { do: "approve" }))).text).toContain("someone else has to decide");
  await Promise.all([1, 2].map(() => checker.send(path, { do: "approve" })));
  expect(await walletOf(id)).toEqual({ balance: 12_000_000, seq: 3 });
});

function waitingReference(page: string): string {
  return /NIP\d{17}/.exec(page)?.[0] ?? "";
}

test("a credit that was taken back leaves its line open, and it is credited to whom it belongs", async () => {
  const [wrong, right] = [
    await service.app.createMerchant({ credit: null }),
    await service.app.createMerchant({ credit: null }),
  ];
  const [maker, checker] = [await service.staff("finance"), await service.staff("admin")];
  await addAccount(maker);
  const narration = `NOBODY KNOWN ${Date.now()}`;
  await upload(maker, [{ narration, amount: "3,210.00", reference: nextReference() }]);
  const number = (await pool.query("select number from statement_lines where narration = $1", [narration])).rows[0]
    .number;
  const line = `${here}/lines/${number}`;
  expect((await maker.get(line)).text).toContain("no match");
  const unnamed = await maker.send(`${here}/credit`, { line: `${number}-0-0` });
  expect([unnamed.status, unnamed.text.includes("Open it to say whose it is")]).toEqual([400, true]);
  await maker.send(`${line}/aside`, { because: "Not for a merchant" });
  expect((await maker.get(line)).text).toContain("Not for a merchant");
  const aside = await maker.send(`${here}/credit`, { line: `${number}-${wrong.id}-0` });
  expect([aside.status, aside.text.includes("was credited or set aside meanwhile")]).toEqual([400, true]);
  expect((await maker.follow(await maker.send(`${line}/aside`))).text).toContain("is open again");
  const creditTo = async (merchantId: number) =>
    maker.follow(await maker.send(`${line}/credit`, { merchant: `mer_${merchantId}`, proposed: "", announcement: "" }));
  expect((await creditTo(wrong.id)).text).toContain("1 transfer credited");
  expect((await maker.get(line)).text).not.toContain("Credit wallet");
  const { rows } = await pool.query("select credit_id from statement_lines where number = $1", [number]);
  await maker.send(`/operator/money/credits/${rows[0].credit_id}/take-back`, { reason: "Wrong shop" });
  const change = (await pool.query("select max(id) as id from changes")).rows[0].id;
  await checker.send(`/operator/approvals/${change}`, { do: "approve" });
  expect((await maker.get(here)).text).toContain(narration);
  expect((await creditTo(right.id)).text).toContain("1 transfer credited");
  expect([(await walletOf(wrong.id)).balance, (await walletOf(right.id)).balance]).toEqual([0, 321_000]);
  expect((await maker.get(here)).text).not.toContain(narration);
  const late = await maker.send(`${line}/aside`, { because: "a second time" });
  expect([late.status, late.text.includes("is credited already")]).toEqual([400, true]);
});

test("what a payment provider paid to our bank is booked by its line, and its page shows what is left and what was paid last", async () => {
  const finance = await service.staff("finance");
  await addAccount(finance);
  const provider = `monnify-${Date.now()}`;
  await enterProvider(service.app, provider);
  const narration = `SETTLEMENT ${provider}`;
  await upload(finance, [{ narration, amount: "700.00", reference: nextReference() }]);
  const text = "select number from statement_lines where narration = $1";
  const [{ number }] = (await pool.query(text, [narration])).rows;
  const line = `${here}/lines/${number}`;
  expect((await finance.get(line)).text).toContain("Book settlement");
  const unnamed = await finance.send(`${line}/settlement`, { provider: "" });
  expect([unnamed.status, unnamed.text.includes("There is no such payment provider.")]).toEqual([400, true]);
  const booked = await finance.follow(await finance.send(`${line}/settlement`, { provider }));
  expect(booked.text).toContain(`${provider} paid ₦700.00 more than our books say it held.`);
  for (const words of [`Settlement of ${provider}`, `/operator/payment-providers/${provider}`])
    expect(booked.text).toContain(words);
  expect((await finance.get(`${here}?state=settlement`)).text).toContain(narration);
  expect((await finance.get(here)).text).not.toContain(narration);
  const page = (await finance.get(`/operator/payment-providers/${provider}`)).text;
  for (const words of ["Paid beyond our books", "Last settlement", `href="${line}"`]) expect(page).toContain(words);
  const float = (await finance.get("/operator/float")).text;
  for (const words of [`Difference with ${provider}`, `Last settlement of ${provider}`]) expect(float).toContain(words);
  expect((await (await service.staff("support")).send(`${line}/settlement`, { provider })).status).toBe(403);
  const opened = await finance.follow(await finance.send(`${line}/settlement`));
  expect(opened.text).toContain(`The transfer is open again. ${provider} still holds ₦0.00.`);
  const entries = "select details::jsonb from audit_log where command = 'console transfers settlement' order by number";
  expect((await pool.query(entries)).rows.map(({ details }) => details)).toEqual([
    { line: number, provider },
    { line: number, provider: null },
  ]);
});

test("one who tells of a transfer withdraws only its own; one that never came is closed with what its merchant reads", async () => {
  const [one, other] = [await service.app.createMerchant(), await service.app.createMerchant()];
  const [owner, stranger] = [await service.member("owner", one.id), await service.member("owner", other.id)];
  const finance = await service.staff("finance");
  const announce = (sender: string) => owner.send("/live/wallet/transfers", { amount: "900", bank: "Kuda", sender });
  for (const sender of ["First of two", "Second of two"]) expect((await announce(sender)).status).toBe(303);
  const { rows } = await pool.query("select number from announced_transfers where merchant_id = $1 order by number", [
    one.id,
  ]);
  const [first, second] = rows.map(({ number }) => String(number));
  const withdraw = (client: typeof owner, number = "") =>
    client.send("/live/wallet/transfers/withdraw", { number }).then((sent) => client.follow(sent));
  expect((await withdraw(stranger, first)).text).toContain("has ended already");
  expect((await owner.get("/live/wallet/transfers")).text.match(/Waiting for the bank/g)).toHaveLength(2);
  expect((await withdraw(owner, first)).text).toContain("Withdrawn.");
  const because = "Nothing came within a week. Ask your bank.";
  expect((await finance.send(`${here}/announced/${second}/close`, { because })).status).toBe(303);
  const page = (await owner.get("/live/wallet/transfers")).text;
  for (const words of [because, "Not found", "Withdrawn"]) expect(page).toContain(words);
});

test("a workbook of an unknown bank is mapped on a page, read then, and what a slow hand uploads twice is there once", async () => {
  const finance = await service.staff("finance");
  const own = "1122334455";
  await finance.send(`${here}/import/account`, { account_number: own, bank: "Kuda" });
  const again = await finance.send(`${here}/import/account`, { account_number: own, bank: "Kuda" });
  expect([again.status, again.text.includes("was added before")]).toEqual([400, true]);
  const reference = nextReference();
  const cells = [
    ["Paid on", "Who", "In", "Out", "Ref no"],
    [{ day: dayNumber(daysAgo(1)) }, "WORKBOOK SENDER", { number: "1234.5" }, null, reference],
    [{ day: dayNumber(daysAgo(1)) }, "FEE", null, { number: "50" }, "FEE000001"],
    [{ day: dayNumber(daysAgo(1)) }, "ROUNDED", { number: "5" }, null, { number: "1.2345678901234567E17" }],
  ];
  const file = { field: "file", name: "kuda.xlsx", bytes: zipOf(workbookParts(cells)) };
  const send = () => finance.upload(`${here}/import`, { account: own }, file);
  const mapping = await send();
  expect((await finance.follow(mapping)).text).toContain("What do its columns mean?");
  const headings = new URL(mapping.location ?? "", service.url).searchParams.get("headings") ?? "";
  const columns = { date: "Paid on", narration: "Who", credit: "In", debit: "Out", reference: "In" };
  const twice = await finance.send(`${here}/layout`, { headings, ...columns });
  expect([twice.status, twice.text.includes("chosen for something else too")]).toEqual([400, true]);
  const kept = await finance.send(`${here}/layout`, { headings, ...columns, reference: "Ref no" });
  expect((await finance.follow(kept)).text).toContain("Choose the file again");
  const read = (await finance.follow(await send())).text;
  for (const words of ["1 new transfer from Kuda", "mapped by hand", "which is rounded and can’t be used"])
    expect(read).toContain(words);
  expect((await finance.follow(await send())).text).toContain("0 new transfers from Kuda");
  const text = "select amount::int, bank_reference from statement_lines where account_number = $1";
  expect((await pool.query(text, [own])).rows).toEqual([{ amount: 123_450, bank_reference: reference }]);
  const program = await finance.upload(`${here}/import`, { account: own }, { ...file, bytes: "MZ\u0090 a program" });
  expect([program.status, program.text.includes("no line of headings")]).toEqual([400, true]);
});
