import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/kernel/json.ts";
import {
  nairaOf,
  type PaymentAnswer,
  type PaymentBooks,
  type PaymentRequest,
  type PaymentStubDialect,
  pageOf,
  refundOf,
  type StubAccount,
  type StubRefund,
  type StubTransfer,
  timeIn,
} from "./payment-stub.ts";

const apiKey = "MK_TEST_7Q2ZB81KXW";
const clientSecret = "UX4VQ0ZB8K1C7N5J9R2D";
const basic = Buffer.from(`${apiKey}:${clientSecret}`).toString("base64");
/** Where the dialect's access token is remembered. */
export const monnifyToken = "token";

/** Monnify, as its documentation describes it: a token for an hour, amounts in naira, ids with pipes. */
export const monnifyStub: PaymentStubDialect = {
  connector: "monnify",
  keys: [apiKey, clientSecret, basic],
  entered: (url, keys = "right") => ({
    settings: { base_url: url, contract_code: "5867418298", preferred_bank: "035" },
    credentials: { api_key: apiKey, client_secret: keys === "right" ? clientSecret : "OF_SOMEBODY_ELSE" },
  }),
  idOf: (number) => `MNFY|04|20261117112842|${String(number).padStart(6, "0")}`,
  holderOf: (reference) => reference,
  tells: { accountNumber: true, disputes: true },
  answer(request, books) {
    const login = logIn(request, books);
    if (login !== null) return login;
    const token = books.memory.get(monnifyToken);
    if (token === undefined || request.headers.authorization !== `Bearer ${token}`) {
      return { status: 401, json: { error: "invalid_token", error_description: "Cannot convert access token" } };
    }
    return endpoints.map((endpoint) => endpoint(request, books)).find((answer) => answer !== null) ?? null;
  },
  event(transfer, what) {
    if (what === "paid") return eventOf("SUCCESSFUL_TRANSACTION", bodyOf(transfer));
    const refund = { transactionReference: transfer.id, refundReference: "r1", refundStatus: "COMPLETED" };
    return eventOf("SUCCESSFUL_REFUND", { ...refund, refundAmount: nairaOf(transfer.takenBack) });
  },
  sign,
  forge: ({ headers, body }) => [
    { headers: {}, body },
    { headers: { ...headers, "monnify-signature": "" }, body },
    { headers: { ...headers, "monnify-signature": createHmac("sha512", apiKey).update(body).digest("hex") }, body },
    {
      headers: { ...headers, "monnify-signature": createHmac("sha256", clientSecret).update(body).digest("hex") },
      body,
    },
  ],
  coversBody: true,
  others: [
    { eventType: "SUCCESSFUL_DISBURSEMENT", eventData: { transactionReference: "MFDS-1", amount: 10 } },
    {
      eventType: "SUCCESSFUL_TRANSACTION",
      eventData: { product: { type: "WEB_SDK", reference: "card" }, transactionReference: "MNFY|1", amountPaid: 10 },
    },
    { eventType: "SETTLEMENT", eventData: { amount: "1199.00", settlementReference: "S1" } },
    { eventType: "REJECTED_PAYMENT", eventData: { transactionReference: "MNFY|2", amount: 10 } },
  ],
};

function eventOf(eventType: string, eventData: JsonObject) {
  return sign(JSON.stringify({ eventType, eventData }));
}

function sign(body: string) {
  const signature = createHmac("sha512", clientSecret).update(body).digest("hex");
  return { headers: { "monnify-signature": signature, "content-type": "application/json" }, body };
}

function logIn({ method, path, headers }: PaymentRequest, { memory }: PaymentBooks): PaymentAnswer | null {
  if (method !== "POST" || path !== "/api/v1/auth/login") return null;
  if (headers.authorization !== `Basic ${basic}`) return refused(401, "Invalid credentials");
  if (!memory.has(monnifyToken)) memory.set(monnifyToken, `eyJhbGciOi.${memory.size}.access-token-of-the-stub`);
  return succeeded({ accessToken: memory.get(monnifyToken) ?? "", expiresIn: 3_567 });
}

type Endpoint = (request: PaymentRequest, books: PaymentBooks) => PaymentAnswer | null;

const accounts = "/api/v2/bank-transfer/reserved-accounts";

