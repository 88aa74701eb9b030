import { beforeEach, expect, test } from "vitest";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { CallbackMessage, Connector } from "../../src/providers/contract.ts";
import { startAnswering } from "../support/answering-server.ts";
import { closing } from "../support/closing.ts";
import { connectorServices, openConnector } from "../support/suppliers/connector-under-test.ts";
import { signed, underTest } from "../support/suppliers/reloadly-stub.ts";
import type { Trap } from "../support/suppliers/stub-dialect.ts";
import { startStub } from "../support/suppliers/stub-server.ts";
import { movableClock, noon, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

// What the conformance suite cannot say of Reloadly: what is sent, its catalogue, the places of its callbacks' fields.
const stub = closing(await startStub(underTest.stub));
const http = closing(openAllowlistedHttp({ origins: [stub.url], monotonicMs: () => performance.now() }));
beforeEach(() => {
  stub.play = "vended";
  stub.trap = null;
});

/** As the operator enters it, with other settings where a test says so. */
function open(settings: object = {}, url = stub.url, client = http): Connector {
  const entered = underTest.entered({ baseUrl: url, wrongKeys: false });
  const under = { ...underTest, entered: () => ({ ...entered, settings: { ...entered.settings, ...settings } }) };
  return openConnector(under, { baseUrl: url, wrongKeys: false }, connectorServices(client, movableClock()));
}

const cards = vendRequest({ ...wishes.giftcard, supplierCode: "5" });
const topup = vendRequest({ supplierCode: "341" });
const lastSent = () => stub.log.findLast(({ question }) => question === "vend")?.body;

test("an order says the value of one card in its own currency, our reference, our name, and whom to write to", async () => {
  await open().vend(cards);
  expect(lastSent()).toEqual({
    productId: 5,
    quantity: 2,
    unitPrice: 10,
    customIdentifier: cards.supplierReference,
    senderName: "Corner Shop",
    recipientEmail: "ada@example.ng",
  });
});

test.each([
  [
    "a card of a fixed value abroad",
    { details: {}, attributes: { foreign_face: "25.50", face_currency: "EUR" } },
    25.5,
  ],
  ["a card in naira", { details: {}, attributes: {} }, 100],
])("%s is ordered by that value, and without an address where there is none", async (_what, change, unitPrice) => {
  await open().vend(vendRequest({ ...wishes.giftcard, ...change, supplierCode: "5" }));
  expect(lastSent()).toMatchObject({ unitPrice });
  expect(lastSent()).not.toHaveProperty("recipientEmail");
});

test.each(["5/25.00", "5/10", "five", "5/10.00/2", "0"])(
  "a route of the code %s is none for a card of 10.00: not a byte is sent",
  async (supplierCode) => {
    const before = stub.log.length;
    expect(await open().vend({ ...cards, supplierCode })).toMatchObject({ kind: "declined", ownFault: true });
    expect(stub.log).toHaveLength(before);
  },
);

test("airtime is bought in naira, as local amounts where our account is in another currency", async () => {
  await open().vend(topup);
  expect(lastSent()).toEqual({
    operatorId: 341,
    amount: 100,
    useLocalAmount: true,
    customIdentifier: topup.supplierReference,
    recipientPhone: { countryCode: "NG", number: "2348031234567" },
  });
  await open({ currency: "NGN" }).vend(vendRequest({ supplierCode: "341" }));
  expect(lastSent()).toMatchObject({ amount: 100, useLocalAmount: false });
});

test("without an address for airtime none is sold, and nothing else is asked there", async () => {
  const before = stub.log.length;
  const connector = open({ topups_url: undefined });
  expect(await connector.vend(topup)).toMatchObject({ kind: "declined", ownFault: true });
  expect(await connector.requery(topup)).toMatchObject({ kind: "unknown", askNobody: true });
  expect(stub.log).toHaveLength(before);
});

test("a card's PIN and its link are handed over beside its code, each in its place", async () => {
  const other = vendRequest({ ...wishes.giftcard, supplierCode: "5" });
  expect(await open().vend(other)).toMatchObject({
    fulfilment: {
      face_value: "10.00",
      cards: [
        { code: "AMZQ-K7M90-WXYZ", pin: "EFSD0CEA", claim_url: "https://redeem.example/k7m9qxr2/0", value: "10.00" },
        { code: "AMZQ-K7M91-WXYZ", pin: "EFSD1CEA", claim_url: "https://redeem.example/k7m9qxr2/1", currency: "USD" },
      ],
    },
  });
});

test("cards that are there a second after the order are handed over with it", async () => {
  const again: Trap["again"] = ({ question }, _, nth) =>
    question === "collect" && nth === 1 ? { status: 200, body: [] } : null;
  stub.trap = { does: "has none at first", supplier: "vended", again, vend: "vended", end: "vended" };
  const request = vendRequest({ ...wishes.giftcard, supplierCode: "5" });
  expect(await open().vend(request)).toMatchObject({ kind: "vended", providerReference: expect.any(String) });
});

test("a top-up that takes a second is waited for", async () => {
  stub.play = "pending_then_vended";
  const outcome = await open().vend(vendRequest({ supplierCode: "341" }));
  expect(outcome).toMatchObject({ kind: "vended", fulfilment: { kind: "topup" } });
});

test("a balance in another currency than the settings say is none", async () => {
  expect(await open().balance!()).toMatchObject({ balance: 99_381n, currency: "USD" });
  expect(await open({ currency: "NGN" }).balance!()).toMatchObject({ balance: null, currency: "NGN", status: 200 });
});

const news = { status: "SUCCESSFUL", customIdentifier: cards.supplierReference };
test.each([
  ["data", { type: "giftcard_transaction.status", data: { transactionId: 79_965, ...news } }],
  ["transaction", { type: "giftcard_transaction.status", transaction: { id: 79_965, ...news } }],
  [
    "data.transaction",
    { type: "airtime_transaction.status", data: { transaction: { transactionId: 79_965, ...news } } },
  ],
])("a callback that tells about it in %s is understood", (_where, body) => {
  expect(open().callbacks!.read(messageOf(body))).toMatchObject({
    kind: "news",
    supplierReference: cards.supplierReference,
    providerReference: "79965",
    status: "SUCCESSFUL",
  });
});

test("a callback with their name alone is news, and of another kind or reference none", () => {
  const read = (body: object) => open().callbacks!.read(messageOf(body));
  const type = "giftcard_transaction.status";
  const only = { type, data: { transactionId: 79_965, status: "SUCCESSFUL" } };
  expect(read(only)).toMatchObject({ kind: "news", supplierReference: null, providerReference: "79965" });
  expect(read({ ...only, type: "product.updated" }).kind).toBe("other");
  expect(read({ type, data: { ...only.data, customIdentifier: "SOMEBODY-1" } }).kind).toBe("other");
  expect(read({ type, data: { status: "SUCCESSFUL" } }).kind).toBe("other");
});

function messageOf(body: object): CallbackMessage {
  const sent = { headers: {}, body: JSON.stringify(body) };
  return { headers: signed(sent, webhookSecret()), body: sent.body, query: "", addressSecret: null, at: noon };
}

function webhookSecret(): string {
  const { credentials } = underTest.entered({ baseUrl: stub.url, wrongKeys: false });
  return credentials.webhook_secret as string;
}

const product = {
  productId: 5,
  productName: "Amazon US",
  status: "ACTIVE",
  denominationType: "FIXED",
  recipientCurrencyCode: "USD",
  senderCurrencyCode: "NGN",
  senderFee: 0,
  senderFeePercentage: 0,
  discountPercentage: 0,
  fixedRecipientDenominations: [] as number[],
  fixedSenderDenominations: [] as number[],
  brand: { brandId: 2, brandName: "Amazon" },
  additionalRequirements: { userIdRequired: false },
};
const range = { ...product, denominationType: "RANGE", minRecipientDenomination: 5, maxRecipientDenomination: 100 };

/** Their catalogue on these pages, as the connector reads it. */
async function listed(pages: readonly object[], from = 1) {
  const calls: string[] = [];
  const server = await startAnswering((request, response) => {
    const url = new URL(request.url ?? "/", "http://supplier");
    if (request.method === "POST") return void response.end('{"access_token":"t0ken-of-cards","expires_in":3600}');
    calls.push(`${url.pathname}${url.search}`);
    const number = Number(url.searchParams.get("page")) - from;
    const last = number === pages.length - 1;
    response.end(JSON.stringify({ content: pages[number] ?? [], number, first: number === 0, last }));
  });
  const url = `http://127.0.0.1:${server.port}`;
  const client = openAllowlistedHttp({ origins: [url], monotonicMs: () => performance.now() });
  const answer = await open({}, url, client).catalogue!();
  await server.close();
  await client.close();
  return { answer, asked: calls };
}

test("each value of a card is a product at its cost: price, fees and discount, rounded up, in the account's currency", async () => {
  const fixed = {
    ...product,
    senderFee: 205.291,
    senderFeePercentage: 1,
    discountPercentage: 7.5,
    fixedRecipientDenominations: [25, 50.5],
    fixedSenderDenominations: [10_264.5, 20_529.001],
  };
  const { answer } = await listed([[fixed]]);
  const common = { category: "giftcard", biller: "Amazon" };
  expect(answer).toEqual({
    kind: "told",
    categories: ["giftcard"],
    products: [
      {
        ...common,
        supplierCode: "5/25.00",
        name: "Amazon US USD 25.00",
        face: { currency: "USD", hundredths: 2_500n },
        // 10,264.50 × 93.5 % = 9,597.3075, and the fee of 205.30.
        cost: { kind: "fixed", currency: "NGN", hundredths: 980_261n },
      },
      {
        ...common,
        supplierCode: "5/50.50",
        name: "Amazon US USD 50.50",
        face: { currency: "USD", hundredths: 5_050n },
        // 20,529.01 × 93.5 % = 19,194.62435, and the fee.
        cost: { kind: "fixed", currency: "NGN", hundredths: 1_939_993n },
      },
    ],
  });
});

test("a card of any value costs a share of it, where that can be said", async () => {
  const shares = [
    { ...range, productId: 1, discountPercentage: 4.5 },
    { ...range, productId: 2, senderFee: 0.5 },
    { ...range, productId: 3, senderFeePercentage: 3 },
    { ...product, productId: 4, fixedRecipientDenominations: [25] },
  ];
  const { answer } = await listed([shares]);
  if (answer.kind === "failed") throw new Error(answer.evidence);
  expect(answer.products.map(({ supplierCode, face, cost }) => [supplierCode, face?.hundredths, cost])).toEqual([
    ["1", undefined, { kind: "percent", basisPoints: 9_550 }],
    ["2", undefined, null],
    ["3", undefined, null],
    ["4/25.00", 2_500n, null],
  ]);
});

test("what cannot be sold is not listed: inactive, or only with the customer's number at the brand", async () => {
  const unsold = [
    { ...range, status: "INACTIVE" },
    { ...range, additionalRequirements: { userIdRequired: true } },
    { ...range, productId: null },
  ];
  expect((await listed([unsold])).answer).toMatchObject({ kind: "told", products: [] });
});

test("pages are read to the last, and where they count in another way the list is none", async () => {
  const pages = [[range], [{ ...range, productId: 6 }]];
  const { answer, asked: calls } = await listed(pages);
  expect(answer).toMatchObject({ kind: "told", products: [{ supplierCode: "5" }, { supplierCode: "6" }] });
  expect(calls).toEqual(["/cards/products?size=200&page=1", "/cards/products?size=200&page=2"]);
  expect((await listed(pages, 0)).answer.kind).toBe("failed");
  // They always have some.
  expect((await listed([[]])).answer.kind).toBe("failed");
});
