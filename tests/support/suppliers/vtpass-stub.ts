import { requestIdOf } from "../../../src/providers/vtpass/request-id.ts";
import { addressSecret, byAddress, type ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubDialect, StubRecord } from "./stub-dialect.ts";
import { verifyRequest } from "./vend-requests.ts";

export const vtpassKeys = { apiKey: "vt-api", publicKey: "PK_test", secretKey: "SK_test" };
export const vtpassToken = "26362054405982757802";

/** VTpass as its documentation shows it. */
export const vtpassStub: StubDialect = {
  receive({ method, path, headers, body }): Requested | null {
    const key = method === "GET" ? headers["public-key"] === "PK_test" : headers["secret-key"] === "SK_test";
    const calls = { reference: String(body.request_id ?? ""), number: String(body.billersCode ?? body.phone), body };
    if (headers["api-key"] !== "vt-api" || !key) return { ...calls, question: "denied" };
    if (method === "GET") return path === "/api/balance" ? { ...calls, question: "balance" } : null;
    if (path === "/api/pay") return { ...calls, question: "vend" };
    if (path === "/api/requery") return { ...calls, question: "requery" };
    return path === "/api/merchant-verify" ? { ...calls, question: "verify" } : null;
  },
  say: (saying, calls, record) => ({ status: 200, body: say(saying, calls, record) }),
  outOfMoney: { status: 200, body: { code: "018", response_description: "LOW WALLET BALANCE" } },
  call(record, status) {
    const data = say(status, record.calls, record);
    return {
      headers: { "content-type": "application/json" },
      body: JSON.stringify({ type: "transaction-update", data }),
    };
  },
};

function say(saying: Saying, calls: Requested, record: StubRecord | null): Record<string, unknown> {
  switch (saying) {
    case "vended":
      return processed("delivered", record!);
    case "pending":
      return { ...processed("pending", record!), response_description: "TRANSACTION PROCESSED - PENDING" };
    case "declined":
      return { ...processed("failed", record!), code: "016", response_description: "TRANSACTION FAILED" };
    case "reversed":
      return { ...processed("reversed", record!), code: "040", response_description: "TRANSACTION REVERSAL TO WALLET" };
    case "absent":
      return { code: "015", response_description: "INVALID REQUEST ID" };
    case "duplicate":
      return { code: "014", response_description: "REQUEST ID ALREADY EXIST" };
    case "undocumented":
      return { code: "077", response_description: "SOMETHING NEW" };
    case "denied":
      return { code: "087", response_description: "INVALID CREDENTIALS" };
    case "balance":
      return { code: 1, contents: { balance: 251_035.5 } };
    case "unverifiable":
      return { code: "000", content: { error: "Card not Valid", WrongBillersCode: true } };
    case "verified":
      return { code: "000", content: verified(calls) };
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

function processed(status: string, record: StubRecord): Record<string, unknown> {
  const { body } = record.calls;
  const isDone = status === "delivered";
  return {
    code: "000",
    content: {
      transactions: {
        status,
        product_name: "Something",
        type: typeOf(body),
        unique_element: record.number,
        quantity: 1,
        commission: 30,
        total_amount: 1970,
        email: "reseller@example.com",
        phone: body.phone,
        amount: body.amount,
        transactionId: `1741610224736673123${record.id}`,
      },
    },
    response_description: "TRANSACTION SUCCESSFUL",
    requestId: record.reference,
    amount: body.amount,
    transaction_date: "2025-03-10T12:37:04.000000Z",
    purchased_code: "",
    ...(isDone ? goods(record) : {}),
  };
}

function typeOf({ serviceID }: Record<string, unknown>): string | undefined {
  const service = String(serviceID);
  if (service.endsWith("-electric")) return "Electricity Bill";
  return service === "mtn" ? "Airtime Recharge" : service.endsWith("-data") ? "Data Services" : undefined;
}

/** The first record's token is the one that tests know; each has its own. */
function goods({ id, calls: { body } }: StubRecord): Record<string, unknown> {
  const service = String(body.serviceID);
  const token = String(BigInt(vtpassToken) + BigInt(id) - 90_000n);
  if (service === "waec") {
    const cards = Array.from({ length: Number(body.quantity) }, (_, n) => ({
      Serial: `WRN12379050${n}`,
      Pin: `37382085202${n}`,
    }));
    return { purchased_code: cards.map((c) => `Serial No:${c.Serial}, pin: ${c.Pin}`).join("||"), cards };
  }
  if (service === "jamb") return { purchased_code: "Pin : 3678251321392432", Pin: "Pin : 3678251321392432" };
  if (service.endsWith("-electric") && body.variation_code === "prepaid") {
    return {
      purchased_code: `Token : ${token}`,
      customerName: "N/A",
      customerAddress: "N/A",
      token: `Token : ${token}`,
      tokenAmount: 1860.47,
      exchangeReference: "40532461",
      units: "79.9 kWh",
      tariff: "R2 SINGLE PHASE RESIDENTIAL",
      taxAmount: 139.53,
      debtAmount: 0,
      kct1: "N/A",
      kct2: "N/A",
    };
  }
  if (service.endsWith("-electric")) return { customerName: "ADA OBI", utilityName: "Ikeja Electric" };
  return {};
}

function verified(calls: Requested): Record<string, unknown> {
  if (String(calls.body.serviceID).endsWith("-electric")) {
    return {
      Customer_Name: "TESTMETER1",
      Address: "ABULE EGBA BU ABULE",
      Meter_Number: calls.number,
      Customer_Arrears: "1,500.5",
      Can_Vend: "yes",
      Customer_Account_Type: "NMD",
      WrongBillersCode: false,
    };
  }
  return {
    Customer_Name: "JOHN DOE",
    Status: "ACTIVE",
    Due_Date: "2026-12-06T00:00:00",
    Customer_Number: calls.number,
    Current_Bouquet: "DStv Compact",
    Renewal_Amount: "19000.00",
  };
}

export const underTest: ConnectorUnderTest = {
  name: "vtpass",
  stub: vtpassStub,
  sells: {
    airtime: "mtn",
    data: "mtn-data/mtn-1gb",
    "electricity, prepaid": "ikeja-electric/prepaid",
    "electricity, postpaid": "ikeja-electric/postpaid",
    cable: "dstv/dstv-compact",
    "cable, renewed": "dstv",
    education: "waec/waecdirect",
    internet: "smile-direct/516",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: (request) => requestIdOf(request) ?? "",
  canAskUnanswered: true,
  keys: [...Object.values(vtpassKeys), addressSecret],
  saysReversed: true,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: `${baseUrl}/api` },
    credentials: {
      api_key: vtpassKeys.apiKey,
      public_key: vtpassKeys.publicKey,
      secret_key: wrongKeys ? "SK_wrong" : vtpassKeys.secretKey,
      callback_secret: addressSecret,
    },
  }),
  verifies: {
    known: verifyRequest({ supplierCode: "ikeja-electric/prepaid" }),
    unknown: verifyRequest({ supplierCode: "ikeja-electric/prepaid", customerRef: "45012340009" }),
  },
  balance: 25_103_550n,
  callbacks: byAddress,
};
