import { dayMs, type Instant } from "../../kernel/clock.ts";
import { zeroKobo } from "../../kernel/money.ts";
import { openAsk } from "../conversation.ts";
import type { ConnectorServices } from "../http-connector.ts";
import type { Reply } from "../reply.ts";
import type {
  AccountAnswer,
  AccountRequest,
  PaymentAnswer,
  PaymentConnector,
  Refund,
  RefundsAnswer,
} from "./contract.ts";
import type { AccountReading, PaymentDialect, TimeRange } from "./dialect.ts";
import { type ReadRefunds, type RefundsSince, readRefunds, shareByDay, takenBackOf } from "./refunds.ts";
import { inShort, listBytesMax, openTalk, type Talk } from "./talk.ts";

/** Over all questions that follow one another. A worker holds its lease for longer, and for two readings of refunds. */
export const paymentDeadlineMs = 20_000;
const refundsDeadlineMs = 15_000;
/** A question for an account may lead to two more. */
const accountQuestionsMax = 3;

/** A payment provider that is asked over HTTP. */
export function httpPayments(dialect: PaymentDialect, services: ConnectorServices): PaymentConnector {
  const { monotonicMs, clock, deadlineMs = paymentDeadlineMs } = services;
  const ask = openAsk(dialect, services);
  const open = () => openTalk(ask, monotonicMs, deadlineMs);
  const refundsSince = shareByDay((start) => {
    // Its clock and its days are its own.
    const range = { from: start - dayMs, to: clock.now() + dayMs };
    const talk = openTalk(ask, monotonicMs, Math.min(deadlineMs, refundsDeadlineMs));
    return readRefunds(dialect.refunds, talk, (page) => dialect.refunds.ask(page, range));
  });
  return {
    name: dialect.name,
    received: dialect.received,
    readEvent: (message) => dialect.readEvent(message),
    verify: (paymentId, { withRefunds }) => verify(dialect, open(), { paymentId, withRefunds }, refundsSince),
    async list(range) {
      const { readable, evidence } = await open().ask(dialect.list(range), listBytesMax);
      const found = readable === null || readable.status >= 400 ? null : dialect.readList(readable, range);
      return found === null ? { kind: "failed", evidence } : { kind: "told", ...found };
    },
    listRefunds: (range) => listRefunds(dialect, open, range),
    openAccount: (request) => openAccount(dialect, open(), request),
  };
}

async function verify(
  dialect: PaymentDialect,
  talk: Talk,
  { paymentId, withRefunds }: { readonly paymentId: string; readonly withRefunds: boolean },
  refundsSince: RefundsSince,
): Promise<PaymentAnswer> {
  const { readable } = await talk.ask(dialect.verify(paymentId));
  const reading = readable === null ? ({ kind: "unknown" } as const) : dialect.readVerified(readable, paymentId);
  const asksOn = reading.kind === "paid" && (withRefunds || reading.transfer.takenBack > zeroKobo);
  if (!asksOn || readable === null) return { ...reading, evidence: talk.evidence() };
  const { transfer } = reading;
  const refunds = await refundsOf(dialect, talk, { verified: readable, paidAt: transfer.paidAt }, refundsSince);
  const takenBack = takenBackOf(transfer, dialect.refunds.nameIn(readable), refunds);
  if (takenBack === null) return { kind: "unknown", evidence: refunds.evidence };
  return { kind: "paid", transfer: { ...transfer, takenBack }, evidence: refunds.evidence };
}

/** Refunds of one transfer alone where it can be asked so, and else all since. */
async function refundsOf(
  { refunds }: PaymentDialect,
  talk: Talk,
  { verified, paidAt }: { readonly verified: Reply; readonly paidAt: Instant },
  refundsSince: RefundsSince,
): Promise<ReadRefunds> {
  const { askOfOne } = refunds;
  if (askOfOne !== undefined) return readRefunds(refunds, talk, (page) => askOfOne(page, verified));
  const { sums, evidence } = await refundsSince(paidAt);
  return { sums, evidence: inShort([talk.evidence(), evidence]) };
}

/** Each question has a deadline of its own: of many refunds, each transfer may have to be asked about. */
async function listRefunds(
  { refunds: { ask, read, idOf } }: PaymentDialect,
  open: () => Talk,
  range: TimeRange & { readonly page: number },
): Promise<RefundsAnswer> {
  const { readable, evidence } = await open().ask(ask(range.page, range), listBytesMax);
  const found = readable === null || readable.status >= 400 ? null : read(readable, range.page);
  if (found === null) return { kind: "failed", evidence };
  const refunds: Refund[] = [];
  for (const { name, amount } of found.refunds) {
    if (name === null || amount === null) continue;
    if (idOf === undefined) refunds.push({ paymentId: name, amount });
    else {
      const named = await open().ask(idOf.ask(name));
      if (named.readable === null) return { kind: "failed", evidence: named.evidence };
      const paymentId = idOf.read(named.readable, name);
      if (paymentId !== null) refunds.push({ paymentId, amount });
    }
  }
  return { kind: "told", refunds, nextPage: found.nextPage };
}

async function openAccount(dialect: PaymentDialect, talk: Talk, request: AccountRequest): Promise<AccountAnswer> {
  let question = dialect.askForAccount(request);
  let read = (reply: Reply): AccountReading => dialect.readAccount(reply, request);
  for (let times = 1; times <= accountQuestionsMax; times++) {
    const { readable } = await talk.ask(question);
    const reading = readable === null ? ({ kind: "unknown" } as const) : read(readable);
    if (reading.kind !== "next") return { ...reading, evidence: talk.evidence() };
    ({ question, read } = reading);
  }
  return { kind: "unknown", evidence: `it led from one question to the next, ${accountQuestionsMax} times` };
}
