import { afterEach, expect, test, vi } from "vitest";
import { printRows } from "../../src/cli/printing.ts";

const rows = Array.from({ length: 1_204 }, (_, at) => ({ line: at + 1, why: "The token is empty." }));
let printed = "";
vi.spyOn(process.stdout, "write").mockImplementation((text) => {
  printed += text;
  return true;
});
afterEach(() => {
  printed = "";
});

test("a table has as many rows as a person reads, and says how many are left out", () => {
  printRows(rows, {}, {});
  expect(printed).toContain("│ 1000 │");
  expect(printed).not.toContain("│ 1001 │");
  expect(printed).toMatch(/\nAnd 204 more: --json prints all of them\.\n$/);
});

test("a program gets all of them", () => {
  printRows(rows, {}, { json: true });
  expect(printed.trimEnd().split("\n")).toHaveLength(rows.length);
});
