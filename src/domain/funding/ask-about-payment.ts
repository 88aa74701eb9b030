import type { Clock } from "../../kernel/clock.ts";
import { walletOfId } from "../../kernel/ids.ts";
import { add, groupedNaira, zeroKobo } from "../../kernel/money.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import { sqlStateOf } from "../../platform/database/database-errors.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { PaymentAnswer, Transfer } from "../../providers/payments/contract.ts";
import { type NoticeServices, writeMoneyTakenBack } from "../members/notices/notices.ts";
import type { BookPayment } from "./book-payments.ts";
import { creditOf, type PaymentQuestion, reasonFor } from "./payment.ts";
import { updateTakenBack } from "./payment-booking-queries.ts";
import { updatePaymentDue, updatePaymentRefused } from "./payment-question-queries.ts";
import type { OpenedProvider, ProviderOf } from "./providers.ts";

/**
 * Asks a provider about a transfer that it told of, for the holder of the question's lease. Its answer is booked.
 * `isRefund`: the event that led to the question says that it goes back.
 */
export type AskAboutPayment = (question: PaymentQuestion, about?: { readonly isRefund: boolean }) => Promise<void>;

/** Longer than a question takes, and the booking behind held wallets. */
export const paymentLeaseSeconds = 60;

/** Seconds until it is asked again after so many tries; the last for ever: a transfer is money that somebody misses. */
const dueSeconds = [5, 10, 20, 40, 80, 160, 300, 600, 1_200, 3_600];

/** A transfer that is verified so long after it arrived may have gone back meanwhile. */
const lateMs = 60_000;

interface AskServices {
  readonly database: Database;
  readonly people: NoticeServices;
  readonly clock: Clock;
  readonly providerOf: ProviderOf;
  readonly bookPayment: BookPayment;
  readonly log: Logger;
}

export function openAskAboutPayment(services: AskServices): AskAboutPayment {
  const { providerOf, log } = services;
  return async function askAboutPayment(question, { isRefund } = { isRefund: false }) {
    const provider = await providerOf(question.provider);
    const withRefunds = isRefund || isBooked(question);
    const answer: PaymentAnswer =
      provider === null
        ? { kind: "unknown", evidence: "The provider can't be asked: see its settings." }
        : await provider.connector.verify(question.paymentId, { withRefunds });
    const outcome = await apply(services, { question, provider, answer });
    log.info({ event: "payment.asked", provider: question.provider, payment: question.paymentId, outcome });
  };
}

function isBooked({ state }: PaymentQuestion): boolean {
  return state === "credited" || state === "unmatched";
}

async function apply(
  services: AskServices,
  found: {
    readonly question: PaymentQuestion;
    readonly provider: OpenedProvider | null;
    readonly answer: PaymentAnswer;
  },
): Promise<string> {
  const { database, clock } = services;
  const { question, provider, answer } = found;
  if (answer.kind === "refused") {
    await updatePaymentRefused(database, question, answer);
    return "refused";
  }
  if (answer.kind === "unknown" || provider === null) return postpone(database, question, answer.evidence);
  const { transfer, evidence } = answer;
  // Credited as it was, whatever it says later: only what it took back since is news.
  if (!isBooked(question)) {
    // Some may have gone back, and the word of that be lost or behind us: the next question is about that, too.
    const isFirst = question.epoch === 0 && clock.now() - transfer.paidAt <= lateMs;
    const isDue = !isFirst || transfer.takenBack > zeroKobo;
    const booked = await book(services, { question, provider, transfer, evidence, isDue });
    if (booked === "retry") return postpone(database, question, evidence);
    if (transfer.takenBack === zeroKobo || booked === "gone") return booked;
  }
  try {
    return await bookTakenBack(services, question, { transfer, evidence });
  } catch (error) {
    // Somebody holds the wallet.
    if (sqlStateOf(error) === "55P03") return postpone(database, question, evidence);
    throw error;
  }
}

async function bookTakenBack(
  { database, people }: AskServices,
  question: PaymentQuestion,
  { transfer, evidence }: { readonly transfer: Transfer; readonly evidence: string },
): Promise<"gone" | "taken_back"> {
  const reason = `Transfer of ₦${groupedNaira(transfer.amount)} taken back by the bank`;
  return database.transaction(async (tx) => {
    const taken = await updateTakenBack(tx, question, { takenBack: transfer.takenBack, reason, evidence });
    if (taken === null) return "gone";
    const { debited, debt, walletId } = taken;
    const amount = add(debited, debt);
    if (walletId !== null && amount > zeroKobo) {
      const { merchantId } = walletOfId(walletId);
      await writeMoneyTakenBack(tx, people, { merchantId, amount, debt, reason: reasonFor(transfer) });
    }
    return "taken_back";
  });
}

function book(
  { bookPayment }: AskServices,
  {
    question,
    provider,
    transfer,
    evidence,
    isDue,
  }: {
    readonly question: PaymentQuestion;
    readonly provider: OpenedProvider;
    readonly transfer: Transfer;
    readonly evidence: string;
    readonly isDue: boolean;
  },
) {
  return bookPayment({
    provider: question.provider,
    paymentId: question.paymentId,
    epoch: question.epoch,
    walletId: null,
    transfer,
    credited: creditOf(transfer, provider.feeBearer),
    reason: reasonFor(transfer),
    evidence,
    isDue,
  });
}

async function postpone(database: Queryable, question: PaymentQuestion, evidence: string): Promise<"unknown"> {
  const due = dueSeconds[Math.min(question.tries, dueSeconds.length) - 1] ?? 5;
  await updatePaymentDue(database, question, { dueSeconds: due, evidence });
  return "unknown";
}
