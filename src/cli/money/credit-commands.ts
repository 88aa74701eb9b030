import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { namedPerson } from "../../domain/staff/staff.ts";
import { type BankReference, listProposedCredits, type WalletCredit } from "../../domain/wallet/credit-queries.ts";
import { approveCredit, creditLiveWallet, needsApproval, withdrawCredit } from "../../domain/wallet/credits.ts";
import { requestUndo, undoCredit, undoingCredit } from "../../domain/wallet/undo-credit.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Mode } from "../../kernel/mode.ts";
import { formatNaira, type Kobo } from "../../kernel/money.ts";
import {
  bankReferenceValue,
  creditIdValue,
  merchantIdValue,
  modeValue,
  nairaValue,
  personValue,
} from "../arguments.ts";
import { adviseWhenUnknown, type OperatorCommand, type Session, type Work, wrong } from "../operator-command.ts";
import { isRequested } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printWarning } from "../printing.ts";
import { adviseToLook, bookOnWallet, printBalance } from "./wallet-commands.ts";

const listMax = 1_000;

interface CreditOptions extends JsonOption {
  readonly reason: string;
  readonly mode: Mode;
  /** False where the operator says that there is none. */
  readonly bankReference?: BankReference | false;
  readonly by?: string;
}

interface ByOption extends JsonOption {
  readonly by: string;
}

/** Commands that credit wallets, alone or by two people. */
export function addCreditCommands(program: OperatorCommand): void {
  creditCommand(program);
  const approvals = program
    .command("approvals")
    .description("list credits that one person proposed and another one has to approve")
    .does(list);
  approvals
    .command("withdraw")
    .description("end a proposal without booking it; its bank reference is free again")
    .argument("<credit>", "its number", creditIdValue)
    .requiredOption(
      "--by <who>",
      "who withdraws it: the email of one of the staff, or without staff a name",
      personValue,
    )
    .does(withdraw);
  program
    .command("approve")
    .description("book a credit that another person proposed, within 24 hours")
    .argument("<credit>", "its number", creditIdValue)
    .requiredOption(
      "--by <who>",
      "who approves it, not the person who proposed it: an email of staff, or a name",
      personValue,
    )
    .does(approve);
  program
    .command("take-back-credit")
    .description(
      "take back a credit that was a mistake, once; its bank reference is free again. With staff, another person approves",
    )
    .argument("<credit>", "its number", creditIdValue)
    .requiredOption("--reason <text>", "what the wallet statement says")
    .requiredOption(
      "--by <who>",
      "who asks for it: the email of one of the staff, or without staff a name",
      personValue,
    )
    .does(undo);
}

function creditCommand(program: OperatorCommand): void {
  const command = program
    .command("credit-wallet")
    .description("book a top-up, each bank reference once; above CREDIT_ALONE_MAX only propose it")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<amount>", "naira, such as 50000.00", nairaValue)
    .requiredOption("--reason <text>", "what the wallet statement says")
    .option("--bank-reference <text>", "what the bank's statement calls the transfer", bankReferenceValue)
    .option("--no-bank-reference", "it has none: the same command again credits again")
    .option("--by <who>", "who credits it: an email of staff, or a name; demanded above CREDIT_ALONE_MAX", personValue)
    .option("--mode <mode>", "live or test; the sandbox takes no bank reference", modeValue, "live" as Mode);
  const given = new Set<string>();
  for (const name of ["bank-reference", "no-bank-reference"]) command.on(`option:${name}`, () => given.add(name));
  command.hook("preAction", () => {
    const complaint = ways[command.opts<CreditOptions>().mode].complaint(given);
    if (complaint !== null) command.error(`error: ${complaint}`);
  });
  command.does((session, merchantId: MerchantId, amount: Kobo, options: CreditOptions) =>
    ways[options.mode].credit(session, { merchantId, amount }, options),
  );
}

interface Target {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
}

interface Way {
  /** What is wrong with the options about the bank reference that were given; null where nothing is. */
  complaint(given: ReadonlySet<string>): string | null;
  credit(session: Session, target: Target, options: CreditOptions): ReturnType<Work<Session>>;
}

/** How a wallet of each mode is credited: only live money comes from a bank. */
const ways: { readonly [M in Mode]: Way } = {
  live: {
    complaint: (given) =>
      given.size === 1
        ? null
        : "give --bank-reference, so that a transfer is credited once, or else --no-bank-reference",
    credit: creditLive,
  },
  test: {
    complaint: (given) => (given.has("bank-reference") ? "--bank-reference is for live wallets" : null),
    credit: creditSandbox,
  },
};

async function creditSandbox(session: Session, target: Target, options: CreditOptions): Promise<void> {
  const booking = { ...target, mode: options.mode, reason: options.reason };
  printBalance(booking, await bookOnWallet(session, booking), options);
}

