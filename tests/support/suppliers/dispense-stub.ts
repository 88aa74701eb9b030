import { createHmac } from "node:crypto";
import type { ConnectorUnderTest } from "./connector-under-test.ts";
import type { Requested, Saying, StubDialect, StubRecord } from "./stub-dialect.ts";
import { verifyRequest } from "./vend-requests.ts";

export const dispenseKey = "ds_live_key-of-the-other-deployment";
export const dispenseWebhookSecret = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
const token = "00001234567890123456";

const verifyPath = /^\/api\/v1\/merchant\/[a-z]+\/verify$/;
const vendPath = /^\/api\/v1\/merchant\/([a-z-]+)\/(purchase|fund|send)$/;

/** Another deployment of this service, as its contract says; `tests/journeys` sells a real one's sandbox. */
export const dispenseStub: StubDialect = {
  receive({ method, path, headers, body }): Requested | null {
    const number = String(body.meter_number ?? body.smartcard_number ?? body.customer_id ?? body.phone);
    const category = vendPath.exec(path)?.[1];
    const calls = { reference: String(body.reference ?? ""), number, body: { ...body, category } };
    if (headers.authorization !== `Bearer ${dispenseKey}`) return { ...calls, question: "denied" };
    if (method === "POST" && category !== undefined) return { ...calls, question: "vend" };
    if (method === "POST") return verifyPath.test(path) ? { ...calls, question: "verify" } : null;
    if (path === "/api/v1/merchant/wallet/balance") return { ...calls, question: "balance" };
    const reference = /^\/api\/v1\/merchant\/transactions\/([^/]+)$/.exec(path)?.[1];
    return reference === undefined ? null : { ...calls, reference, question: "requery" };
  },
  say,
  outOfMoney: error(402, "INSUFFICIENT_BALANCE"),
  call(record, status) {
    const data = { ...bought(record, statusWords[status]), token: undefined, delivery: { kind: "electricity" } };
    const body = JSON.stringify({
      event: `transaction.${statusWords[status]}`,
      mode: "live",
      delivery_id: "d-1",
      data,
    });
    return { headers: { "webhook-id": "d-1" }, body };
  },
};

/** As Standard Webhooks sign: id, time and body. */
export function signed(sent: { headers: Record<string, string>; body: string }, at: number, secret: string) {
  const timestamp = String(Math.floor(at / 1_000));
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const hmac = createHmac("sha256", key).update(`${sent.headers["webhook-id"]}.${timestamp}.${sent.body}`);
  return { ...sent.headers, "webhook-timestamp": timestamp, "webhook-signature": `v1,${hmac.digest("base64")}` };
}

const statusWords = { vended: "successful", declined: "failed", pending: "pending" };

