import type { TSchema } from "typebox";
import { Compile, type Validator } from "typebox/compile";
import { expect } from "vitest";
import type { CategorySlug } from "../../src/categories/category-slugs.ts";
import { problems } from "../../src/kernel/problem-catalogue.ts";
import type { ProblemCode } from "../../src/kernel/problems.ts";
import type { Answer } from "./app.ts";

/** As the contract writes times: to the second, with Lagos' offset. */
export const lagosInstant = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\+01:00$/;
const requestId = /^req_[0-9A-HJKMNP-TV-Z]{26}$/;

/** The schema, refusing every field that it does not name, so that an undocumented field shows. */
export function closed<Schema extends TSchema>(schema: Schema): Schema {
  return close(schema) as Schema;
}

function close(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(close);
  const copy: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(schema)) copy[name] = close(value);
  const isOpen = copy.type !== "object" || copy.additionalProperties === true || "patternProperties" in copy;
  return isOpen ? copy : { ...copy, additionalProperties: false };
}

const validators = new Map<TSchema, Validator>();

/** The value has the schema's fields, all of them and no other. */
export function expectShape(schema: TSchema, value: unknown): void {
  const validator = validators.get(schema) ?? Compile(closed(schema));
  validators.set(schema, validator);
  expect(validator.Errors(value)).toEqual([]);
}

/** The headers that every answer carries. `mode` by the key's prefix; `known` when the key opened the door. */
export function expectHeaders(answer: Answer, key: { readonly mode: "test" | "live" | null; readonly known: boolean }) {
  const { headers } = answer;
  expect(headers.get("x-api-mode")).toBe(key.mode);
  expect(headers.get("x-request-id")).toMatch(requestId);
  expect(headers.get("content-type")).toBe("application/json; charset=utf-8");
  if (key.known) {
    expect(headers.get("ratelimit-policy")).toMatch(/^"key";q=[0-9]+;w=60$/);
    const [, reset] = /^"key";r=[0-9]+;t=([0-9]+)$/.exec(headers.get("ratelimit") ?? "") ?? [];
    if (answer.status === 429) expect(reset).toBe(headers.get("retry-after"));
    else expect(reset).toMatch(/^([1-9]|[1-5][0-9]|60)$/);
  } else {
    expect([headers.get("ratelimit-policy"), headers.get("ratelimit")]).toEqual([null, null]);
  }
}

/**
 * The contract's error body, exactly: `errors` with these fields and `meta` with these values, and neither where none
 * is named; its status, and `Retry-After` where waiting helps.
 */
export function expectProblem(
  answer: Answer,
  status: number,
  code: ProblemCode,
  expected: { readonly fields?: readonly string[]; readonly meta?: object } = {},
): void {
  const { body, headers } = answer;
  expect([answer.status, body?.code], JSON.stringify(body)).toEqual([status, code]);
  expect(problems[code].status).toBe(status);
  const { fields, meta } = expected;
  expect(body).toStrictEqual({
    status: "error",
    code,
    message: expect.stringMatching(/^[A-Z].*\.$/s),
    ...(fields === undefined ? {} : { errors: Object.fromEntries(fields.map((field) => [field, expect.any(Array)])) }),
    ...(meta === undefined ? {} : { meta }),
    request_id: headers.get("x-request-id"),
    doc_url: expect.stringMatching(new RegExp(`^http://[^/]+/docs/errors#${code}$`)),
  });
  for (const sentences of Object.values<unknown[]>(body.errors ?? {})) {
    expect(sentences.length).toBeGreaterThan(0);
    for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
  }
  const waiting = status === 429 || status === 503;
  expect(headers.get("retry-after")).toEqual(waiting ? expect.stringMatching(/^[1-9][0-9]*$/) : null);
  expect(headers.get("idempotent-replayed")).toBeNull();
  expectChallenge(answer);
}