async function creditLive(session: Session, { merchantId, amount }: Target, options: CreditOptions): Promise<number> {
  const { database, creditAloneMax: aloneMax, wallTime } = session;
  const { reason } = options;
  const by = options.by === undefined ? undefined : await namedPerson(database, options.by);
  if (by === undefined && needsApproval(amount, aloneMax)) throw wrong(askBy(aloneMax));
  const bankReference = options.bankReference || null;
  const request = { merchantId, amount, reason, bankReference, by: by ?? session.operator };
  const result = await creditLiveWallet(database, request, { aloneMax }).catch(adviseToLook(merchantId));
  const { credit } = result;
  switch (result.kind) {
    case "booked":
      printBooked(session, credit, result.balance, options);
      return 0;
    case "proposed":
      if (options.json) printJson(creditFields(credit, wallTime));
      else {
        printLine(`${describe(credit, wallTime)}.`);
        printLine(`Nothing is booked yet. Another person books it with: approve ${credit.id} --by NAME`);
      }
      return 0;
    case "repeated":
      if (options.json) printJson({ ...creditFields(credit, wallTime), repeated: true });
      else printLine(`Nothing changes: the same transfer is ${describe(credit, wallTime)}.`);
      return 0;
    case "reference_taken":
      printWarning(`Nothing changes: bank reference ${bankReference} is that of ${describe(credit, wallTime)}.`);
      return 1;
  }
}

function askBy(aloneMax: Kobo): string {
  return `One person books up to ${formatNaira(aloneMax)} (CREDIT_ALONE_MAX). Propose more with --by NAME: another person approves it.`;
}

function printBooked({ wallTime }: Session, credit: WalletCredit, balance: Kobo, { json }: JsonOption): void {
  const booking = { merchantId: credit.merchantId, mode: "live" } as const;
  if (json) printJson({ ...creditFields(credit, wallTime), mode: "live", balance: formatNaira(balance) });
  else printBalance(booking, balance, {});
}

async function approve(session: Session, id: number, options: ByOption): Promise<void> {
  const advice = adviseWhenUnknown("It may have been booked: approvals lists the credit no more where it was.");
  const by = await namedPerson(session.database, options.by);
  const { credit, balance } = await approveCredit(session.database, { id, by }).catch(advice);
  printBooked(session, credit, balance, options);
}

async function undo(session: Session, id: number, options: ByOption & { readonly reason: string }): Promise<void> {
  const { database } = session;
  const request = await requestUndo(database, { id, reason: options.reason });
  if (await isRequested(session, undoingCredit, request, options)) return;
  const { merchantId, balance } = await undoCredit(database, { id, reason: options.reason });
  printBalance({ merchantId, mode: "live" }, balance, options);
}

async function withdraw({ database, wallTime }: Session, id: number, options: ByOption): Promise<void> {
  const credit = await withdrawCredit(database, { id, by: await namedPerson(database, options.by) });
  if (options.json) printJson(creditFields(credit, wallTime));
  else printLine(`Credit ${id} is withdrawn.`);
}

async function list({ database, wallTime }: Session, options: JsonOption): Promise<void> {
  const rows = (await listProposedCredits(database, listMax)).map((credit) => creditFields(credit, wallTime));
  printRows(
    rows,
    { columns: listed, headings: { expires_at: "until" }, absent: "-", none: "No credit waits for approval." },
    options,
  );
}

const listed = ["credit_id", "merchant_id", "amount", "bank_reference", "reason", "proposed_by", "expires_at"] as const;

/** A credit as a program reads it. */
function creditFields(credit: WalletCredit, wallTime: WallTime) {
  const { status, proposedAt, expiresAt, endedAt } = credit;
  return {
    credit_id: credit.id,
    merchant_id: formatMerchantId(credit.merchantId),
    amount: formatNaira(credit.amount),
    bank_reference: credit.bankReference,
    reason: credit.reason,
    status,
    proposed_by: credit.proposedBy,
    proposed_at: wallTime.format(proposedAt),
    expires_at: status === "proposed" ? wallTime.format(expiresAt) : null,
    approved_by: credit.approvedBy,
    ended_at: endedAt === null ? null : wallTime.format(endedAt),
  };
}

/** `credit 7, 50000.00 to mer_2 ("transfer 9"), booked at … by ada`. */
function describe(credit: WalletCredit, wallTime: WallTime): string {
  const { id, merchantId, amount, reason, proposedBy, approvedBy, expiresAt, endedAt } = credit;
  const what = `credit ${id}, ${formatNaira(amount)} to ${formatMerchantId(merchantId)} ("${reason}")`;
  if (endedAt === null) return `${what}, proposed by ${proposedBy} until ${wallTime.format(expiresAt)}`;
  const people = approvedBy === null ? proposedBy : `${proposedBy} and ${approvedBy}`;
  return `${what}, booked at ${wallTime.format(endedAt)} by ${people}`;
}