const endpoints: readonly Endpoint[] = [
  ({ method, path }, books) => {
    // Unencoded, a pipe in an address is refused on the way.
    const [, id] = /^\/api\/v2\/transactions\/([^|]+)$/.exec(path) ?? [];
    if (method !== "GET" || id === undefined) return null;
    const transfer = books.verified(decodeURIComponent(id));
    if (transfer === undefined) return refused(404, "There's no transaction matching supplied reference.");
    return succeeded(bodyOf(transfer));
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/api/v1/transactions/search") return null;
    const paid = books.paidIn(Number(query.get("from")), Number(query.get("to")));
    return succeeded(listOf(query, paid, bodyOf));
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/api/v1/refunds") return null;
    return succeeded(listOf(query, books.refunds(timeIn(query, Number)), refundBody));
  },
  ({ method, path, json }, books) => {
    if (method !== "POST" || path !== accounts) return null;
    const reference = String(json.accountReference);
    if (books.refusal !== null) return refused(422, books.refusal);
    if (books.accountOf(reference) !== undefined) return refused(422, "Account reference exists already");
    return succeeded(reservedOf(books.open(reference)));
  },
  ({ method, path }, books) => {
    if (method !== "GET" || !path.startsWith(`${accounts}/`)) return null;
    const account = books.accountOf(decodeURIComponent(path.slice(accounts.length + 1)));
    return account === undefined ? refused(404, "Cannot find reserved account") : succeeded(reservedOf(account));
  },
];

function succeeded(responseBody: JsonObject): PaymentAnswer {
  return {
    status: 200,
    json: { requestSuccessful: true, responseMessage: "success", responseCode: "0", responseBody },
  };
}

function refused(status: number, responseMessage: string): PaymentAnswer {
  return { status, json: { requestSuccessful: false, responseMessage, responseCode: "99" } };
}

function listOf<Row>(query: URLSearchParams, all: readonly Row[], show: (row: Row) => JsonObject): JsonObject {
  const [number, size] = [Number(query.get("pageNo")), Number(query.get("pageSize"))];
  const { rows, total, pages } = pageOf(all, number + 1, size, show);
  return { content: rows, number, size, totalPages: pages, totalElements: total, last: number + 1 >= pages };
}

function reservedOf({ reference, accountNumber }: StubAccount): JsonObject {
  const account = { bankCode: "035", bankName: "Wema bank", accountNumber, accountName: "DIS-Ada" };
  return { accountReference: reference, accountName: "Ada", accounts: [account], status: "ACTIVE" };
}

function refundBody(refund: StubRefund): JsonObject {
  const { amount, isDone } = refundOf(refund);
  const { id } = refund.transfer;
  return {
    refundReference: `${id}-${refund.nth}`,
    transactionReference: id,
    refundAmount: nairaOf(amount),
    refundStatus: isDone ? "COMPLETED" : "PENDING",
  };
}

function bodyOf(transfer: StubTransfer): JsonObject {
  const { sender, amount, fee, accountNumber } = transfer;
  const isReversed = transfer.takenBack === amount && transfer.takenBackBy === "dispute";
  const status = { paid: "PAID", pending: "PENDING", failed: "FAILED" }[transfer.status];
  const { name: accountName, bank: bankName, accountNumber: from, sessionId } = sender;
  const source = { accountName, bankName, accountNumber: from, sessionId, bankCode: "044" };
  return {
    transactionReference: transfer.id,
    paymentReference: transfer.id,
    product: { type: "RESERVED_ACCOUNT", reference: transfer.holder },
    paymentStatus: isReversed ? "REVERSED" : status,
    amountPaid: nairaOf(amount),
    totalPayable: nairaOf(amount),
    settlementAmount: fee > amount ? "-1.00" : nairaOf(amount - fee),
    paidOn: new Date(transfer.paidAt + 3_600_000).toISOString().replace("T", " ").replace("Z", ""),
    currency: transfer.currency,
    paymentMethod: "ACCOUNT_TRANSFER",
    paymentSourceInformation: [{ ...source, amountPaid: nairaOf(amount) }],
    destinationAccountInformation: accountNumber === null ? {} : { bankCode: "035", accountNumber },
    customer: { name: "Ada", email: "ada@example.com" },
  };
}
