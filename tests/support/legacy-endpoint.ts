import { expect } from "vitest";
import type { Answer, TestApp } from "./app.ts";

import { expectChallenge, expectHeaders } from "./wire-expectations.ts";

export type Fields = Readonly<Record<string, unknown>>;
export type LegacyForm = "json" | "form" | "multipart";

/** Calls at the host's root with the header that older clients send. `key` null: without one. */
export async function callLegacy(
  app: TestApp,
  key: string | null,
  path: string,
  request: { method?: string; body?: string | FormData | URLSearchParams; headers?: Record<string, string> } = {},
): Promise<Answer> {
  const response = await fetch(`${app.url}${path}`, {
    method: request.method ?? (request.body === undefined ? "GET" : "POST"),
    redirect: "manual",
    headers: { ...(key === null ? {} : { authorization: `Token ${key}` }), ...request.headers },
    ...(request.body === undefined ? {} : { body: request.body }),
  });
  const text = await response.text();
  app.throwFaults();
  return { status: response.status, headers: response.headers, body: JSON.parse(text) };
}

/** Sends fields as JSON, as a form or as multipart; `undefined` leaves a field out. */
export function postLegacy(
  app: TestApp,
  key: string,
  path: string,
  fields: Fields,
  form: LegacyForm = "json",
): Promise<Answer> {
  if (form === "json") {
    const headers = { "content-type": "application/json" };
    return callLegacy(app, key, path, { body: JSON.stringify(fields), headers });
  }
  const body = form === "form" ? new URLSearchParams() : new FormData();
  for (const [name, value] of Object.entries(fields)) if (value !== undefined) body.set(name, String(value));
  return callLegacy(app, key, path, { body });
}

/** The headers of every legacy answer; `known` unless no key opened the door. */
export function expectLegacyHeaders(
  answer: Answer,
  key: { mode: "test" | "live" | null; known: boolean } = { mode: "test", known: true },
): void {
  expectHeaders(answer, key);
  expect(answer.headers.get("deprecation")).toBe("@1767225600");
  expect(answer.headers.get("link")).toMatch(
    /^<\/docs>; rel="deprecation"; type="text\/html", <\/api\/v1\/merchant\/[a-z/-]+>; rel="successor-version"$/,
  );
}

/** A refusal in all the ways in which clients look for one. A text that ends in an ellipsis is how one begins. */
export function refusalBody(texts: readonly string[]) {
  const whole = texts.map(textLike).length === 1 ? textLike(texts[0] ?? "") : texts.join(" ");
  return { Status: "failed", status: "failed", message: whole, error: texts.map(textLike), detail: whole };
}

function textLike(text: string) {
  return text.endsWith("…") ? expect.stringMatching(new RegExp(`^${escaped(text.slice(0, -1))}.*\\.$`)) : text;
}

/** A refusal with exactly these texts. */
export function expectLegacyError(answer: Answer, status: number, texts: readonly string[]): void {
  expect([answer.status, answer.body]).toEqual([status, refusalBody(texts)]);
  expect(answer.headers.get("idempotent-replayed")).toBeNull();
}

/** The same where no key may have opened the door. */
export function expectLegacyDetail(answer: Answer, status: number, detail: string): void {
  expect([answer.status, answer.body]).toEqual([status, refusalBody([detail])]);
  expectChallenge(answer);
}

/** A refusal that leaves open what became of a purchase. */
export function expectLeftOpen(answer: Answer, status: number): void {
  const message = "It is not known yet what became of this purchase. Ask for it, or wait; do not buy again.";
  expect([answer.status, answer.body]).toEqual([status, { Status: "processing", status: "processing", message }]);
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, "\\$&");
}
