import type { Clock } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database.ts";
import type { Logger } from "../../../platform/log.ts";
import type { AskAgain, AskedAgain, Occasion } from "../ask-again.ts";
import { type CallbackQuestion, deleteCallbackQuestion, updateQuestionDue } from "./callback-queries.ts";
import { nextQuestion } from "../put-off.ts";

/** Asks about an attempt that its supplier called about, for the holder of the question's lease. */
export type AskAbout = (question: CallbackQuestion) => Promise<void>;

/** Longer than a supplier's deadline. */
export const questionLeaseSeconds = 90;

/**
 * A question is over when its supplier has answered it, or the purchase is pending and has a schedule of its own. One
 * that is not answered is asked again, ever less often, for a day; then a person is told. So is one that could not be
 * asked, or whose answer could not be followed: what fails each time must not fail at the pace of its leases for ever.
 */
export function openAskAbout(services: {
  readonly database: Database;
  readonly clock: Clock;
  readonly askAgain: AskAgain;
  readonly log: Logger;
}): AskAbout {
  const { database, clock, askAgain, log } = services;
  return async function askAbout(question) {
    const { supplier, supplierReference, providerReference, tries } = question;
    const saidBy = `callback of ${supplier}`;
    const result = await ask(question, { saidBy, providerReference });
    log.info({ event: "callback.asked", supplier, supplierReference, result });
    if (!isOpen.has(result)) return deleteCallbackQuestion(database, question);
    const next = nextQuestion({ tries: tries - 1, ageMs: clock.now() - question.heardAt, askNobody: false });
    if (next.step === "requery") return updateQuestionDue(database, question, next.dueSeconds);
    log.error({ event: "callback.unanswered", supplier, supplierReference, result });
    await deleteCallbackQuestion(database, question);
  };

  async function ask(question: CallbackQuestion, occasion: Occasion): Promise<AskedAgain | "failed"> {
    const { supplier, supplierReference, heardAt } = question;
    try {
      return await askAgain(supplier, supplierReference, { ...occasion, askedForMs: clock.now() - heardAt });
    } catch (error) {
      log.error({ event: "callback.ask_failed", supplier, supplierReference, error: String(error) });
      return "failed";
    }
  }
}

const isOpen: ReadonlySet<AskedAgain | "failed"> = new Set(["still_unknown", "not_sent_yet", "failed"] as const);
