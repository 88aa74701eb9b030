import type { JsonObject } from "../../kernel/json.ts";
import { batcher } from "../../platform/database/batcher.ts";
import type { Queryable } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { CallbackMessage } from "../../providers/contract.ts";
import { type AskAboutPayment, paymentLeaseSeconds } from "./ask-about-payment.ts";
import { type PaymentQuestion, paymentKeyText } from "./payment.ts";
import { insertReceivedPayments, type ReceivedPayment } from "./payment-question-queries.ts";
import type { ProviderOf } from "./providers.ts";

export type PaymentEventResult =
  /** There is no such provider. */
  | { readonly kind: "nobody" }
  /** The caller logs it: it knows how often the same source does so. */
  | { readonly kind: "forged"; readonly evidence: string }
  /** Kept, or about nothing of ours: the provider need not call again. */
  | { readonly kind: "received"; readonly answer: JsonObject };

export interface ReceivePaymentEvent {
  (provider: string, message: CallbackMessage): Promise<PaymentEventResult>;
  /** Waits for the questions that events led to. */
  idle(): Promise<void>;
}

/** So many questions are asked at once; a worker asks the others. */
const askingMax = 64;
/** Events that share a commit, and that wait for one. */
const [batchMax, waitingMax] = [128, 10_000];

/**
 * Receives a provider's event: it is kept, together with the question that it leads to, and answered. The provider is
 * asked afterwards, and what it says then decides, so events may come twice, late, in any order or never.
 */
export function openReceivePaymentEvent(services: {
  readonly database: Queryable;
  readonly providerOf: ProviderOf;
  readonly askAboutPayment: AskAboutPayment;
  readonly log: Logger;
}): ReceivePaymentEvent {
  const { database, providerOf, askAboutPayment, log } = services;
  const asking = new Set<Promise<void>>();
  const keep = batcher<ReceivedPayment, PaymentQuestion>({
    run: (items) => insertReceivedPayments(database, items),
    sizeMax: batchMax,
    waitingMax,
    keyOf: paymentKeyText,
  });

  function ask(question: PaymentQuestion, about: { readonly isRefund: boolean }): void {
    const work = askAboutPayment(question, about)
      .catch((error: unknown) =>
        log.warn({ event: "payment.ask_failed", provider: question.provider, error: String(error) }),
      )
      .finally(() => asking.delete(work));
    asking.add(work);
  }

  async function receive(name: string, message: CallbackMessage): Promise<PaymentEventResult> {
    const connector = (await providerOf(name))?.connector;
    if (connector === undefined) return { kind: "nobody" };
    const reading = connector.readEvent(message);
    if (reading.kind === "forged") return reading;
    if (reading.kind === "payment") {
      const asksHere = asking.size < askingMax;
      const { paymentId, evidence, isRefund } = reading;
      const leaseSeconds = asksHere ? paymentLeaseSeconds : 0;
      const question = await keep({ provider: name, paymentId, evidence, leaseSeconds, isRefund });
      if (asksHere) ask(question, reading);
    } else log.info({ event: "payment.other_event", provider: name, evidence: reading.evidence });
    return { kind: "received", answer: connector.received };
  }

  return Object.assign(receive, {
    async idle() {
      await keep.idle();
      await Promise.all(asking);
    },
  });
}
