import type { TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import type { Logger } from "../../../platform/telemetry/log.ts";
import type { CallbackMessage, CallbackReading } from "../../../providers/contract.ts";
import type { ConnectorOf } from "../../../providers/router.ts";
import { parseSupplierReference } from "../requery/requery-supplier.ts";
import { findPendingByProvider, insertCallback, type PendingCallback } from "./callback-queries.ts";
import { type AskAbout, questionLeaseSeconds } from "./verify-callback.ts";

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
