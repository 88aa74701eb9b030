import { expect, test } from "vitest";
import { operate } from "../support/operate.ts";

test("the help of review resolve tells how much evidence it takes, before less is refused", async () => {
  const { code, out } = await operate(["review", "resolve", "--help"], {});
  expect([code, out.replace(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining("what it rests on, in ten characters or more"),
  ]);
});
