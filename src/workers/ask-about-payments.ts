import { announceLine, announcePayments, type PaymentNewsServices } from "../domain/funding/announce-payments.ts";
import { type AskAboutPayment, paymentLeaseSeconds } from "../domain/funding/ask-about-payment.ts";
import { listNextPayments } from "../domain/funding/list-payments.ts";
import type { PaymentQuestion } from "../domain/funding/payment.ts";
import { listUnannouncedPayments } from "../domain/funding/payment-announcement-queries.ts";
import { claimDuePayments } from "../domain/funding/payment-question-queries.ts";
import type { ProviderOf } from "../domain/funding/providers.ts";
import { listUnannouncedLines } from "../domain/funding/statements/line-queries.ts";
import { listPayingWallets, payDebts } from "../domain/wallet/queries.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import type { WorkLoop } from "../platform/work-loop.ts";
import { startAskingLoop } from "./asking-loop.ts";
import type { Job } from "./watch.ts";

const perProviderMax = 32;
/** Three providers that answer slowly leave places for a fourth one. */
const questionsMax = 4 * perProviderMax;

/** Asks providers about transfers whose time has come, until stopped. Any number of processes may run one. */
export function startAskingAboutPayments(options: {
  readonly services: { readonly database: Database; readonly askAboutPayment: AskAboutPayment };
  readonly log: Logger;
  readonly pollMs: number;
}): WorkLoop {
  const { services, log, pollMs } = options;
  return startAskingLoop<PaymentQuestion>({
    claim: (claims) => claimDuePayments(services.database, { ...claims, leaseSeconds: paymentLeaseSeconds }),
    whomOf: ({ provider }) => provider,
    ask: (question) => services.askAboutPayment(question),
    questionsMax,
    ofOneMax: perProviderMax,
    pollMs,
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
      if (wallets.length === 0 || (await payDebts(database, wallets)) === 0n) return;
      log.info({ event: "debts.paid", wallets: wallets.length });
      return "again";
    },
};

/** In one commit. */
const perCommit = 25;

/** Tells merchants of money that came: the credit's own commit left the mark. */
export const paymentAnnouncing: Job<PaymentNewsServices & { readonly webhooks: { readonly wake: () => void } }> = {
  name: "payment_announcements",
  everyMs: 250,
  open: (services) => async () => {
    const payments = await listUnannouncedPayments(services.database, perLook);
    const lines = await listUnannouncedLines(services.database, perLook);
    if (payments.length + lines.length === 0) return;
    const failures: unknown[] = [];
    for (let first = 0; first < payments.length; first += perCommit) {
      const together = payments.slice(first, first + perCommit);
      // One that fails is no reason to keep the others waiting.
      await announcePayments(services, together).catch(async () => {
        for (const one of together)
          await announcePayments(services, [one]).catch((error: unknown) => failures.push(error));
      });
    }
    for (const line of lines) await announceLine(services, line).catch((error: unknown) => failures.push(error));
    services.webhooks.wake();
    if (failures.length > 0) throw failures[0];
    return "again";
  },
};
