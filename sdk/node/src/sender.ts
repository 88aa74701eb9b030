import { type Charged, type DispenseError, type ErrorBody, errorClassOf, NoAnswerError } from "./errors.ts";
import type { Transaction } from "./generated/types.ts";
import { maskBody } from "./mask.ts";

export const version = "1.0.0";

/** What an operation is, as `operations.ts` has it from the API's document. */
export interface Call {
  readonly operation: string;
  readonly method: "GET" | "POST" | "PUT" | "DELETE";
  readonly path: string;
  /** `purchase`: has a reference, and is sent again under it. `verify` waits for a supplier. */
  readonly kind: "purchase" | "verify" | "other";
  readonly query?: object | undefined;
  readonly body?: object | undefined;
  readonly options?: CallOptions | undefined;
}

export interface CallOptions {
  readonly signal?: AbortSignal;
  /** Milliseconds for each try; by the contract unless set: 75 s for a purchase, 20 s for a verification, else 10 s. */
  readonly timeoutMs?: number;
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
  readonly fetch: typeof globalThis.fetch;
  readonly sleep: (ms: number, signal?: AbortSignal) => Promise<void>;
  /** 0 to 1, for the waits between tries. */
  readonly random: () => number;
  readonly newReference: () => string;
  /** Awaited before a purchase is sent for the first time. */
  readonly beforePurchase: (purchase: PurchaseToSend) => Promise<void> | void;
  readonly logger?: Logger | undefined;
}

const usualTimeoutMs = { purchase: 75_000, verify: 20_000, other: 10_000 } as const;
const waitsMs = [500, 1_500, 4_000];
/** Nobody is held for longer by one `Retry-After`: what takes longer is the caller's to wait for. */
const retryAfterMaxMs = 30_000;

interface Answer {
  readonly status: number;
  readonly body: unknown;
  readonly retryAfter: number | null;
}

/** Sends calls and answers what they say, with the tries that are safe. */
export class Sender {
  readonly #options: SenderOptions;

  constructor(options: SenderOptions) {
    this.#options = options;
  }

  async send<Result>(call: Call): Promise<Result> {
    if (call.kind !== "purchase") return this.#tried<Result>(call, null);
    const reference = String((call.body as { reference?: unknown }).reference ?? this.#options.newReference());
    const body = { ...call.body, reference };
    await this.#options.beforePurchase({ reference, operation: call.operation, body });
    return this.#tried<Result>({ ...call, body }, reference);
  }

  /** See `Dispense.waitFor`. */
  async waitFor(
    ask: (options: CallOptions) => Promise<Transaction>,
    reference: string,
    { timeoutMs = 600_000, signal }: { readonly timeoutMs?: number; readonly signal?: AbortSignal },
  ): Promise<Transaction> {
    const call: CallOptions = signal === undefined ? {} : { signal };
    for (let waitedMs = 0; ; ) {
      const transaction = await ask(call);
      if (transaction.status !== "pending") return transaction;
      const { next_check_after: seconds = 10 } = transaction as { next_check_after?: number };
      const ms = Math.min(seconds * 1000, timeoutMs - waitedMs);
      if (ms <= 0) {
        const message = `${reference} is still pending after ${Math.round(timeoutMs / 1000)} seconds. Don't sell it again.`;
        throw new NoAnswerError({ code: "PENDING", message }, { status: null, charged: "unknown", reference });
      }
      await this.#options.sleep(ms, signal);
      waitedMs += ms;
    }
  }

  async #tried<Result>(call: Call, reference: string | null): Promise<Result> {
    const isRepeatable = call.method !== "POST" || call.kind !== "other";
    // Once an answer stayed away, a later refusal says nothing about the try before it.
    let isUnknown = false;
    for (let attempt = 1; ; attempt += 1) {
      const isLast = attempt >= this.#options.attemptsMax;
      const answer = await this.#once(call, attempt);
      if (answer instanceof Error || errorClassOf(answer.status) === NoAnswerError) {
        isUnknown ||= call.kind === "purchase";
        if (isLast || !isRepeatable) throw noAnswer(answer, reference, isUnknown);
      } else if (answer.status < 400 || answer.status === 422) {
        return answer.body as Result;
      } else if (isLast || !(answer.status === 429 || answer.status === 503) || isTooLate(answer)) {
        throw refusal(answer, reference, isUnknown ? "unknown" : "no");
      }
      await this.#options.sleep(this.#waitMs(attempt, answer), call.options?.signal);
    }
  }

