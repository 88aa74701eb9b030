import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { VendRequest } from "../../src/categories/supplier-request.ts";
import { kobo } from "../../src/kernel/money.ts";
import { type AllowlistedHttp, openAllowlistedHttp } from "../../src/platform/outbound-http/allowlisted-http-client.ts";
import type { CatalogueAnswer, Connector } from "../../src/providers/contract.ts";
import { quietMs } from "../../src/providers/http-connector.ts";
import { openSupplier } from "../../src/providers/registry.ts";
import { type Receiver, startReceiver } from "../support/receiver.ts";
import { clubkonnectKeys, underTest } from "../support/suppliers/clubkonnect-stub.ts";
import { addressSecret, connectorServices } from "../support/suppliers/connector-under-test.ts";
import { movableClock, noon, vendRequest, verifyRequest, wishes } from "../support/suppliers/vend-requests.ts";

/** What each script answers next, by its name. */
let answers: Record<string, unknown>;
let addresses: string[];
let supplier: Receiver;
let http: AllowlistedHttp;

beforeAll(async () => {
  supplier = await startReceiver((response, { path }) => {
    addresses.push(path);
    const script = /^\/(\w+)\.asp/.exec(path)?.[1] ?? "";
    response.end(JSON.stringify(answers[script] ?? { status: "ORDER_RECEIVED", statuscode: "100", orderid: "77" }));
  });
  http = openAllowlistedHttp({ origins: [baseUrl()], monotonicMs: () => performance.now() });
});
beforeEach(() => {
  answers = {};
  addresses = [];
});
afterAll(async () => {
  await http.close();
  await supplier.close();
});

const baseUrl = () => `http://127.0.0.1:${supplier.port}`;

function open(settings: Record<string, string | boolean> = {}): Connector {
  const { credentials } = underTest.entered({ baseUrl: baseUrl(), wrongKeys: false });
  const entry = { name: "club", connector: "clubkonnect", settings: { base_url: baseUrl(), ...settings }, credentials };
  const opened = openSupplier(entry, connectorServices(http, movableClock()));
  if (opened.kind === "unfit") throw new Error(opened.complaint);
  return opened.connector;
}

function sent(): URLSearchParams {
  return new URL(addresses.at(-1) ?? "", "http://club").searchParams;
}

describe("what is sent", () => {
  test("the keys and the callback's address are in the query, and a plan's code as it is written", async () => {
    const request = vendRequest({ ...wishes.data, supplierCode: "01/1000.01" });
    await open({ callbacks_at: "https://shop.example/supplier-callbacks/club" }).vend(request);
    expect(Object.fromEntries(sent())).toEqual({
      MobileNetwork: "01",
      DataPlan: "1000.01",
      MobileNumber: "08031234567",
      RequestID: request.supplierReference,
      UserID: clubkonnectKeys.userId,
      APIKey: clubkonnectKeys.apiKey,
      CallBackURL: `https://shop.example/supplier-callbacks/club/${addressSecret}`,
    });
    await open().vend(request);
    expect(sent().has("CallBackURL")).toBe(false);
  });

  test.each<[string, Partial<VendRequest>]>([
    ["airtime with kobo", { supplierCode: "01", faceAmount: kobo(10_050n) }],
    ["airtime of a network that is none", { supplierCode: "05" }],
    ["data without a plan", { ...wishes.data, supplierCode: "01" }],
    ["two exam PINs", { ...wishes.education, supplierCode: "waec/waecdirect" }],
    ["an exam that is none", { ...wishes["education, one"], supplierCode: "neco/neco" }],
    ["PINs of 300 naira", { ...wishes.recharge_pin, supplierCode: "01", unitAmount: kobo(30_000n) }],
    ["two months of a bouquet", { ...wishes.cable, supplierCode: "dstv/dstv79", quantity: 2 }],
    ["the renewal of a bouquet", { ...wishes["cable, renewed"], supplierCode: "dstv/dstv79" }],
    ["internet of another company", { ...wishes.internet, supplierCode: "ipnx/1" }],
    ["gift cards", { ...wishes.giftcard, supplierCode: "01" }],
  ])("%s is declined before a byte leaves", async (_what, wish) => {
    expect(await open().vend(vendRequest(wish))).toMatchObject({ kind: "declined", ownFault: true });
    expect(addresses).toEqual([]);
  });

  test("an account's name that is no number is not in the evidence of what was sent", async () => {
    const wish = { ...wishes.internet, supplierCode: "smile-direct/624", customerRef: "ada.obi@smile.ng" };
    const { evidence } = await open().vend(vendRequest(wish));
    expect(evidence).toMatch(/"DataPlan":"624"/);
    expect(evidence).not.toMatch(/ada|smile.ng/);
  });
});

