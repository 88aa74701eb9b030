import { type Dispatcher, request } from "undici";

/** What came back. */
export interface Received {
  /** 0 where no answer came. */
  readonly status: number;
  /** Null where it is no JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: whatever the wire brought; who reads it says what it must be
  readonly body: any;
  /** Until the last byte was read. */
  readonly ms: number;
}

interface CallOptions {
  /** Sent as JSON, a text as it is. */
  readonly body?: object | string;
  /** POST with a body, else GET. */
  readonly method?: string;
  readonly msMax?: number;
  readonly dispatcher?: Dispatcher;
}

/** Asks the merchant API as a merchant does. Never throws. */
export async function call(
  { url }: { readonly url: string },
  key: string | null,
  path: string,
  options: CallOptions = {},
): Promise<Received> {
  const { body, method = body === undefined ? "GET" : "POST", msMax = 60_000, dispatcher } = options;
  const startedMs = performance.now();
  try {
    const answer = await request(`${url}/api/v1/merchant${path}`, {
      ...(dispatcher === undefined ? {} : { dispatcher }),
      method,
      headers: {
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) }),
      signal: AbortSignal.timeout(msMax),
    });
    const received = parsed(await answer.body.text());
    return { status: answer.statusCode, body: received, ms: performance.now() - startedMs };
  } catch {
    return { status: 0, body: null, ms: performance.now() - startedMs };
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
