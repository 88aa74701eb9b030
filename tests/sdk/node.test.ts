import { expect, test } from "vitest";
import {
  Dispense,
  InsufficientBalanceError,
  NoAnswerError,
  requestIdOf,
  toKobo,
  verifyWebhook,
} from "../../sdk/node/src/index.ts";
import { signWebhook, testSecret } from "../../sdk/node/src/testing.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { type Mishap, startUnreliableNetwork } from "../support/unreliable-network.ts";

const app = closing(await startApp());
const network = closing(await startUnreliableNetwork(() => app.url));

const kept: string[] = [];
const client = (options: object = {}) =>
  new Dispense({
    ...{ key: app.merchant.testKey, url: network.url, sleep: async () => {}, timeoutMs: { purchase: 2_000 } },
    beforePurchase: ({ reference }) => void kept.push(reference),
    ...options,
  });
const airtime = { network: "MTN", phone: "08031234567", amount: "100.00" } as const;

test.each<readonly [Mishap, ...Mishap[]]>([["lost"], ["broken"], ["no answer"], ["maintenance"], ["broken", "lost"]])(
  "a purchase that meets %s on its way is charged once, under the reference that was kept before",
  async (...mishaps) => {
    const before = await client().getWalletBalance();
    network.harm("/airtime/purchase", mishaps);
    const sale = await client().buyAirtime(airtime);
    expect([sale.status, sale.reference, requestIdOf(sale)]).toEqual([
      "successful",
      kept.at(-1),
      expect.stringMatching(/^req_/),
    ]);
    const after = await client().getWalletBalance();
    expect(toKobo(before.balance) - toKobo(after.balance)).toBe(toKobo(sale.total_deducted));
  },
);

test("where no try was answered, the error says that it may have been bought, and under which reference", async () => {
  network.harm("/airtime/purchase", ["broken", "lost", "broken", "lost"]);
  const error = await client()
    .buyAirtime(airtime)
    .then(Promise.reject, (each: unknown) => each);
  expect(error).toBeInstanceOf(NoAnswerError);
  expect(error).toMatchObject({ charged: "unknown", reference: kept.at(-1), code: "NO_ANSWER" });
  expect((await client().waitFor(kept.at(-1) ?? "")).status).toBe("successful");
});

test("a refusal after a try without an answer says nothing about that try", async () => {
  network.harm("/airtime/purchase", ["lost"]);
  const error = await client({ key: app.merchant.testKey })
    .buyAirtime({ ...airtime, amount: "200000.00" })
    .catch((each) => each);
  expect(error).toMatchObject({ code: "AMOUNT_OUT_OF_RANGE", status: 400, charged: "unknown" });
  const plain = await client()
    .buyAirtime({ ...airtime, amount: "200000.00" })
    .catch((each) => each);
  expect([plain.charged, plain.requestId, plain.docUrl]).toEqual([
    "no",
    expect.stringMatching(/^req_/),
    expect.stringMatching(/\/docs\/errors#AMOUNT_OUT_OF_RANGE$/),
  ]);
});

test("a failed sale is an answer, a pending one is waited for, and an empty wallet is an error of its own", async () => {
  const failed = await client().buyAirtime({ ...airtime, phone: "08031230002" });
  expect([failed.status, failed.refunded, failed.error_code]).toEqual(["failed", true, "SANDBOX_FORCED_FAILURE"]);
  const dear = { product_id: 2001, phone: "08031234567", amount: "50000.00" };
  for (let sold = 0; sold < 2; sold += 1) await client().buyAirtime(dear);
  const error = await client()
    .buyAirtime({ ...dear, amount: "50000.00" })
    .catch((each) => each);
  expect(error).toBeInstanceOf(InsufficientBalanceError);
  expect(Object.keys(error.meta).toSorted()).toEqual(["balance", "required"]);
});

test("a list is its first page when it is awaited, and all of it when it is walked", async () => {
  const first = await client().listTransactions({ per_page: 2 });
  expect([first.transactions.length, first.meta.last_page > 1]).toEqual([2, true]);
  const references: string[] = [];
  for await (const { reference } of client().listTransactions({ per_page: 2 })) references.push(reference);
  expect(new Set(references).size).toBe(first.meta.total);
  const events: string[] = [];
  for await (const { id } of client().listEvents({ per_page: 3 })) events.push(id);
  expect(events.length).toBeGreaterThan(3);
});

test("a webhook's bytes and headers are taken in each form that Node has, and a body that was parsed is refused", () => {
  const secret = testSecret();
  const { body, headers } = signWebhook({ event: "webhook.test", data: { message: "₦1" } } as never, { secret });
  const event = verifyWebhook(Buffer.from(body), headers, secret);
  // Its name says which type its data has: the compiler reads this line.
  expect(event.event === "webhook.test" && event.data.message).toBe("₦1");
  expect(verifyWebhook(body, new Headers(headers), [secret]).mode).toBe("test");
  expect(() => verifyWebhook(JSON.parse(body), headers, secret)).toThrow("The body was parsed already.");
  expect(() => verifyWebhook(body, headers, process.env.NOT_SET as never)).toThrow("A webhook secret is whsec_");
});
