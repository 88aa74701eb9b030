import { expect, test } from "vitest";
import { fillCompany } from "../support/busy-company.ts";
import { closing } from "../support/closing.ts";
import { startConsole } from "../support/console.ts";
import { findOperatorPages, pagesAt } from "../support/console-pages.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";

/** Ends an attribute and a tag, if anybody lets it. */
const bad = '"><img src=x onerror=alert(1)>';

const suppliers = [openFakeSupplier("first"), openFakeSupplier("second")] as const;
const service = closing(await startConsole({ suppliers, workers: true }));

test("markup in whatever people and suppliers wrote stays text in every page of the company", async () => {
  const { admin, joinPath } = await fillCompany(service, { suppliers, word: bad });
  const { pages } = await findOperatorPages(service, admin);
  const wrong: string[] = [];
  const escaped = new Set<string>();
  for (const { path, route } of [...pages, ...pagesAt([joinPath])]) {
    const { text } = await admin.get(path);
    // Its quote is written as a reference, so no attribute ends where the text wants it to.
    const pieces = text.split("&lt;img src=x").slice(0, -1);
    if (text.includes("<img src=x") || !pieces.every((piece) => piece.endsWith("&quot;>"))) wrong.push(path);
    if (pieces.length > 0) escaped.add(route);
  }
  expect(wrong).toEqual([]);
  // The staff's own name stands in the menu of each.
  expect(escaped.size).toBeGreaterThan(20);
  const refused = await admin.send("/operator/money/credit", {
    merchant: bad,
    amount: bad,
    bank_reference: bad,
    reason: bad,
  });
  expect([refused.status, refused.text.includes("<img src=x"), refused.text.includes("&lt;img src=x")]).toEqual([
    400,
    false,
    true,
  ]);
});
