import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/kernel/json.ts";
import {
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

const secretKey = "sk_test_4f1c2d7a9b8e";

/** Paystack, as its documentation describes it: amounts in kobo, signatures of the raw body. */
export const paystackStub: PaymentStubDialect = {
  connector: "paystack",
  keys: [secretKey],
  entered: (url, keys = "right") => ({
    settings: { base_url: url, preferred_bank: "wema-bank" },
    credentials: { secret_key: keys === "right" ? secretKey : "sk_test_of_somebody_else" },
  }),
  idOf,
  holderOf,
  tells: { accountNumber: true, disputes: true },
  answer(request, books) {
    if (request.headers.authorization !== `Bearer ${secretKey}`) {
      return { status: 401, json: { status: false, message: "Invalid key" } };
    }
    return endpoints.map((endpoint) => endpoint(request, books)).find((answer) => answer !== null) ?? null;
  },
  event(transfer, what) {
    const data =
      what === "paid" ? dataOf(transfer) : { transaction_reference: transfer.id, amount: Number(transfer.takenBack) };
    return sign(JSON.stringify({ event: what === "paid" ? "charge.success" : "refund.processed", data }));
  },
  sign,
  forge: ({ headers, body }) => [
    { headers: {}, body },
    { headers: { ...headers, "x-paystack-signature": "" }, body },
    { headers: { ...headers, "x-paystack-signature": createHmac("sha512", "sk").update(body).digest("hex") }, body },
    {
      headers: { ...headers, "x-paystack-signature": createHmac("sha256", secretKey).update(body).digest("hex") },
      body,
    },
  ],
  coversBody: true,
  others: [
    { event: "transfer.success", data: { reference: "payout-1", amount: 5_000 } },
    { event: "charge.success", data: { reference: "card-1", channel: "card", status: "success", amount: 5_000 } },
    { event: "dedicatedaccount.assign.success", data: { customer: { customer_code: "CUS_1" } } },
  ],
};

function idOf(number: number): string {
  return `T${number}-9f31c`;
}

function holderOf(reference: string): string {
  return `CUS_${reference.replace("mer_", "")}`;
}

function sign(body: string) {
  const signature = createHmac("sha512", secretKey).update(body).digest("hex");
  return { headers: { "x-paystack-signature": signature, "content-type": "application/json" }, body };
}

type Endpoint = (request: PaymentRequest, books: PaymentBooks) => PaymentAnswer | null;

const endpoints: readonly Endpoint[] = [
  ({ method, path }, books) => {
    const [, id] = /^\/transaction\/verify\/(.+)$/.exec(path) ?? [];
    if (method !== "GET" || id === undefined) return null;
    const transfer = books.verified(decodeURIComponent(id));
    if (transfer === undefined) return refused(404, "Transaction reference not found.");
    return succeeded({ message: "Verification successful", data: dataOf(transfer) });
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/transaction") return null;
    const paid = books.paidIn(Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? ""));
    return succeeded(listOf(query, paid, dataOf));
  },
  ({ method, path }, books) => {
    const [, number] = /^\/transaction\/([0-9]+)$/.exec(path) ?? [];
    if (method !== "GET" || number === undefined) return null;
    const transfer = books.transfers.get(idOf(Number(number) - firstNumber));
    return transfer === undefined
      ? refused(404, "Transaction ID not found.")
      : succeeded({ message: "Transaction retrieved", data: dataOf(transfer) });
  },
  ({ method, path, query }, books) => {
    if (method !== "GET" || path !== "/refund") return null;
    const [all, number] = [books.refunds(timeIn(query, Date.parse)), query.get("transaction")];
    const found =
      number === null ? all : all.filter(({ transfer }) => transfer.id === idOf(Number(number) - firstNumber));
    return succeeded(listOf(query, found, refundData));
  },
  ({ method, path, json }, books) => {
    if (method !== "POST" || path !== "/customer") return null;
    const { reference } = json.metadata as { readonly reference: string };
    const customer = holderOf(reference);
    books.memory.set(customer, reference);
    return succeeded({ data: { customer_code: customer } });
  },
  ({ method, path, json }, books) => {
    if (method !== "POST" || path !== "/dedicated_account") return null;
    const reference = books.memory.get(String(json.customer));
    if (reference === undefined) return refused(400, "Customer not found");
    if (books.refusal !== null) return refused(400, books.refusal);
    if (books.accountOf(reference) !== undefined) return refused(400, "Customer already has a dedicated account");
    return succeeded({ data: accountData(books.open(reference)) });
  },
  ({ method, path }, books) => {
    const [, customer] = /^\/customer\/(.+)$/.exec(path) ?? [];
    if (method !== "GET" || customer === undefined) return null;
    const account = books.accountOf(books.memory.get(customer) ?? "");
    return succeeded({
      data: { customer_code: customer, dedicated_account: account === undefined ? null : accountData(account) },
    });
  },
];

function succeeded(json: JsonObject): PaymentAnswer {
  return { status: 200, json: { status: true, ...json } };
}

function refused(status: number, message: string): PaymentAnswer {
  return { status, json: { status: false, message } };
}

function listOf<Row>(query: URLSearchParams, all: readonly Row[], show: (row: Row) => JsonObject): JsonObject {
  const [page, perPage] = [Number(query.get("page")), Number(query.get("perPage"))];
  const { rows, total, pages } = pageOf(all, page, perPage, show);
  return { data: rows, meta: { total, page, perPage, pageCount: pages } };
}

function accountData(account: StubAccount): JsonObject {
  return {
    bank: { name: "Wema Bank", id: 20, slug: "wema-bank" },
    account_name: `DISPENSE / ${account.reference.toUpperCase()}`,
    account_number: account.accountNumber,
  };
}

const firstNumber = 4_099_260_000;

/** Its ids of transactions are numbers, beside their references. */
function numberOf({ id }: StubTransfer): number {
  return firstNumber + Number(/^T([0-9]+)-/.exec(id)?.[1] ?? 0);
}

function refundData(refund: StubRefund): JsonObject {
  const { amount, isDone } = refundOf(refund);
  const transaction = numberOf(refund.transfer);
  return {
    id: transaction * 10 + refund.nth,
    transaction,
    amount: Number(amount),
    status: isDone ? "processed" : "pending",
  };
}

function dataOf(transfer: StubTransfer): JsonObject {
  const { sender, accountNumber } = transfer;
  const status = { paid: "success", pending: "ongoing", failed: "failed" }[transfer.status];
  const isReversed = transfer.takenBack === transfer.amount;
  return {
    id: numberOf(transfer),
    reference: transfer.id,
    amount: Number(transfer.amount),
    currency: transfer.currency,
    status: transfer.status === "paid" && isReversed ? "reversed" : status,
    paid_at: new Date(transfer.paidAt).toISOString(),
    fees: Number(transfer.fee),
    channel: "dedicated_nuban",
    customer: { customer_code: transfer.holder },
    authorization: {
      sender_bank: sender.bank,
      sender_bank_account_number: sender.accountNumber,
      sender_name: sender.name,
      narration: sender.narration,
      ...(accountNumber === null ? {} : { receiver_bank_account_number: accountNumber }),
    },
  };
}
