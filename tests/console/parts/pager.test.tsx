import { renderToString } from "preact-render-to-string";
import { describe, expect, test } from "vitest";
import { Pager, positionText } from "../../../src/console/kit/parts/list.tsx";
import { grouped } from "../../../src/console/kit/parts/text.tsx";

describe("where a page of a list is", () => {
  test.each([
    [{ from: 1, to: 50, total: 1934 }, "1–50 of 1,934"],
    [{ from: 1901, to: 1934, total: 1934 }, "1,901–1,934 of 1,934"],
    [{ from: 7, to: 7, total: 7 }, "7 of 7"],
    [{ from: 1, to: 50 }, "1–50"],
    [{ from: 1, to: 50, total: 10_000, isTotalLeast: true }, "1–50 of 10,000+"],
    [{ from: 1, to: 0, total: 0 }, "0 in all"],
    [{ total: 3 }, "3 in all"],
    [{}, ""],
  ])("is told of %j: %s", (place, text) => {
    expect(positionText(place)).toBe(text);
  });
});

test("the first page has no way back, and the last none onward", () => {
  const first = renderToString(<Pager previousHref={null} nextHref="?page=2" from={1} to={50} total={60} />);
  expect(first).toContain('<span class="button off">Previous</span>');
  expect(first).toContain('<a class="button" href="?page=2" rel="next">Next</a>');
  const last = renderToString(<Pager previousHref="?page=1" nextHref={null} from={51} to={60} total={60} />);
  expect(last).toContain('rel="prev"');
  expect(last).not.toContain('rel="next"');
});

test("one page leads nowhere, and where it counts nothing either needs no pager", () => {
  const only = renderToString(<Pager previousHref={null} nextHref={null} from={1} to={3} total={3} />);
  expect(only).toContain("1–3 of 3");
  expect(only).not.toContain("Next");
  expect(renderToString(<Pager previousHref={null} nextHref={null} total={0} />)).toBe("");
  expect(renderToString(<Pager previousHref={null} nextHref={null} />)).toBe("");
});

test("thousands are told apart", () => {
  expect([0, 999, 1000, 1234567].map(grouped)).toEqual(["0", "999", "1,000", "1,234,567"]);
});
