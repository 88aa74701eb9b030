import { setTimeout as delay } from "node:timers/promises";
import { completeFulfilment, fulfilmentFits } from "../categories/product/fits.ts";
import type { VendRequest, VerifyRequest } from "../categories/supplier-request.ts";
import type {
  BalanceAnswer,
  CatalogueAnswer,
  CatalogueProgress,
  Connector,
  ListedProduct,
  VendOutcome,
  VerifyOutcome,
} from "./contract.ts";
import { type Ask, type AskServices, type Exchange, openAsk } from "./conversation.ts";
import type { CatalogueList, Dialect, Question, Reading } from "./dialect.ts";
import { evidenceCharactersMax } from "./evidence/redacted-json.ts";
import { canBeStored, givenReference, inOneLine, type Reply } from "./reply.ts";

export interface ConnectorServices extends AskServices {
  /** Instead of every other deadline, in tests. */
  readonly deadlineMs?: number;
  /** Waits between two questions; shorter in tests. */
  readonly pause?: (ms: number) => Promise<unknown>;
}

/** Milliseconds for a purchase of a category, where it is less than usual. */
export type Deadlines = Readonly<Record<string, number>>;

/**
 * That a supplier never received an attempt proves nothing at once: the request may be under way, or a process that was
 * stopped just before it sent may wake up. Only when it says so again so much later it does. Several times a vend's
 * deadline, and the lease of a worker.
 */
export const quietMs = 120_000;

/** Within the router's 30 s, so that the transcript is there when they are over. */
export const askDeadlineMs = 28_000;
/** Less than a customer waits in all (domain/purchases/verification/verify.ts). */
const verifyDeadlineMs = 14_000;

/** A conversation has at most so many questions: two that matter, and some that ask whether it is ready. */
const questionsMax = 8;

/** The result of the questions that follow one another for one purchase. */
interface Received {
  readonly reading: Reading;
  /** The first and the last question with their answers, redacted. */
  readonly evidence: string;
  /** All answers to the letter. */
  readonly unread: string;
  /** Not a byte of the first question left. */
  readonly isUnsent: boolean;
  /** Whether the first answer could be read. */
  readonly isAnswered: boolean;
}

/** Asks what follows from each answer, until one decides or the deadline is over. */
type Converse = (opening: Question, request: VendRequest, readOpening: (reply: Reply) => Reading) => Promise<Received>;

/** A supplier that is asked over HTTP: the dialect says what, this says what silence means. */
export function httpConnector(dialect: Dialect, services: ConnectorServices, deadlines: Deadlines = {}): Connector {
  const ask = openAsk(dialect, services);
  const { catalogue, callbacks, name } = dialect;
  const converse = openConverse(ask, services, deadlines);
  return {
    name,
    vend: (request) => vend(dialect, converse, request),
    requery: (request) => requery(dialect, converse, request),
    ...inquiries(dialect, (question) => ask(question, services.deadlineMs ?? verifyDeadlineMs)),
    ...(callbacks === undefined ? {} : { callbacks }),
    ...(catalogue === undefined ? {} : { catalogue: (onProgress) => askCatalogue(catalogue, ask, onProgress) }),
  };
}

function openConverse(ask: Ask, services: ConnectorServices, deadlines: Deadlines): Converse {
  const { monotonicMs, pause = delay } = services;
  return async function converse(opening, request, readOpening) {
    const deadlineMs = services.deadlineMs ?? Math.min(deadlines[request.category] ?? askDeadlineMs, askDeadlineMs);
    const endsAt = monotonicMs() + deadlineMs;
    const first = await ask(opening, deadlineMs);
    let reading = first.readable === null ? unreadable : readOpening(first.readable);
    let { evidence, received: unread } = first;
    let known: string | undefined;
    for (let requested = 1; reading.kind === "next"; requested++) {
      const { question, afterMs = 0, read, providerReference }: NextQuestion = reading;
      known = providerReference ?? known;
      reading = unreadable;
      if (requested === questionsMax || monotonicMs() + afterMs >= endsAt) break;
      if (afterMs > 0) await pause(afterMs);
      const answer = await ask(question, endsAt - monotonicMs());
      evidence = `${first.evidence.slice(0, evidenceCharactersMax / 2)}; then ${answer.evidence}`;
      if (answer.received !== "") unread = `${unread}\n${answer.received}`;
      if (answer.readable !== null) reading = read(answer.readable);
    }
    return {
      reading: await fitting(withReference(reading, known), request),
      evidence: evidence.slice(0, evidenceCharactersMax),
      unread,
      isUnsent: first.reply.kind === "unsent",
      isAnswered: first.readable !== null,
    };
  };
}