describe("that it finds no order by our reference", () => {
  const request = { ...vendRequest({ supplierCode: "01" }), notReceivedMs: quietMs };
  beforeEach(() => {
    answers = { APIQueryV1: { status: "INVALID_REQUESTID" } };
  });

  test("is a no where the operator saw it find one", async () => {
    expect(await open({ finds_references: true }).requery(request)).toMatchObject({ kind: "declined" });
  });

  test("says nothing until then: a reference that was cut would refund what was delivered", async () => {
    expect(await open().requery(request)).toMatchObject({ kind: "unknown", received: true });
  });
});

describe("what a card says is handed over whole", () => {
  test.each([
    ["digits in groups", "pin: 5728 7147 4684", "5728 7147 4684"],
    ["words behind it", "pin: 572871474684 valid", null],
    ["another spelling", "Serial Number: W1; PIN NO = AB-12", "AB-12"],
    ["two PINs", "pin: 1234567, pin: 7654321", null],
    ["a long text", `${"x".repeat(190)}, pin: 572871474684`, "572871474684"],
    ["a PIN as long as a page", `pin: 5728${"7".repeat(190)}`, null],
  ])("%s", async (_what, carddetails, pin) => {
    answers = { APIWAECV1: { orderid: "77", statuscode: "200", status: "ORDER_COMPLETED", carddetails } };
    const request = vendRequest({ ...wishes["education, one"], supplierCode: "waec/waecdirect" });
    const outcome = await open().vend(request);
    const expected = pin === null ? { kind: "unknown" } : { kind: "vended", fulfilment: { pins: [{ pin }] } };
    expect(outcome).toMatchObject(expected);
  });

  test("an internet plan that credits an account and comes with a PIN hands over the PIN", async () => {
    const reply = { statuscode: "200", status: "ORDER_COMPLETED", carddetails: "pin: 1234567" };
    answers = { APISpectranetV1: { orderid: "77", ...reply } };
    const request = vendRequest({ ...wishes.internet, supplierCode: "spectranet/7" });
    expect(await open().vend(request)).toMatchObject({ fulfilment: { pins: [{ pin: "1234567" }] } });
  });
});

