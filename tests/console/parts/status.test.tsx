import { renderToString } from "preact-render-to-string";
import { expect, test } from "vitest";
import { Status, statusKind } from "../../../src/console/kit/parts/text.tsx";

test.each([
  ["Delivered", "good"],
  ["Pending", "waiting"],
  ["in review", "review"],
  ["failed, refunded", "bad"],
  ["Refunded later", "quiet"],
  ["never heard of", "quiet"],
  ["not delivered", "quiet"],
])("the first word of a state says how it is meant: %s is %s", (text, kind) => {
  expect(statusKind(text)).toBe(kind);
});

test("a page may say how a state is meant", () => {
  expect(renderToString(<Status kind="bad">502</Status>)).toBe('<span class="status bad">502</span>');
});