type NextQuestion = Extract<Reading, { kind: "next" }>;

/**
 * A fulfilment of another shape than was promised, or that nobody could store or read, is hostile or new: no customer is
 * given it, and a person finds out.
 */
async function fitting(reported: Reading, { category }: VendRequest): Promise<Reading> {
  const reading = inOneLineNamed(reported);
  if (reading.kind !== "vended") return reading;
  if (canBeStored(reading.fulfilment)) {
    const fulfilment = reading.fulfilment === null ? null : await completeFulfilment(category, reading.fulfilment);
    if (fulfilmentFits(category, fulfilment)) return { ...reading, fulfilment };
  }
  return { kind: "unknown", lacking: "unclear", ...givenReference(reading.providerReference) };
}

async function vend(dialect: Dialect, converse: Converse, request: VendRequest): Promise<VendOutcome> {
  const question = dialect.askToVend(request);
  if ("unsendable" in question) {
    const evidence = `not sent: ${question.unsendable}`;
    return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence, ownFault: true };
  }
  const reported = await converse(question, request, (reply) => dialect.readVend(reply, request));
  const { reading, evidence, unread } = reported;
  if (reported.isUnsent) return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence };
  if (reading.kind === "vended") {
    const { kind, providerReference, fulfilment } = reading;
    return { kind, providerReference, fulfilment, evidence };
  }
  if (reading.kind === "declined") return { ...reading, evidence };
  return open(dialect, request, { reading, evidence, unread });
}

async function requery(dialect: Dialect, converse: Converse, request: VendRequest): Promise<VendOutcome> {
  const question = dialect.requery(request);
  if (question === null) return { kind: "unknown", evidence: "nothing to ask by", askNobody: true };
  // That this question never left says nothing about the purchase: also `unsent` is unknown here.
  const reported = await converse(question, request, (reply) => dialect.readAgain(reply, request));
  const { reading, evidence, unread } = reported;
  if (reading.kind === "absent") {
    if ((request.notReceivedMs ?? 0) < (dialect.quietMs ?? quietMs))
      return { kind: "unknown", evidence, received: false };
    return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: `never received, twice: ${evidence}` };
  }
  if (reading.kind === "vended" || reading.kind === "declined") return { ...reading, evidence };
  const outcome = open(dialect, request, { reading, evidence, unread });
  // No answer says nothing about whether the supplier received the attempt.
  return reported.isAnswered && reading.kind !== "another" ? { ...outcome, received: true } : outcome;
}

/** The name that an earlier answer of the conversation told, where the last one told none. */
function withReference(reading: Reading, known: string | undefined): Reading {
  if (known === undefined || reading.kind === "absent" || reading.kind === "another") return reading;
  return { ...reading, providerReference: reading.providerReference ?? known };
}

function referenceIn(reading: Reading): string | undefined {
  return "providerReference" in reading ? (reading.providerReference ?? undefined) : undefined;
}

/** Asks a question that changes nothing. */
type Inquire = (question: Question) => Promise<Exchange>;

/** The questions that change nothing, as far as the dialect has words for them. */
function inquiries({ verification, balance }: Dialect, ask: Inquire): Pick<Connector, "verify" | "balance"> {
  async function verify(request: VerifyRequest): Promise<VerifyOutcome> {
    const question = verification?.ask(request) ?? { unsendable: "it verifies nothing" };
    if ("unsendable" in question) return { kind: "unasked", evidence: question.unsendable };
    const { readable, evidence } = await ask(question);
    const reading = readable === null ? undefined : verification?.read(readable, request);
    if (reading === undefined || reading.kind === "unavailable") return { kind: "unavailable", evidence };
    return reading.kind === "verified" ? reading : { kind: "unverifiable", evidence };
  }

  return {
    ...(verification === undefined ? {} : { verify }),
    ...(balance === undefined ? {} : { balance: () => askBalance(balance, ask) }),
  };
}

