import type { PurchaseId, TransactionIds } from "../../kernel/ids.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { followVerdict, hearOvertaken, settleVerdict } from "./follow-verdict.ts";
import { goodsOf } from "./goods.ts";
import { type EndedAttempt, findLivePurchase, listAttempts } from "./incident-queries.ts";
import { hearLateWord, type LateWord } from "./late-word.ts";
import { claimPending, findPendingStep, updateProviderReference, updateReceived } from "./pending-queries.ts";
import type { Purchase } from "./purchase.ts";
import { leaseSeconds, type ResolveServices } from "./resolve-pending.ts";
import { vendRequestOf } from "./vend-request.ts";

/**
 * What asking came to: of a pending attempt, that it was asked about and dealt with; of one that is over, what the late
 * word meant. `not_sent_yet` and `still_unknown`: it is to be asked about again.
 */
export type AskedAgain = "not_ours" | "not_sent_yet" | "asked" | "still_unknown" | LateWord;

/** Why an attempt is asked about. */
export interface Occasion {
  readonly saidBy: string;
  /** What the supplier calls the attempt, where it said so now. */
  readonly providerReference: string | null;
  /** For how many milliseconds the supplier has been asked about an attempt that is over. */
  readonly askedForMs?: number;
}

/** Asks the supplier of one of our references what became of it, now, whatever stage its purchase is at. */
export type AskAgain = (supplier: string, supplierReference: string, occasion: Occasion) => Promise<AskedAgain>;

/**
 * The bell that a supplier's callback rings: what it says is not taken at its word, the supplier is asked, and that
 * answer goes the way of every other. An answer that says nothing changes nothing: whoever is at it keeps the lease.
 * Safe to repeat and to reorder.
 */
export function openAskAgain(services: ResolveServices): AskAgain {
  const { database, transactionIds } = services;
  return async function askAgain(supplier, supplierReference, occasion) {
    let result = await ask(supplier, supplierReference, occasion);
    // It ended, or went on to the next supplier, while we looked: now it shows.
    if (result === "moved_on") result = await ask(supplier, supplierReference, occasion);
    // Twice in a row: somebody is at it, so later.
    return result === "moved_on" ? "not_sent_yet" : result;
  };

  async function ask(
    supplier: string,
    supplierReference: string,
    occasion: Occasion,
  ): Promise<AskedAgain | "moved_on"> {
    const named = parseSupplierReference(transactionIds, supplierReference);
    const purchase = named === null ? null : await findLivePurchase(database, named.id);
    if (named === null || purchase === null) return "not_ours";
    if (purchase.status === "pending" && purchase.attempt === named.attempt) {
      return purchase.supplier === supplier ? askAboutPending(services, purchase, occasion) : "not_ours";
    }
    const attempts = await listAttempts(database, purchase.wallet, purchase.id);
    const past = attempts.find(({ attempt }) => attempt === named.attempt);
    if (past === undefined || past.supplier !== supplier) return "not_ours";
    return askAboutPast(services, purchase, past, occasion);
  }
}

async function askAboutPending(
  services: ResolveServices,
  purchase: Purchase,
  occasion: Occasion,
): Promise<AskedAgain | "moved_on"> {
  const { database } = services;
  const pending = await findPendingStep(database, purchase);
  if (pending === null) return "moved_on";
  const { step, notReceivedMs } = pending;
  if (step === "queued") return "not_sent_yet";
  const providerReference = purchase.providerReference ?? occasion.providerReference;
  if (purchase.providerReference === null && providerReference !== null) {
    await updateProviderReference(database, purchase, providerReference);
  }
  const outcome = await requery(services, purchase, { ...purchase, providerReference, notReceivedMs });
  if (outcome.kind === "vended") await settleVerdict(services, purchase, outcome, { epoch: null });
  if (outcome.kind === "declined") {
    const epoch = await claimPending(database, purchase, leaseSeconds);
    if (epoch === null) await hearOvertaken(services, purchase, outcome);
    else await followVerdict(services, purchase, outcome, epoch);
  }
  if (outcome.kind === "unknown" && outcome.received !== undefined) {
    await updateReceived(database, purchase, outcome.received);
  }
  // Nobody asks about what waits for a person.
  return outcome.kind === "unknown" && step === "review" ? "still_unknown" : "asked";
}

async function askAboutPast(
  services: ResolveServices,
  purchase: Purchase,
  past: EndedAttempt,
  { saidBy, providerReference, askedForMs = 0 }: Occasion,
): Promise<AskedAgain> {
  const named = { ...past, providerReference: past.providerReference ?? providerReference };
  const outcome = await requery(services, purchase, { ...named, notReceivedMs: askedForMs });
  if (outcome.kind === "unknown") return "still_unknown";
  return hearLateWord(services, purchase, past, { verdict: outcome, saidBy });
}

async function requery(
  { catalogue, router, transactionIds }: ResolveServices,
  purchase: Purchase,
  attempt: Parameters<typeof vendRequestOf>[3] & Pick<Purchase, "supplier">,
): Promise<VendOutcome> {
  const { product } = goodsOf(catalogue.peek() ?? (await catalogue.load()), purchase);
  return router.requery(attempt.supplier, vendRequestOf(transactionIds, purchase, product, attempt));
}

/** `TXN…-2` → the purchase and its attempt; null for what is not of our making. */
export function parseSupplierReference(
  transactionIds: TransactionIds,
  text: string,
): { readonly id: PurchaseId; readonly attempt: number } | null {
  const match = /^(TXN[0-9A-Z]{26})-([1-9][0-9]?)$/.exec(text);
  const id = match === null ? null : transactionIds.parse(match[1] ?? "", "live");
  return id === null ? null : { id, attempt: Number(match?.[2]) };
}
