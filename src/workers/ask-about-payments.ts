import { announcePayment, type PaymentNewsServices } from "../domain/funding/announce-payment.ts";
import { type AskAboutPayment, paymentLeaseSeconds } from "../domain/funding/ask-about-payment.ts";
import { listNextPayments } from "../domain/funding/list-payments.ts";
import type { PaymentQuestion } from "../domain/funding/payment.ts";
import { claimDuePayments, listUnannouncedPayments } from "../domain/funding/payment-queries.ts";
import type { ProviderOf } from "../domain/funding/providers.ts";
import { listPayingWallets, payDebts } from "../domain/wallet/queries.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";
import type { Job } from "./watch.ts";

const questionsMax = 64;
/** In one claim, and about to be exceeded by one claim at most: no silent provider takes all places. */
const perProviderMax = 32;

/** Asks providers about transfers whose time has come, until stopped. Any number of processes may run one. */
export function startAskingAboutPayments(options: {
  readonly services: { readonly database: Database; readonly askAboutPayment: AskAboutPayment };
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log } = options;
  const underWay = new Map<string, number>();
  const count = (provider: string, change: number) =>
    underWay.set(provider, (underWay.get(provider) ?? 0) + change).get(provider);

  return startWorkLoop<PaymentQuestion>({
    async claim(free) {
      const exceptOf = [...underWay].filter(([, asking]) => asking >= perProviderMax).map(([provider]) => provider);
      const limit = Math.min(free, perProviderMax);
      const claims = { exceptOf, limit, leaseSeconds: paymentLeaseSeconds };
      const questions = await claimDuePayments(services.database, claims);
      for (const { provider } of questions) count(provider, 1);
      return questions;
    },
    async act(question) {
      try {
        await services.askAboutPayment(question);
      } finally {
        if (count(question.provider, -1) === 0) underWay.delete(question.provider);
      }
    },
    concurrencyMax: questionsMax,
    pollMs: options.pollMs,
    onError(error, question) {
      log.error({ event: "payment.ask_failed", provider: question?.provider ?? null, error: String(error) });
    },
  });
}

/** Reads providers' lists for transfers that no event told of. */
export const paymentListing: Job<{
  readonly database: Database;
  readonly providerOf: ProviderOf;
  readonly log: Logger;
}> = {
  name: "payment_lists",
  everyMs: 5_000,
  open: (services) => async () => ((await listNextPayments(services)) ? "again" : undefined),
};

const perLook = 100;

/** Pays debts from what came into wallets by other ways than a credit: refunds of purchases. */
export const debtPaying: Job<{ readonly database: Database; readonly log: Logger }> = {
  name: "debts",
  everyMs: 5_000,
  open:
    ({ database, log }) =>
    async () => {
      const wallets = await listPayingWallets(database, perLook);
      if (wallets.length === 0) return;
      // One by one: one that somebody holds keeps no other waiting for its lock.
      for (const wallet of wallets) await payDebts(database, [wallet]);
      log.info({ event: "debts.paid", wallets: wallets.length });
      return "again";
    },
};

/** Tells merchants of money that came: the credit's own commit left the mark. */
export const paymentAnnouncing: Job<PaymentNewsServices & { readonly webhooks: { readonly wake: () => void } }> = {
  name: "payment_announcements",
  everyMs: 250,
  open: (services) => async () => {
    const payments = await listUnannouncedPayments(services.database, perLook);
    if (payments.length === 0) return;
    for (const payment of payments) await announcePayment(services, payment);
    services.webhooks.wake();
    return "again";
  },
};
