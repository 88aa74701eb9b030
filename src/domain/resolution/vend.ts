import type { Instant } from "../../kernel/clock.ts";
import type { WideLog } from "../../platform/telemetry/log.ts";
import type { VendOutcome } from "../../providers/contract.ts";
import { type Router, vendDeadlineMs } from "../../providers/router.ts";
import type { Purchase } from "../purchases/purchase.ts";
import type { Lease } from "../purchases/settle.ts";
import { dispatchDueSeconds, type VendOrder, vendRequestOf } from "../purchases/vend-request.ts";
import { recordOvertaken, rerouteDeclined, settleOutcome, type VerdictServices } from "./apply-outcome.ts";
import type { Rerouted } from "./reroute/reroute.ts";
import { type NextStep, writeVendLine } from "./verdict.ts";

export interface VendServices extends VerdictServices {
  readonly router: Router;
  /** Absent: no lines are written. */
  readonly wide?: WideLog | undefined;
}

/** A request that leaves later than this after its attempt was recorded could still be under way when it comes due. */
const sendableMs = dispatchDueSeconds * 1_000 - vendDeadlineMs;

/** A client that has waited for so long is answered; a worker asks whoever is left. */
export const patienceMs = 40_000;

/**
 * Asks the supplier once, after the charge is durable, and after an explicit no the next one, each attempt recorded in
 * a commit of its own before anybody is asked. `unknown` leaves the purchase pending.
 */
export function vend(services: VendServices, accepted: Purchase, order: VendOrder): Promise<Purchase> {
  const { product, predicted, isAwaited } = order;
  if (predicted !== null) return conclude(services, accepted, predicted, isAwaited);
  return attempt(services, accepted, { product, isAwaited, recordedAt: accepted.purchasedAt, tried: [] });
}

interface AttemptOrder extends Omit<VendOrder, "predicted"> {
  readonly recordedAt: Instant;
  /** The suppliers that have declined the purchase before. */
  readonly tried: readonly string[];
}

/** One attempt, and after it the next: `reroute` bounds their number. */
async function attempt(services: VendServices, purchase: Purchase, order: AttemptOrder): Promise<Purchase> {
  const { clock, router, transactionIds } = services;
  // The commit took long, or this process was stopped: another process may have asked by now, heard "never received"
  // and refunded. Otherwise the purchase waits to be sent like a bulk order's line.
  if (clock.now() - order.recordedAt > sendableMs) {
    await services.rescheduleRequery.requeue(purchase, {
      epoch: 0,
      evidence: "not sent: it took too long to be recorded",
    });
    return purchase;
  }
  const request = vendRequestOf(transactionIds, purchase, order.product, purchase);
  const sentAt = clock.now();
  const outcome = await router.vend(purchase.supplier, request);
  const recordedAt = clock.now();
  const exchange = { question: "vend", purchase, request, outcome, tookMs: recordedAt - sentAt } as const;
  const logStep = (step: NextStep) => writeVendLine(services.wide, exchange, step);
  if (outcome.kind !== "declined") {
    logStep(outcome.kind === "vended" ? "end" : "ask_again");
    return conclude(services, purchase, outcome, order.isAwaited);
  }
  const sends = recordedAt - purchase.purchasedAt < patienceMs;
  const next = await rerouteDeclined(services, purchase, outcome, { epoch: 0, sends, tried: order.tried });
  logStep(stepOf(next, sends));
  if (next.kind === "none_left") return conclude(services, purchase, outcome, order.isAwaited);
  if (next.kind === "lost") return recordOvertaken(services, purchase, outcome);
  if (!sends || purchase.supplier === null) return next.purchase;
  return attempt(services, next.purchase, { ...order, recordedAt, tried: [...order.tried, purchase.supplier] });
}

function stepOf(next: Rerouted, sends: boolean): NextStep {
  if (next.kind === "none_left") return "end";
  if (next.kind === "lost") return "late_result";
  return sends ? "next_supplier" : "queue";
}

/** Ends the purchase as the supplier said, or leaves it pending, to be asked about. */
async function conclude(
  services: VendServices,
  purchase: Purchase,
  outcome: VendOutcome,
  isAwaited: Lease["isAwaited"],
): Promise<Purchase> {
  if (outcome.kind !== "unknown") return settleOutcome(services, purchase, outcome, { epoch: 0, isAwaited });
  // Before the answer goes out: some suppliers can only be asked by the reference that they have just told.
  if (purchase.supplier !== null) await services.rescheduleRequery(purchase, { epoch: 0, tries: 0, answer: outcome });
  return purchase;
}
