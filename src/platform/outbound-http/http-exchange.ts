import type { Client, Dispatcher } from "undici";

/** One request, below its client's origin. */
export interface HttpRequest {
  readonly method: "GET" | "POST";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | null;
}

export interface ExchangeLimits {
  /** Wall clock, over everything from the lookup to the last byte. */
  readonly deadlineMs: number;
  /** An answer is read up to so many bytes. */
  readonly replyBytesMax: number;
  /** So many of the bytes read are kept, from the beginning. */
  readonly replyBytesKept: number;
}

/** The answer to a request, as far as one came. */
export interface Exchanged {
  /** Null: no head of an answer came. */
  readonly status: number | null;
  readonly retryAfter: string | null;
  /** The answer's Date header; null where it has none. */
  readonly date: string | null;
  /** The beginning of the answer's body, as it came. */
  readonly beginning: Buffer;
  /** How it ended: with its last byte, cut off as too long, without it in time, or broken. */
  readonly ended: "whole" | "cut" | "deadline" | Error;
}

/**
 * Answers of status 1xx before the one that counts. 100 is not among them: no request of ours asks for it by an Expect,
 * and at one that comes all the same undici destroys the connection, before a handler hears of it and without an option.
 */
const informationalMax = 8;
const nothing = Buffer.alloc(0);

/**
 * One request on a client of its own; after anything but a whole answer the client is destroyed. Never rejects. Follows
 * no redirect, unpacks nothing, keeps no cookie. A handler and no stream: a stream an answer costs a third more time.
 */
export function exchange(client: Client, request: HttpRequest, limits: ExchangeLimits): Promise<Exchanged> {
  return new Promise((resolve) => {
    let status: number | null = null;
    let retryAfter: string | null = null;
    let date: string | null = null;
    let beginning: Buffer = nothing;
    let bytes = 0;
    let informational = 0;
    let isOver = false;

    const end = (ended: Exchanged["ended"]) => {
      if (isOver) return;
      isOver = true;
      clearTimeout(timer);
      if (ended !== "whole") void client.destroy();
      resolve({ status, retryAfter, date, beginning, ended });
    };
    const timer = setTimeout(() => end("deadline"), Math.max(0, limits.deadlineMs));
    const handler: Dispatcher.DispatchHandler = {
      onRequestStart() {},
      onResponseStart(_controller, code, headers) {
        if (code < 200) {
          informational += 1;
          if (informational > informationalMax) end(new Error("one informational answer after another"));
          return;
        }
        status = code;
        retryAfter = single(headers["retry-after"]);
        date = single(headers.date);
        if (code === 204 && announcesBody(headers)) end("cut");
      },
      onResponseData(_controller, chunk) {
        bytes += chunk.length;
        const room = limits.replyBytesKept - beginning.length;
        // Mostly there is one piece, and it is kept where it lies.
        if (bytes === chunk.length) beginning = chunk.subarray(0, room);
        else if (room > 0) beginning = Buffer.concat([beginning, chunk.subarray(0, room)]);
        if (bytes > limits.replyBytesMax) end("cut");
      },
      onResponseEnd: () => end("whole"),
      onResponseError: (_controller, error) => end(error),
    };
    const { method, path, headers, body } = request;
    client.dispatch({ method, path, headers: headers as Record<string, string>, body }, handler);
  });
}

/** A 204 ends with its head. A body behind it changes nothing about success; undici calls it broken. */
function announcesBody(headers: Readonly<Record<string, unknown>>): boolean {
  return (headers["content-length"] ?? "0") !== "0" || headers["transfer-encoding"] !== undefined;
}

/** A header that came once; null otherwise. */
function single(header: string | string[] | undefined): string | null {
  return typeof header === "string" ? header : null;
}
