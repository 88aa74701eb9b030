import { describe, expect, test } from "vitest";
import { openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { VendOutcome } from "../../src/providers/contract.ts";
import { closing } from "../support/closing.ts";
import { startReceiver } from "../support/receiver.ts";
import { connectorsUnderTest } from "../support/suppliers/all-connectors.ts";
import { connectorServices, openConnector } from "../support/suppliers/connector-under-test.ts";
import { movableClock, vendRequest, wishes } from "../support/suppliers/vend-requests.ts";

const [p1, p2, p3] = ["373820852021", "373820852022", "373820852023"];
const [s1, s2] = ["WRN123790501", "WRN123790502"];

/** Each supplier's word for PINs that it has vended; `goods` are fields beside it. */
const vendedAs: Readonly<Record<string, (goods: object) => object>> = {
  vtpass: (goods) => ({
    code: "000",
    content: { transactions: { status: "delivered", type: "Education", transactionId: "17415980564672211794" } },
    ...goods,
  }),
  clubkonnect: (goods) => ({ orderid: "7100000000012345", statuscode: "200", status: "ORDER_COMPLETED", ...goods }),
  "legacy-script": (goods) => ({ id: 7, Status: "successful", ...goods }),
};

let answer: string;
const supplier = closing(await startReceiver((response) => response.end(answer)));
const http = closing(
  openAllowlistedHttp({ origins: [`http://127.0.0.1:${supplier.port}`], monotonicMs: () => performance.now() }),
);

/** As ClubKonnect sells one exam PIN at a time, its questions are about recharge PINs. */
async function sell(name: string, quantity: number, goods: object): Promise<VendOutcome> {
  const under = connectorsUnderTest.find((one) => one.name === name)!;
  const wish = under.sells.recharge_pin === undefined ? "education" : "recharge_pin";
  const baseUrl = `http://127.0.0.1:${supplier.port}`;
  const connector = openConnector(under, { baseUrl, wrongKeys: false }, connectorServices(http, movableClock()));
  answer = JSON.stringify(vendedAs[name]!(goods));
  return connector.vend(vendRequest({ ...wishes[wish], quantity, supplierCode: under.sells[wish] ?? null }));
}

function reply(outcome: VendOutcome): string {
  if (outcome.kind === "unknown") {
    const isWhole = outcome.unread?.includes(answer) === true && (outcome.askNobody ?? outcome.hasVended) === true;
    return `${outcome.askNobody === true ? "a person" : "asked again"}${isWhole ? " with the answer" : ""}`;
  }
  if (outcome.kind !== "vended") return outcome.kind;
  const { pins } = outcome.fulfilment as { pins: { pin: string; serial: string | null }[] };
  return pins.map(({ pin, serial }) => (serial === null ? pin : `${pin}/${serial}`)).join(" ");
}

const aPerson = "a person with the answer";
const later = "asked again with the answer";
const both = `${p1}/${s1} ${p2}/${s2}`;

const answers: readonly (readonly [what: string, quantity: number, goods: object, expected: string])[] = [
  ...["Pin", "pin", "PIN", "pinCode", "pin_code", "PinNumber", "epin", "token"].map(
    (name) => [`cards with ${name}`, 2, { cards: [{ [name]: p1 }, { [name]: p2 }] }, `${p1} ${p2}`] as const,
  ),
  ...["Serial", "serialNumber", "serial_no", "SerialNo", "sno", "SN"].map(
    (name) => [`a card with ${name}`, 1, { cards: [{ pin: p1, [name]: s1 }] }, `${p1}/${s1}`] as const,
  ),
  ...["cards", "pins", "Pins", "tokens", "TXN_EPIN", "epins", "vouchers"].map(
    (name) => [`a list named ${name}`, 2, { [name]: [{ pin: p1 }, { pin: p2 }] }, `${p1} ${p2}`] as const,
  ),
  ["a list of texts", 2, { pins: [p1, p2] }, `${p1} ${p2}`],
  ["a list within an object", 1, { data: { cards: [{ pin: p1, serial: s1 }] } }, `${p1}/${s1}`],
  ["one text with two cards", 2, { purchased_code: `Serial No:${s1}, pin: ${p1}||Serial No:${s2}, pin: ${p2}` }, both],
  ["one text, PINs first", 2, { carddetails: `PIN: ${p1} Serial: ${s1}<br>PIN: ${p2} Serial: ${s2}` }, both],
  ["pairs in one text", 2, { pin: `${p1}<=>${s1},${p2}<=>${s2}` }, both],
  [
    "a text and a list that say the same",
    2,
    {
      purchased_code: `pin: ${p1}, pin: ${p2}`,
      cards: [
        { pin: p1, serial: s1 },
        { pin: p2, serial: s2 },
      ],
    },
    both,
  ],
  ["a PIN alone", 1, { pin: p1 }, p1],
  // What nobody can know.
  ["more than were bought", 1, { cards: [{ pin: p1 }, { pin: p2 }] }, aPerson],
  ["two in one text, where one was bought", 1, { purchased_code: `Pin : ${p1}, Pin : ${p2}` }, aPerson],
  ["two in a text without labels", 1, { pin: `${p1},${p2}` }, aPerson],
  ["two behind one another", 1, { pin: `Pin: ${p1} ${p2}` }, aPerson],
  ["one twice", 2, { cards: [{ pin: p1 }, { pin: p1 }] }, aPerson],
  ["a code under another name", 2, { cards: [{ pin: p1 }, { magicWord: p2 }] }, aPerson],
  ["a text and a list that differ", 1, { purchased_code: `pin: ${p3}`, cards: [{ pin: p1 }] }, aPerson],
  ["words beside a PIN", 1, { pin: `${p1} valid for WAEC` }, aPerson],
  ["two PINs and one serial number", 2, { purchased_code: `Serial: ${s1}, pin: ${p1}, pin: ${p2}` }, aPerson],
  ["a list that is a sentence", 1, { cards: ["Your card 373820852021 is ready"] }, aPerson],
  // What follows, as a rule.
  ["fewer than were bought", 3, { cards: [{ pin: p1 }, { pin: p2 }] }, later],
  ["no PIN yet", 1, { pin: "", cards: [] }, later],
  ["a word instead of a PIN", 1, { pin: "pending" }, later],
  ["a code under a name that nobody knows", 1, { magicWord: p1 }, later],
];

describe.each(Object.keys(vendedAs))("PINs of %s are handed over whole, or a person has the answer", (name) => {
  test.each(answers)("an answer of PINs: %s", async (_what, quantity, goods, expected) => {
    expect(reply(await sell(name, quantity, goods))).toBe(expected);
  });
});

/** How a profile is told by each supplier of eSIMs. */
const profiles: Readonly<Record<string, (lpa: string) => object>> = {
  airalo: (lpa) => ({
    // The access token is asked for first, and of the same server here.
    data: {
      access_token: "airalo-token",
      id: 7,
      status: { slug: "completed" },
      sims: [{ iccid: "8944465400000267221", qrcode: lpa }],
    },
  }),
  "esim-access": (ac) => ({
    success: true,
    errorCode: "0",
    obj: { esimList: [{ orderNo: "B1", iccid: "8944465400000267221", ac, esimStatus: "GOT_RESOURCE" }] },
  }),
  dispense: (lpa) => ({
    status: "successful",
    transaction_id: "TXN1",
    delivery: {
      kind: "esims",
      esims: [
        {
          iccid: "8944465400000267221",
          lpa,
          smdp_address: "else.example",
          matching_id: "ELSE",
          qr_code: "data:image/png;base64,AAAA",
          apn: null,
          data_mb: null,
          validity_days: null,
          coverage: [],
          expires_at: null,
        },
      ],
    },
  }),
};

describe.each(Object.keys(profiles))("activation codes of %s are handed over whole, as SGP.22 allows them", (name) => {
  test.each([
    ["LPA:1$smdp.example$K7M9", "LPA:1$smdp.example$K7M9", "K7M9"],
    ["LPA:1$smdp.example$K7M9$1.3.6.1.4.1.31746", "LPA:1$smdp.example$K7M9$1.3.6.1.4.1.31746", "K7M9"],
    ["LPA:1$smdp.example$K7M9$1.3.6.1.4.1.31746$1", "LPA:1$smdp.example$K7M9$1.3.6.1.4.1.31746$1", "K7M9"],
    ["LPA:1$smdp.example$K7M9$$1", "LPA:1$smdp.example$K7M9$$1", "K7M9"],
    ["LPA:1$smdp.example$K7M9$", "LPA:1$smdp.example$K7M9$", "K7M9"],
    ["LPA:1$smdp.example$$1.3.6.1.4.1.31746", "LPA:1$smdp.example$$1.3.6.1.4.1.31746", ""],
    ["lpa:1$smdp.example$k7m9", "LPA:1$smdp.example$k7m9", "k7m9"],
    ["1$smdp.example$K7M9$1.3.6.1", "LPA:1$smdp.example$K7M9$1.3.6.1", "K7M9"],
  ])("the code is whole: %s", async (spelt, lpa, matchingId) => {
    const outcome = await requeried(name, profiles[name]!(spelt));
    expect(outcome).toMatchObject({
      kind: "vended",
      fulfilment: { esims: [{ lpa, smdp_address: "smdp.example", matching_id: matchingId }] },
    });
    const { qr_code: drawn } = (outcome as unknown as { fulfilment: { esims: { qr_code: string }[] } }).fulfilment
      .esims[0]!;
    expect(drawn.length).toBeGreaterThan(300);
    expect(outcome.evidence).not.toContain("smdp.example");
  });

  test.each(["LPA:2$smdp.example$K7M9", "LPA:1$smdp.example", "https://qr.example/7.png", "LPA:1$smdp.example$K7$x$1"])(
    "%s is none: a person has the answer",
    async (spelt) => {
      const outcome = await requeried(name, profiles[name]!(spelt));
      expect(outcome).toMatchObject({ kind: "unknown", askNobody: true, unread: expect.stringContaining(spelt) });
    },
  );
});

async function requeried(name: string, body: object): Promise<VendOutcome> {
  const under = connectorsUnderTest.find((one) => one.name === name)!;
  const baseUrl = `http://127.0.0.1:${supplier.port}`;
  const request = vendRequest({ ...wishes.esim, providerReference: "7", supplierCode: under.sells.esim ?? null });
  const connector = openConnector(under, { baseUrl, wrongKeys: false }, connectorServices(http, movableClock()));
  answer = JSON.stringify({ ...body, reference: request.supplierReference });
  return connector.requery(request);
}
