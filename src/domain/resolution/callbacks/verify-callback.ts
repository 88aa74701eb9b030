import type { Clock } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { RequeryReason, RequeryResult, RequerySupplier } from "../requery/requery-supplier.ts";
import { nextRequery } from "../requery/reschedule-requery.ts";
import { deleteCallbackQuestion, type PendingCallback, updateQuestionDue } from "./callback-queries.ts";

/** Asks about an attempt that its supplier called about, for the holder of the question's lease. */
export type AskAbout = (question: PendingCallback) => Promise<void>;

/** Longer than a supplier's deadline. */
export const questionLeaseSeconds = 90;

/**
 * A question is over when its supplier has answered it, or the purchase is pending and has a schedule of its own. A
 * question without an answer is asked again, ever less often, for a day; then it is logged for a person. The same holds
 * for one that could not be asked, or whose answer could not be applied: it must not fail at every lease for ever.
 */
export function openAskAbout(services: {
  readonly database: Database;
  readonly clock: Clock;
  readonly requery: RequerySupplier;
  readonly log: Logger;
}): AskAbout {
  const { database, clock, requery, log } = services;
  return async function askAbout(question) {
    const { supplier, supplierReference, providerReference, tries } = question;
    const source = `callback of ${supplier}`;
    const result = await ask(question, { source, providerReference });
    log.info({ event: "callback.asked", supplier, supplierReference, result });
    if (!isOpen.has(result)) return deleteCallbackQuestion(database, question);
    const next = nextRequery({ tries: tries - 1, ageMs: clock.now() - question.receivedAt, askNobody: false });
    if (next.step === "requery") return updateQuestionDue(database, question, next.dueSeconds);
    log.error({ event: "callback.unanswered", supplier, supplierReference, result });
    await deleteCallbackQuestion(database, question);
  };

  async function ask(question: PendingCallback, occasion: RequeryReason): Promise<RequeryResult | "failed"> {
    const { supplier, supplierReference, receivedAt } = question;
    try {
      return await requery(supplier, supplierReference, { ...occasion, openForMs: clock.now() - receivedAt });
    } catch (error) {
      log.error({ event: "callback.ask_failed", supplier, supplierReference, error: String(error) });
      return "failed";
    }
  }
}

const isOpen: ReadonlySet<RequeryResult | "failed"> = new Set(["still_unknown", "not_sent_yet", "failed"] as const);
