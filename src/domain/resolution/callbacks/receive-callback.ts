import type { Clock } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Database, Queryable } from "../../../platform/database/database.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CallbackMessage, CallbackReading } from "../../../providers/contract.ts";
import type { ConnectorOf } from "../../../providers/router.ts";
import {
  parseSupplierReference,
  type RequeryReason,
  type RequeryResult,
  type RequerySupplier,
} from "../requery/requery-supplier.ts";
import { nextRequery } from "../requery/reschedule-requery.ts";
import {
  deleteCallbackQuestion,
  findPendingByProvider,
  insertCallback,
  type PendingCallback,
  updateQuestionDue,
} from "./callback-queries.ts";

type News = Extract<CallbackReading, { kind: "news" }>;

/** The result of a callback: it decides the answer to the supplier. */
export type CallbackResult =
  /** There is no such supplier, or it sends no callbacks. */
  | { readonly kind: "nobody" }
  /** The caller logs it: it knows how often the same source does so. */
  | { readonly kind: "forged"; readonly evidence: string }
  /** Understood, or about nothing of ours: the supplier need not call again. */
  | { readonly kind: "received"; readonly answer: JsonObject };

export interface ReceiveCallback {
  (supplier: string, message: CallbackMessage): Promise<CallbackResult>;
  /** Waits for the questions that callbacks led to. */
  idle(): Promise<void>;
}

/** So many questions are asked at once; a worker asks the others. */
const askingMax = 32;

/**
 * Receives a supplier's callback. Each is stored once, together with the question that it leads to: the supplier's
 * answer decides, not the callback, in the same way as every other answer. So callbacks may come twice, late, in any
 * order or never.
 */
export function openReceiveCallback(services: {
  readonly database: Queryable;
  readonly connectorOf: ConnectorOf;
  readonly askAbout: AskAbout;
  readonly log: Logger;
  readonly transactionIds: TransactionIds;
}): ReceiveCallback {
  const { database, connectorOf, askAbout, log, transactionIds } = services;
  const asking = new Set<Promise<void>>();

  function ask(question: PendingCallback): void {
    const work = askAbout(question)
      .catch((error: unknown) =>
        log.warn({ event: "callback.failed", supplier: question.supplier, error: String(error) }),
      )
      .finally(() => asking.delete(work));
    asking.add(work);
  }

  /** Our name for the attempt that a callback is about; null where the supplier's name is that of no pending attempt. */
  async function ourReference(
    supplier: string,
    { supplierReference, providerReference }: News,
  ): Promise<string | null> {
    if (supplierReference !== null || providerReference === null) return supplierReference;
    const pending = await findPendingByProvider(database, supplier, providerReference);
    return pending === null ? null : `${transactionIds.format(pending.id, "live")}-${pending.attempt}`;
  }

  async function receive(supplier: string, message: CallbackMessage): Promise<CallbackResult> {
    const callbacks = (await connectorOf(supplier))?.callbacks;
    if (callbacks === undefined) return { kind: "nobody" };
    const reading = callbacks.read(message);
    if (reading.kind === "forged") return reading;
    const supplierReference = reading.kind === "news" ? await ourReference(supplier, reading) : null;
    const about = supplierReference === null ? null : parseSupplierReference(transactionIds, supplierReference);
    if (reading.kind === "other" || supplierReference === null || about === null) {
      log.info({ event: "callback.other", supplier, evidence: reading.evidence });
    } else {
      const { kind: _, ...said } = reading;
      const report = { ...said, supplierReference };
      const asksHere = asking.size < askingMax;
      const leaseSeconds = asksHere ? questionLeaseSeconds : 0;
      const question = await insertCallback(database, { supplier, ...report }, about, leaseSeconds);
      if (question !== null && asksHere) ask(question);
    }
    return { kind: "received", answer: callbacks.received };
  }

  return Object.assign(receive, {
    idle: async () => void (await Promise.all(asking)),
  });
}

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
