import { expect, test } from "vitest";
import { sqlFateOf } from "../../src/platform/database/database-errors.ts";

test.each([
  ["08006", "lost"],
  ["08P01", "lost"],
  ["25P02", "refused"],
  ["25P03", "lost"],
  ["25P04", "lost"],
  ["25006", "not_now"],
  ["40001", "undone"],
  ["40P01", "undone"],
  ["40003", "lost"],
  ["53100", "not_now"],
  ["53300", "not_sent"],
  ["57P03", "not_sent"],
  ["08004", "not_sent"],
  ["55P03", "not_now"],
  ["55000", "refused"],
  ["57014", "not_now"],
  ["57P01", "lost"],
  ["57P05", "lost"],
  ["58030", "not_now"],
  ["XX001", "not_now"],
  ["22001", "refused"],
  ["23505", "refused"],
  ["42P01", "refused"],
] as const)("a statement that %s answers is %s", (sqlState, fate) => {
  expect(sqlFateOf(sqlState)).toBe(fate);
});
