import type { StatementLine } from "../../../domain/history/statement/wallet-statement.ts";
import type { EntryFlow, StatementRange } from "../../../domain/history/statement/wallet-statement-queries.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { subtract } from "../../../kernel/money.ts";
import { openPdf, type PdfDocument, pdfPage } from "../../../platform/pdf/pdf-document.ts";
import type { MomentFormat } from "../../kit/parts/surroundings.ts";
import { countText, momentText, moneyText, signedMoney } from "../../kit/parts/text.tsx";

export interface Statement {
  readonly company: { readonly name: string; readonly logo: { readonly bytes: Buffer } | null };
  /** The owner of the wallet: name and id. */
  readonly merchant: { readonly name: string; readonly id: string };
  readonly mode: Mode;
  /** From when to when, in words. */
  readonly span: string;
  readonly madeAt: Date;
  readonly format: MomentFormat;
  readonly range: StatementRange;
  readonly flow: EntryFlow;
  readonly count: number;
  readonly lines: AsyncIterable<readonly StatementLine[]>;
}

const left = 40;
const right = pdfPage.width - left;
const width = right - left;
const quiet = "#555d68";
const hairline = "#c9ced6";

const rowHeight = 24;
const bottom = 792;
/** Where rows begin: below the heading of the first page, and of the others. */
const tops = { first: 222, next: 96 } as const;
const rowsOnFirst = Math.floor((bottom - tops.first) / rowHeight);
const rowsOnNext = Math.floor((bottom - tops.next) / rowHeight);

/** Each column's left edge and width. */
const columns = {
  time: { x: left, width: 62 },
  what: { x: left + 68, width: 208 },
  amount: { x: left + 282, width: 82 },
  balance: { x: left + 372, width: width - 372 },
} as const;

const modeMarks = {
  live: { text: "Live wallet", fill: "#e8ecf2", ink: "#2b3440" },
  test: { text: "Sandbox: play money, no claim on anybody", fill: "#ffe3b3", ink: "#5c3a00" },
} as const;

/** A page takes some ten milliseconds of the process: too long to hold up who buys. */
const rowsPerPiece = 6;

/** A statement as PDF, written while it is read. A piece is empty until its page is complete. */
export async function* writeStatementPdf(statement: Statement): AsyncGenerator<Buffer> {
  const { merchant, madeAt, span, count } = statement;
  const pdf = await openPdf({ title: `Statement of ${merchant.name}, ${span}`, madeAt });
  beginPage(pdf, statement, 1);
  drawHead(pdf, statement);
  if (count === 0) pdf.text("No entries in this range.", { x: left, y: tops.first + 8, width, size: 8, ink: quiet });
  let row = 0;
  for await (const lines of statement.lines) {
    for (const line of lines) {
      const place = placeOf(row);
      if (place.isFirst && row > 0) beginPage(pdf, statement, place.page);
      if (row % rowsPerPiece === 0) yield pdf.take();
      drawLine(pdf, statement.format, line, place.y);
      row += 1;
    }
  }
  yield pdf.end();
}

function placeOf(row: number): { readonly page: number; readonly y: number; readonly isFirst: boolean } {
  if (row < rowsOnFirst) return { page: 1, y: tops.first + row * rowHeight, isFirst: row === 0 };
  const onNext = row - rowsOnFirst;
  const place = onNext % rowsOnNext;
  return { page: 2 + Math.floor(onNext / rowsOnNext), y: tops.next + place * rowHeight, isFirst: place === 0 };
}

function pagesOf(count: number): number {
  return count === 0 ? 1 : placeOf(count - 1).page;
}

