import { expect } from "vitest";
import type { CategorySlug } from "../../src/categories/category-slugs.ts";
import { hideCategory } from "../../src/domain/catalogue/changes/administration.ts";
import type { RegisteredMerchant } from "../../src/domain/merchants/registration.ts";
import type { ProblemCode } from "../../src/kernel/problems.ts";
import type { Answer, TestApp } from "./app.ts";
import { expectProblem } from "./wire-expectations.ts";

/** Numbers that differ, and succeed in sandbox. */
export function phones(count: number): readonly string[] {
  return Array.from({ length: count }, (_, position) => `0806${String(position).padStart(6, "0")}1`);
}

/** An order's answer: its fields, its headers and how its amounts agree. */
export function expectOrder(
  answer: Answer,
  status: 200 | 201 | 202,
  lines: number,
  mode: "test" | "live" = "test",
): void {
  expect(answer.status, JSON.stringify(answer.body).slice(0, 300)).toBe(status);
  expect("sandbox" in answer.body ? answer.body.sandbox : null).toBe(mode === "test" ? true : null);
  const isPending = answer.body.pending > 0;
  expect(answer.headers.get("retry-after")).toEqual(isPending ? expect.stringMatching(/^[1-9]/) : null);
  if (status !== 200) expect(isPending).toBe(status === 202);
  const { total, successful, pending, failed, balance_before, balance_after, total_deducted } = answer.body;
  expect([total, successful + pending + failed]).toEqual([lines, lines]);
  expect(Number(balance_after)).toBeCloseTo(Number(balance_before) - Number(total_deducted), 2);
}

/** A refused order names wrong lines, and says how many there are. */
export function expectRefusedOrder(
  answer: Answer,
  status: number,
  code: ProblemCode,
  expected: { readonly fields: readonly string[]; readonly meta?: object },
): void {
  const lines = new Set(expected.fields.flatMap((field) => /^(items|phones)\.[0-9]+/.exec(field)?.[0] ?? []));
  const meta = { ...expected.meta, ...(lines.size === 0 ? {} : { invalid_lines: lines.size }) };
  expectProblem(answer, status, code, { fields: expected.fields, ...(Object.keys(meta).length === 0 ? {} : { meta }) });
}

/** Hides a category from a merchant, which is felt at once. */
export async function hideFrom(
  app: TestApp,
  { id }: Pick<RegisteredMerchant, "id" | "testKey">,
  category: CategorySlug,
): Promise<void> {
  await hideCategory(app.services.database, id, category);
  await app.feel();
}