describe("every number of theirs is read as its guide says", () => {
  const read = async (statuscode: string, status: string) => {
    const reply = { orderid: "77", statuscode, status };
    answers = { APIAirtimeV1: reply, APIQueryV1: reply };
    const request = vendRequest({ supplierCode: "01" });
    const atOnce = await open().vend(request);
    const again = await open().requery(request);
    return [atOnce.kind, again.kind, "reversed" in again];
  };

  test.each([
    ["100", "ORDER_RECEIVED"],
    ["199", "ORDER_RECEIVED"],
    ["300", "ORDER_PROCESSED"],
    ["399", "ORDER_PROCESSED"],
    ["201", "ORDER_COMPLETED"],
    ["299", "ORDER_COMPLETED"],
    ["600", "ORDER_ONHOLD"],
    ["605", "ORDER_ONHOLD"],
    ["699", "ORDER_ONHOLD"],
    ["502", "ORDER_CANCELLED"],
    ["500", "ORDER_ONHOLD"],
    ["500", "ORDER_COMPLETED"],
    ["constructor", "ORDER_COMPLETED"],
  ])("%s %s stays open", async (statuscode, status) => {
    expect(await read(statuscode, status)).toEqual(["unknown", "unknown", false]);
  });

  test.each(["500", "501", "506", "508", "513", "520", "599"])("%s is a no", async (statuscode) => {
    expect(await read(statuscode, "ORDER_CANCELLED")).toEqual(["declined", "declined", false]);
  });

  test.each([
    ["509", "ORDER_CANCELLED"],
    ["602", "ORDER_ONHOLD"],
    ["899", "ORDER_REFUNDED"],
  ])("%s takes back what was delivered", async (statuscode, status) => {
    expect(await read(statuscode, status)).toEqual(["declined", "declined", true]);
  });

  test.each([
    ["417", "OPERATOR_UNAVAILABLE"],
    ["400", "OPERATOR_UNAVAILABLE"],
    ["409", "RECIPIENT_INVALID"],
    ["406", "PROVIDER_DECLINED"],
  ])("%s refuses a purchase, and says nothing of an earlier one", async (statuscode, errorCode) => {
    const reply = { statuscode, status: "ORDER_ERROR" };
    answers = { APIAirtimeV1: reply, APIQueryV1: reply };
    const request = { ...vendRequest({ supplierCode: "01" }), notReceivedMs: quietMs };
    expect(await open().vend(request)).toMatchObject({ kind: "declined", errorCode });
    expect(await open({ finds_references: true }).requery(request)).toMatchObject({ kind: "unknown", received: true });
  });
});

describe("a number that is asked about", () => {
  test.each([
    ["ADA OBI", "verified"],
    ["INVALID_ACCOUNTNO", "unverifiable"],
    ["Error: no such customer", "unverifiable"],
    ["N/A", "unverifiable"],
    ["INVALID_CREDENTIALS", "unavailable"],
    [7, "verified"],
    [null, "unavailable"],
  ])("is, by the name %j, %s", async (customer_name, kind) => {
    answers = { APIVerifyBettingV1: { customer_name }, APIVerifySmileV1: { customer_name } };
    for (const [category, supplierCode] of [
      ["betting", "product-bet-king"],
      ["internet", "smile-direct/624"],
    ] as const) {
      const request = verifyRequest({ category, supplierCode, customerRef: "1042377", details: {} });
      expect((await open().verify!(request)).kind).toBe(kind);
    }
    const ofSpectranet = verifyRequest({ category: "internet", supplierCode: "spectranet/7" });
    expect((await open().verify!(ofSpectranet)).kind).toBe("unasked");
  });
});

test("a callback without our reference names theirs, and 201 is told from 200", () => {
  const read = (query: string) => open().callbacks!.read({ headers: {}, body: "", query, addressSecret, at: noon });
  const reply = "orderid=6501321715&orderstatus=ORDER_COMPLETED&requestid=";
  expect(read(`${reply}&statuscode=201`)).toMatchObject({
    kind: "news",
    supplierReference: null,
    providerReference: "6501321715",
    status: "201 ORDER_COMPLETED",
  });
  expect(read(`${reply}&statuscode=200`)).toMatchObject({ status: "200 ORDER_COMPLETED" });
  expect(read("orderstatus=ORDER_COMPLETED").kind).toBe("other");
});

