import { addressSecret, byAddress, type ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubDialect, StubRecord } from "./stub-dialect.ts";
import { verifyRequest } from "./vend-requests.ts";

export const legacyToken = "66f2e5c39ac8640f13cd888f161385b12f7e5e92";
export const legacyNetworkIds = { MTN: "1", GLO: "2", "9MOBILE": "3", AIRTEL: "4" };
const meterToken = "26362054405982757802";

const vendPaths = ["/api/data/", "/api/topup/", "/api/billpayment/", "/api/cablesub/", "/api/epin/"];

/** A deployment of the script that many resellers run. It knows purchases by its own ids alone. */
export const legacyScriptStub: StubDialect = {
  receive({ method, path, query, headers, body }): Requested | null {
    const number = String(
      body.mobile_number ??
        body.meter_number ??
        body.smart_card_number ??
        query.get("meternumber") ??
        query.get("smart_card_number"),
    );
    // The stub's log goes by our name for the attempt; the script itself does not care for it.
    const calls = { reference: String(body.ident ?? ""), number, body };
    if (headers.authorization !== `Token ${legacyToken}`) return { ...calls, question: "denied" };
    if (method === "POST") return vendPaths.includes(path) ? { ...calls, question: "vend" } : null;
    if (path === "/api/user/") return { ...calls, question: "balance" };
    if (path === "/api/validatemeter" || path === "/api/validateiuc") return { ...calls, question: "verify" };
    const [, kind, id = ""] = /^(\/api\/[a-z]+\/)([^/]+)$/.exec(path) ?? [];
    return kind !== undefined && vendPaths.includes(kind) ? { ...calls, reference: id, question: "requery" } : null;
  },
  say,
  outOfMoney: { status: 400, body: { error: ["You can't topup due to insufficient balance"] } },
  call: (record, status) => ({
    headers: { "content-type": "application/json" },
    body: JSON.stringify(bought(record, statusWords[status])),
  }),
};

const statusWords = { vended: "successful", declined: "failed", pending: "processing" };

function say(saying: Saying, calls: Requested, record: StubRecord | null): { status: number; body: unknown } {
  switch (saying) {
    case "vended":
    case "declined":
    case "pending":
      return { status: 201, body: bought(record!, statusWords[saying]) };
    // The script says nothing of the kind: what it took back is refunded there under another id.
    case "reversed":
      return { status: 201, body: bought(record!, "successful") };
    case "undocumented":
      return { status: 201, body: bought(record!, "on_hold") };
    case "absent":
      return { status: 404, body: { detail: "Not found." } };
    case "duplicate":
      return { status: 400, body: { error: ["Duplicate transaction. Try again later"] } };
    case "denied":
      return { status: 401, body: { detail: "Invalid token." } };
    case "balance":
      return { status: 200, body: { user: { id: 7, username: "us", Account_Balance: 80_120.25 } } };
    case "unverifiable":
      return { status: 200, body: { invalid: true, name: "INVALID METER NUMBER" } };
    case "verified":
      return {
        status: 200,
        body: { invalid: false, name: "ADA OBI", address: `4 Allen Avenue (${calls.number.length})` },
      };
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

function bought(record: StubRecord, status: string): Record<string, unknown> {
  const { body } = record.calls;
  const common = {
    id: Number(record.id),
    ident: record.reference,
    Status: status,
    balance_before: "80120.25",
    balance_after: "79120.25",
    create_date: "2026-11-20T12:00:31.046677",
    plan_amount: "1000.0",
    api_response: "Dear customer, done.",
  };
  const isDone = status === "successful";
  if (body.exam_name !== undefined) {
    const cards = Array.from({ length: Number(body.quantity) }, (_, n) => `37382085202${n}<=>WRN12379050${n}`);
    return { ...common, exam_name: body.exam_name, ...(isDone ? { pins: cards.join(",") } : {}) };
  }
  if (body.meter_number !== undefined) {
    const isPrepaid = body.MeterType === 1;
    return {
      ...common,
      meter_number: body.meter_number,
      amount: body.amount,
      Customer_name: "ADA OBI",
      token: isDone && isPrepaid ? `Token : ${meterToken}` : null,
    };
  }
  const { mobile_number, smart_card_number, network, plan, cableplan, amount } = body;
  return { ...common, mobile_number, smart_card_number, network, plan, cableplan, amount };
}

export const underTest: ConnectorUnderTest = {
  name: "legacy-script",
  stub: legacyScriptStub,
  sells: {
    airtime: "VTU",
    data: "166",
    "electricity, prepaid": "1/Ikeja Electric",
    "electricity, postpaid": "1/Ikeja Electric",
    cable: "2/17",
    education: "WAEC",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: false,
  keys: [legacyToken, addressSecret],
  saysReversed: false,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: baseUrl, network_ids: legacyNetworkIds },
    credentials: { token: wrongKeys ? "wrong" : legacyToken, callback_secret: addressSecret },
  }),
  verifies: {
    known: verifyRequest({ supplierCode: "1/Ikeja Electric" }),
    unknown: verifyRequest({ supplierCode: "1/Ikeja Electric", customerRef: "45012340009" }),
  },
  balance: 8_012_025n,
  callbacks: byAddress,
};
