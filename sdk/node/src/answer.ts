/** An answer of the service. */
export interface Answer {
  readonly status: number;
  readonly body: object;
  readonly isError: boolean;
  readonly retryAfter: number | null;
  readonly requestId: string | null;
}

/** No answer of the service: why, and when its sender wants to be asked again. */
export class Unanswered extends Error {
  readonly retryAfter: number | null;

  constructor(why: string, retryAfter: number | null, cause?: unknown) {
    super(why, { cause });
    this.retryAfter = retryAfter;
  }
}

/** The largest answer has some hundred kilobytes. */
const bodyBytesMax = 5 * 1024 * 1024;
/** No `Retry-After` is believed beyond it. */
const retryAfterMax = 86_400;

const requestIds = new WeakMap<object, string>();

/** The id of the request that an answer came by, as our log has it; null for anything else. */
export function requestIdOf(answer: object): string | null {
  return requestIds.get(answer) ?? null;
}

/**
 * What the service said.
 * @param reference the purchase that was asked for; null where the call is about none
 * @param fields what another answer always has
 * @throws Unanswered where the service did not write it, or wrote it about another purchase
 */
export async function readAnswer(
  response: Response,
  reference: string | null,
  fields: readonly string[],
): Promise<Answer> {
  const { status } = response;
  const retryAfter = retryAfterOf(response.headers);
  const body = parsed(await textOf(response, retryAfter));
  const isError = status >= 400 && body.status === "error" && /^[A-Z][A-Z0-9_]*$/.test(String(body.code));
  // A proxy's own page says nothing about what the service did, whatever its status.
  const isResult = (status >= 200 && status < 300) || status === 422;
  const isOurs =
    isError || (isResult && (reference === null ? fields.every((name) => name in body) : "status" in body));
  if (!isOurs) throw new Unanswered(`HTTP ${status}, not written by the service`, retryAfter);
  if (!isError && reference !== null && body.reference !== reference && body.transaction_id !== reference) {
    throw new Unanswered("the answer is about another purchase", retryAfter);
  }
  const requestId = response.headers.get("x-request-id");
  if (requestId !== null) requestIds.set(body, requestId);
  return { status, body, isError, retryAfter, requestId };
}

async function textOf(response: Response, retryAfter: number | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of response.body ?? []) {
    length += chunk.length;
    if (length > bodyBytesMax) throw new Unanswered(`HTTP ${response.status}, longer than 5 MiB`, retryAfter);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString("utf8");
}

function parsed(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : {};
  } catch {
    return {};
  }
}

/** Seconds, said as seconds or as a date, by the service or by a proxy before it. */
function retryAfterOf(headers: Headers): number | null {
  const text = headers.get("retry-after") ?? "";
  const seconds = /^\d+(\.\d+)?$/.test(text)
    ? Number(text)
    : (Date.parse(text) - (Date.parse(headers.get("date") ?? "") || Date.now())) / 1000;
  return Number.isNaN(seconds) ? null : Math.min(Math.max(seconds, 0), retryAfterMax);
}

const tls = /CERT|SSL|TLS|ISSUER|SIGNED|ALTNAME/;

/** Why a try had no answer, with the name that people search for. */
export function causeOf(error: unknown, tryMs: number): string {
  let [name, text] = ["", String(error)];
  for (let each = error; each instanceof Error; each = each.cause) {
    if (each.name === "TimeoutError") return `TIMEOUT, none within ${Math.round(tryMs) / 1000} s`;
    if ("code" in each && typeof each.code === "string") name = tls.test(each.code) ? "TLS" : each.code;
    text = each.message || text;
  }
  return name === "" ? text : `${name}, ${text}`;
}
