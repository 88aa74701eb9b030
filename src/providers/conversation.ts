import type { Clock } from "../kernel/clock.ts";
import type { Json, JsonObject } from "../kernel/json.ts";
import type { AllowlistedHttp, HttpQuestion, HttpReply } from "../platform/outbound-http/allowlisted-http-client.ts";
import { type AccessTokens, openAccessTokens, type TokenStore } from "./access-token.ts";
import type { Access, Dialect, Question } from "./dialect.ts";
import { transcriptOf } from "./evidence/redacted-json.ts";
import { objectOf, parseJson, type Reply } from "./reply.ts";

/** One question of a dialect and its answer. */
export interface Exchange {
  readonly reply: HttpReply;
  /** Null where there is nothing that a dialect may judge. */
  readonly readable: Reply | null;
  /** The question and the answer, redacted. */
  readonly evidence: string;
  /** The answer's body to the letter, without our keys; empty where none came. */
  readonly received: string;
}

/** Asks one question within the deadline. Never throws. `replyBytesMax` where the answer may be longer than usual. */
export type Ask = (question: Question, deadlineMs: number, replyBytesMax?: number) => Promise<Exchange>;

export interface AskServices {
  readonly http: AllowlistedHttp;
  readonly clock: Clock;
  readonly monotonicMs: () => number;
  readonly tokenStore: TokenStore;
}

/** A token is a small answer of a system of its own. */
const tokenDeadlineMs = 10_000;

/** Sends a dialect's questions with its credentials, and with an access token where it wants one. */
export function openAsk(
  dialect: Pick<Dialect, "name" | "baseUrl" | "accessFor" | "tokens">,
  services: AskServices,
): Ask {
  const { baseUrl, tokens } = dialect;
  const { http, monotonicMs } = services;
  // Made here, once: they are the same for all, and spreading costs a request more than writing it.
  const usual = { GET: requestOf(dialect.accessFor("GET")), POST: requestOf(dialect.accessFor("POST")) };

  async function send(question: Question, { write, keys }: Written, limits: Limits): Promise<Exchange> {
    const { method, path } = question;
    const url = `${question.baseUrl ?? baseUrl}${path}`;
    const reply = await http.ask({ method, url, ...write(question), ...limits });
    const answer = reply.kind === "answered" ? parseJson(reply.body) : undefined;
    const shown = withoutKeys(reply, keys);
    const evidence = transcriptOf(question, shown, shown === reply ? answer : parseJson((shown as Answered).body));
    const received = shown.kind === "answered" ? shown.body : "";
    return { reply, readable: readableOf(reply, answer, question), evidence, received };
  }

  const ask: Ask = (question, deadlineMs, replyBytesMax) =>
    send(question, usual[question.method], { deadlineMs, ...(replyBytesMax ? { replyBytesMax } : {}) });
  if (tokens === undefined) return ask;

  const cached: AccessTokens = openAccessTokens({
    supplier: dialect.name,
    account: tokens.account,
    store: services.tokenStore,
    clock: services.clock,
    async fetch(audience) {
      const { question, access } = tokens.ask(audience);
      const answered = await send(question, requestOf(access), { deadlineMs: tokenDeadlineMs });
      const read =
        answered.readable === null || answered.readable.status >= 400 ? null : tokens.read(answered.readable);
      if (read === null) return { kind: "none", evidence: answered.evidence };
      const expiresAt = services.clock.now() + read.goodForSeconds * 1_000;
      return { token: read.token, expiresAt, account: tokens.account };
    },
  });

  return async function askWithToken(question, deadlineMs, replyBytesMax) {
    const startedAt = monotonicMs();
    const tookMs = () => Math.floor(monotonicMs() - startedAt);
    const audience = question.audience ?? "";
    const attempt = async (refused: string | null): Promise<Exchange & { readonly token: string | null }> => {
      const found = await inTime(cached.get(audience, refused), deadlineMs - tookMs());
      const leftMs = deadlineMs - tookMs();
      if (found.kind === "none" || leftMs <= 0) {
        const why = found.kind === "none" ? found.evidence : "the deadline was over";
        const reply: HttpReply = { kind: "unsent", error: `no access token: ${why}`, tookMs: tookMs() };
        return { reply, readable: null, evidence: transcriptOf(question, reply, undefined), received: "", token: null };
      }
      const access = { ...dialect.accessFor(question.method) };
      const headers = { ...access.headers, authorization: `Bearer ${found.token}` };
      const limits = { deadlineMs: leftMs, ...(replyBytesMax ? { replyBytesMax } : {}) };
      return { ...(await send(question, requestOf({ ...access, headers }), limits)), token: found.token };
    };
    const first = await attempt(null);
    // 401 says that nothing was looked at: the token ended before its time. Once, with another one.
    const isRefused = first.reply.kind === "answered" && first.reply.status === 401;
    if (!isRefused) return first;
    const second = await attempt(first.token);
    // Where there is no other token, the refusal is the answer.
    return second.reply.kind === "unsent" && second.token === null ? first : second;
  };
}

