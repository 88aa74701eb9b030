import { randomBytes } from "node:crypto";
import { peoplePassword } from "./console-load.ts";
import type { Frame } from "./load.ts";

/** A person who is logged in: what the browser sends with each request. */
export interface Visitor {
  readonly origin: string;
  readonly cookie: string;
}

/** What a page answered, read to its last byte. */
export interface Visited {
  readonly status: number;
  readonly ms: number;
  readonly text: string;
}

/** Logs in by the real form. @throws Error where that is not let in */
export async function logIn(port: number, email: string): Promise<Visitor> {
  const origin = `http://127.0.0.1:${port}`;
  const fields = { email, password: peoplePassword, once: randomBytes(32).toString("base64url") };
  const answer = await fetch(`${origin}/log-in`, {
    method: "POST",
    body: new URLSearchParams(fields),
    headers: { origin, "sec-fetch-site": "same-origin" },
    redirect: "manual",
  });
  const cookies = answer.headers.getSetCookie().map((line) => line.split(";", 1)[0] ?? "");
  if (answer.status !== 303) throw new Error(`the log-in answered ${answer.status}: ${await answer.text()}`);
  return { origin, cookie: cookies.join("; ") };
}

export async function visit({ origin, cookie }: Visitor, path: string): Promise<Visited> {
  const startedMs = performance.now();
  const answer = await fetch(`${origin}${path}`, { headers: { cookie }, redirect: "manual" });
  const text = await answer.text();
  return { status: answer.status, ms: performance.now() - startedMs, text };
}

/** Frames for the driver: the number of a request goes into a header that means nothing. */
export function pageFrame({ cookie }: Visitor, path: string): Frame {
  return {
    before: `GET ${path} HTTP/1.1\r\nhost: 127.0.0.1\r\ncookie: ${cookie}\r\nuser-agent: bench-`,
    after: "\r\n\r\n",
  };
}
