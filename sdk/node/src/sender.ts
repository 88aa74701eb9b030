import { type Answer, causeOf, readAnswer, Unanswered } from "./answer.ts";
import { DispenseError, type ErrorBody, errorClassOf, NoAnswerError } from "./errors.ts";
import type { TransactionDetails } from "./generated/types.ts";
import { maskBody } from "./mask.ts";

export const version = "1.0.0";

/** What an operation is, as `operations.ts` has it from the API's document. */
export interface Call {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** `purchase`: has a reference, and is sent again under it. `lookup` asks about one. `verify` waits for a supplier. */
  readonly kind: "purchase" | "lookup" | "verify" | "other";
  /** Of a `lookup`: what it asks about. */
  readonly reference?: string;
  /** What its answer always has: what has none of it was not written by the service. */
  readonly fields?: readonly string[];
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: CallOptions | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for each try; by the contract unless set: 75 s for a purchase, 20 s for a verification, else 10 s. */
  readonly timeoutMs?: number;
  /** Tries in all. */
  readonly attemptsMax?: number;
  /** Milliseconds for the whole call, tries and waits; no bound of its own unless set. */
  readonly deadlineMs?: number;
}

export interface Logger {
  debug(message: string, facts: object): void;
  warn(message: string, facts: object): void;
}

/** What is about to be bought. Keep it before it is sent: whatever crashes, the reference is still there. */
export interface PurchaseToSend {
  readonly reference: string;
  readonly operation: string;
  readonly body: object;
}

export interface SenderOptions {
  readonly key: string;
  readonly url: string;
  /** Tries of one call in all. */
  readonly attemptsMax: number;
  readonly timeoutMs: Partial<Record<Call["kind"], number>>;
  /** Milliseconds for one call in all, tries and waits. */
  readonly deadlineMs: number;
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0 to 1, for the waits between tries. */
  readonly random: () => number;
  readonly newReference: () => string;
  /** Awaited before a purchase is sent for the first time. */
  readonly beforePurchase: (purchase: PurchaseToSend) => Promise<void> | void;
  readonly logger?: Logger | undefined;
}

const usualTimeoutMs = { purchase: 75_000, lookup: 10_000, verify: 20_000, other: 10_000 } as const;
const waitsMs = [500, 1_500, 4_000];
/** Nobody is held for longer by one `Retry-After`: what takes longer is the caller's to wait for. */
const retryAfterMaxMs = 30_000;
/** Some frameworks keep what `fetch` reads, and would answer a second question with it. */
const uncached = { cache: "no-store" } as const;
/** So many references whose end is unknown are remembered. */
const unknownMax = 10_000;

/** What a call has come to so far. */
interface Progress {
  readonly reference: string | null;
  /** Whether what `reference` names may have been bought, for all that this client knows. */
  isUnknown: boolean;
}

