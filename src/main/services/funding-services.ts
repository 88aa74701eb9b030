import { type FundingAccounts, openFundingAccounts } from "../../domain/funding/accounts.ts";
import { type AskAboutPayment, openAskAboutPayment } from "../../domain/funding/ask-about-payment.ts";
import { openBookPayment } from "../../domain/funding/book-payments.ts";
import type { PaymentProvider } from "../../domain/funding/provider-queries.ts";
import { openProviders, type Providers } from "../../domain/funding/providers.ts";
import { openReceivePaymentEvent, type ReceivePaymentEvent } from "../../domain/funding/receive-payment-event.ts";
import type { PeopleServices } from "../../domain/identity/people/send-notice.ts";
import type { Clock } from "../../kernel/clock.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Metrics, measureBatches } from "../../platform/telemetry/metrics.ts";
import type { PaymentConnector } from "../../providers/payments/contract.ts";
import type { Databases } from "./database-services.ts";

/** Money in: from a provider's event to the credit. */
export interface FundingServices {
  readonly providers: Providers;
  readonly accounts: FundingAccounts;
  readonly receivePaymentEvent: ReceivePaymentEvent;
  readonly askAboutPayment: AskAboutPayment;
  /** Waits for what is under way. */
  idle(): Promise<void>;
}

export type OpenPaymentProvider = (provider: PaymentProvider) => PaymentConnector | null;

export function openFunding(options: {
  readonly databases: Pick<Databases, "ordinary" | "batched">;
  readonly watch: RevisionWatch;
  readonly openPaymentProvider: OpenPaymentProvider;
  readonly clock: Clock;
  readonly people: PeopleServices;
  readonly metrics: Metrics;
  readonly log: Logger;
}): FundingServices {
  const { watch, clock, people, metrics, log, openPaymentProvider: open } = options;
  const { ordinary: database, batched } = options.databases;
  const providers = openProviders({ database, watch, open });
  const { providerOf } = providers;
  const bookPayment = openBookPayment({ database: batched, onBatch: measureBatches(metrics, "payments") });
  const askAboutPayment = openAskAboutPayment({ database, people, clock, providerOf, bookPayment, log });
  const accounts = openFundingAccounts({ database, clock, providerOf, log });
  const receivePaymentEvent = openReceivePaymentEvent({ database: batched, providerOf, askAboutPayment, log });
  return {
    providers,
    accounts,
    receivePaymentEvent,
    askAboutPayment,
    async idle() {
      await receivePaymentEvent.idle();
      await bookPayment.idle();
    },
  };
}
