import { assert } from "../../kernel/assert.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type MerchantId, walletIdOf } from "../../kernel/ids.ts";
import { add, formatNaira, groupedNaira, type Kobo, parseNaira } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { inOneTransaction } from "../../platform/database/joined-database.ts";
import { formatMerchantId, parseMerchantId } from "../merchants/merchant.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import { type Actor, actorName, nameKey } from "../staff/actor.ts";
import { askForChange, type RequestResult } from "../staff/ask-change.ts";
import type { CarriedOut, ChangeServices, Fields, Request } from "../staff/change-kinds.ts";
import type { Change } from "../staff/change-queries.ts";
import { findChangeAbout } from "../staff/change-subject-queries.ts";
import {
  type BankReference,
  findCreditOf,
  insertCredits,
  lockBankReference,
  sumBookedAlone,
  type WalletCredit,
} from "./credit-queries.ts";
import { insertTopUps, lockWallets } from "./queries.ts";
import { creditWallet, statementReason } from "./wallet.ts";

/** `nip 0001/23` → `NIP0001/23`: banks print one reference in several spellings. Null for what is none. */
export function parseBankReference(text: string): BankReference | null {
  const characters = text.normalize("NFKC").replace(/\s+/g, "");
  const isReadable = /^[!-~]{1,64}$/.test(characters) && /[A-Za-z0-9]/.test(characters);
  return isReadable ? (characters.toUpperCase() as BankReference) : null;
}

/** Whether one person may not book that much alone, in a day. `aloneMax` itself is still allowed; with 0 nothing is. */
export function needsApproval(amount: Kobo, aloneMax: Kobo): boolean {
  return amount > aloneMax;
}

export interface CreditRequest {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
  /** Null where the operator says that the transfer has none. */
  readonly bankReference: BankReference | null;
}

/** What holds a bank reference: a credit that is booked, or the request for one. */
export type ReferenceHolder =
  | { readonly kind: "credit"; readonly credit: WalletCredit }
  | { readonly kind: "request"; readonly change: Change };

export type CreditResult =
  | Booked
  /** It is more than one person may book alone: it waits for a second one, or is done alone as there is none. */
  | { readonly kind: "requested"; readonly result: RequestResult }
  /** Nothing changed: this is the same transfer, for the same merchant and amount. */
  | { readonly kind: "repeated"; readonly holder: ReferenceHolder }
  /** Nothing changed: the bank reference is that of this one, for another merchant or amount. */
  | { readonly kind: "reference_taken"; readonly holder: ReferenceHolder };

/** A credit that is booked now, and what its wallet holds. */
export interface Booked {
  readonly kind: "booked";
  readonly credit: WalletCredit;
  readonly balance: Kobo;
}

/** Credits of live wallets that one person may not book alone. */
export const creditingWallet: CarriedOut = {
  rules: {
    kind: "wallet credit",
    ask: ["admin", "finance"],
    approve: ["admin", "finance"],
    subjects: ({ bank_reference }) => (typeof bank_reference === "string" ? [subjectOfReference(bank_reference)] : []),
  },
  async readFacts(db, fields) {
    const { name, status } = await findExistingMerchant(db, creditIn(fields).merchantId);
    return { Merchant: name, State: status };
  },
  async carryOut(database, { fields, requestedBy }, approvedBy) {
    const request = { ...creditIn(fields), requestedBy, approvedBy };
    return bookedText(await database.transaction((tx) => bookCredit(tx, request)));
  },
};

/** `₦5,000.00 credited to mer_2. It holds ₦7,000.00 now.` */
export function bookedText({ credit: { amount, merchantId }, balance }: Omit<Booked, "kind">): string {
  return `₦${groupedNaira(amount)} credited to ${formatMerchantId(merchantId)}. It holds ₦${groupedNaira(balance)} now.`;
}

/** What an open request for a credit keeps others from asking for. */
export function subjectOfReference(bankReference: string): string {
  return `bank reference ${bankReference}`;
}

function requestOf(name: string, { merchantId, amount, reason, bankReference }: CreditRequest): Request {
  const [merchant, naira] = [formatMerchantId(merchantId), formatNaira(amount)];
  return {
    summary: `Credit ₦${groupedNaira(amount)} to ${name} (${merchant})`,
    fields: { merchant, amount: naira, bank_reference: bankReference, reason },
  };
}

/** The credit that a request is about. */
export function creditIn({ merchant, amount, bank_reference, reason }: Fields): CreditRequest {
  const [merchantId, kobo] = [parseMerchantId(String(merchant)), parseNaira(amount)];
  assert(merchantId !== null && kobo !== null, "a request for a credit has its merchant and amount");
  return { merchantId, amount: kobo, reason: String(reason), bankReference: bank_reference as BankReference | null };
}

