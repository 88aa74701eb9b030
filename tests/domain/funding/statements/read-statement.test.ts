import { monitorEventLoopDelay } from "node:perf_hooks";
import { describe, expect, test } from "vitest";
import { headingKey, type StatementColumns } from "../../../../src/domain/funding/statements/layouts.ts";
import { type ReadStatement, readStatement } from "../../../../src/domain/funding/statements/read-statement.ts";
import type { DateOrder } from "../../../../src/domain/funding/statements/statement-dates.ts";
import { Refusal } from "../../../../src/kernel/problems.ts";
import { dayNumber, workbookParts, zipOf } from "../../../support/workbook.ts";

const accountNumber = "0123456789";
const today = "2026-11-30";

interface Given {
  readonly order?: DateOrder | null;
  readonly kept?: ReadonlyMap<string, StatementColumns>;
}

async function read(bytes: Buffer | string, { order = null, kept = new Map() }: Given = {}): Promise<ReadStatement> {
  const found = await readStatement({ accountNumber, bytes: Buffer.from(bytes), order }, kept, today);
  if ("unknown" in found) throw new Error(`unknown: ${found.unknown}`);
  return found;
}

async function refusalOf(bytes: Buffer | string, given: Given = {}): Promise<string> {
  return read(bytes, given).then(
    () => "read",
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return Object.entries(error.detail.errors ?? {}).join();
    },
  );
}

const gtb = (...rows: readonly string[]) =>
  ["Trans. Date,Reference,Value. Date,Debits,Credits,Balance,Originating Branch,Remarks", ...rows].join("\r\n");
const credit = (date: string, reference = "NIP000123", amount = "1,000.00", remarks = "TRF ADA") =>
  `${date},${reference},${date},,"${amount}",,HEAD OFFICE,${remarks}`;

describe("five banks are ordered apart by their headings", () => {
  test.each([
    ["GTBank", gtb(credit("26-Nov-2026"))],
    [
      "Access Bank",
      `S/NO,Date,Transaction Details,Reference,Value Date,Withdrawals,Lodgements,Balance\n1,26-NOV-26,TRF ADA,NIP000123,26-NOV-26,,"1,000.00","9,000.00"\n2,26-NOV-26,FEE,NIP000124,26-NOV-26,50.00,,8950`,
    ],
    [
      "Zenith Bank",
      `DATE POSTED,VALUE DATE,DESCRIPTION,DEBIT,CREDIT,BALANCE\n26/11/2026,26/11/2026,TRF ADA,0.00,"1,000.00","9,000.00"\n26/11/2026,26/11/2026,FEE,50.00,0.00,8950`,
    ],
    [
      "UBA",
      `TRANS DATE;VALUE DATE;NARRATION;CHQ. NO;DEBIT;CREDIT;BALANCE\n26-Nov-2026;26-Nov-2026;TRF ADA;;;1000.00;9000.00\n26-Nov-2026;26-Nov-2026;FEE;;50.00;;8950.00`,
    ],
    [
      "First Bank",
      `TransDate\tReference\tTransaction Details\tValueDate\tDeposit\tWithdrawal\tBalance\n26-Nov-26\tNIP000123\tTRF ADA\t26-Nov-26\t1,000.00\t\t9,000.00`,
    ],
  ])("%s", async (bank, text) => {
    const { layout, lines, faults } = await read(text);
    expect([layout, faults]).toEqual([bank, []]);
    expect(lines).toMatchObject([{ paidOn: "2026-11-26", amount: 100_000n, narration: "TRF ADA" }]);
  });

  test("another one is unknown until somebody has said what its headings mean", async () => {
    const text = `My Bank\nPaid on,Who,In,Out,Ref no\n2026-11-26,ADA,"1,000.00",,X-000123\n2026-11-26,FEE,,50,X-000124`;
    const found = await readStatement({ accountNumber, bytes: Buffer.from(text), order: null }, new Map(), today);
    expect(found).toEqual({ unknown: ["Paid on", "Who", "In", "Out", "Ref no"] });
    const columns = { date: "paidon", narration: "who", credit: "in", debit: "out", reference: "refno" };
    const kept = new Map([[headingKey(["Paid on", "Who", "In", "Out", "Ref no"]), columns]]);
    const { layout, lines, debits } = await read(text, { kept });
    expect([layout, debits, lines.map(({ bankReference }) => bankReference)]).toEqual([
      "mapped by hand",
      1,
      ["X-000123"],
    ]);
  });

  test("one column of amounts with its side, or with a sign, has its debits skipped", async () => {
    const columns = { date: "date", narration: "what", credit: "amount" };
    const kept = new Map([[headingKey(["Date", "What", "Amount"]), columns]]);
    const rows = ["1,000.00 CR", "₦2,000.00", "500.00 DR", "-40.00", "(30.00)", "0.00", "-", "700.00C", "80D"];
    const text = ["Date,What,Amount", ...rows.map((amount, at) => `2026-11-26,LINE ${at},"${amount}"`)].join("\n");
    const { lines, debits, faults } = await read(text, { kept });
    expect([lines.map(({ amount }) => amount), debits, faults]).toEqual([[100_000n, 200_000n, 70_000n], 4, []]);
  });
});

