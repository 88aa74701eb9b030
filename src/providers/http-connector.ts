import type { Clock } from "../kernel/clock.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { AllowlistedHttp, HttpReply } from "../platform/outbound-http/allowlisted-http-client.ts";
import type { BalanceAnswer, Connector, VendOutcome, VendRequest, VerifyOutcome, VerifyRequest } from "./contract.ts";
import type { Dialect, Question, Reading } from "./dialect.ts";
import { evidenceCharactersMax } from "./evidence/redacted-json.ts";
import { transcriptOf } from "./evidence/transcript.ts";
import { parseJson } from "./parse-json.ts";
import { canBeStored, inOneLine, objectOf, type Reply, referenceTold } from "./reply.ts";

export interface ConnectorServices {
  readonly http: AllowlistedHttp;
  readonly clock: Clock;
  /** Whether a fulfilment has the shape that its category promises. */
  readonly fits: (category: string, fulfilment: JsonObject | null) => boolean;
  /** Instead of the usual deadline, in tests. */
  readonly deadlineMs?: number;
}

/**
 * That a supplier never received an attempt proves nothing at once: the request may be under way, or a process that was
 * stopped just before it sent may wake up. Only when it says so again so much later it does. Several times a vend's
 * deadline, and the lease of a worker.
 */
export const quietMs = 120_000;

/** Within the router's 30 s, so that the transcript is there when they are over. */
const askDeadlineMs = 28_000;
/** Less than a customer waits in all (domain/verification/verify.ts). */
const verifyDeadlineMs = 14_000;

/** A supplier that is asked over HTTP: the dialect says what, this says what silence means. */
export function httpConnector(dialect: Dialect, services: ConnectorServices): Connector {
  const ask = asker(dialect, services);

  /**
   * A fulfilment of another shape than was promised, or that nobody could store or read, is hostile or new: no customer is
   * given it, and a person finds out.
   */
  function fitting(told: Reading, { category }: VendRequest): Reading {
    const reading = inOneLineNamed(told);
    if (reading.kind !== "vended") return reading;
    if (canBeStored(reading.fulfilment) && services.fits(category, reading.fulfilment)) return reading;
    return { kind: "unknown", ...referenceTold(reading.providerReference) };
  }

  async function vend(request: VendRequest): Promise<VendOutcome> {
    const question = dialect.askToVend(request);
    if ("unsendable" in question) {
      const evidence = `not sent: ${question.unsendable}`;
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence, ownFault: true };
    }
    const { reply, readable, evidence } = await ask(question, askDeadlineMs);
    if (reply.kind === "unsent") return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence };
    const reading = fitting(readable === null ? unreadable : dialect.readVend(readable, request), request);
    if (reading.kind === "vended") {
      const { kind, providerReference, fulfilment } = reading;
      return { kind, providerReference, fulfilment, evidence };
    }
    if (reading.kind === "declined") return { ...reading, evidence };
    if (reading.kind === "another") return forPerson(reading.what, evidence);
    const told = reading.kind === "unknown" ? reading.providerReference : undefined;
    return pending(dialect, request, { evidence, told });
  }

  async function requery(request: VendRequest): Promise<VendOutcome> {
    const question = dialect.requery(request);
    if (question === null) return { kind: "unknown", evidence: "nothing to ask by", askNobody: true };
    const { readable, evidence } = await ask(question, askDeadlineMs);
    // That this question never left says nothing about the purchase: also `unsent` is unknown here.
    const reading = fitting(readable === null ? unreadable : dialect.readAgain(readable, request), request);
    if (reading.kind === "absent") {
      if ((request.notReceivedMs ?? 0) < quietMs) return { kind: "unknown", evidence, received: false };
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: `never received, twice: ${evidence}` };
    }
    if (reading.kind === "another") return forPerson(reading.what, evidence);
    if (reading.kind === "unknown") {
      const outcome = pending(dialect, request, { evidence, told: reading.providerReference });
      // No answer says nothing about whether the supplier received the attempt.
      return readable === null ? outcome : { ...outcome, received: true };
    }
    return { ...reading, evidence };
  }

  return {
    name: dialect.name,
    vend,
    requery,
    ...inquiries(dialect, ask),
    ...(dialect.callbacks === undefined ? {} : { callbacks: dialect.callbacks }),
  };
}