/** Sends calls and answers what they say, with the tries that are safe. */
export class Sender {
  readonly #options: SenderOptions;
  /** References that a call left unknown: a later call's refusal says nothing about it. */
  readonly #unknown = new Set<string>();

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send<Result>(call: Call): Promise<Result> {
    if (call.kind !== "purchase") return this.#carryOut<Result>(call, textOf(call.body), call.reference ?? null);
    const reference = String((call.body as { reference?: unknown }).reference ?? this.#options.newReference());
    const body = { ...call.body, reference };
    const text = textOf(body); // what can't be written is no purchase yet
    await this.#options.beforePurchase({ reference, operation: call.operation, body });
    return this.#carryOut<Result>({ ...call, body }, text, reference);
  }

  /** See `Dispense.waitFor`. */
  async waitFor(
    ask: (options: CallOptions) => Promise<TransactionDetails>,
    reference: string,
    { timeoutMs = 600_000, signal }: Pick<CallOptions, "timeoutMs" | "signal">,
  ): Promise<TransactionDetails> {
    const startedMs = performance.now();
    let sleptMs = 0;
    // All time counts: that of the questions too, and of the sleeps where a test has others than the clock's.
    const leftMs = () => timeoutMs - Math.max(performance.now() - startedMs, sleptMs);
    for (let asked = 1; ; asked += 1) {
      let last: DispenseError | null;
      let seconds: number;
      try {
        const tryMs = Math.min(this.#timeoutMsOf("lookup"), Math.max(leftMs(), 1_000));
        const transaction = await ask({ attemptsMax: 1, timeoutMs: tryMs, ...(signal && { signal }) });
        if (isFinal(transaction)) return transaction;
        last = null;
        seconds = transaction.next_check_after ?? 10;
      } catch (error) {
        if (!(error instanceof DispenseError) || !isWorthAsking(error)) throw error;
        last = error;
        seconds = error.retryAfter ?? Math.min(2 ** asked, 10);
      }
      const ms = Math.min(Math.max(seconds, 0.1) * 1000, leftMs());
      if (ms <= 0) throw last ?? stillPending(reference, timeoutMs);
      await this.#sleep(ms, { reference, isUnknown: true }, signal);
      sleptMs += ms;
    }
  }

  async #carryOut<Result>(call: Call, text: string | undefined, reference: string | null): Promise<Result> {
    const isUnknown = call.kind === "lookup" || (reference !== null && this.#unknown.has(reference));
    const progress: Progress = { reference, isUnknown };
    try {
      const result = await this.#tried<Result>(call, text, progress);
      if (reference !== null) this.#unknown.delete(reference);
      return result;
    } catch (error) {
      if (reference !== null && call.kind === "purchase" && progress.isUnknown) this.#remember(reference);
      throw error instanceof DispenseError ? error : stopped(error, progress);
    }
  }

  async #tried<Result>(call: Call, text: string | undefined, progress: Progress): Promise<Result> {
    const {
      attemptsMax = this.#options.attemptsMax,
      deadlineMs = this.#options.deadlineMs,
      signal,
    } = call.options ?? {};
    const isRepeatable = call.method !== "POST" || call.kind !== "other";
    const untilMs = performance.now() + deadlineMs;
    for (let attempt = 1; ; attempt += 1) {
      signal?.throwIfAborted();
      // While a try is under way nobody knows, and once an answer stayed away, a later refusal says nothing about it.
      const wasUnknown = progress.isUnknown;
      progress.isUnknown ||= progress.reference !== null;
      const answer = await this.#once(call, { attempt, text, leftMs: untilMs - performance.now() }, progress.reference);
      if (!(answer instanceof Unanswered) && !answer.isError) return answer.body as Result;
      const isRefusal = !(answer instanceof Unanswered) && errorClassOf(answer.status) !== NoAnswerError;
      if (isRefusal) progress.isUnknown = wasUnknown;
      const isAgain = isRefusal ? answer.status === 429 || answer.status === 503 : isRepeatable;
      const waitMs = this.#waitMs(attempt, answer.retryAfter);
      const isTooLate = (answer.retryAfter ?? 0) * 1000 > retryAfterMaxMs || performance.now() + waitMs >= untilMs;
      if (attempt >= attemptsMax || !isAgain || isTooLate) throw errorOf(answer, progress);
      await this.#sleep(waitMs, progress, signal);
    }
  }

  /** Half of a wait is chance, so that callers who failed together don't come back together. */
  #waitMs(attempt: number, asked: number | null): number {
    const usual = waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0;
    return (asked === null ? usual / 2 : asked * 1000) + (this.#options.random() * usual) / 2;
  }

  async #sleep(ms: number, progress: Progress, signal: AbortSignal | undefined): Promise<void> {
    try {
      await this.#options.sleep(ms, signal);
    } catch (error) {
      throw stopped(error, progress);
    }
  }