type Limits = Pick<HttpQuestion, "deadlineMs" | "replyBytesMax">;

async function inTime<Answer>(
  answer: Promise<Answer>,
  deadlineMs: number,
): Promise<Answer | { readonly kind: "none"; readonly evidence: string }> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<{ kind: "none"; evidence: string }>((resolve) => {
    timer = setTimeout(() => resolve({ kind: "none", evidence: "none within the deadline" }), Math.max(0, deadlineMs));
  });
  try {
    return await Promise.race([answer, late]);
  } finally {
    clearTimeout(timer);
  }
}

type WriteRequest = (question: Question) => Pick<HttpQuestion, "headers" | "body" | "secretQuery">;
type Answered = Extract<HttpReply, { kind: "answered" }>;

interface Written {
  readonly write: WriteRequest;
  /** What no evidence may hold. */
  readonly keys: readonly string[];
}

function requestOf(access: Access): Written {
  return { write: writingOf(access), keys: keysIn(access) };
}

/** Shorter ones stand in other words by chance. */
const keyCharactersMin = 6;

/** The credentials, and how an address and PHP's JSON spell them. `Token abc` is the word and the key. */
function keysIn({ headers = {}, query = {}, fields = {} }: Access): readonly string[] {
  const values = [...Object.values(headers), ...Object.values(query), ...Object.values(fields)];
  const keys = values.map((value) => value.slice(value.lastIndexOf(" ") + 1));
  const spelt = keys.flatMap((key) => [key, encodeURIComponent(key), key.replaceAll("/", "\\/")]);
  return [...new Set(spelt)].filter(({ length }) => length >= keyCharactersMin);
}

/** Some suppliers repeat in their answer what they were sent. */
function withoutKeys(reply: HttpReply, keys: readonly string[]): HttpReply {
  if (reply.kind !== "answered" || !keys.some((key) => reply.body.includes(key))) return reply;
  return { ...reply, body: keys.reduce((body, key) => body.replaceAll(key, "[key]"), reply.body) };
}

/** How a question is written with these credentials. */
function writingOf({ headers = {}, query, fields }: Access): WriteRequest {
  const json = { accept: "application/json", ...headers };
  const withBody = { ...json, "content-type": "application/json" };
  const withForm = { ...json, "content-type": "application/x-www-form-urlencoded" };
  const secretQuery = query === undefined ? {} : { secretQuery: new URLSearchParams(query).toString() };
  return ({ body, form, accept }) => {
    const own = accept === undefined ? {} : { accept };
    if (form !== undefined) {
      const text = new URLSearchParams({ ...form, ...fields }).toString();
      return { headers: { ...withForm, ...own }, body: text, ...secretQuery };
    }
    if (body === undefined) return { headers: accept === undefined ? json : { ...json, accept }, ...secretQuery };
    const text = JSON.stringify(fields === undefined ? body : { ...body, ...fields });
    return { headers: accept === undefined ? withBody : { ...withBody, accept }, body: text, ...secretQuery };
  };
}

const noFields: JsonObject = {};

/** A 5xx may come after the delivery, a redirect from anybody: neither is the supplier's word. */
function readableOf(reply: HttpReply, json: Json | undefined, question: Question): Reply | null {
  if (reply.kind !== "answered") return null;
  const { status } = reply;
  if (status < 200 || status >= 500 || (status >= 300 && status < 400)) return null;
  if (question.isListed === true && Array.isArray(json)) return { status, json: noFields, list: json };
  const object = objectOf(json);
  if (object !== null) return { status, json: object };
  return question.refusesInText === true && status >= 400 ? { status, json: noFields, text: reply.body } : null;
}