function say(saying: Saying, calls: Requested, record: StubRecord | null): { status: number; body: unknown } {
  switch (saying) {
    case "vended":
      return { status: 201, body: bought(record!, "successful") };
    case "declined":
      return { status: 422, body: { ...bought(record!, "failed"), error_code: "RECIPIENT_BARRED" } };
    case "pending":
      return { status: 202, body: bought(record!, "pending") };
    // A final status never changes there either.
    case "reversed":
      return { status: 200, body: bought(record!, "successful") };
    case "undocumented":
      return { status: 200, body: bought(record!, "reversed_in_part") };
    case "absent":
      return error(404, "TRANSACTION_NOT_FOUND");
    case "duplicate":
      return error(409, "REFERENCE_CONFLICT");
    case "denied":
      return error(401, "UNAUTHORIZED");
    case "balance":
      return { status: 200, body: { balance: "1234567.89", currency: "NGN" } };
    case "unverifiable":
      return error(400, "VERIFICATION_FAILED");
    case "verified":
      return { status: 200, body: verified(calls) };
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

function error(status: number, code: string): { status: number; body: unknown } {
  return { status, body: { status: "error", code, message: "No.", request_id: "req_1" } };
}

function bought(record: StubRecord, status: string): Record<string, unknown> {
  const { body } = record.calls;
  return {
    transaction_id: `TXN01J8Z3ABCDEFGHJKMNPQRST${record.id.padStart(6, "0")}`,
    reference: record.reference,
    status,
    product_id: body.product_id ?? null,
    phone: body.phone ?? null,
    customer_ref: record.number === "undefined" ? null : record.number,
    unit_amount: body.amount ?? "100.00",
    amount: "100.00",
    token: status === "successful" ? token : null,
    delivery: status === "successful" ? goods(body) : null,
  };
}

const pin = (n: number) => ({ sequence: n + 1, pin: `0004821077${n}`, serial: `48210${n}`, expires_at: null });

const profile = () => ({
  iccid: "8923400482107736591",
  lpa: "LPA:1$smdp.example$K7M9-QXR2",
  smdp_address: "smdp.example",
  matching_id: "K7M9-QXR2",
  qr_code: "data:image/png;base64,iVBORw0KGgo=",
  apn: "internet",
  data_mb: 1_024,
  validity_days: 7,
  coverage: ["GB"],
  expires_at: null,
});

function goods(body: Record<string, unknown>): Record<string, unknown> {
  const pieces = Array.from({ length: Number(body.quantity ?? 1) }, (_, n) => pin(n));
  switch (body.category) {
    case "electricity":
      return {
        kind: "electricity",
        token,
        token_formatted: "0000-1234-5678-9012-3456",
        units: "22.20",
        tokens: [{ type: "main", value: token, order: 1 }],
        tariff: "209.50",
        tariff_band: "A",
        amount_breakdown: { energy: "93.02", vat: "6.98", debt_recovered: "0.00" },
        receipt_number: "R-1",
        meter_number: body.meter_number,
        customer_name: "ADA OBI",
        customer_address: "4 Allen Avenue",
      };
    case "cable":
      return {
        kind: "cable",
        smartcard_number: body.smartcard_number,
        customer_name: "ADA OBI",
        bouquet: "Compact",
        months: body.months,
        valid_until: "2026-12-20T12:00:00+01:00",
      };
    case "education":
      return { kind: "pins", exam: "WAEC", pins: pieces, check_url: null };
    case "recharge-pin":
      return {
        kind: "pins",
        network: "MTN",
        face_amount: "100.00",
        load_code: "*311*PIN#",
        business_name: body.business_name ?? null,
        pins: pieces.map((piece) => ({ ...piece, load_code: `*311*${piece.pin}#` })),
      };
    case "internet":
      return { kind: "internet", account_number: body.account_number, plan: "5GB", pins: null };
    case "giftcard": {
      const card = {
        pin: null,
        claim_url: "https://cards.example/claim/k7m9qxr2",
        value: body.amount,
        currency: "USD",
      };
      const cards = pieces.map(({ sequence, serial }) => ({
        sequence,
        code: `AMZN-K7M9-${sequence}`,
        serial,
        ...card,
        expires_at: null,
      }));
      return {
        kind: "giftcards",
        brand: "Amazon",
        face_currency: "USD",
        face_value: "10.00",
        fx_rate: "1600.00",
        cards,
      };
    }
    case "esim":
      return { kind: "esims", esims: pieces.map(profile) };
    case "sms": {
      const sent = (body.recipients as string[]).map((phone) => ({ phone, network: "MTN", status: "sent", pages: 1 }));
      const results = sent.map((result) => ({ ...result, cost: "4.10", error_code: null }));
      const counts = { characters: 20, pages: 1, accepted: results.length, rejected: 0 };
      return { kind: "sms", encoding: "GSM-7", ...counts, results };
    }
    case "betting":
      return { kind: "betting", customer_id: body.customer_id, customer_name: "ADA OBI", operator_reference: "OP-1" };
    default:
      return { kind: "topup" };
  }
}

function verified({ number }: Requested): Record<string, unknown> {
  return {
    verified: true,
    biller_slug: "ikeja-electric",
    meter_number: number,
    meter_type: "prepaid",
    customer_name: "ADA OBI",
    customer_address: "4 Allen Avenue",
    tariff_class: "A",
    min_amount: "1000.00",
    max_amount: "200000.00",
    outstanding_debt: "0.00",
    can_vend: true,
    verification_id: "ver_1",
  };
}

export const underTest: ConnectorUnderTest = {
  name: "dispense",
  stub: dispenseStub,
  sells: {
    airtime: "1001",
    data: "2001",
    voice: "9001",
    "electricity, prepaid": "3001",
    cable: "4004",
    "cable, renewed": "4001",
    education: "5001",
    internet: "7008",
    betting: "6001",
    recharge_pin: "8001",
    giftcard: "11010",
    esim: "12401",
    sms: "9001",
  },
  usual: "electricity, prepaid",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [dispenseKey, dispenseWebhookSecret],
  saysReversed: false,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: { base_url: `${baseUrl}/api/v1/merchant` },
    credentials: { api_key: wrongKeys ? "ds_live_wrong" : dispenseKey, webhook_secret: dispenseWebhookSecret },
  }),
  verifies: { known: verifyRequest(), unknown: verifyRequest({ customerRef: "45012340009" }) },
  balance: 123_456_789n,
  callbacks: {
    genuine: (sent, at) => ({
      ...sent,
      headers: signed(sent, at, dispenseWebhookSecret),
      query: "",
      addressSecret: null,
      at,
    }),
    forged: (sent, at) => {
      const genuine = signed(sent, at, dispenseWebhookSecret);
      const message = { ...sent, headers: genuine, query: "", addressSecret: null, at };
      return [
        { ...message, headers: sent.headers },
        { ...message, headers: signed(sent, at, "whsec_c29tZWJvZHkgZWxzZQ==") },
        { ...message, body: sent.body.replace("successful", "failed") },
        { ...message, headers: { ...genuine, "webhook-id": "d-2" } },
        { ...message, at: at + 301_000 },
        {
          ...message,
          headers: { ...genuine, "webhook-signature": genuine["webhook-signature"].replace("v1,", "v2,") },
        },
      ];
    },
  },
};