/** The questions that change nothing, as far as the dialect has words for them. */
function inquiries({ verification, balance }: Dialect, ask: Ask): Pick<Connector, "verify" | "balance"> {
  async function verify(request: VerifyRequest): Promise<VerifyOutcome> {
    const question = verification?.ask(request) ?? { unsendable: "it verifies nothing" };
    if ("unsendable" in question) return { kind: "unasked", evidence: question.unsendable };
    const { readable, evidence } = await ask(question, verifyDeadlineMs);
    const reading = readable === null ? undefined : verification?.read(readable, request);
    if (reading === undefined || reading.kind === "unavailable") return { kind: "unavailable", evidence };
    return reading.kind === "verified" ? reading : { kind: "unverifiable", evidence };
  }

  return {
    ...(verification === undefined ? {} : { verify }),
    ...(balance === undefined ? {} : { balance: () => askBalance(balance, ask) }),
  };
}

async function askBalance(balance: NonNullable<Dialect["balance"]>, ask: Ask): Promise<BalanceAnswer> {
  const { reply, readable, evidence } = await ask(balance.question, verifyDeadlineMs);
  const { tookMs } = reply;
  if (reply.kind !== "answered") return { balance: null, status: null, date: null, tookMs, evidence };
  const { status } = reply;
  const date = reply.date === null ? Number.NaN : Date.parse(reply.date);
  return {
    // A balance in a refusal is none of this account.
    balance: readable === null || status >= 400 ? null : balance.read(readable),
    status,
    date: Number.isNaN(date) ? null : date,
    tookMs,
    evidence,
  };
}

type Ask = (question: Question, deadlineMs: number) => Promise<Heard>;

function asker(dialect: Dialect, services: ConnectorServices): Ask {
  const { baseUrl } = dialect;
  // Made here, once: they are the same for all, and spreading costs a request more than writing it.
  const bare = { GET: headersOf(dialect, "GET"), POST: headersOf(dialect, "POST") };
  const json = { "content-type": "application/json" };
  const withBody = { GET: { ...bare.GET, ...json }, POST: { ...bare.POST, ...json } };
  return async (question, askedMs) => {
    const { method, path, body } = question;
    const url = `${baseUrl}${path}`;
    const deadlineMs = services.deadlineMs ?? askedMs;
    const reply = await services.http.ask(
      body === undefined
        ? { method, url, headers: bare[method], deadlineMs }
        : { method, url, headers: withBody[method], body: JSON.stringify(body), deadlineMs },
    );
    const answer = reply.kind === "answered" ? parseJson(reply.body) : undefined;
    return { reply, readable: readableOf(reply, answer), evidence: transcriptOf(question, reply, answer) };
  };
}

function headersOf(dialect: Dialect, method: Question["method"]): Readonly<Record<string, string>> {
  return { accept: "application/json", ...dialect.headersFor(method) };
}

/** Another purchase's end is not this one's, and asking again would tell the same. */
function forPerson(what: string, evidence: string): VendOutcome {
  const note = `; of another purchase: ${what}`;
  const begun = evidence.slice(0, evidenceCharactersMax - note.length);
  return { kind: "unknown", evidence: `${begun}${note}`, askNobody: true, ofAnother: what };
}

/** A pending outcome. Where the supplier can only be asked by a reference that it never told, a person must look. */
function pending(
  dialect: Dialect,
  request: VendRequest,
  { evidence, told }: { readonly evidence: string; readonly told: string | undefined },
): Extract<VendOutcome, { kind: "unknown" }> {
  const providerReference = told ?? request.providerReference;
  const canAsk = dialect.requery({ ...request, providerReference }) !== null;
  return { kind: "unknown", evidence, ...referenceTold(providerReference), ...(canAsk ? {} : { askNobody: true }) };
}

interface Heard {
  readonly reply: HttpReply;
  /** Null where there is nothing that a dialect may judge. */
  readonly readable: Reply | null;
  readonly evidence: string;
}

const unreadable: Reading = { kind: "unknown" };

function inOneLineNamed(reading: Reading): Reading {
  if (reading.kind === "absent" || reading.kind === "another" || !reading.providerReference) return reading;
  return { ...reading, providerReference: inOneLine(reading.providerReference) };
}

/** A 5xx may come after the delivery, a redirect from anybody: neither is the supplier's word. */
function readableOf(reply: HttpReply, json: Json | undefined): Reply | null {
  if (reply.kind !== "answered") return null;
  const { status } = reply;
  if (status < 200 || status >= 500 || (status >= 300 && status < 400)) return null;
  const object = objectOf(json);
  return object === null ? null : { status, json: object };
}
