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
  type StubRefund,
  type StubTransfer,
  timeIn,
} from "./payment-stub.ts";

const secretKey = "FLWSECK-3d0a57c1b9-X";
const secretHash = "hash-of-the-dashboard-71c";
/** As few as it gives. */
const perPage = 10;

/** Flutterwave v3, as its documentation describes it: amounts in naira, one `tx_ref` for all transfers to an account. */
export const flutterwaveStub: PaymentStubDialect = {
  connector: "flutterwave",
  keys: [secretKey, secretHash],
  entered: (url, keys = "right") => ({
    settings: { base_url: url },
    credentials: {
      secret_key: keys === "right" ? secretKey : "FLWSECK-of-somebody-else",
      secret_hash: keys === "right" ? secretHash : "hash-of-somebody-else",
    },
  }),
  idOf: (number) => String(408_136_000 + number),
  holderOf: (reference) => reference,
  tells: { accountNumber: false, disputes: false },
  answer(request, books) {
    if (request.headers.authorization !== `Bearer ${secretKey}`) return refused(401, "Invalid authorization key");
    return endpoints.map((endpoint) => endpoint(request, books)).find((answer) => answer !== null) ?? null;
  },
  event(transfer, what) {
    if (what === "paid") return sign(JSON.stringify({ event: "charge.completed", data: dataOf(transfer) }));
    const data = { id: 75_923, AmountRefunded: nairaOf(transfer.takenBack), TransactionId: Number(transfer.id) };
    return sign(JSON.stringify({ event: "refund.completed", data }));
  },
  sign,
  forge: ({ headers, body }) => [
    { headers: {}, body },
    { headers: { ...headers, "verif-hash": "" }, body },
    { headers: { ...headers, "verif-hash": secretHash.toUpperCase() }, body },
    { headers: { ...headers, "verif-hash": `${secretHash}0` }, body },
    {
      headers: { "flutterwave-signature": createHmac("sha256", secretHash).update(`${body} `).digest("base64") },
      body,
    },
  ],
  coversBody: false,
  others: [
    { event: "transfer.completed", data: { id: 33_286, amount: 50, status: "SUCCESSFUL" } },
    { event: "charge.completed", data: { id: 285_959_875, payment_type: "card", status: "successful", amount: 100 } },
    { event: "charge.completed", data: { id: "../../refunds?x=", payment_type: "bank_transfer" } },
    { event: "subscription.cancelled", data: { id: 4_147, status: "deactivated" } },
  ],
};

function sign(body: string) {
  return { headers: { "verif-hash": secretHash, "content-type": "application/json" }, body };
}

type Endpoint = (request: PaymentRequest, books: PaymentBooks) => PaymentAnswer | null;

const endpoints: readonly Endpoint[] = [
  ({ method, path }, books) => {
    const [, id] = /^\/v3\/transactions\/([0-9]+)\/verify$/.exec(path) ?? [];
    if (method !== "GET" || id === undefined) return null;
    const transfer = books.verified(id);
    if (transfer === undefined) return refused(400, "No transaction was found for this id");
    return succeeded({ message: "Transaction fetched successfully", data: dataOf(transfer) });
  },
  // Which knows the last one of an account alone.
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/v3/transactions/verify_by_reference") return null;
    const last = [...books.transfers.values()].findLast(({ holder }) => holder === query.get("tx_ref"));
    return last === undefined
      ? refused(400, "No transaction was found for this id")
      : succeeded({ data: dataOf(last) });
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/v3/transactions") return null;
    // The last day is not within.
    const paid = books.paidIn(Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? ""));
    const card = { id: 99, payment_type: "card", status: "successful", amount: 5 };
    return succeeded(listOf(query, [null, ...paid], (row) => (row === null ? card : dataOf(row))));
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/v3/refunds") return null;
    return succeeded(listOf(query, books.refunds(timeIn(query, Date.parse)), refundData));
  },
  ({ method, path, json }, books) => {
    if (method !== "POST" || path !== "/v3/virtual-account-numbers") return null;
    if (books.refusal !== null) return refused(400, books.refusal);
    if (json.bvn === undefined && json.nin === undefined) return refused(400, "bvn is required for static accounts");
    const { accountNumber } = books.open(String(json.tx_ref));
    const data = {
      ...{ response_code: "02", response_message: "Transaction in progress", flw_ref: "FLW-1", order_ref: "URF_1" },
      ...{ account_number: accountNumber, bank_name: "WEMA BANK", expiry_date: "N/A", amount: null },
      note: `Please make a bank transfer to ${String(json.narration)}`,
    };
    return succeeded({ message: "Virtual account created", data });
  },
];

function succeeded(json: JsonObject): PaymentAnswer {
  return { status: 200, json: { status: "success", ...json } };
}

function refused(status: number, message: string): PaymentAnswer {
  return { status, json: { status: "error", message, data: null } };
}

function listOf<Row>(query: URLSearchParams, all: readonly Row[], show: (row: Row) => JsonObject): JsonObject {
  const page = Number(query.get("page"));
  const { rows, total, pages } = pageOf(all, page, perPage, show);
  return { data: rows, meta: { page_info: { total, current_page: page, total_pages: pages } } };
}

function refundData(refund: StubRefund): JsonObject {
  const { amount, isDone } = refundOf(refund);
  const number = Number(refund.transfer.id);
  return {
    id: number * 10 + refund.nth,
    tx_id: number,
    amount_refunded: Number(nairaOf(amount)),
    status: isDone ? "completed" : "pending",
  };
}

function dataOf(transfer: StubTransfer): JsonObject {
  const { sender, amount, fee } = transfer;
  return {
    id: Number(transfer.id),
    tx_ref: transfer.holder,
    flw_ref: `FLW-${transfer.id}`,
    amount: Number(nairaOf(amount)),
    currency: transfer.currency,
    charged_amount: Number(nairaOf(amount)),
    // What it calls its fee leaves out the stamp duty.
    app_fee: 0,
    merchant_fee: 0,
    status: { paid: "successful", pending: "pending", failed: "failed" }[transfer.status],
    payment_type: "bank_transfer",
    created_at: new Date(transfer.paidAt).toISOString(),
    amount_settled: fee > amount ? -1 : Number(nairaOf(amount - fee)),
    meta: {
      originatorname: sender.name,
      bankname: sender.bank,
      originatoraccountnumber: sender.accountNumber ?? "N/A",
    },
    customer: { id: 1, name: "Yemi Desola", email: "yemi@example.com" },
  };
}
