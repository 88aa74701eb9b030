import { createHash } from "node:crypto";
import { type Kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { refuseField } from "../../../kernel/problems.ts";
import { isShortened, typedText } from "../../../kernel/typed-text.ts";
import { exportAsText } from "../../../platform/csv.ts";
import type { TextRow } from "../../../platform/csv-text.ts";
import { openYieldToEventLoop } from "../../../platform/pacing.ts";
import { readSheetRows } from "../../../platform/xlsx.ts";
import type { BankReference } from "../../wallet/credit-queries.ts";
import { parseBankReference } from "../../wallet/credits.ts";
import { type FoundLayout, findLayout, plainHeading, type StatementColumns, type StatementRole } from "./layouts.ts";
import { type DateOrder, openDates } from "./statement-dates.ts";

/** Money that came to an account, as a statement has it. */
export interface StatementLine {
  /** As an editor or the spreadsheet counts them. */
  readonly line: number;
  readonly paidOn: string;
  readonly amount: Kobo;
  /** What tells it from others of its day and amount. */
  readonly identity: string;
  /** Which of those it is that have all of that in common. */
  readonly ordinal: number;
  readonly bankReference: BankReference;
  readonly narration: string;
}

/** A line that can't be used, and why. */
export interface StatementFault {
  readonly line: number;
  readonly sentence: string;
}

export interface ReadStatement {
  readonly layout: string;
  readonly lines: readonly StatementLine[];
  /** Money that left the account. */
  readonly debits: number;
  readonly faults: readonly StatementFault[];
}

export interface StatementFile {
  readonly accountNumber: string;
  readonly bytes: Buffer;
  /** Null: the dates themselves tell it. */
  readonly order: DateOrder | null;
}

/** Headings that nobody has mapped yet. */
export interface UnknownLayout {
  readonly unknown: readonly string[];
}

/** Far more than a bank gives out at once. */
const rowsMax = 120_000;
/** Before the headings stand the account's name, its number, the time. */
const headingWithin = 40;
const fieldName = "file";
/** Some milliseconds. */
const sliceSize = 500;

interface Found {
  readonly line: number;
  readonly dates: Readonly<Record<DateOrder, string | null>>;
  readonly cell: string;
  readonly amount: Kobo;
  readonly reference: string;
  readonly narration: string;
}

/**
 * Reads a bank's statement, CSV or XLSX, in slices: money that came in, each line with what tells it from all others. Money
 * that left is counted. `today`: no line is of a later day. @returns the headings, where they are unknown
 * @throws Refusal VALIDATION_ERROR at the field `file` where it is no statement, or its dates are open
 */
export async function readStatement(
  { accountNumber, bytes, order }: StatementFile,
  kept: ReadonlyMap<string, StatementColumns>,
  today: string,
): Promise<ReadStatement | UnknownLayout> {
  const dates = openDates();
  const faults: StatementFault[] = [];
  const found: Found[] = [];
  const before: TextRow[] = [];
  let debits = 0;
  let layout: FoundLayout | null = null;
  let places: ReadonlyMap<StatementRole, number> = new Map();
  for await (const row of readSheetRows(bytes, fieldName, rowsMax)) {
    if (layout === null) {
      layout = findLayout(row.cells, kept);
      if (layout !== null) places = placesOf(row.cells, layout.columns);
      else if (before.push(row) === headingWithin) break;
      continue;
    }
    const read = readRow(row, places);
    if (read === "nothing") continue;
    const day = dates.read(read.cell, row.line);
    if (read.kind === "debit") debits += 1;
    else if (read.kind === "fault") faults.push({ line: row.line, sentence: read.sentence });
    else found.push({ ...read, line: row.line, dates: day });
  }
  if (layout === null) return { unknown: headingsAmong(before) };
  const decided = order ?? dates.order();
  if (typeof decided !== "string") throw complain(decided.sentence);
  const pause = openYieldToEventLoop();
  const seen = new Map<string, number>();
  const lines: StatementLine[] = [];
  for (const [at, one] of found.entries()) {
    if (at % sliceSize === 0) await pause();
    const paidOn = one.dates[decided];
    if (paidOn === null || paidOn > today) {
      const why = paidOn === null ? `Has “${one.cell.slice(0, 40)}” for a date.` : `Is of ${paidOn}, a day to come.`;
      faults.push({ line: one.line, sentence: why });
      continue;
    }
    const line = { ...identified(one), paidOn };
    const key = `${paidOn} ${line.amount} ${line.identity}`;
    const ordinal = (seen.get(key) ?? 0) + 1;
    seen.set(key, ordinal);
    const bankReference = line.reference ?? madeReference(accountNumber, { ...line, ordinal });
    lines.push({ ...line, ordinal, bankReference });
  }
  faults.sort((one, other) => one.line - other.line);
  return { layout: layout.name, lines, debits, faults };
}

function complain(sentence: string) {
  return refuseField("VALIDATION_ERROR", fieldName, sentence);
}

/** The headings of an unknown statement: the row that names the most. @throws Refusal where none names enough */
function headingsAmong(rows: readonly TextRow[]): readonly string[] {
  const named = ({ cells }: TextRow) => new Set(cells.map(plainHeading).filter((name) => /[a-z]/.test(name))).size;
  const [most] = rows.toSorted((one, other) => named(other) - named(one));
  if (most === undefined || named(most) < 3)
    throw complain("Has no line of headings, such as Date, Narration, Credit.");
  return most.cells.map(typedText);
}

function placesOf(cells: readonly string[], columns: StatementColumns): ReadonlyMap<StatementRole, number> {
  const names = cells.map(plainHeading);
  const entries = Object.entries(columns) as [StatementRole, string][];
  return new Map(entries.map(([role, name]) => [role, names.indexOf(name)]));
}

type ReadRow =
  | "nothing"
  | { readonly kind: "debit"; readonly cell: string }
  | { readonly kind: "fault"; readonly cell: string; readonly sentence: string }
  | ({ readonly kind: "credit" } & Omit<Found, "line" | "dates">);

function readRow({ cells }: TextRow, places: ReadonlyMap<StatementRole, number>): ReadRow {
  const of = (role: StatementRole) => typedText(cells[places.get(role) ?? -1] ?? "");
  const cell = of("date");
  const [credit, debit] = [readMoney(of("credit")), readMoney(of("debit"))];
  const fault = (sentence: string): ReadRow => ({ kind: "fault", cell, sentence });
  if (credit === "none" && debit === "none") return "nothing";
  if (cell === "") return fault("Has an amount and no date.");
  if (credit === "unread") return fault(notAnAmount(of("credit")));
  if (debit === "unread") return fault(notAnAmount(of("debit")));
  if (credit !== "none" && debit !== "none") return fault("Has a credit and a debit.");
  if (credit === "none" || credit.isTaken) return { kind: "debit", cell };
  const reference = of("reference");
  if (isShortened(reference) || /^[1-9][0-9]{14}0{3,}$/.test(reference))
    return fault(`Has the reference ${reference}, which is rounded and can’t be used. ${exportAsText}`);
  return { kind: "credit", cell, amount: credit.amount, reference, narration: of("narration") };
}

/** `50,000.00`, `50,000.00 CR`, `(50.00)`, `-50.00 DR`; nothing is written in several ways. */
function readMoney(text: string): "none" | "unread" | { readonly amount: Kobo; readonly isTaken: boolean } {
  if (/^[-.0, ]*$/.test(text)) return "none";
  const [, sign, figures = "", side = ""] = /^([-(])?(.*?)\)? ?([CD]R?\.?)?$/i.exec(text) ?? [];
  const amount = readAmount(figures);
  return amount === null ? "unread" : { amount, isTaken: sign !== undefined || /^D/i.test(side) };
}

const identityMax = 200;
const narrationMax = 500;

/** By the bank's own reference, and where it has none, or one that many lines may have, by what is said of the line. */
function identified({ reference, narration, ...line }: Found) {
  const own = reference.length >= 6 && /[0-9]/.test(reference) ? parseBankReference(reference) : null;
  const said = narration.replace(/\s+/g, " ").trim();
  const plain = said
    .normalize("NFKC")
    .toUpperCase()
    .replace(/[^\p{L}\p{N}]/gu, "");
  const identity = (own ?? `${plain || "-"}`).slice(0, identityMax);
  return { ...line, reference: own, identity, narration: said.slice(0, narrationMax) };
}

/** What a line without a reference is called: the same in whatever file it stands. */
function madeReference(
  accountNumber: string,
  { paidOn, amount, identity, ordinal }: Pick<StatementLine, "paidOn" | "amount" | "identity" | "ordinal">,
): BankReference {
  const hash = createHash("sha256").update(`${amount} ${identity}`).digest("hex").slice(0, 12);
  return `STATEMENT-${accountNumber}-${paidOn}-${hash}-${ordinal}`.toUpperCase() as BankReference;
}