  #timeoutMsOf(kind: Call["kind"]): number {
    const { timeoutMs } = this.#options;
    return timeoutMs[kind] ?? (kind === "lookup" ? timeoutMs.other : undefined) ?? usualTimeoutMs[kind];
  }

  #remember(reference: string): void {
    this.#unknown.add(reference);
    for (const oldest of this.#unknown) {
      if (this.#unknown.size <= unknownMax) return;
      this.#unknown.delete(oldest);
    }
  }

  /** One try: its answer, or why there was none. */
  async #once(
    call: Call,
    { attempt, text, leftMs }: { readonly attempt: number; readonly text: string | undefined; readonly leftMs: number },
    reference: string | null,
  ): Promise<Answer | Unanswered> {
    const { key, url, logger } = this.#options;
    const { operation, method, kind, options = {} } = call;
    const target = `${url}/api/v1/merchant${call.path}${queryOf(call.query)}`;
    logger?.debug("request", { operation, attempt, body: maskBody(call.body) });
    const tryMs = Math.max(1, Math.min(options.timeoutMs ?? this.#timeoutMsOf(kind), leftMs));
    const limit = AbortSignal.timeout(Math.ceil(tryMs));
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
    try {
      const response = await this.#options.fetch(target, {
        method,
        signal,
        redirect: "manual",
        ...uncached,
        headers: {
          authorization: `Bearer ${key}`,
          accept: "application/json",
          "user-agent": `dispense-node/${version}`,
          ...(text === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(text === undefined ? {} : { body: text }),
      });
      const answer = await readAnswer(response, reference, call.fields ?? []);
      const { status, body, requestId } = answer;
      logger?.debug("answer", { operation, attempt, status, requestId, body: maskBody(body) });
      return answer;
    } catch (error) {
      options.signal?.throwIfAborted();
      const none = error instanceof Unanswered ? error : new Unanswered(causeOf(error, tryMs), null, error);
      logger?.warn("no answer", { operation, attempt, error: none.message });
      return none;
    }
  }
}

function textOf(body: object | undefined): string | undefined {
  return body === undefined ? undefined : JSON.stringify(body);
}

function isFinal({ status }: TransactionDetails): boolean {
  return status === "successful" || status === "failed";
}

/** Whether the same question may be answered later: the service may not know the purchase yet, or not be there now. */
function isWorthAsking({ status, code }: DispenseError): boolean {
  return code !== "ABORTED" && (status === null || status === 404 || status === 429 || status >= 500);
}

function errorOf(answer: Answer | Unanswered, { reference, isUnknown }: Progress): DispenseError {
  const { retryAfter } = answer;
  const charged = isUnknown ? "unknown" : "no";
  if (!(answer instanceof Unanswered)) {
    const { status, body } = answer;
    return new (errorClassOf(status))(body as ErrorBody, { status, charged, reference, retryAfter });
  }
  const message = `No answer: ${answer.message}.${adviceOn(reference, isUnknown)}`;
  const { cause = answer } = answer;
  return new NoAnswerError({ code: "NO_ANSWER", message }, { status: null, charged, reference, retryAfter, cause });
}

/** What ended a call from outside, such as an AbortSignal. */
function stopped(cause: unknown, { reference, isUnknown }: Progress): DispenseError {
  const message = `Stopped: ${cause instanceof Error ? cause.message : cause}.${adviceOn(reference, isUnknown)}`;
  const charged = isUnknown ? "unknown" : "no";
  return new NoAnswerError({ code: "ABORTED", message }, { status: null, charged, reference, cause });
}

function adviceOn(reference: string | null, isUnknown: boolean): string {
  if (reference === null || !isUnknown) return "";
  return ` ${reference} may have been bought: ask for it before you sell again or give money back.`;
}

function stillPending(reference: string, timeoutMs: number): DispenseError {
  const message = `${reference} is still pending after ${Math.round(timeoutMs / 1000)} seconds. Don't sell it again.`;
  return new NoAnswerError({ code: "PENDING", message }, { status: null, charged: "unknown", reference });
}

function queryOf(query: object | undefined): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) text.set(name, String(value));
  }
  return text.size === 0 ? "" : `?${text}`;
}
