import type { PurchaseId, TransactionIds } from "../../../kernel/ids.ts";
import type { VendOutcome } from "../../../providers/contract.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { findLivePurchase } from "../../purchases/queries.ts";
import { vendRequestOf } from "../../purchases/vend-request.ts";
import { applyOutcome, recordOvertaken, settleOutcome } from "../apply-outcome.ts";
import { type EndedAttempt, listAttempts } from "../incident-queries.ts";
import { type LateResult, recordForeignAnswer, recordLateResult } from "../late-result.ts";
import { writeVendLine } from "../verdict.ts";
import { claimPending, findPendingStep, updateProviderReference, updateReceived } from "./pending-queries.ts";
import { leaseSeconds, type ResolveServices } from "./resolve-pending.ts";

/**
 * The result of a requery. `asked`: the attempt was pending, and the answer was applied. An attempt that is over gives
 * the meaning of the late answer. After `not_sent_yet` and `still_unknown` the supplier has to be asked again.
 */
export type RequeryResult = "not_ours" | "not_sent_yet" | "asked" | "still_unknown" | LateResult;

/** Why an attempt is asked about. */
export interface RequeryReason {
  readonly source: string;
  /** The supplier's reference of the attempt, where the callback told one. */
  readonly providerReference: string | null;
  /** For how many milliseconds the supplier has been asked about an attempt that is over. */
  readonly openForMs?: number;
}

/** Asks the supplier of one of our references what became of it, now, whatever stage its purchase is at. */
export type RequerySupplier = (
  supplier: string,
  supplierReference: string,
  occasion: RequeryReason,
) => Promise<RequeryResult>;

/**
 * Asks the supplier after a callback: the callback itself is not believed, and the answer is applied like every other.
 * An answer that leaves the outcome open changes nothing: the present holder keeps the lease. Safe to repeat and to
 * reorder.
 */
export function openRequerySupplier(services: ResolveServices): RequerySupplier {
  const { database, transactionIds } = services;
  return async function requery(supplier, supplierReference, occasion) {
    let result = await ask(supplier, supplierReference, occasion);
    // The purchase ended, or went on to the next supplier, while we looked: a second look shows it.
    if (result === "moved_on") result = await ask(supplier, supplierReference, occasion);
    // Twice in a row: another process is working on it, so ask later.
    return result === "moved_on" ? "not_sent_yet" : result;
  };

  async function ask(
    supplier: string,
    supplierReference: string,
    occasion: RequeryReason,
  ): Promise<RequeryResult | "moved_on"> {
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
  occasion: RequeryReason,
): Promise<RequeryResult | "moved_on"> {
  const { database } = services;
  const pending = await findPendingStep(database, purchase);
  if (pending === null) return "moved_on";
  const { step, notReceivedMs } = pending;
  if (step === "queued") return "not_sent_yet";
  const providerReference = purchase.providerReference ?? occasion.providerReference;
  const outcome = await requery(services, purchase, { ...purchase, providerReference, notReceivedMs }, occasion);
  // A name under which the supplier knows another purchase is not this attempt's.
  const isNew = purchase.providerReference === null && providerReference !== null;
  if (isNew && !isOfAnother(outcome)) await updateProviderReference(database, purchase, providerReference);
  if (outcome.kind === "vended") await settleOutcome(services, purchase, outcome, { epoch: null });
  if (outcome.kind === "declined") {
    const epoch = await claimPending(database, purchase, leaseSeconds);
    if (epoch === null) await recordOvertaken(services, purchase, outcome);
    else await applyOutcome(services, purchase, outcome, epoch);
  }
  if (outcome.kind === "unknown" && outcome.received !== undefined) {
    await updateReceived(database, purchase, outcome.received);
  }
  // What waits for a person is not asked about.
  return outcome.kind === "unknown" && step === "review" ? "still_unknown" : "asked";
}

async function askAboutPast(
  services: ResolveServices,
  purchase: Purchase,
  past: EndedAttempt,
  occasion: RequeryReason,
): Promise<RequeryResult> {
  const { source, providerReference, openForMs = 0 } = occasion;
  const named = { ...past, providerReference: past.providerReference ?? providerReference };
  const outcome = await requery(services, purchase, { ...named, notReceivedMs: openForMs }, occasion);
  if (outcome.kind === "unknown") return "still_unknown";
  return recordLateResult(services, purchase, past, { verdict: outcome, source });
}

/** Asks about one attempt. That its supplier speaks of another purchase, now or when it called, is kept as an incident. */
async function requery(
  services: ResolveServices,
  purchase: Purchase,
  exchange: Parameters<typeof vendRequestOf>[3] & Pick<Purchase, "supplier" | "supplierCode">,
  occasion: RequeryReason,
): Promise<VendOutcome> {
  const { catalogue, clock, router, transactionIds } = services;
  const { attempt, supplier, supplierCode, providerReference } = exchange;
  const { product } = soldProductOf(await catalogue.current(), purchase);
  // Of this attempt, which may be over: the purchase has that of the supplier that came next.
  const request = vendRequestOf(transactionIds, { ...purchase, supplierCode }, product, exchange);
  const sentAt = clock.now();
  const outcome = await router.requery(supplier, request);
  if (supplier === null) return outcome;
  const line = { question: "requery", purchase, request, outcome, tookMs: clock.now() - sentAt } as const;
  writeVendLine(services.wide, line, outcome.kind === "unknown" ? "ask_again" : "end");
  const called = occasion.providerReference;
  if (called !== null && providerReference !== called) {
    const evidence = `it names ${called}, and the attempt is ${providerReference} there`;
    await recordForeignAnswer(services, purchase, { attempt, supplier, source: occasion.source, evidence });
  }
  if (isOfAnother(outcome)) {
    const source = `answer of ${supplier}`;
    await recordForeignAnswer(services, purchase, { attempt, supplier, source, evidence: outcome.evidence });
  }
  return outcome;
}

function isOfAnother(outcome: VendOutcome): outcome is Extract<VendOutcome, { readonly kind: "unknown" }> {
  return outcome.kind === "unknown" && outcome.ofAnother !== undefined;
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
