import { debit, debitRequest } from "../../console/operator/money/booking-form.tsx";
import { listLastEntries } from "../../domain/history/reports/queries.ts";
import { type FloatReport, readFloat } from "../../domain/history/reports/sales-report.ts";
import { creditMerchant, setLowBalanceThreshold } from "../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findExistingMerchant } from "../../domain/merchants/queries.ts";
import { readTransactionIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import { findWallet } from "../../domain/wallet/queries.ts";
import { checkLedger } from "../../domain/wallet/reconcile.ts";
import { assert } from "../../kernel/assert.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import type { Json } from "../../kernel/json.ts";
import { type Mode, modes } from "../../kernel/mode.ts";
import { formatNaira, type Kobo, kobo } from "../../kernel/money.ts";
import { countValue, merchantIdValue, modeValue, nairaValue } from "../arguments.ts";
import { adviseWhenUnknown, type OperatorCommand, type Session } from "../operator-command.ts";
import { type AskingOptions, byOption, requestAsPage } from "../people/print-request.ts";
import { type JsonOption, printJson, printLine, printRows, printStep, printTable } from "../printing.ts";

const entriesMax = 1_000;
const usualEntries = 20;

/** Commands about merchants' wallets. */
export function addWalletCommands(program: OperatorCommand): void {
  debitCommand(program);
  program
    .command("wallet")
    .description("both balances of a merchant, and the last entries of each wallet")
    .argument("<id>", "the merchant", merchantIdValue)
    .option("--last <number>", "how many entries", countValue(entriesMax), usualEntries)
    .does(show);
  lowBalanceCommand(program);
}

interface DebitOptions extends AskingOptions {
  readonly reason: string;
  readonly mode: Mode;
}

/** From a live wallet it takes a second person, where there are staff. @returns whether it was asked for */
const requestDebit: Readonly<Record<Mode, typeof requestAsPage>> = { live: requestAsPage, test: async () => false };

function debitCommand(program: OperatorCommand): void {
  program
    .command("debit-wallet")
    .description("take back what was credited by mistake, as an adjustment; no more than the wallet holds")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<amount>", "naira, such as 50000.00", nairaValue)
    .requiredOption("--reason <text>", "what the wallet statement says")
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .option(...byOption)
    .does(async (session, merchantId: MerchantId, amount: Kobo, options: DebitOptions) => {
      const { mode, reason } = options;
      const found = await findExistingMerchant(session.database, merchantId);
      const request = debitRequest(found, { merchant: merchantId, amount, reason });
      if (await requestDebit[mode](session, debit.kind, request, options)) return;
      const booking = { merchantId, mode, amount: kobo(-amount), reason };
      return printBalance(booking, await bookOnWallet(session, booking), options);
    });
}

interface WalletOptions extends JsonOption {
  readonly last: number;
}

async function show({ database, wallTime }: Session, id: MerchantId, { last, json }: WalletOptions): Promise<void> {
  await findExistingMerchant(database, id);
  const transactionIds = await readTransactionIds(database);
  for (const mode of modes) {
    const key = { merchantId: id, mode };
    const wallet = await findWallet(database, key);
    assert(wallet !== null, "every merchant has its wallets");
    const balance = formatNaira(wallet.balance);
    const threshold = wallet.lowBalanceThreshold === null ? null : formatNaira(wallet.lowBalanceThreshold);
    const entries = (await listLastEntries(database, key, last)).map((entry) => ({
      at: wallTime.format(entry.at),
      kind: entry.kind,
      amount: formatNaira(entry.delta),
      balance_after: formatNaira(entry.balanceAfter),
      transaction_id: entry.purchaseId === null ? null : transactionIds.format(entry.purchaseId, mode),
      reason: entry.reason,
      bank_reference: entry.bankReference,
    }));
    if (json) {
      printJson({ merchant_id: formatMerchantId(id), mode, balance, low_balance_threshold: threshold, entries });
      continue;
    }
    printLine(`The ${mode} wallet of ${formatMerchantId(id)} holds ${balance}; its last entries, the newest first:`);
    const shown = entries.map((row) => ({ ...row, what_for: row.transaction_id ?? row.reason }));
    const columns = ["at", "kind", "amount", "balance_after", "what_for", "bank_reference"] as const;
    printRows(shown, { columns, none: "It has none." }, {});
  }
}

function lowBalanceCommand(program: OperatorCommand): void {
  program
    .command("low-balance")
    .description("set the balance below which the merchant gets wallet.low_balance")
    .argument("<id>", "the merchant", merchantIdValue)
    .argument("<amount>", "naira, such as 5000.00, or off", (text) => (text === "off" ? null : nairaValue(text)))
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .does(async (session, id: MerchantId, threshold: Kobo | null, { mode, json }: JsonOption & { mode: Mode }) => {
      await setLowBalanceThreshold(session, { merchantId: id, mode }, threshold);
      const amount = threshold === null ? null : formatNaira(threshold);
      const subject = `The ${mode} wallet of ${formatMerchantId(id)}`;
      if (json) printJson({ merchant_id: formatMerchantId(id), mode, low_balance_threshold: amount });
      else printLine(amount === null ? `${subject} has no threshold.` : `${subject} tells falls below ${amount}.`);
    });
}

interface Booking {
  readonly merchantId: MerchantId;
  readonly mode: Mode;
  /** In kobo; below zero where it takes back. */
  readonly amount: Kobo;
  readonly reason: string;
}

/** Books on a wallet what needs no bank reference: a debit, or a credit of the sandbox. @returns the balance after it */
export async function bookOnWallet(session: Session, booking: Booking): Promise<Kobo> {
  const advice = adviseToLook(booking.merchantId);
  return (await creditMerchant(session, booking).catch(advice)).balance;
}

/** Says what to do where a booking on a merchant's wallet may have been carried out. */
export function adviseToLook(merchantId: MerchantId): (error: unknown) => never {
  return adviseWhenUnknown(
    `It may have been booked: look with wallet ${formatMerchantId(merchantId)} before you repeat it.`,
  );
}

/** Tells what a wallet holds after a booking. @returns the exit code */
export function printBalance(
  { merchantId, mode }: Pick<Booking, "merchantId" | "mode">,
  balance: Kobo,
  { json }: JsonOption,
): void {
  const id = formatMerchantId(merchantId);
  if (json) printJson({ merchant_id: id, mode, balance: formatNaira(balance) });
  else printLine(`The ${mode} wallet of ${id} holds ${formatNaira(balance)} now.`);
}

interface FloatOptions extends JsonOption {
  readonly mode: Mode;
}

/** The command that tells where merchants' money is. */
export function addFloatCommand(program: OperatorCommand): void {
  program
    .command("float")
    .description("what merchants' wallets hold, what is in flight and what suppliers hold for us, at one moment")
    .option("--mode <mode>", "live or test", modeValue, "live" as Mode)
    .does(print);
}

async function print({ database, wallTime }: Session, { mode, json }: FloatOptions): Promise<void> {
  const float = await readFloat(database, mode, wallTime);
  if (json) printJson({ mode, ...float });
  else {
    const rows = rowsOf(float);
    const width = Math.max(...rows.map(({ amount }) => amount.length));
    printTable(
      [`${mode}, ${float.at}`, "supplier", "number", "naira", "told at"],
      rows.map(({ what, supplier = "", count = "", amount, reportedAt = "" }) => [
        ...[what, supplier, count, amount.padStart(width)],
        reportedAt,
      ]),
    );
  }
}

interface FloatLine {
  readonly what: string;
  readonly supplier?: string;
  readonly count?: string;
  readonly amount: string;
  readonly reportedAt?: string;
}

function rowsOf({
  wallets,
  in_flight,
  suppliers,
  merchants_total,
  suppliers_total,
  ...moneyIn
}: FloatReport): FloatLine[] {
  const money = suppliers.map(({ supplier, balance, told_at: reportedAt }) => ({
    what: "held by supplier",
    supplier,
    amount: balance ?? "not reported",
    reportedAt: reportedAt ?? "",
  }));
  return [
    { what: "merchants' wallets", ...wallets },
    ...in_flight.map(({ supplier, purchases, amount }) => ({
      ...{ what: "in flight", count: purchases, amount },
      supplier: supplier ?? "none",
    })),
    { what: "wallets and in flight", amount: merchants_total },
    ...money,
    ...(money.length > 1 ? [{ what: "held by all suppliers", amount: suppliers_total }] : []),
    ...moneyIn.payment_providers.flatMap(({ provider, amount, last_settlement: last }) => [
      { what: `${amount.startsWith("-") ? "difference with" : "held by"} ${provider}`, amount },
      ...(last === null
        ? []
        : [{ what: `last settlement of ${provider}`, amount: last.amount, reportedAt: last.paid_on }]),
    ]),
    ...(moneyIn.payment_providers.length === 0
      ? []
      : [
          { what: "unmatched payments", ...moneyIn.unmatched },
          { what: "owed by merchants", ...moneyIn.owed_by_merchants },
        ]),
  ];
}

/** Commands about the books. */
export function addLedgerCommands(program: OperatorCommand): void {
  program
    .command("check-ledger")
    .description("prove every invariant of the books; ends with code 1 and the rows when one is broken")
    .does(check);
}

async function check({ database }: Session, options: JsonOption): Promise<number> {
  const checks = await checkLedger(database, (invariant) => printStep(`checking ${invariant}`));
  printStep("");
  for (const { invariant, broken } of checks) {
    const rows = broken.map(writable);
    if (options.json) printJson({ invariant, broken: rows });
    else printLine(`${rows.length === 0 ? "holds " : "BROKEN"}  ${invariant}`);
    if (!options.json && rows.length > 0) printRows(rows, {}, {});
  }
  return checks.every(({ broken }) => broken.length === 0) ? 0 : 1;
}

/** A row as JSON can write it: whole numbers of any size as texts. */
function writable(row: Record<string, unknown>): { [column: string]: Json } {
  return Object.fromEntries(
    Object.entries(row).map(([column, value]) => [column, typeof value === "bigint" ? String(value) : (value as Json)]),
  );
}