  /** Half of a wait is chance, so that callers who failed together don't come back together. */
  #waitMs(attempt: number, answer: Answer | Error): number {
    const asked = answer instanceof Error ? null : answer.retryAfter;
    const usual = waitsMs[Math.min(attempt, waitsMs.length) - 1] ?? 0;
    return (asked === null ? usual / 2 : asked * 1000) + (this.#options.random() * usual) / 2;
  }

  /** One try: its answer, or why there was none. */
  async #once(call: Call, attempt: number): Promise<Answer | Error> {
    const { key, url, logger, timeoutMs } = this.#options;
    const { method, kind, body, options = {} } = call;
    const target = `${url}/api/v1/merchant${call.path}${queryOf(call.query)}`;
    logger?.debug("request", { operation: call.operation, attempt, body: maskBody(body) });
    const limit = AbortSignal.timeout(options.timeoutMs ?? timeoutMs[kind] ?? usualTimeoutMs[kind]);
    const signal = options.signal === undefined ? limit : AbortSignal.any([limit, options.signal]);
    try {
      const response = await this.#options.fetch(target, {
        method,
        signal,
        redirect: "error",
        headers: {
          authorization: `Bearer ${key}`,
          accept: "application/json",
          "user-agent": `dispense-node/${version}`,
          ...(body === undefined ? {} : { "content-type": "application/json" }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const given: unknown = await response.json().catch(() => null);
      if (!isOurs(response.status, given)) throw new Error(`HTTP ${response.status}, not written by the service`);
      const answer = { status: response.status, body: given, retryAfter: retryAfterOf(response) };
      logger?.debug("answer", {
        operation: call.operation,
        attempt,
        status: answer.status,
        body: maskBody(answer.body),
      });
      return answer;
    } catch (error) {
      options.signal?.throwIfAborted();
      logger?.warn("no answer", { operation: call.operation, attempt, error: String(error) });
      return error instanceof Error ? error : new Error(String(error));
    }
  }
}

/** A proxy's own error says nothing about what the service did: every error of the service has a `code` of letters. */
function isOurs(status: number, body: unknown): boolean {
  if (body === null || typeof body !== "object") return false;
  return status < 400 || ("code" in body && typeof body.code === "string");
}

function isTooLate({ retryAfter }: Answer): boolean {
  return (retryAfter ?? 0) * 1000 > retryAfterMaxMs;
}

function retryAfterOf(response: Response): number | null {
  const text = response.headers.get("retry-after") ?? "";
  return /^\d{1,6}$/.test(text) ? Number(text) : null;
}

function refusal({ status, body, retryAfter }: Answer, reference: string | null, charged: Charged): DispenseError {
  const given = (body ?? {}) as Partial<ErrorBody>;
  const known = { ...given, code: given.code ?? `HTTP_${status}`, message: given.message ?? `HTTP ${status}` };
  return new (errorClassOf(status))(known, { status, charged, reference, retryAfter });
}

function noAnswer(answer: Answer | Error, reference: string | null, isUnknown: boolean): DispenseError {
  const charged = isUnknown ? "unknown" : "no";
  if (!(answer instanceof Error)) return refusal(answer, reference, charged);
  const advice = isUnknown
    ? ` ${reference} may have been bought: ask for it before you sell again or give money back.`
    : "";
  const message = `No answer: ${answer.message}.${advice}`;
  return new NoAnswerError({ code: "NO_ANSWER", message }, { status: null, charged, reference, cause: answer });
}

function queryOf(query: object | undefined): string {
  const text = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    if (value !== undefined && value !== null) text.set(name, String(value));
  }
  return text.size === 0 ? "" : `?${text}`;
}
