import { expect, test } from "vitest";
import { rememberReferences } from "../../../../src/domain/purchases/buying/recent.ts";

test("a reference outlasts the next hundred thousand, and is forgotten before three hundred thousand more", () => {
  const recent = rememberReferences();
  const addMany = (of: string, count: number) => {
    for (let n = 0; n < count; n++) recent.add(`7 ${of}-${n}`);
  };
  recent.add("7 early");
  addMany("next", 99_999);
  addMany("later", 100_000);
  expect([recent.has("7 early"), recent.has("7 later-0"), recent.has("-7 early")]).toEqual([true, true, false]);
  addMany("latest", 200_000);
  expect([recent.has("7 early"), recent.has("7 latest-199999")]).toEqual([false, true]);
});
