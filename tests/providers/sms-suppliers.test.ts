import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { kobo } from "../../src/kernel/money.ts";
import { underTest as africasTalking } from "../support/suppliers/africas-talking-stub.ts";
import { type Bench, openBench } from "../support/suppliers/connector-under-test.ts";
import { underTest as termii } from "../support/suppliers/termii-stub.ts";
import { movableClock } from "../support/suppliers/vend-requests.ts";

// What only suppliers of texts do: one purchase goes to many numbers, and each has an end of its own.

const unders = [termii, africasTalking];
const benches = new Map<string, Bench>();
beforeAll(async () => {
  for (const under of unders) benches.set(under.name, await openBench(under, movableClock()));
});
afterAll(async () => {
  for (const bench of benches.values()) await bench.close();
});
beforeEach(() => {
  for (const { stub } of benches.values()) Object.assign(stub, { play: "vended", trap: null });
});

function benchOf(name: string): Bench {
  return benches.get(name)!;
}

/** What was sent last. */
function sentTo({ stub }: Bench): Record<string, unknown> {
  return stub.log.filter(({ question }) => question === "vend").at(-1)!.body;
}

function toNumbers(request: VendRequest, count: number): VendRequest {
  const recipients = Array.from({ length: count }, (_, n) => ({ phone: `0803${1_000_000 + n}`, error_code: null }));
  const faceAmount = kobo(request.unitAmount * BigInt(count));
  return { ...request, quantity: count, faceAmount, details: { ...request.details, recipients } };
}

const paid = ["2348031234567", "2348051234567"];

test("Termii is sent the numbers that are paid for, in the channel of the route, with the key in the body", async () => {
  const bench = benchOf("termii");
  for (const channel of ["generic", "dnd"]) {
    const request = { ...bench.request(), supplierCode: channel };
    expect((await bench.connector.vend(request)).kind).toBe("vended");
    const { api_key, ...body } = sentTo(bench);
    expect(api_key).toBe(termii.keys[0]);
    const sms = request.details.message;
    expect(body).toEqual({ to: paid, from: "DISPENSE", sms, type: "plain", channel });
  }
});

test("Africa's Talking is sent the numbers that are paid for in one text, with the key in a header", async () => {
  const bench = benchOf("africas-talking");
  const request = bench.request();
  expect((await bench.connector.vend(request)).kind).toBe("vended");
  const to = paid.map((number) => `+${number}`).join(",");
  const { message } = request.details;
  expect(sentTo(bench)).toEqual({ username: "shop", to, message, from: "DISPENSE" });
  expect(bench.stub.log.at(-1)!.headers.apikey).toBe(africasTalking.keys[0]);
});

describe("what cannot be sent whole", () => {
  test("is not sent to Termii: 100 numbers are, 101 are declined before a byte leaves", async () => {
    const bench = benchOf("termii");
    const outcome = await bench.connector.vend(toNumbers(bench.request(), 100));
    expect(outcome).toMatchObject({ kind: "vended", fulfilment: { accepted: 100 } });
    const before = bench.stub.log.length;
    const refused = await bench.connector.vend(toNumbers(bench.request(), 101));
    expect(refused).toMatchObject({ kind: "declined", ownFault: true, errorCode: "OPERATOR_UNAVAILABLE" });
    expect(bench.stub.log).toHaveLength(before);
  });

  test("is sent to Africa's Talking: 500 numbers in one request, and the answer still shows in the evidence", async () => {
    const bench = benchOf("africas-talking");
    const outcome = await bench.connector.vend(toNumbers(bench.request(), 500));
    expect(outcome).toMatchObject({ kind: "vended", fulfilment: { accepted: 500 } });
    expect(outcome.evidence).toContain('"statusCode":101');
  });

  test.each([
    ["whatsapp", {}],
    ["generic", { category: "airtime" }],
    ["sms", { category: "airtime" }],
    ["generic", { details: { sender_id: "DISPENSE", message: "Hello", recipients: [] } }],
    ["sms", { details: { sender_id: "DISPENSE", message: "Hello", recipients: [] } }],
  ])("is not sent under the code %s with %o", async (supplierCode, wish) => {
    const bench = benchOf(supplierCode === "sms" ? "africas-talking" : "termii");
    const before = bench.stub.log.length;
    const request = { ...bench.request(), ...wish, supplierCode } as VendRequest;
    expect(await bench.connector.vend(request)).toMatchObject({ kind: "declined", ownFault: true });
    expect(bench.stub.log).toHaveLength(before);
  });
});

