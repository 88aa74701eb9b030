import { assert } from "../../kernel/assert.ts";
import { type MerchantId, walletIdOf } from "../../kernel/ids.ts";
import { add, type Kobo } from "../../kernel/money.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Database, Tx } from "../../platform/database/database.ts";
import { findExistingMerchant } from "../merchants/queries.ts";
import {
  type BankReference,
  findCreditForUpdate,
  findCreditOf,
  insertBookedCredits,
  insertCredit,
  sumBookedAlone,
  updateBookedCredit,
  updateExpiredCredit,
  updateWithdrawnCredit,
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

/** Whether two names are one person's: capitals and spaces do not tell people apart. */
export function isSamePerson(one: string, other: string): boolean {
  return nameKey(one) === nameKey(other);
}

function nameKey(name: string): string {
  return name.normalize("NFKC").replace(/\s+/g, " ").trim().toLowerCase();
}

export interface CreditRequest {
  readonly merchantId: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
  /** Null where the operator says that the transfer has none. */
  readonly bankReference: BankReference | null;
  /** The name of the person who asks for the credit. */
  readonly by: string;
}

export type CreditResult =
  | { readonly kind: "booked"; readonly credit: WalletCredit; readonly balance: Kobo }
  /** It waits for a second person. */
  | { readonly kind: "proposed"; readonly credit: WalletCredit }
  /** Nothing changed: this credit is of the same transfer, for the same merchant and amount. */
  | { readonly kind: "repeated"; readonly credit: WalletCredit }
  /** Nothing changed: the bank reference is that of this credit, for another merchant or amount. */
  | { readonly kind: "reference_taken"; readonly credit: WalletCredit };

/**
 * Credits a live wallet, or proposes the credit where it is, with what the person booked alone in the last 24 hours, more than
 * one person may book alone. Safe to repeat with a
 * bank reference: the unique index lets one credit hold it. Locks the credit, then the wallet.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR without a reason
 */
export function creditLiveWallet(
  database: Database,
  request: CreditRequest,
  { aloneMax }: { readonly aloneMax: Kobo },
): Promise<CreditResult> {
  const { merchantId, amount, bankReference, by } = request;
  const reason = statementReason(request.reason);
  return database.transaction(async (tx): Promise<CreditResult> => {
    await findExistingMerchant(tx, merchantId);
    if (bankReference !== null) await updateExpiredCredit(tx, bankReference);
    const booked = await sumBookedAlone(tx, nameKey(by));
    const proposal = await insertCredit(tx, {
      ...{ merchantId, amount, reason, bankReference },
      needsApproval: needsApproval(add(booked, amount), aloneMax),
      proposedBy: by,
    });
    if (proposal === null) return compareWithFirst(tx, request);
    return proposal.needsApproval ? { kind: "proposed", credit: proposal } : book(tx, proposal, null);
  });
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
  await insertBookedCredits(tx, booked, { reason, proposedBy: by, approvedBy });
}

async function compareWithFirst(tx: Tx, { bankReference, merchantId, amount }: CreditRequest): Promise<CreditResult> {
  const credit = bankReference === null ? null : await findCreditOf(tx, bankReference);
  // Its proposal was withdrawn between the two statements.
  if (credit === null)
    throw refuse("VALIDATION_ERROR", { message: "The bank reference has just become free: repeat." });
  const isSame = credit.merchantId === merchantId && credit.amount === amount;
  return { kind: isSame ? "repeated" : "reference_taken", credit };
}

/** Books a proposal that this transaction has inserted or locked. Locks the wallet. */
async function book(
  tx: Tx,
  { id, merchantId, amount, reason }: WalletCredit,
  approvedBy: string | null,
): Promise<CreditResult & { readonly kind: "booked" }> {
  const wallet = { merchantId, mode: "live" } as const;
  const { balance, seq } = await creditWallet(tx, { wallet, amount, kind: "top_up", reason });
  const credit = await updateBookedCredit(tx, id, { approvedBy, entrySeq: seq });
  assert(credit !== null, "nobody else ends a credit whose row is locked");
  return { kind: "booked", credit, balance };
}

/**
 * Books what another person proposed. Locks the credit, then the wallet: of two at once, one books.
 * @throws Refusal NOT_FOUND, VALIDATION_ERROR for the person who proposed it, and where it has ended
 */
export function approveCredit(
  database: Database,
  { id, by }: { readonly id: number; readonly by: string },
): Promise<{ readonly credit: WalletCredit; readonly balance: Kobo }> {
  return database.transaction(async (tx) => {
    const proposal = await lockProposal(tx, id);
    if (isSamePerson(by, proposal.proposedBy)) {
      const message = `Credit ${id} was proposed by ${proposal.proposedBy}: another person has to approve it.`;
      throw refuse("VALIDATION_ERROR", { message });
    }
    return book(tx, proposal, by);
  });
}

/** Ends a proposal without booking it; its bank reference is free again. @throws Refusal as `approveCredit`, for anybody */
export function withdrawCredit(
  database: Database,
  { id, by }: { readonly id: number; readonly by: string },
): Promise<WalletCredit> {
  return database.transaction(async (tx) => {
    await lockProposal(tx, id);
    const credit = await updateWithdrawnCredit(tx, id, by);
    assert(credit !== null, "nobody else ends a credit whose row is locked");
    return credit;
  });
}

async function lockProposal(tx: Tx, id: number): Promise<WalletCredit> {
  const credit = await findCreditForUpdate(tx, id);
  if (credit === null) throw refuse("NOT_FOUND", { message: `There is no credit ${id}.` });
  const status = credit.status === "proposed" && credit.isExpired ? "expired" : credit.status;
  if (status === "proposed") return credit;
  throw refuse("VALIDATION_ERROR", { message: `Credit ${id} ${howItEnded(credit, status)}` });
}

function howItEnded({ approvedBy, proposedBy, withdrawnBy }: WalletCredit, status: WalletCredit["status"]): string {
  if (status === "booked") return `was booked before, by ${approvedBy ?? proposedBy}. It is booked once.`;
  if (status === "withdrawn") return `was withdrawn by ${withdrawnBy}.`;
  return "was not approved within 24 hours: propose it again.";
}