describe("dates", () => {
  test.each([
    ["day first", ["05/11/2026", "13/11/2026"], ["2026-11-05", "2026-11-13"]],
    ["month first", ["11/05/2026", "11/13/2026"], ["2026-11-05", "2026-11-13"]],
    ["of two digits", ["05-11-26", "26-11-26"], ["2026-11-05", "2026-11-26"]],
    ["with a time", ["13/11/2026 14:05:12", "2026-11-26T10:00:00"], ["2026-11-13", "2026-11-26"]],
    ["the same either way", ["11/11/2026", "10.10.2026"], ["2026-11-11", "2026-10-10"]],
  ])("%s are read by the whole file", async (_name, dates, days) => {
    const rows = dates.map((date, at) => credit(date, `NIP00012${at}`));
    expect((await read(gtb(...rows))).lines.map(({ paidOn }) => paidOn)).toEqual(days);
  });

  test("that are open are refused until somebody says what they begin with; lines that can't be so are wrong then", async () => {
    const text = gtb(credit("05/11/2026"), credit("06/11/2026", "NIP000124"));
    expect(await refusalOf(text)).toMatch(/^file,Its dates may begin with the day or with the month, as in line 2/);
    const days = async (order: DateOrder) => (await read(text, { order })).lines.map(({ paidOn }) => paidOn);
    expect([await days("day"), await days("month")]).toEqual([
      ["2026-11-05", "2026-11-06"],
      ["2026-05-11", "2026-06-11"],
    ]);
    const ordered = await read(gtb(credit("05/11/2026"), credit("25/11/2026", "NIP000124")), { order: "month" });
    expect(ordered.faults).toEqual([{ line: 3, sentence: "Has “25/11/2026” for a date." }]);
  });

  test("of two orders in one file are refused, with a line of each", async () => {
    const text = gtb(credit("13/11/2026"), credit("05/11/2026", "NIP000124"), credit("11/14/2026", "NIP000125"));
    expect(await refusalOf(text)).toMatch(/line 2 begins with the day, line 4 with the month/);
  });

  test("that don't exist, or are to come, are of wrong lines, and decide nothing", async () => {
    const rows = [
      credit("31/02/2026"),
      credit("45/45/2026"),
      credit("13/11/2026"),
      credit("01-Dec-2026"),
      credit("soon"),
    ];
    const { lines, faults } = await read(gtb(...rows));
    expect(lines).toHaveLength(1);
    expect(faults.map(({ line }) => line)).toEqual([2, 3, 5, 6]);
    expect(faults[2]?.sentence).toBe("Is of 2026-12-01, a day to come.");
  });
});

