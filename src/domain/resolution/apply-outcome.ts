import { assert } from "../../kernel/assert.ts";
import { isValueRefused } from "../../platform/database/database-errors.ts";
import { listSoldTo, soldBefore } from "../purchases/fulfilment/delivered-codes.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { findPurchase } from "../purchases/queries.ts";
import { type Lease, type Settle, supplierReferenceOf } from "../purchases/settle.ts";
import { type ForeignAnswerServices, type PastAttempt, recordLateResult } from "./late-result.ts";
import { type RescheduleRequery, unstorable } from "./requery/reschedule-requery.ts";
import { findContradicted, type Reroute, type Rerouted } from "./reroute/reroute.ts";
import { type Declined, endOf, evidenceOf, type NextStep, type Verdict } from "./verdict.ts";

export interface VerdictServices extends ForeignAnswerServices {
  readonly settle: Settle;
  readonly reroute: Reroute;
  readonly rescheduleRequery: RescheduleRequery;
}

/**
 * Does what a supplier's word about the present attempt asks for, for the holder of the lease of this epoch: ends the
 * purchase or, after an explicit no, queues it for the next supplier. @returns which of these
 */
export async function applyOutcome(
  services: VerdictServices,
  purchase: Purchase,
  verdict: Verdict,
  epoch: number,
): Promise<NextStep> {
  if (verdict.kind === "declined") {
    const next = await rerouteDeclined(services, purchase, verdict, { epoch, sends: false });
    if (next.kind === "rerouted") return "next_supplier";
    if (next.kind === "lost") {
      await recordOvertaken(services, purchase, verdict);
      return "late_result";
    }
  }
  await settleOutcome(services, purchase, verdict, { epoch });
  return "end";
}

/** After an explicit no, the next attempt, where there is somebody for it. */
export async function rerouteDeclined(
  services: VerdictServices,
  purchase: Purchase,
  declined: Declined,
  lease: Parameters<Reroute>[2],
): Promise<Rerouted> {
  try {
    return await services.reroute(purchase, declined, lease);
  } catch (error) {
    logUnstoredAnswer(services, purchase, declined);
    throw error;
  }
}

type Holder = Pick<Lease, "epoch" | "isAwaited">;

/**
 * Ends the purchase with its supplier's answer. Where it ended otherwise meanwhile, or was rerouted, the answer is a
 * late result; where the database cannot store it, it hands over what another sale got, or an earlier supplier contradicts
 * a refusal, a person decides.
 * @returns the purchase as it stands
 */
export async function settleOutcome(
  services: VerdictServices,
  purchase: Purchase,
  verdict: Verdict,
  holder: Holder,
): Promise<Purchase> {
  try {
    // The money stays where it is while a supplier before this one says that it sold.
    if (verdict.kind === "declined" && (await findContradicted(services.database, purchase)) !== null) {
      return await leaveToPerson(services, purchase, holder, `${verdict.evidence}; ${contradicted}`);
    }
    return await settleOrRecordLate(services, purchase, verdict, holder);
  } catch (error) {
    logUnstoredAnswer(services, purchase, verdict);
    if (!isValueRefused(error) || purchase.supplier === null) throw error;
    const unread = verdict.kind === "vended" ? JSON.stringify(verdict.fulfilment) : "";
    return leaveToPerson(services, purchase, holder, `${verdict.kind}, but ${unstorable}`, unread);
  }
}

const contradicted = "an earlier supplier has said something else since it declined";

async function leaveToPerson(
  services: VerdictServices,
  purchase: Purchase,
  { epoch }: Holder,
  evidence: string,
  unread = "",
): Promise<Purchase> {
  const answer = { kind: "unknown", evidence, askNobody: true, unread } as const;
  // Without a lease there is a worker's question still to come, which has one, or a person has the purchase already.
  if (epoch !== null) await services.rescheduleRequery(purchase, { epoch, tries: 0, answer });
  return purchase;
}

/** There are suppliers that say it once: then only this line knows it. */
function logUnstoredAnswer({ log, transactionIds }: VerdictServices, purchase: Purchase, verdict: Verdict): void {
  const { supplier } = purchase;
  if (supplier === null) return;
  const { kind, providerReference = null, evidence } = verdict;
  const supplierReference = supplierReferenceOf(transactionIds, purchase);
  log.error({
    event: "purchase.answer_not_stored",
    supplier,
    supplierReference,
    verdict: kind,
    providerReference,
    evidence,
  });
}

async function settleOrRecordLate(
  services: VerdictServices,
  purchase: Purchase,
  verdict: Verdict,
  holder: Holder,
): Promise<Purchase> {
  const end = endOf(verdict);
  const evidence = evidenceOf(verdict);
  let present = await services.settle(purchase, end, { ...holder, evidence });
  if (verdict.kind === "vended" && present.status === "pending" && present.attempt === purchase.attempt) {
    const { fulfilment } = verdict;
    const [soldTo = null] = await listSoldTo(services, [{ purchase, fulfilment }]);
    if (soldTo !== null) {
      const doubt = `${evidence}. ${soldBefore(services.transactionIds.format(soldTo, "live"))}`;
      return leaveToPerson(services, purchase, holder, doubt, JSON.stringify(fulfilment));
    }
    // Somebody else has the lease. A yes is true whoever holds it, and must not get lost while they do; a no is theirs.
    present = await services.settle(purchase, end, { epoch: null, evidence });
  }
  if (present.status !== end.status || present.attempt !== purchase.attempt) {
    await recordLateAnswer(services, { purchase, verdict, present });
  }
  return present;
}

/** A supplier's word whose purchase somebody else has in hand, or has ended. @returns the purchase as it stands */
export async function recordOvertaken(
  services: VerdictServices,
  purchase: Purchase,
  verdict: Verdict,
): Promise<Purchase> {
  const present = await findPurchase(services.database, purchase.wallet, purchase.id);
  assert(present !== null, "a purchase that was accepted stays stored");
  await recordLateAnswer(services, { purchase, verdict, present });
  return present;
}

async function recordLateAnswer(
  services: VerdictServices,
  late: { readonly purchase: Purchase; readonly verdict: Verdict; readonly present: Purchase },
): Promise<void> {
  const { purchase, verdict, present } = late;
  const past = pastOf(purchase, present);
  // The simulator contradicts nobody.
  if (past !== null) await recordLateResult(services, present, past, { verdict, source: `answer of ${past.supplier}` });
}

/** How the attempt that was asked about ended; null while it has not. */
function pastOf({ attempt, supplier }: Purchase, present: Purchase): PastAttempt | null {
  if (supplier === null) return null;
  if (present.attempt !== attempt) return { attempt, supplier, verdict: "declined" };
  if (present.status === "pending") return null;
  return { attempt, supplier, verdict: present.status === "successful" ? "vended" : "declined" };
}