describe("the lists of what it sells", () => {
  const smile = { PACKAGE_ID: "624", PACKAGE_NAME: "1GB for 1 day", PACKAGE_AMOUNT: "300" };
  const lists = {
    APIDatabundlePlansV2: {
      MOBILE_NETWORK: {
        MTN: [
          {
            ID: "01",
            PRODUCT: [{ PRODUCT_CODE: "1", PRODUCT_ID: "1000.01", PRODUCT_NAME: "1 GB", PRODUCT_AMOUNT: "1,485.5" }],
          },
        ],
        m_9mobile: [{ ID: "03", PRODUCT: [{ PRODUCT_ID: "25", PRODUCT_NAME: "25 MB", PRODUCT_AMOUNT: 50 }] }],
      },
    },
    APICableTVPackagesV2: {
      TV_ID: {
        DStv: [{ ID: "dstv", PRODUCT: [{ PACKAGE_ID: "dstv79", PACKAGE_NAME: "Compact", PACKAGE_AMOUNT: "19000" }] }],
      },
    },
    APIElectricityDiscosV2: {
      ELECTRIC_COMPANY: {
        IKEJA_ELECTRIC: [
          { ID: "02", NAME: "Ikeja Electric", PRODUCT: [{ PRODUCT_ID: "01", PRODUCT_TYPE: "prepaid" }] },
        ],
      },
    },
    APIBettingTypeV2: { BETTING_COMPANY: [{ PRODUCT_CODE: "product-bet-king" }] },
    APIWAECPackagesV2: {
      EXAM_TYPE: [{ PRODUCT_CODE: "waecdirect", PRODUCT_DESCRIPTION: "WAEC checker", PRODUCT_AMOUNT: 5350 }],
    },
    APIJAMBPackagesV2: { EXAM_TYPE: [] },
    APISmilePackagesV2: { MOBILE_NETWORK: { "smile-direct": [{ ID: "smile-direct", PRODUCT: [smile] }] } },
    APISpectranetPackagesV2: { MOBILE_NETWORK: { SPECTRANET: [{ PRODUCT: [{ ...smile, PACKAGE_ID: "7" }] }] } },
  };
  const naira = (hundredths: bigint) => ({ currency: "NGN", hundredths });

  async function reply(changed: Record<string, unknown> = {}): Promise<CatalogueAnswer> {
    answers = { ...lists, ...changed };
    return open().catalogue!();
  }

  test("are read, however they are nested, into the codes that routes name", async () => {
    const answer = await reply();
    if (answer.kind === "failed") throw new Error(answer.evidence);
    expect(answer.categories).toEqual(["data", "cable", "electricity", "betting", "education", "internet"]);
    expect(answer.products.map(({ supplierCode, biller, name }) => [supplierCode, biller, name])).toEqual([
      ["01/1000.01", "MTN", "1 GB"],
      ["03/25", "m_9mobile", "25 MB"],
      ["dstv/dstv79", "DStv", "Compact"],
      ["02", "Ikeja Electric", "Ikeja Electric"],
      ["product-bet-king", "product-bet-king", "product-bet-king"],
      ["waec/waecdirect", "waec", "WAEC checker"],
      ["smile-direct/624", "smile-direct", "1GB for 1 day"],
      ["spectranet/7", "spectranet", "1GB for 1 day"],
    ]);
    const [data, , bouquet, disco] = answer.products;
    expect(data).toMatchObject({ face: null, cost: { kind: "fixed", ...naira(148_550n) } });
    expect(bouquet).toMatchObject({ face: naira(1_900_000n), cost: null });
    expect(disco).toMatchObject({ face: null, cost: null });
  });

  test.each<[string, Record<string, unknown>]>([
    ["a refusal", { APIDatabundlePlansV2: { status: "INVALID_CREDENTIALS" } }],
    ["a refusal of a list without a name", { APIBettingTypeV2: { status: "INVALID_CREDENTIALS" } }],
    ["a list of nothing", { APICableTVPackagesV2: { TV_ID: {} } }],
    [
      "a plan's id as a number, which has lost its zeros",
      { APIDatabundlePlansV2: { MOBILE_NETWORK: { MTN: [{ ID: "01", PRODUCT: [{ PRODUCT_ID: 1000.1 }] }] } } },
    ],
    [
      "plans of a network without a code",
      { APIDatabundlePlansV2: { MOBILE_NETWORK: { MTN: [{ PRODUCT: [{ PRODUCT_ID: "1000.01" }] }] } } },
    ],
  ])("tell nothing at all by %s", async (_what, changed) => {
    expect((await reply(changed)).kind).toBe("failed");
  });
});