describe("each number's end is told to whoever paid for it", () => {
  const whole = { pages: 1, cost: "5.80" };
  const results = (second: object) => [
    { phone: "08031234567", network: "MTN", status: "sent", ...whole, error_code: null },
    { phone: " 0803 ", status: "rejected", cost: "0.00", error_code: "INVALID_NUMBER" },
    { phone: "08051234567", network: "GLO", ...second },
    { phone: "08031234567", status: "rejected", cost: "0.00", error_code: "DUPLICATE" },
  ];

  test.each([
    ["africas-talking", "one refused", { status: "failed", cost: "0.00", error_code: "RECIPIENT_NOT_ELIGIBLE" }],
    ["africas-talking", "one open", { status: "pending", ...whole, error_code: null }],
    ["termii", "half of them", { status: "failed", cost: "0.00", error_code: "RECIPIENT_NOT_ELIGIBLE" }],
  ])("%s, %s: whatever it is", async (name, trap, second) => {
    const bench = benchOf(name);
    bench.stub.trap = unders.find((under) => under.name === name)!.stub.traps![trap]!;
    const request = bench.request();
    const first = await bench.connector.vend(request);
    const providerReference = first.kind === "unknown" ? (first.providerReference ?? null) : null;
    const end = first.kind === "unknown" ? await bench.connector.requery({ ...request, providerReference }) : first;
    const counted = { encoding: "GSM-7", pages: 1, accepted: 2, rejected: 2 };
    expect(end).toMatchObject({ kind: "vended", fulfilment: { kind: "sms", ...counted, results: results(second) } });
  });

  test.each([
    ["nobody, for the sender", "PROVIDER_DECLINED"],
    ["refused for different reasons", "PROVIDER_DECLINED"],
  ])("Africa's Talking, %s: the whole is declined", async (trap, errorCode) => {
    const bench = benchOf("africas-talking");
    bench.stub.trap = africasTalking.stub.traps![trap]!;
    expect(await bench.connector.vend(bench.request())).toMatchObject({ kind: "declined", errorCode });
  });
});

describe("the evidence", () => {
  test("of Termii's history shows each number's state, and neither the text nor the numbers", async () => {
    const bench = benchOf("termii");
    const request = bench.request();
    const first = await bench.connector.vend(request);
    const providerReference = first.kind === "vended" ? first.providerReference : null;
    const again = await bench.connector.requery({ ...request, providerReference });
    expect(again.evidence).toContain(`"message_id":"${providerReference}"`);
    expect(again.evidence).toContain('"status":"Delivered"');
    for (const hidden of ["Your code", "4711", "08031234567", "2348031234567", "ADA OBI"]) {
      expect(first.evidence).not.toContain(hidden);
      expect(again.evidence).not.toContain(hidden);
    }
  });

  test("of Africa's Talking shows each number's code, and neither the text nor the numbers", async () => {
    const bench = benchOf("africas-talking");
    const { evidence } = await bench.connector.vend(bench.request());
    expect(evidence).toContain('"statusCode":101');
    expect(evidence).toContain("ATXid_");
    for (const hidden of ["Your code", "4711", "8031234567", "8051234567"]) expect(evidence).not.toContain(hidden);
  });
});
