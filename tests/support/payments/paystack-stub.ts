import { createHmac } from "node:crypto";
import type { JsonObject } from "../../../src/kernel/json.ts";
import type { PaymentAnswer, PaymentBooks, PaymentRequest, PaymentStubDialect, StubTransfer } from "./payment-stub.ts";

const secretKey = "sk_test_4f1c2d7a9b8e";

/** Paystack, as its documentation describes it: amounts in kobo, signatures of the raw body. */
export const paystackStub: PaymentStubDialect = {
  connector: "paystack",
  entered: (url) => ({
    settings: { base_url: url, preferred_bank: "wema-bank" },
    credentials: { secret_key: secretKey },
  }),
  answer(request, books) {
    if (request.headers.authorization !== `Bearer ${secretKey}`) return { status: 401, json: { status: false } };
    return endpoints.map((endpoint) => endpoint(request, books)).find((answer) => answer !== null) ?? null;
  },
  event(transfer, what) {
    const data =
      what === "paid" ? dataOf(transfer) : { transaction_reference: transfer.id, amount: Number(transfer.takenBack) };
    const body = JSON.stringify({ event: what === "paid" ? "charge.success" : "refund.processed", data });
    const signature = createHmac("sha512", secretKey).update(body).digest("hex");
    return { headers: { "x-paystack-signature": signature, "content-type": "application/json" }, body };
  },
};

type Endpoint = (request: PaymentRequest, books: PaymentBooks) => PaymentAnswer | null;

const endpoints: readonly Endpoint[] = [
  ({ method, path }, { transfers }) => {
    const [, id] = /^\/transaction\/verify\/(.+)$/.exec(path) ?? [];
    if (method !== "GET" || id === undefined) return null;
    const transfer = transfers.get(decodeURIComponent(id));
    if (transfer === undefined)
      return { status: 404, json: { status: false, message: "Transaction reference not found." } };
    transfer.asked += 1;
    return { status: 200, json: { status: true, message: "Verification successful", data: dataOf(transfer) } };
  },
  ({ method, path, query }, { transfers }) => {
    if (method !== "GET" || path !== "/transaction") return null;
    const [from, to] = [Date.parse(query.get("from") ?? ""), Date.parse(query.get("to") ?? "")];
    const [page, perPage] = [Number(query.get("page")), Number(query.get("perPage"))];
    const all = [...transfers.values()].filter(
      ({ status, paidAt }) => status === "paid" && paidAt >= from && paidAt < to,
    );
    const data = all.slice((page - 1) * perPage, page * perPage).map(dataOf);
    const pageCount = Math.ceil(all.length / perPage);
    return { status: 200, json: { status: true, data, meta: { total: all.length, page, perPage, pageCount } } };
  },
  ({ method, path, json }, books) => {
    if (method !== "POST" || path !== "/customer") return null;
    const { reference } = json.metadata as { readonly reference: string };
    return { status: 200, json: { status: true, data: { customer_code: books.open(reference).holder } } };
  },
  ({ method, path, json }, { accounts }) => {
    if (method !== "POST" || path !== "/dedicated_account") return null;
    const account = [...accounts.values()].find(({ holder }) => holder === json.customer);
    if (account === undefined) return { status: 400, json: { status: false, message: "Customer not found" } };
    const data = {
      bank: { name: "Wema Bank", id: 20, slug: "wema-bank" },
      account_name: `DISPENSE / ${account.reference.toUpperCase()}`,
      account_number: account.accountNumber,
      customer: { customer_code: account.holder },
    };
    return { status: 200, json: { status: true, data } };
  },
];

function dataOf(transfer: StubTransfer): JsonObject {
  const { sender, accountNumber } = transfer;
  const status = { paid: "success", pending: "ongoing", failed: "failed" }[transfer.status];
  const isReversed = transfer.takenBack === transfer.amount;
  return {
    id: 4_099_260_516,
    reference: transfer.id,
    amount: Number(transfer.amount),
    currency: transfer.currency,
    status: transfer.status === "paid" && isReversed ? "reversed" : status,
    paid_at: new Date(transfer.paidAt).toISOString(),
    fees: Number(transfer.fee),
    channel: "dedicated_nuban",
    ...(transfer.takenBack > 0n ? { refunded_amount: Number(transfer.takenBack) } : {}),
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
