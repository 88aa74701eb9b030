import { PassThrough } from "node:stream";
import { expect, test } from "vitest";
import { betting } from "../../src/categories/betting.ts";
import { confirmHandover } from "../../src/cli/purchases/review-dossier.ts";
import { ask, vendRequestOf } from "../categories/ask.ts";
import { exampleOf } from "../categories/examples.ts";

const { body, product } = exampleOf(betting);
const request = vendRequestOf(betting, ask(betting, body), product, "TXN1");
const bought = { category: betting, request, transactionId: "TXN1" };
const given = { kind: "betting", customer_id: "1042377", customer_name: null, operator_reference: "R-1" };

/** What comes of it when somebody at a terminal types this and leaves; null: nobody is there. */
async function typed(text: string | null, yes = false): Promise<string> {
  const terminal = Object.assign(new PassThrough(), { isTTY: text !== null });
  const calls = confirmHandover(bought, { given, yes, terminal });
  terminal.end(text ?? "");
  return calls.then(
    () => "final",
    (refusal: Error) => refusal.message.slice(0, 16),
  );
}

test("goods become final by a yes that was typed at a terminal or given, and by nothing else", async () => {
  expect(await typed("yes\n")).toBe("final");
  for (const other of ["no\n", "y\n", "\n", "", "yesterday\n"]) expect(await typed(other)).toBe("Nothing was done");
  expect(await typed(null)).toBe("Nothing was done");
  expect(await typed(null, true)).toBe("final");
});
