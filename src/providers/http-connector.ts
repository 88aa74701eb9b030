import type { Clock } from "../kernel/clock.ts";
import type { Kobo } from "../kernel/money.ts";
import type { AllowlistedHttp, HttpReply } from "../platform/allowlisted-http-client.ts";
import type { Connector, VendOutcome, VendRequest, VerifyOutcome, VerifyRequest } from "./contract.ts";
import type { Dialect, Question, Reading } from "./dialect.ts";
import { objectOf, type Reply } from "./reply.ts";
import { openSightings } from "./sightings.ts";
import { parseJson, transcriptOf } from "./transcript.ts";

export interface ConnectorServices {
  readonly http: AllowlistedHttp;
  readonly clock: Clock;
  /** Instead of the usual deadline, in tests. */
  readonly deadlineMs?: number;
}

/** Within the router's 30 s, so that the transcript is there when they are over. */
const askDeadlineMs = 28_000;
const verifyDeadlineMs = 14_000;

/** A supplier that is asked over HTTP: the dialect says what, this says what silence means. */
export function httpConnector(dialect: Dialect, services: ConnectorServices): Connector {
  const sightings = openSightings(services.clock);

  async function ask(question: Question, deadlineMs: number): Promise<Heard> {
    const { method, path, body } = question;
    const headers = { accept: "application/json", ...dialect.headersFor(method) };
    const reply = await services.http.ask({
      method,
      url: `${dialect.baseUrl}${path}`,
      headers: body === undefined ? headers : { ...headers, "content-type": "application/json" },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      deadlineMs: services.deadlineMs ?? deadlineMs,
    });
    return { reply, readable: readableOf(reply), evidence: transcriptOf(question, reply) };
  }

  async function vend(request: VendRequest): Promise<VendOutcome> {
    const question = dialect.askToVend(request);
    if ("unsendable" in question) {
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: `not sent: ${question.unsendable}` };
    }
    const { reply, readable, evidence } = await ask(question, askDeadlineMs);
    if (reply.kind === "unsent") return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence };
    const reading = readable === null ? unreadable : dialect.readVend(readable, request);
    if (reading.kind === "vended" || reading.kind === "declined") return { ...reading, evidence };
    const told = reading.kind === "unknown" ? reading.providerReference : undefined;
    return pending(dialect, request, { evidence, told });
  }

  async function requery(request: VendRequest): Promise<VendOutcome> {
    const question = dialect.askAgain(request);
    if (question === null) return { kind: "unknown", evidence: "nothing to ask by", askNobody: true };
    const { reply, readable, evidence } = await ask(question, askDeadlineMs);
    // That this question never left says nothing about the purchase: also `unsent` is unknown here.
    const reading = reply.kind === "answered" && readable !== null ? dialect.readAgain(readable, request) : unreadable;
    if (reading.kind === "absent") {
      if (!sightings.isProof(request.supplierReference)) return { kind: "unknown", evidence };
      return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence: `never received, twice: ${evidence}` };
    }
    // Silence in between is no word for or against.
    if (readable !== null) sightings.forget(request.supplierReference);
    if (reading.kind === "unknown") {
      return pending(dialect, request, { evidence, told: reading.providerReference });
    }
    return { ...reading, evidence };
  }

  async function verify(request: VerifyRequest): Promise<VerifyOutcome> {
    const question = dialect.verification?.ask(request) ?? { unsendable: "it verifies nothing" };
    if ("unsendable" in question) return { kind: "unavailable", evidence: `not sent: ${question.unsendable}` };
    const { readable, evidence } = await ask(question, verifyDeadlineMs);
    const reading = readable === null ? null : (dialect.verification?.read(readable, request) ?? null);
    if (reading === null || reading.kind === "unavailable") return { kind: "unavailable", evidence };
    return reading.kind === "verified" ? reading : { kind: "unverifiable", evidence };
  }

  async function balance(): Promise<Kobo | null> {
    if (dialect.balance === undefined) return null;
    const { readable } = await ask(dialect.balance.question, verifyDeadlineMs);
    return readable === null ? null : dialect.balance.read(readable);
  }

  return {
    name: dialect.name,
    vend,
    requery,
    ...(dialect.verification === undefined ? {} : { verify }),
    ...(dialect.balance === undefined ? {} : { balance }),
    ...(dialect.callbacks === undefined ? {} : { callbacks: dialect.callbacks }),
  };
}

/** Where the supplier can only be asked by a name that it never told, a person must look. */
function pending(
  dialect: Dialect,
  request: VendRequest,
  { evidence, told }: { readonly evidence: string; readonly told: string | undefined },
): VendOutcome {
  const providerReference = told ?? request.providerReference;
  const known = providerReference === null ? {} : { providerReference };
  const canAsk = dialect.askAgain({ ...request, providerReference }) !== null;
  return { kind: "unknown", evidence, ...known, ...(canAsk ? {} : { askNobody: true }) };
}

interface Heard {
  readonly reply: HttpReply;
  /** Null where there is nothing that a dialect may judge. */
  readonly readable: Reply | null;
  readonly evidence: string;
}

const unreadable: Reading = { kind: "unknown" };

/** A 5xx may come after the goods went out, a redirect from anybody: neither is the supplier's word. */
function readableOf(reply: HttpReply): Reply | null {
  if (reply.kind !== "answered") return null;
  const { status, body } = reply;
  if (status < 200 || status >= 500 || (status >= 300 && status < 400)) return null;
  const json = objectOf(parseJson(body));
  return json === null ? null : { status, json };
}
