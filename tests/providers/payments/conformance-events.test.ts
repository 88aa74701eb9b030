import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canBeStored } from "../../../src/providers/reply.ts";
import { paymentStubs } from "../../support/payments/all-payment-stubs.ts";
import { messageOf, openPaymentBench, type PaymentBench } from "../../support/payments/payment-bench.ts";
import type { StubEvent } from "../../support/payments/payment-stub.ts";

// What every payment provider's connector must make of events: at most a question.

const dayMs = 86_400_000;
const nested = `${"[".repeat(20_000)}${"]".repeat(20_000)}`;
const ids = /"(id|reference|transactionReference)":("[^"]*"|[0-9]+)/g;
const hostileEvents: Readonly<Record<string, (body: string) => string>> = {
  "no JSON": () => "<html>",
  "a list": (body) => `[${body}]`,
  "nothing but a number": () => "1e999",
  "nested without an end": () => `{"event":${nested},"data":${nested}}`,
  "nested within": (body) => body.replace(ids, `"$1":${nested}`),
  "ids that are too long": (body) => body.replace(ids, `"$1":"${"9".repeat(150)}"`),
  "ids that are cut": (body) => body.replace(ids, `"$1":"${"9".repeat(5_000)}"`),
  "ids that nobody can store": (body) => body.replace(ids, `"$1":"\\u0000\\ud800\\u001b[2J"`),
  "ids that are huge numbers": (body) => body.replace(ids, '"$1":1e300'),
  "ids that are truths": (body) => body.replace(ids, '"$1":true'),
  "an event that nobody can store": (body) => body.replace(/"(event|eventType)":"[^"]*"/, '"$1":"\\u0000\\ud800"'),
  "fields of every object": () => '{"event":"charge.success","__proto__":{"data":1},"constructor":{},"data":{}}',
};

describe.each(paymentStubs)("$connector", (dialect) => {
  let bench: PaymentBench;
  beforeAll(async () => {
    bench = await openPaymentBench(dialect);
  });
  afterAll(() => bench.close());
  const pay = () => bench.stub.pay(bench.stub.books.open("mer_one").accountNumber, 1_234_567n, { fee: 5_025n });
  const read = (event: StubEvent, at?: number) => bench.connector.readEvent(messageOf(event, at));

  test.each(["paid", "taken_back"] as const)(
    "an event that it was %s names the transfer, twice alike, and after thirty days",
    (what) => {
      const transfer = pay();
      transfer.takenBack = 100n;
      const event = bench.stub.event(transfer, what);
      const named = { kind: "payment", paymentId: transfer.id, isRefund: what === "taken_back" };
      for (const at of [Date.now(), Date.now(), Date.now() + 30 * dayMs]) expect(read(event, at)).toMatchObject(named);
    },
  );

  test("two transfers to one account have each their own id", () => {
    const [first, second] = [pay(), pay()].map((transfer) => read(bench.stub.event(transfer)));
    expect([first?.kind, second?.kind]).toEqual(["payment", "payment"]);
    expect(first).not.toEqual(second);
  });

  test("a forged event is told apart, however close it comes", () => {
    for (const forged of dialect.forge(bench.stub.event(pay()))) expect(read(forged).kind).toBe("forged");
  });

  test("of an event that was changed, cut or written anew on the way, nothing but the same question comes", () => {
    const transfer = pay();
    const { headers, body } = bench.stub.event(transfer);
    const same = [{ kind: "payment", paymentId: transfer.id }];
    const changed: readonly [string, readonly object[]][] = [
      [body.replace("1234567", "9234567").replace("12345.67", "92345.67"), same],
      [JSON.stringify(JSON.parse(body), null, 1), same],
      [body.slice(0, -20), [{ kind: "other" }]],
      ["", [{ kind: "other" }]],
    ];
    for (const [text, readings] of changed) {
      const expected = dialect.coversBody ? { kind: "forged" } : readings[0];
      expect(text).not.toBe(body);
      expect(read({ headers, body: text })).toMatchObject(expected!);
    }
  });

  test.each(dialect.others)("a genuine event about no transfer to an account asks nothing: %o", (body) => {
    expect(read(dialect.sign(JSON.stringify(body))).kind).toBe("other");
  });

  test.each(Object.entries(hostileEvents))("a genuine event is no harm: %s", (_name, spoil) => {
    const { body } = bench.stub.event(pay());
    const reading = read(dialect.sign(spoil(body)));
    expect(["other", "payment"]).toContain(reading.kind);
    if (reading.kind === "payment") expect(reading.paymentId.length).toBeLessThanOrEqual(100);
    expect(canBeStored(reading)).toBe(true);
  });

  test("what it knows our receipt by is a JSON object", () => {
    expect(JSON.parse(JSON.stringify(bench.connector.received))).toEqual(bench.connector.received);
  });
});
