import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import type { BankReference, WalletCredit } from "../../domain/wallet/credit-queries.ts";
import { type Booked, creditingWallet, creditLiveWallet, type ReferenceHolder } from "../../domain/wallet/credits.ts";
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
import { type OperatorCommand, type Session, type Work, wrong } from "../operator-command.ts";
import { changeFields, findAuthor } from "../people/change-commands.ts";
import { changeServices } from "../people/email-command.ts";
import { printRequested, requestChange } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printWarning } from "../printing.ts";
import { adviseToLook, bookOnWallet, printBalance } from "./wallet-commands.ts";

interface CreditOptions extends JsonOption {
  readonly reason: string;
  readonly mode: Mode;
  /** False where the operator says that there is none. */
  readonly bankReference?: BankReference | false;
  readonly by?: string;
}

/** Commands that credit wallets, alone or by two people. */
export function addCreditCommands(program: OperatorCommand): void {
  creditCommand(program);
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
    .description("book a top-up, each bank reference once; above CREDIT_ALONE_MAX a second person agrees")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<amount>", "naira, such as 50000.00", nairaValue)
    .requiredOption("--reason <text>", "what the wallet statement says")
    .option("--bank-reference <text>", "what the bank's statement calls the transfer", bankReferenceValue)
    .option("--no-bank-reference", "it has none: the same command again credits again")
    .option("--by <who>", "who credits it: an email of staff, or without staff a name; else as --as", personValue)
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
  const { wallTime } = session;
  const bankReference = options.bankReference || null;
  const by = await findAuthor(session, options.by, creditingWallet.rules.ask);
  const openChanges = () => {
    if (options.by === undefined && !session.isNamed) throw wrong(askBy(session.creditAloneMax));
    return changeServices(session);
  };
  const request = { merchantId, amount, reason: options.reason, bankReference };
  const result = await creditLiveWallet({ ...session, openChanges }, by, request).catch(adviseToLook(merchantId));
  switch (result.kind) {
    case "booked":
      printBooked(session, result, options);
      return 0;
    case "requested":
      printRequested(result.result, options);
      return 0;
    case "repeated":
      if (options.json) printJson({ ...holderFields(result.holder, wallTime), repeated: true });
      else printLine(`Nothing changes: the same transfer is ${describe(result.holder, wallTime)}.`);
      return 0;
    case "reference_taken":
      printWarning(`Nothing changes: bank reference ${bankReference} is that of ${describe(result.holder, wallTime)}.`);
      return 1;
  }
}

function askBy(aloneMax: Kobo): string {
  return `One person books up to ${formatNaira(aloneMax)} (CREDIT_ALONE_MAX). Ask for more with --by NAME: another person agrees to it.`;
}

function printBooked({ wallTime }: Session, { credit, balance }: Booked, { json }: JsonOption): void {
  const booking = { merchantId: credit.merchantId, mode: "live" } as const;
  if (json) printJson({ ...creditFields(credit, wallTime), mode: "live", balance: formatNaira(balance) });
  else printBalance(booking, balance, {});
}

async function undo(
  session: Session,
  id: number,
  options: JsonOption & { readonly by: string; readonly reason: string },
): Promise<void> {
  const { database } = session;
  const request = await requestUndo(database, { id, reason: options.reason });
  if (await requestChange(session, undoingCredit, request, options)) return;
  const { merchantId, balance } = await undoCredit(database, { id, reason: options.reason });
  printBalance({ merchantId, mode: "live" }, balance, options);
}

/** A credit as a program reads it. */
function creditFields(credit: WalletCredit, wallTime: WallTime) {
  return {
    credit_id: credit.id,
    merchant_id: formatMerchantId(credit.merchantId),
    amount: formatNaira(credit.amount),
    bank_reference: credit.bankReference,
    reason: credit.reason,
    status: "booked",
    requested_by: credit.requestedBy,
    approved_by: credit.approvedBy,
    booked_at: wallTime.format(credit.bookedAt),
  };
}

function holderFields(holder: ReferenceHolder, wallTime: WallTime) {
  return holder.kind === "credit" ? creditFields(holder.credit, wallTime) : changeFields(holder.change, wallTime);
}

/** `credit 7, 50000.00 to mer_2 ("transfer 9"), booked at … by ada`. */
function describe(holder: ReferenceHolder, wallTime: WallTime): string {
  if (holder.kind === "request") {
    const { id, summary, requesterName, endsAt } = holder.change;
    return `approval ${id}, ${summary}, asked for by ${requesterName} until ${wallTime.format(endsAt)}`;
  }
  const { id, merchantId, amount, reason, requestedBy, approvedBy, bookedAt } = holder.credit;
  const what = `credit ${id}, ${formatNaira(amount)} to ${formatMerchantId(merchantId)} ("${reason}")`;
  const people = approvedBy === null ? requestedBy : `${requestedBy} and ${approvedBy}`;
  return `${what}, booked at ${wallTime.format(bookedAt)} by ${people}`;
}