describe("lines that can't be used are named, and hide none of the others", () => {
  test.each([
    ["a rounded reference", credit("26-Nov-2026", "1.2E+12"), /Has the reference 1\.2E\+12, which is rounded/],
    ["a reference that ends in zeros", credit("26-Nov-2026", "123456789012345000000"), /which is rounded/],
    ["an amount that may be two", credit("26-Nov-2026", "NIP9", "100,00"), /isn't read as an amount/],
    ["a credit and a debit", `26-Nov-2026,X,26-Nov-2026,50.00,"1,000.00",,HQ,BOTH`, /Has a credit and a debit/],
    ["a total", `,,,500.00,"9,000.00",,,TOTAL`, /Has an amount and no date/],
  ])("%s", async (_name, row, sentence) => {
    const { lines, faults } = await read(gtb(credit("25-Nov-2026"), row, credit("27-Nov-2026", "NIP000125")));
    expect(lines.map(({ line }) => line)).toEqual([2, 4]);
    expect(faults).toEqual([{ line: 3, sentence: expect.stringMatching(sentence) }]);
  });

  test("lines about nothing are passed over: opening balances, pages, remarks", async () => {
    const rows = [",,,,,,,Opening balance", "Page 1 of 2", credit("26-Nov-2026"), "26-Nov-2026,,,,,9000,,Balance"];
    expect(await read(gtb(...rows))).toMatchObject({ lines: [{ line: 4 }], faults: [], debits: 0 });
  });
});

describe("what tells one line from another", () => {
  const keys = ({ lines }: ReadStatement) =>
    lines.map(({ paidOn, amount, identity, ordinal }) => `${paidOn} ${amount} ${identity} ${ordinal}`);

  test("is the same in a file that has more, in other spellings, and in a workbook", async () => {
    const row = (reference: string, remarks: string) => credit("26-Nov-2026", reference, "1,000.00", remarks);
    const one = await read(gtb(row("NIP 0001/23", "TRF  Ada"), row("", "POS CASH"), row("", "POS CASH")));
    const rows = [row("", "Pos-Cash"), row("", "POS CASH"), row("nip0001/23", "TRF ADA to us"), credit("27-Nov-2026")];
    const other = await read(gtb(...rows));
    expect(new Set(keys(other))).toEqual(new Set([...keys(one), "2026-11-27 100000 NIP000123 1"]));
    const heading = ["Trans. Date", "Reference", "Value Date", "Debit", "Credit", "Balance", "Remarks"];
    const day = { day: dayNumber("2026-11-26") };
    const cells = [
      ["Account Statement"],
      heading,
      [day, "NIP0001/23", day, null, { number: "1000" }, { number: "9000.5" }, "TRF ADA"],
      [day, null, day, null, { number: "1000.0000000000001" }, null, "POS CASH"],
      [day, null, day, null, "1,000.00", null, "Pos cash"],
      [day, { number: "1.2345678901234567E17" }, day, null, { number: "5" }, null, "ROUNDED"],
      [day, "FEE001", day, { number: "50" }, null, null, "FEE"],
    ];
    const workbook = await read(zipOf(workbookParts(cells)));
    expect(keys(workbook)).toEqual(keys(one));
    expect(workbook.lines.map(({ bankReference }) => bankReference)).toEqual(
      one.lines.map((line) => line.bankReference),
    );
    expect(workbook).toMatchObject({ layout: "GTBank", debits: 1, faults: [{ line: 6 }] });
    expect(workbook.faults[0]?.sentence).toContain("which is rounded");
  });

  test("gives each a name to be credited under, its own where the bank has none", async () => {
    const rows = ["26-Nov-2026", "27-Nov-2026"].flatMap((date) =>
      [1, 2].map(() => credit(date, "", "1,000.00", "POS")),
    );
    const names = (await read(gtb(...rows))).lines.map(({ bankReference }) => bankReference);
    expect(new Set(names).size).toBe(4);
    expect(names.every((name) => /^STATEMENT-0123456789-2026-11-2[67]-[0-9A-F]{12}-[12]$/.test(name))).toBe(true);
    const other = await readStatement(
      { accountNumber: "9876543210", bytes: Buffer.from(gtb(...rows)), order: null },
      new Map(),
      today,
    );
    expect("lines" in other && other.lines.some(({ bankReference }) => names.includes(bankReference))).toBe(false);
  });
});

describe("a file that is no statement", () => {
  const sheet = workbookParts([["Date", "Narration", "Credit"]]);
  const without = (name: string) => sheet.filter((part) => part.name !== name);
  const bomb = Buffer.alloc(120 * 1_048_576, 0x20);
  test.each([
    ["nothing", "", /no line of headings/],
    ["a few words", "hello\nworld", /no line of headings/],
    ["a PDF", "%PDF-1.7 …", /This is a PDF/],
    ["an old workbook", Buffer.from("d0cf11e0a1b11ae1", "hex"), /Excel workbook \(xls\)/],
    ["a web page, as banks call xls", "<html><table><tr><td>Date", /a web page/],
    ["an open quote", `Trans. Date,Remarks,Credit,Debit\n"26-Nov-2026,X,1000`, /quote stays open/],
    ["a zip that is cut off", zipOf(sheet).subarray(0, 200), /can’t be read/],
    ["a zip of something else", zipOf([{ name: "a.txt", content: "a" }]), /no line of headings/],
    [
      "a workbook with broken XML",
      zipOf([...without("xl/workbook.xml"), { name: "xl/workbook.xml", content: "<a><b" }]),
      /can’t be read/,
    ],
    [
      "a bomb that says so",
      zipOf([...without("xl/sharedStrings.xml"), { name: "xl/sharedStrings.xml", content: bomb }]),
      /unpacks to more than 96 MB/,
    ],
    [
      "a bomb that lies",
      zipOf([...without("xl/sharedStrings.xml"), { name: "xl/sharedStrings.xml", content: bomb, says: 1_000 }]),
      /can’t be read/,
    ],
    [
      "a billion laughs",
      zipOf([
        ...without("xl/sharedStrings.xml"),
        {
          name: "xl/sharedStrings.xml",
          content: `<!DOCTYPE a [<!ENTITY b "ha"><!ENTITY c "&b;&b;">]><sst><si><t>&c;</t></si></sst>`,
        },
      ]),
      /can’t be read/,
    ],
    [
      "a thousand parts and more",
      zipOf(Array.from({ length: 1_001 }, (_, at) => ({ name: `x${at}`, content: "" }))),
      /more than 1000 parts/,
    ],
  ])("is refused in a sentence: %s", async (_name, bytes, sentence) => {
    expect(await refusalOf(bytes)).toMatch(sentence);
  });
});

test("100,000 lines with wrong ones in the middle are read in slices, and each wrong one is named", async () => {
  const wrong = new Set([17, 40_000, 50_001, 99_999]);
  const rows = Array.from({ length: 100_000 }, (_, at) =>
    wrong.has(at + 2)
      ? credit("26-Nov-2026", "1.2E+12")
      : credit("26-Nov-2026", at % 2 ? `NIP${at + 100_000}` : "", "1,000.00", `TRF ${at}`),
  );
  const bytes = Buffer.from([gtb(), ...rows].join("\r\n"));
  expect(bytes.length).toBeGreaterThan(6_000_000);
  const delay = monitorEventLoopDelay({ resolution: 5 });
  delay.enable();
  const { lines, faults } = await read(bytes);
  delay.disable();
  expect([lines.length, faults.map(({ line }) => line)]).toEqual([99_996, [...wrong]]);
  // A slice is some milliseconds; reading all of it without them takes more than a second.
  expect(delay.percentile(50) / 1e6).toBeLessThan(150);
  const twice = Buffer.concat([bytes, Buffer.from("\r\n"), Buffer.from(rows.join("\r\n"))]);
  expect(await refusalOf(twice)).toMatch(/^file,More than \d+ lines/);
});
