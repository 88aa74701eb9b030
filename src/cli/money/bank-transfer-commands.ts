import path from "node:path";
import { addBankAccount, keepLayout } from "../../domain/funding/statements/accounts-and-layouts.ts";
import {
  type AnnouncedTransfer,
  listMerchantsOf,
  listWaitingAnnouncements,
} from "../../domain/funding/statements/announcement-queries.ts";
import { type ChosenLine, creditingLines, creditLines } from "../../domain/funding/statements/credit-lines.ts";
import { importStatement } from "../../domain/funding/statements/import-statement.ts";
import { statementRoles } from "../../domain/funding/statements/layouts.ts";
import { type KeptLine, listLinesByNumber, listStatementLines } from "../../domain/funding/statements/line-queries.ts";
import { matchLines } from "../../domain/funding/statements/match-lines.ts";
import { findProviderClearing } from "../../domain/funding/statements/settlement-queries.ts";
import { clearingText, setLineSettlement } from "../../domain/funding/statements/settlements.ts";
import type { DateOrder } from "../../domain/funding/statements/statement-dates.ts";
import { formatMerchantId, parseMerchantId } from "../../domain/merchants/merchant.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { formatNaira } from "../../kernel/money.ts";
import { wholeNumber } from "../../kernel/typed-text.ts";
import { orComplain, personValue } from "../arguments.ts";
import { readGivenFile } from "../given-records.ts";
import { type OperatorCommand, type Session, wrong } from "../operator-command.ts";
import { findAuthor } from "../people/change-commands.ts";
import { changeServices } from "../people/email-command.ts";
import { printRequested } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows } from "../printing.ts";

const listMax = 1_000;

/** Commands about transfers to the company's own bank accounts. */
export function addBankTransferCommands(program: OperatorCommand): void {
  const funding = program
    .command("funding")
    .description("transfers to our own bank accounts, by the banks' statements");
  funding
    .command("add-account")
    .description("add one of our accounts, whose statements are imported from now on")
    .argument("<number>", "its number, of 10 digits")
    .requiredOption(
      "--bank <name>",
      "the bank that it is at: GTBank, Access Bank, Zenith Bank, UBA, First Bank, another",
    )
    .does(async ({ database, operator }, accountNumber: string, { bank, json }: JsonOption & { bank: string }) => {
      await addBankAccount(database, { accountNumber, bank }, operator);
      if (json) printJson({ account: accountNumber, bank });
      else printLine(`Statements of ${accountNumber} can be imported.`);
    });
  funding
    .command("import")
    .description(
      "read a bank's statement, CSV or XLSX: what came in is kept, each line once, and credits nothing; ends with code 1 where lines are wrong, which are named",
    )
    .argument("<file>", "the statement as the bank exports it")
    .requiredOption("--account <number>", "which of our accounts it is of")
    .option(
      "--dates <order>",
      "what dates such as 05/11/2026 begin with, day or month: else the file tells it",
      orderValue,
    )
    .option(
      "--map <columns>",
      "what its headings mean, kept for the next time: date=Paid,narration=Text,credit=In",
      mapValue,
    )
    .does(importFile);
  funding
    .command("lines")
    .description("list transfers that nobody was credited yet, and whose they may be")
    .does(printOpen);
  funding
    .command("credit")
    .description(
      "credit lines, each once; with all that one person booked alone in a day above CREDIT_ALONE_MAX a second person agrees",
    )
    .argument("<lines...>", "their numbers, as proposed, or with whose they are: 12 13=mer_17", choiceValue)
    .option("--by <who>", "who credits them: an email of staff, or without staff a name; else as --as", personValue)
    .does(credit);
  funding
    .command("settlement")
    .description(
      "say that a payment provider paid a line to our bank, of what it held; without one, the line is open again",
    )
    .argument("<line>", "its number", lineValue)
    .argument("[provider]", "the payment provider")
    .does(settlement);
}

interface ImportOptions extends JsonOption {
  readonly account: string;
  readonly dates?: DateOrder;
  readonly map?: Readonly<Record<string, string>>;
}

async function importFile(session: Session, file: string, options: ImportOptions): Promise<number> {
  const { database, operator } = session;
  const statement = {
    ...{ accountNumber: options.account, bytes: await readGivenFile(file), order: options.dates ?? null },
    ...{ fileName: path.basename(file).slice(0, 200), importedBy: operator.slice(0, 100) },
  };
  let read = await importStatement(session, statement);
  if ("unknown" in read && options.map !== undefined) {
    await keepLayout(database, read.unknown, options.map, operator);
    read = await importStatement(session, statement);
  }
  if ("unknown" in read) {
    const there = read.unknown.filter((name) => name !== "").join(", ");
    throw wrong(`Nobody has said what the headings of ${file} mean: give --map. They are: ${there}.`);
  }
  const { id, layout, fresh, known, debits, wrong: faulty, faults } = read;
  if (options.json) {
    const named = faults.map(({ line, sentence }) => ({ line, sentence }));
    printJson({ import: id, layout, new: fresh, known, debits, wrong: faulty, lines: named });
  } else {
    printLine(`${layout}: ${fresh} new transfers, ${known} known from other files, ${debits} debits skipped.`);
    if (faulty > 0) printLine(`${faulty} lines can't be used:`);
    for (const { line, sentence } of faults) printLine(`  line ${line}: ${sentence}`);
    if (faulty > faults.length) printLine(`  and ${faulty - faults.length} more`);
  }
  return faulty === 0 ? 0 : 1;
}

