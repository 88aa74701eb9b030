import type { PurchaseId } from "../../kernel/ids.ts";
import { parseTransactionId } from "../../kernel/ids.ts";
import type { Logger } from "../../platform/log.ts";
import { goodsOf } from "./goods.ts";
import { type EndedAttempt, findLivePurchase, listAttempts } from "./incident-queries.ts";
import { hearLateWord, type LateWord } from "./late-word.ts";
import { claimPending } from "./pending-queries.ts";
import type { Purchase } from "./purchase.ts";
import { leaseSeconds, type ResolveServices, resolvePending } from "./resolve-pending.ts";
import { vendRequestOf } from "./vend-request.ts";

/** What asking came to: of a pending attempt, that it was asked about and dealt with; else what the late word meant. */
export type AskedAgain = "not_ours" | "not_sent_yet" | "asked" | "still_unknown" | LateWord;

/** Asks the supplier of one of our references what became of it, now, whatever stage its purchase is at. */
export type AskAgain = (supplier: string, supplierReference: string, saidBy: string) => Promise<AskedAgain>;

/**
 * The bell that a supplier's callback rings: what it says is not taken at its word, the supplier is asked, and that
 * answer goes the way of every other. A pending attempt's lease is taken over, so whoever holds it is fenced off. Safe
 * to repeat and to reorder.
 */
export function openAskAgain(services: ResolveServices & { readonly log: Logger }): AskAgain {
  const { database, clock } = services;
  return async function askAgain(supplier, supplierReference, saidBy) {
    const named = parseSupplierReference(supplierReference);
    const purchase = named === null ? null : await findLivePurchase(database, named.id);
    if (named === null || purchase === null) return "not_ours";
    if (purchase.status === "pending" && purchase.attempt === named.attempt) {
      if (purchase.supplier !== supplier) return "not_ours";
      const claim = await claimPending(database, purchase, leaseSeconds);
      if (claim === null) return "not_sent_yet";
      await resolvePending(services, claim, clock.now());
      return "asked";
    }
    const attempts = await listAttempts(database, purchase.wallet, purchase.id);
    const past = attempts.find(({ attempt }) => attempt === named.attempt);
    if (past === undefined || past.supplier !== supplier) return "not_ours";
    return askAboutPast(services, purchase, past, saidBy);
  };
}

async function askAboutPast(
  services: ResolveServices & { readonly log: Logger },
  purchase: Purchase,
  past: EndedAttempt,
  saidBy: string,
): Promise<AskedAgain> {
  const { catalogue, router } = services;
  const { product } = goodsOf(catalogue.peek() ?? (await catalogue.load()), purchase);
  const request = vendRequestOf(purchase, product, past);
  const outcome = await router.requery(past.supplier, request);
  if (outcome.kind === "unknown") return "still_unknown";
  return hearLateWord(services, purchase, past, { verdict: outcome, saidBy });
}

/** `TXN…-2` → the purchase and its attempt; null for what is not of our making. */
export function parseSupplierReference(text: string): { readonly id: PurchaseId; readonly attempt: number } | null {
  const match = /^(TXN[0-9A-Z]{26})-([1-9][0-9]?)$/.exec(text);
  const id = match === null ? null : parseTransactionId(match[1] ?? "", "live");
  return id === null ? null : { id, attempt: Number(match?.[2]) };
}
