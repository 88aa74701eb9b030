import { expect, test } from "vitest";
import { offsetMax, pageMax, pageMeta } from "../../src/kernel/page.ts";

const lastPage = (perPage: number, total: number, depthMax?: number) =>
  pageMeta({ page: 1, perPage }, total, depthMax).last_page;

test("every row has its page, and an empty list has one", () => {
  expect([0, 1, 20, 21, 110_018].map((total) => lastPage(20, total))).toEqual([1, 1, 1, 2, 5_501]);
});

test("the last page of a list that is read only so deep begins within that depth", () => {
  for (let perPage = 1; perPage <= 100; perPage++) {
    const last = lastPage(perPage, 10 * offsetMax, offsetMax);
    expect((last - 1) * perPage).toBeLessThanOrEqual(offsetMax);
    expect(last * perPage).toBeGreaterThan(offsetMax);
  }
  expect(lastPage(20, 110_018, offsetMax)).toBe(5_001);
  expect(lastPage(20, 40, offsetMax)).toBe(2);
});

test("no page is named that a request cannot name", () => {
  expect(lastPage(1, 2 * pageMax)).toBe(pageMax);
});
