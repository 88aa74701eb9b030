/** What an error answer of the API says. */
export interface ErrorBody {
  readonly code: string;
  readonly message: string;
  readonly request_id?: string;
  readonly doc_url?: string;
  readonly errors?: Readonly<Record<string, readonly string[]>>;
  readonly meta?: Readonly<Record<string, unknown>>;
}

/**
 * Whether money moved. `no`: this call charged nothing, and its reference may be used again. `unknown`: an attempt had no
 * answer, or what was asked about a purchase had none, so it may have been bought: neither sell it again under another
 * reference nor give money back; ask for it.
 */
export type Charged = "no" | "unknown";

/** Any call that did not work out. Each class below is one kind of it. */
export class DispenseError extends Error {
  override readonly name: string = "DispenseError";
  /** The API's own code, such as `INSUFFICIENT_BALANCE`; `NO_ANSWER` where there was none, `ABORTED` where you stopped it. */
  readonly code: string;
  /** Null where there was no answer. */
  readonly status: number | null;
  readonly requestId: string | null;
  readonly docUrl: string | null;
  readonly charged: Charged;
  /** Of the purchase that the call made or asked about; null where it is about none. */
  readonly reference: string | null;
  /** Sentences by field. */
  readonly fields: Readonly<Record<string, readonly string[]>>;
  /** Numbers that help, such as `required` and `balance`. */
  readonly meta: Readonly<Record<string, unknown>>;
  /** Seconds after which it is worth trying again; null where the answer named none. */
  readonly retryAfter: number | null;

  constructor(
    body: ErrorBody,
    about: {
      readonly status: number | null;
      readonly charged: Charged;
      readonly reference: string | null;
      readonly retryAfter?: number | null;
      readonly cause?: unknown;
    },
  ) {
    super(body.message, about.cause === undefined ? undefined : { cause: about.cause });
    this.code = body.code;
    this.status = about.status;
    this.requestId = body.request_id ?? null;
    this.docUrl = body.doc_url ?? null;
    this.charged = about.charged;
    this.reference = about.reference;
    this.fields = body.errors ?? {};
    this.meta = body.meta ?? {};
    this.retryAfter = about.retryAfter ?? null;
  }
}

/** 400, 404, 405, 413, 415: the request itself is wrong. Sending it again changes nothing. */
export class InvalidRequestError extends DispenseError {
  override readonly name: string = "InvalidRequestError";
}
/** 401 and 403: the key, the address, the account or what it may do. */
export class AccessError extends DispenseError {
  override readonly name: string = "AccessError";
}
/** 402: the wallet holds less than the purchase costs. */
export class InsufficientBalanceError extends DispenseError {
  override readonly name: string = "InsufficientBalanceError";
}
/** 409: the reference belongs to another purchase, the price changed, the thing exists. */
export class ConflictError extends DispenseError {
  override readonly name: string = "ConflictError";
}
/** 429, after every retry. */
export class RateLimitError extends DispenseError {
  override readonly name: string = "RateLimitError";
}
/** 502 and 503, after every retry: not now. */
export class UnavailableError extends DispenseError {
  override readonly name: string = "UnavailableError";
}
/** 500, or no answer at all, after every retry. For a purchase `charged` is `unknown`. */
export class NoAnswerError extends DispenseError {
  override readonly name: string = "NoAnswerError";
}

type ErrorClass = new (...given: ConstructorParameters<typeof DispenseError>) => DispenseError;

/** The class of an answer by its status. */
export function errorClassOf(status: number): ErrorClass {
  if (status === 401 || status === 403) return AccessError;
  if (status === 402) return InsufficientBalanceError;
  if (status === 409) return ConflictError;
  if (status === 429) return RateLimitError;
  if (status === 502 || status === 503) return UnavailableError;
  return status < 500 ? InvalidRequestError : NoAnswerError;
}