export interface CreditServices {
  readonly database: Database;
  readonly clock: Clock;
  /** CREDIT_ALONE_MAX: what one person may book alone in 24 hours. */
  readonly creditAloneMax: Kobo;
  /** Opened only where a second person is asked. */
  readonly openChanges: () => Promise<ChangeServices>;
}

/**
 * Credits a live wallet, or asks for the credit where it is, with what the person booked alone in the last 24 hours, more
 * than one person may book alone. Safe to repeat with a bank reference: one credit or one open request holds it. Locks the
 * bank reference, then the person's sum, then the wallet.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR without a reason
 */
export function creditLiveWallet(services: CreditServices, by: Actor, given: CreditRequest): Promise<CreditResult> {
  const request = { ...given, reason: statementReason(given.reason) };
  return inOneTransaction(services.database, async (tx, joined): Promise<CreditResult> => {
    const { name } = await findExistingMerchant(tx, request.merchantId);
    const holder = await findHolder(tx, services, request.bankReference);
    if (holder !== null) return { kind: isSame(holder, request) ? "repeated" : "reference_taken", holder };
    const requestedBy = actorName(by);
    const booked = await sumBookedAlone(tx, nameKey(requestedBy));
    if (!needsApproval(add(booked, request.amount), services.creditAloneMax))
      return bookCredit(tx, { ...request, requestedBy, approvedBy: null });
    const asking = { ...(await services.openChanges()), database: joined };
    const result = await askForChange(asking, by, creditingWallet, requestOf(name, request));
    return { kind: "requested", result };
  });
}

/** Locks the bank reference. */
async function findHolder(
  tx: Tx,
  { clock }: Pick<CreditServices, "clock">,
  bankReference: BankReference | null,
): Promise<ReferenceHolder | null> {
  if (bankReference === null) return null;
  await lockBankReference(tx, bankReference);
  const credit = await findCreditOf(tx, bankReference);
  if (credit !== null) return { kind: "credit", credit };
  const change = await findChangeAbout(tx, [subjectOfReference(bankReference)], clock.now());
  return change === null ? null : { kind: "request", change };
}

function isSame(holder: ReferenceHolder, { merchantId, amount }: CreditRequest): boolean {
  const first = creditOfHolder(holder);
  return first?.merchantId === merchantId && first.amount === amount;
}

/** The merchant and the amount of what holds a reference; null for a request about many of them. */
export function creditOfHolder(holder: ReferenceHolder): Pick<WalletCredit, "merchantId" | "amount"> | null {
  if (holder.kind === "credit") return holder.credit;
  const { kind, fields } = holder.change;
  return kind === creditingWallet.rules.kind ? creditIn(JSON.parse(fields) as Fields) : null;
}

/** Locks the bank reference, then the wallet. @throws Refusal VALIDATION_ERROR where another credit has the reference */
export async function bookCredit(
  tx: Tx,
  request: CreditRequest & Pick<WalletCredit, "requestedBy" | "approvedBy">,
): Promise<Booked> {
  const { merchantId, amount, reason, bankReference } = request;
  if (bankReference !== null) {
    await lockBankReference(tx, bankReference);
    const first = await findCreditOf(tx, bankReference);
    if (first !== null) throw refuse("VALIDATION_ERROR", { message: `Credit ${first.id} has this bank reference.` });
  }
  const wallet = { merchantId, mode: "live" } as const;
  const { balance, seq } = await creditWallet(tx, { wallet, amount, kind: "top_up", reason });
  const [credit] = await insertCredits(tx, [{ merchantId, amount, bankReference, entrySeq: seq }], request);
  assert(credit !== undefined, "one credit is stored");
  return { kind: "booked", credit, balance };
}

/** The opening balance of a merchant that comes in, above zero. */
export interface OpeningBalance {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly bankReference: BankReference;
}

/**
 * Books opening balances in the transaction that opens the wallets, each as a credit of its own. One or two people have
 * decided about all of them together, so that none waits by itself. Locks the wallets in key order. A second time is
 * refused by the index of bank references.
 */
export async function bookOpeningBalances(
  tx: Tx,
  balances: readonly OpeningBalance[],
  { reason, by, approvedBy }: { readonly reason: string; readonly by: string; readonly approvedBy: string | null },
): Promise<void> {
  const topUps = balances.map((credit) => ({
    ...credit,
    wallet: { merchantId: credit.merchantId, mode: "live" } as const,
  }));
  await lockWallets(
    tx,
    topUps.map(({ wallet }) => wallet),
  );
  const entries = await insertTopUps(tx, topUps, reason);
  const booked = topUps.map(({ wallet, ...credit }) => ({ ...credit, entrySeq: entries.get(walletIdOf(wallet)) }));
  await insertCredits(tx, booked, { reason, requestedBy: by, approvedBy });
}
