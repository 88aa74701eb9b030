import { expect, test } from "vitest";
import { operate } from "../support/operate.ts";

test("the help of review resolve tells how much evidence it takes, before less is refused", async () => {
  const { code, out } = await operate(["review", "resolve", "--help"], {});
  expect([code, out.replace(/\s+/g, " ")]).toEqual([
    0,
    expect.stringContaining("what it rests on, in ten characters or more"),
  ]);
});

test("every command stands below a heading of what it is about", async () => {
  const { code, out } = await operate(["--help"], {});
  const headings = out.match(/^[A-Z].*:$/gm);
  expect(code).toBe(0);
  expect(headings).toEqual([
    "Options:",
    ...["Merchants:", "People and the company:", "Approvals:", "Money:", "Sales:"],
    ...["Catalogue and prices:", "Suppliers:"],
    ...["Reports and records:", "Moving in from an older script:", "Database:", "Help:"],
  ]);
});