/** A 401, and nothing else, says how a key may be sent. */
export function expectChallenge({ status, headers }: Pick<Answer, "status" | "headers">): void {
  const challenge = status === 401 ? expect.stringMatching(/^Bearer realm="[^"]+", Token realm="[^"]+"$/) : null;
  expect(headers.get("www-authenticate")).toEqual(challenge);
}

const httpStatus = { successful: 201, pending: 202, failed: 422 } as const;

/** A purchase's answer: its HTTP status, and how its fields agree. Its form is `checkAnswers`' to judge. */
export function expectPurchase(
  answer: Answer,
  category: CategorySlug,
  expected: { readonly status: keyof typeof httpStatus; readonly replayed?: boolean; readonly mode?: "test" | "live" },
): void {
  const { body, headers } = answer;
  const { status, replayed = false, mode = "test" } = expected;
  const reply = [answer.status, body?.status, body?.category];
  expect(reply, JSON.stringify(body)).toEqual([httpStatus[status], status, category]);
  expectAgreement(body, mode);
  expect(headers.get("retry-after") !== null).toBe(status === "pending");
  expect(headers.get("idempotent-replayed")).toBe(replayed ? "true" : null);
}

/** What `GET /transactions/{reference}` answers. */
export function expectRequery(answer: Answer, status: keyof typeof httpStatus, mode: "test" | "live" = "test"): void {
  const { body } = answer;
  expect([answer.status, body?.status], JSON.stringify(body)).toEqual([200, status]);
  expectAgreement(body, mode);
  expect("token" in body).toBe(body.category === "electricity");
  const ends = status === "pending" ? [] : [{ status, at: body.completed_at }];
  expect(body.status_history).toEqual([{ status: "pending", at: body.purchased_at }, ...ends]);
  expect(body.next_check_after).toEqual(status === "pending" ? expect.any(Number) : undefined);
}

/** A row of `GET /transactions`: no secrets, only a hint at what was delivered. */
export function expectListed(row: Transaction, mode: "test" | "live" = "test"): void {
  expectAgreement(row, mode);
  if (row.delivery !== null) expect(row.delivery).toEqual({ kind: expect.any(String), has_delivery: true });
}

// biome-ignore lint/suspicious/noExplicitAny: what the wire brought
type Transaction = any;

/** What the contract says of a transaction's fields together, whatever answer it stands in. */
function expectAgreement(body: Transaction, mode: "test" | "live"): void {
  const [kobo, total] = [koboOf(body), koboOf(body).total_deducted];
  expect(kobo.amount).toBe(kobo.unit_amount * BigInt(body.quantity));
  expect(kobo.balance_after).toBe(kobo.balance_before - total);
  if (body.status === "failed") expect(body.total_deducted).toBe("0.00");
  else expect(total).toBe(kobo.amount - kobo.discount + kobo.fee);

  expect(body.transaction_id).toMatch(mode === "test" ? /^SBX[0-9A-Z]{26}$/ : /^TXN[0-9A-Z]{26}$/);
  expect("sandbox" in body ? body.sandbox : null).toBe(mode === "test" ? true : null);
  expect(body.message).toMatch(/\S/);
  expect(body.purchased_at).toMatch(lagosInstant);
  expect(body.completed_at).toEqual(body.status === "pending" ? null : expect.stringMatching(lagosInstant));
  expect([body.refunded, body.refunded_at]).toEqual(
    body.status === "failed" ? [true, body.completed_at] : [false, null],
  );
  expect(body.error_code).toEqual(body.status === "failed" ? expect.stringMatching(/^[A-Z_]+$/) : null);
  if (body.status === "successful") expect(body.delivery).not.toBeNull();
  else if (body.category !== "sms") expect(body.delivery).toBeNull();
}

const moneyFields = [
  "unit_amount",
  "amount",
  "fee",
  "discount",
  "total_deducted",
  "balance_before",
  "balance_after",
] as const;

function koboOf(body: Transaction): Record<(typeof moneyFields)[number], bigint> {
  const entries = moneyFields.map((field) => [field, BigInt(String(body[field]).replace(".", ""))]);
  return Object.fromEntries(entries);
}