interface Proposed {
  readonly line: KeptLine;
  readonly merchantId: MerchantId | null;
  readonly announcement: AnnouncedTransfer | null;
  readonly by: string | null;
}

async function proposed({ database }: Session, lines: readonly KeptLine[]): Promise<readonly Proposed[]> {
  const announced = await listWaitingAnnouncements(database, { limit: listMax, before: null });
  const proposals = matchLines(lines, announced);
  const merchants = await listMerchantsOf(
    database,
    [...proposals.values()].map(({ merchantId }) => merchantId),
  );
  return lines.map((line) => {
    const found = proposals.get(line.number);
    if (found === undefined || !merchants.has(found.merchantId))
      return { line, merchantId: null, announcement: null, by: null };
    return { line, ...found };
  });
}

async function printOpen(session: Session, options: JsonOption): Promise<void> {
  const open = await listStatementLines(session.database, "open", { limit: listMax, before: null });
  const rows = (await proposed(session, open)).map(({ line, merchantId, announcement, by }) => ({
    ...{ line: line.number, paid_on: line.paidOn, amount: formatNaira(line.amount), narration: line.narration },
    ...{ bank_reference: line.bankReference, merchant_id: merchantId === null ? null : formatMerchantId(merchantId) },
    ...{ matched_by: by, announced: announcement?.number ?? null },
  }));
  printRows(rows, { absent: "-", none: "No transfer is open." }, options);
}

async function credit(
  session: Session,
  given: readonly Choice[],
  options: JsonOption & { readonly by?: string },
): Promise<void> {
  const { database, clock, creditAloneMax } = session;
  const lines = await listLinesByNumber(
    database,
    given.map(({ number }) => number),
  );
  const proposals = new Map((await proposed(session, lines)).map((one) => [one.line.number, one]));
  const chosen = given.map(({ number, merchantId: named }): ChosenLine => {
    const found = proposals.get(number);
    const merchantId = named ?? found?.merchantId ?? null;
    if (merchantId === null) throw wrong(`Say whose line ${number} is, as in ${number}=mer_17. Nothing was credited.`);
    const announcement = found?.merchantId === merchantId ? (found.announcement?.number ?? null) : null;
    return { number, merchantId, announcement };
  });
  const by = await findAuthor(session, options.by, creditingLines.rules.ask);
  const openChanges = () => {
    if (options.by === undefined && !session.isNamed)
      throw wrong(`One person books up to ${formatNaira(creditAloneMax)} a day alone. Ask for more with --by NAME.`);
    return changeServices(session);
  };
  const done = await creditLines({ database, clock, creditAloneMax, openChanges }, by, chosen);
  if (done.kind === "requested") return printRequested(done.result, options);
  if (options.json) printJson({ credited: chosen.length });
  else printLine(done.outcome);
}

async function settlement(session: Session, number: number, provider: string | undefined, { json }: JsonOption) {
  const { database } = session;
  const [line] = await listLinesByNumber(database, [number]);
  const by = await findAuthor(session, undefined, creditingLines.rules.ask);
  await setLineSettlement(database, by, { number, provider: provider ?? null });
  const of = provider ?? line?.settlementOf ?? "";
  const clearing = await findProviderClearing(database, of);
  if (json)
    printJson({ line: number, settlement_of: provider ?? null, held_by_provider: formatNaira(clearing.holding) });
  else if (provider === undefined) printLine(`Line ${number} is open again. ${clearingText(of, clearing)}`);
  else printLine(`Line ${number} is a settlement. ${clearingText(of, clearing)}`);
}

interface Choice {
  readonly number: number;
  readonly merchantId: MerchantId | null;
}

function choiceValue(typed: string, before: readonly Choice[] = []): readonly Choice[] {
  const [line = "", merchant] = typed.split("=");
  const [number, merchantId] = [wholeNumber(line), merchant === undefined ? null : parseMerchantId(merchant)];
  const isRead = number !== null && (merchant === undefined) === (merchantId === null);
  return [...before, orComplain(isRead ? { number, merchantId } : null, "It must be a line's number, or 12=mer_17.")];
}

function lineValue(text: string): number {
  return orComplain(wholeNumber(text), "It must be a line's number.");
}

function orderValue(text: string): DateOrder {
  return orComplain((["day", "month"] as const).find((each) => each === text) ?? null, "It must be day or month.");
}

function mapValue(text: string): Readonly<Record<string, string>> {
  const pairs = text.split(",").map((pair) => pair.split("=").map((part) => part.trim()));
  const isRead = pairs.every(([role, name, ...more]) => {
    return more.length === 0 && name && statementRoles.some((known) => known === role);
  });
  const complaint = `It must name columns by ${statementRoles.join(", ")}, such as date=Paid,narration=Text,credit=In.`;
  return orComplain(isRead ? Object.fromEntries(pairs) : null, complaint);
}
