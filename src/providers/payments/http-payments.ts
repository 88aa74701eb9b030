import { dayMs, type Instant } from "../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../kernel/money.ts";
import { type Ask, type Exchange, openAsk } from "../conversation.ts";
import type { Question } from "../dialect.ts";
import { evidenceCharactersMax } from "../evidence/redacted-json.ts";
import type { ConnectorServices } from "../http-connector.ts";
import type { Reply } from "../reply.ts";
import type {
  AccountAnswer,
  AccountRequest,
  PaymentAnswer,
  PaymentConnector,
  Refund,
  RefundsAnswer,
  Transfer,
} from "./contract.ts";
import type { AccountReading, PaymentDialect, TimeRange } from "./dialect.ts";

/** Over all questions that follow one another. A worker holds its lease for longer. */
export const paymentDeadlineMs = 20_000;
/** A page of a hundred transfers with their senders. */
const listBytesMax = 4 * 1024 * 1024;
/** A question for an account may lead to two more. */
const accountQuestionsMax = 3;

/** A payment provider that is asked over HTTP. */
export function httpPayments(dialect: PaymentDialect, services: ConnectorServices): PaymentConnector {
  const ask = openAsk(dialect, services);
  return {
    name: dialect.name,
    received: dialect.received,
    readEvent: (message) => dialect.readEvent(message),
    verify: (paymentId, { withRefunds }) =>
      verify(dialect, openTalk(ask, services), { paymentId, withRefunds, now: services.clock.now() }),
    async list(range) {
      const { readable, evidence } = await openTalk(ask, services).ask(dialect.list(range), listBytesMax);
      const found = readable === null || readable.status >= 400 ? null : dialect.readList(readable, range);
      return found === null ? { kind: "failed", evidence } : { kind: "told", ...found };
    },
    listRefunds: (range) => listRefunds(dialect, () => openTalk(ask, services), range),
    openAccount: (request) => openAccount(dialect, openTalk(ask, services), request),
  };
}

/** Questions that follow one another within one deadline. */
interface Talk {
  ask(question: Question, replyBytesMax?: number): Promise<Exchange>;
  /** The first and the last question with their answers, redacted. */
  evidence(): string;
}

function openTalk(ask: Ask, { monotonicMs, deadlineMs = paymentDeadlineMs }: ConnectorServices): Talk {
  const endsAt = monotonicMs() + deadlineMs;
  const said: string[] = [];
  return {
    async ask(question, replyBytesMax) {
      const exchange = await ask(question, Math.max(0, endsAt - monotonicMs()), replyBytesMax);
      said.push(exchange.evidence);
      return exchange;
    },
    evidence() {
      const [first = "", ...others] = said;
      const last = others.at(-1);
      if (last === undefined) return first;
      return `${first.slice(0, evidenceCharactersMax / 2)}; then ${last}`.slice(0, evidenceCharactersMax);
    },
  };
}

async function verify(
  dialect: PaymentDialect,
  talk: Talk,
  { paymentId, withRefunds, now }: { readonly paymentId: string; readonly withRefunds: boolean; readonly now: Instant },
): Promise<PaymentAnswer> {
  const { readable } = await talk.ask(dialect.verify(paymentId));
  const reading = readable === null ? ({ kind: "unknown" } as const) : dialect.readVerified(readable, paymentId);
  const asksOn = reading.kind === "paid" && (withRefunds || reading.transfer.takenBack > zeroKobo);
  if (!asksOn || readable === null) return { ...reading, evidence: talk.evidence() };
  const takenBack = await sumRefunds(dialect, talk, { verified: readable, transfer: reading.transfer, now });
  const evidence = talk.evidence();
  if (takenBack === null) return { kind: "unknown", evidence };
  return { kind: "paid", transfer: { ...reading.transfer, takenBack }, evidence };
}

/**
 * What of a transfer went back in all. Where no refund tells of it, it is what the transfer itself shows: a dispute that
 * was lost. Null where it is not told, or makes no sense: refunds since the transfer are read to their end, or the talk's
 * deadline, as one that was not reached may be of it.
 */
async function sumRefunds(
  { refunds }: PaymentDialect,
  talk: Talk,
  { verified, transfer, now }: { readonly verified: Reply; readonly transfer: Transfer; readonly now: Instant },
): Promise<Kobo | null> {
  const name = refunds.nameIn(verified);
  // Its clock and its days are its own.
  const range = { from: transfer.paidAt - dayMs, to: now + dayMs };
  let takenBack: Kobo = zeroKobo;
  for (let page: number | null = 1; page !== null; ) {
    const { readable } = await talk.ask(refunds.ask(page, range, verified), listBytesMax);
    const found: ReturnType<typeof refunds.read> =
      readable === null || readable.status >= 400 ? null : refunds.read(readable, page);
    if (found === null || name === null) return null;
    for (const refund of found.refunds) {
      if (refund.name !== name) continue;
      if (refund.amount === null) return null;
      takenBack = add(takenBack, refund.amount);
    }
    page = found.nextPage;
  }
  if (takenBack > transfer.amount) return null;
  return takenBack > zeroKobo ? takenBack : transfer.takenBack;
}

/** Each question has a deadline of its own: of many refunds, each transfer may have to be asked about. */
async function listRefunds(
  { refunds: { ask, read, idOf } }: PaymentDialect,
  open: () => Talk,
  range: TimeRange & { readonly page: number },
): Promise<RefundsAnswer> {
  const { readable, evidence } = await open().ask(ask(range.page, range, null), listBytesMax);
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