/** The mode's mark, whose statement it is, the columns' titles and the page's number: each page stands for itself. */
function beginPage(pdf: PdfDocument, { company, merchant, mode, span, count }: Statement, page: number): void {
  pdf.addPage();
  const mark = modeMarks[mode];
  pdf.box({ x: 0, y: 0, width: pdfPage.width, height: 20, fill: mark.fill });
  pdf.text(mark.text, { x: left, y: 5, width, size: 7.5, isBold: true, ink: mark.ink });
  const whose = { y: 40, size: 8, width: width / 2, ink: quiet };
  if (page > 1) {
    pdf.text(`${company.name}: statement`, { ...whose, x: left });
    pdf.text(`${merchant.name} (${merchant.id})`, { ...whose, x: left + width / 2, align: "end" });
  }
  const titles = { y: (page === 1 ? tops.first : tops.next) - 20, size: 7, isBold: true, ink: quiet };
  pdf.text("Time", { ...titles, ...columns.time });
  pdf.text("What", { ...titles, ...columns.what });
  pdf.text("Amount", { ...titles, ...columns.amount, align: "end" });
  pdf.text("Balance before → after", { ...titles, ...columns.balance, align: "end" });
  pdf.box({ x: left, y: titles.y + 13, width, height: 0.75, fill: quiet });
  const foot = { y: 810, size: 7, width: width / 2, ink: quiet };
  pdf.text(span, { ...foot, x: left });
  pdf.text(`Page ${page} of ${pagesOf(count)}`, { ...foot, x: left + width / 2, align: "end" });
}

/** The first page's heading: who runs the service, whose wallet, from when to when, and what became of the balance. */
function drawHead(pdf: PdfDocument, statement: Statement): void {
  const { company, merchant, span, madeAt, format, count } = statement;
  const half = width / 2;
  const hasLogo = company.logo !== null && pdf.picture(company.logo.bytes, { x: left, y: 38, fit: [half - 20, 32] });
  if (!hasLogo) pdf.text(company.name, { x: left, y: 42, width: half - 20, size: 15, isBold: true });
  const end = { x: left + half, width: half, align: "end" } as const;
  pdf.text("Statement", { ...end, y: 42, size: 15, isBold: true });
  pdf.text(hasLogo ? company.name : "", { x: left, y: 76, width: half - 20, size: 8, ink: quiet });
  pdf.text(span, { ...end, y: 64, size: 8 });
  const made = `Made ${momentText(format, madeAt, "full")}`;
  pdf.text(made, { ...end, y: 77, size: 7, ink: quiet });
  pdf.text(merchant.name, { x: left, y: 98, width, size: 11, isBold: true });
  const entries = countText(count, "entry", "entries");
  pdf.text(`${merchant.id} · ${entries}, times in ${format(madeAt).zone}`, {
    x: left,
    y: 114,
    width,
    size: 8,
    ink: quiet,
  });
  drawFigures(pdf, statement);
}

function drawFigures(pdf: PdfDocument, { range, flow }: Statement): void {
  const figures = [
    ["Opening", moneyText(range.openingBalance)],
    ["In", moneyText(flow.in)],
    ["Out", moneyText(flow.out)],
    ["Closing", moneyText(range.closingBalance)],
  ] as const;
  const each = width / figures.length;
  pdf.box({ x: left, y: 136, width, height: 42, fill: "#f3f5f8" });
  for (const [at, [label, amount]] of figures.entries()) {
    const place = { x: left + at * each + 10, width: each - 14 };
    pdf.text(label, { ...place, y: 143, size: 7, ink: quiet });
    pdf.text(amount, { ...place, y: 156, size: 10, isBold: true, isWhole: true });
  }
}

function drawLine(pdf: PdfDocument, format: MomentFormat, line: StatementLine, y: number): void {
  const { at, kind, reference, description, amount, balanceAfter } = line;
  const [upper, lower] = [
    { y: y + 2, size: 7.5 },
    { y: y + 12, size: 6.5, ink: quiet },
  ];
  pdf.text(momentText(format, at, "day"), { ...upper, ...columns.time });
  pdf.text(momentText(format, at, "time"), { ...lower, ...columns.time });
  const kindWords = kind.replaceAll("_", " ");
  const about = reference === null ? kindWords : `${kindWords}, ${reference}`;
  // What a person wrote may be longer than what was bought, and has no reference to stand below it.
  const linesMax = reference === null ? 2 : 1;
  const [first = "", second = about] = pdf.linesOf(description, { ...columns.what, size: upper.size, linesMax });
  pdf.text(first, { ...upper, ...columns.what });
  pdf.text(second, { ...lower, ...columns.what });
  pdf.text(signedMoney(amount), { ...upper, ...columns.amount, align: "end", isWhole: true });
  const balances = `${moneyText(subtract(balanceAfter, amount))} → ${moneyText(balanceAfter)}`;
  pdf.text(balances, { ...upper, ...columns.balance, align: "end", isWhole: true });
  pdf.box({ x: left, y: y + rowHeight - 1.5, width, height: 0.4, fill: hairline });
}
