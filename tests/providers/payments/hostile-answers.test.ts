import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Json } from "../../../src/kernel/json.ts";
import { canBeStored } from "../../../src/providers/reply.ts";
import { paymentStubs } from "../../support/payments/all-payment-stubs.ts";
import { openPaymentBench, owner, type PaymentBench } from "../../support/payments/payment-bench.ts";

// Whatever a payment provider writes into its answers: nothing is credited by it, and everything can be stored.

const dayMs = 86_400_000;
const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const texts = /:"[^"]*"/g;
const numbers = /:(-?[0-9.]+|"[0-9.]+")(?=[,}])/g;

const hostileAnswers: Readonly<Record<string, (body: string) => string>> = {
  "no JSON": () => "<html>",
  "a list": (body) => `[${body}]`,
  "cut short": (body) => body.slice(0, -2),
  "nothing in it": () => "{}",
  "nested without an end": () => `{"data":${nested},"responseBody":${nested}}`,
  "nested within": (body) => body.replace(numbers, `:${nested}`),
  "huge numbers": (body) => body.replace(numbers, ":1e300"),
  "long numbers": (body) => body.replace(numbers, `:${"9".repeat(40)}`),
  "negative numbers": (body) => body.replace(numbers, ":-5"),
  "numbers in words": (body) => body.replace(numbers, ':"0x10"'),
  "texts that nobody can store": (body) => body.replace(texts, ':"\\u0000\\ud800\\u001b[2J"'),
  "long texts": (body) => body.replace(texts, `:"${"a".repeat(3_000)}"`),
  truths: (body) => body.replace(texts, ":true").replace(numbers, ":true"),
  nulls: (body) => body.replace(texts, ":null").replace(numbers, ":null"),
};

describe.each(paymentStubs)("$connector", (dialect) => {
  let bench: PaymentBench;
  beforeAll(async () => {
    bench = await openPaymentBench(dialect);
  });
  afterAll(() => bench.close());

  test.each(Object.entries(hostileAnswers))("an answer is no harm: %s", async (_name, spoil) => {
    const { accountNumber } = bench.stub.books.open("mer_one");
    const transfer = bench.stub.pay(accountNumber, 10_000n, { takenBack: 3_000n });
    bench.stub.twist = null;
    const withRefunds = { withRefunds: true };
    expect((await bench.connector.verify(transfer.id, withRefunds)).kind).toBe("paid"); // Which lets us in.
    bench.stub.twist = spoil;
    const range = { from: Date.now() - dayMs, to: Date.now() + dayMs, page: 1 };
    const answers = [
      await bench.connector.verify(transfer.id, withRefunds),
      await bench.connector.list(range),
      await bench.connector.openAccount({ reference: "mer_hostile", ...owner }),
    ];
    expect(["unknown", "refused"]).toContain(answers[0]?.kind);
    for (const answer of answers) {
      expect(canBeStored(answer as unknown as Json)).toBe(true);
      if (answer.kind === "told") for (const id of answer.paymentIds) expect(id.length).toBeLessThanOrEqual(100);
    }
  });
});