async function askBalance(balance: NonNullable<Dialect["balance"]>, ask: Inquire): Promise<BalanceAnswer> {
  const { reply, readable, evidence } = await ask(balance.question);
  const { tookMs } = reply;
  const currency = balance.currency ?? "NGN";
  if (reply.kind !== "answered") return { balance: null, currency, status: null, date: null, tookMs, evidence };
  const { status } = reply;
  const date = reply.date === null ? Number.NaN : Date.parse(reply.date);
  return {
    // A balance in a refusal is none of this account.
    balance: readable === null || status >= 400 ? null : balance.read(readable),
    currency,
    status,
    date: Number.isNaN(date) ? null : date,
    tookMs,
    evidence,
  };
}

/** Another purchase's end is not this one's, and asking again would tell the same. */
function forPerson(what: string, evidence: string): Pending {
  const note = `; of another purchase: ${what}`;
  const begun = evidence.slice(0, evidenceCharactersMax - note.length);
  return { kind: "unknown", evidence: `${begun}${note}`, askNobody: true, ofAnother: what };
}

/**
 * A pending outcome. A person must look where the supplier can only be asked by a reference that it never told, where it
 * told of another purchase, and where nobody can make out the goods.
 */
function open(
  dialect: Dialect,
  request: VendRequest,
  { reading, evidence, unread }: { readonly reading: Reading; readonly evidence: string; readonly unread: string },
): Pending {
  const outcome =
    reading.kind === "another" ? forPerson(reading.what, evidence) : pending(dialect, request, { reading, evidence });
  const hasVended = reading.kind === "unknown" && reading.lacking !== undefined;
  return { ...outcome, ...(unread === "" ? {} : { unread }), ...(hasVended ? { hasVended } : {}) };
}

type Pending = Extract<VendOutcome, { kind: "unknown" }>;

function pending(
  dialect: Dialect,
  request: VendRequest,
  { reading, evidence }: { readonly reading: Reading; readonly evidence: string },
): Pending {
  const providerReference = referenceIn(reading) ?? request.providerReference;
  const isUnclear = reading.kind === "unknown" && reading.lacking === "unclear";
  const canAsk = !isUnclear && dialect.requery({ ...request, providerReference }) !== null;
  return { kind: "unknown", evidence, ...givenReference(providerReference), ...(canAsk ? {} : { askNobody: true }) };
}

const unreadable: Reading = { kind: "unknown" };

function inOneLineNamed(reading: Reading): Reading {
  if (reading.kind === "absent" || reading.kind === "another" || !reading.providerReference) return reading;
  return { ...reading, providerReference: inOneLine(reading.providerReference) };
}

/** Suppliers of eSIMs list some thousand packages in one answer. */
const listBytesMax = 16 * 1024 * 1024;
const listDeadlineMs = 60_000;
const pagesMax = 200;
const productsMax = 50_000;

/** Asks for a supplier's lists, page by page. All or nothing: half a list would show the other half as gone. */
export async function askCatalogue(
  lists: readonly CatalogueList[],
  ask: Ask,
  onProgress: (progress: CatalogueProgress) => void = () => {},
): Promise<CatalogueAnswer> {
  const products: ListedProduct[] = [];
  for (const [reported, { category, question, read }] of lists.entries()) {
    let next: Question | null = question;
    for (let page = 1; next !== null; page++) {
      const { readable, evidence } = await ask(next, listDeadlineMs, listBytesMax);
      const found: ReturnType<typeof read> = readable === null || readable.status >= 400 ? null : read(readable, next);
      if (found === null) return { kind: "failed", evidence: `${category}, page ${page}: ${evidence}` };
      products.push(...found.products);
      if (page === pagesMax || products.length > productsMax) {
        return { kind: "failed", evidence: `${category}: more than ${pagesMax} pages or ${productsMax} products` };
      }
      next = found.next;
      onProgress({ received: next === null ? reported + 1 : reported, lists: lists.length, products: products.length });
    }
  }
  return { kind: "told", categories: [...new Set(lists.map(({ category }) => category))], products };
}
