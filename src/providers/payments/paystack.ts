import { createHmac } from "node:crypto";
import { type TSchema, Type } from "typebox";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { zeroKobo } from "../../kernel/money.ts";
import { baseUrlLike, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage } from "../contract.ts";
import type { Question } from "../dialect.ts";
import { at, listAt, objectOf, parseJson, type Reply, textAt } from "../reply.ts";
import { holderOf } from "./account-holder.ts";
import {
  accountNumberAt,
  isNoWord,
  koboAt,
  messageOf,
  momentIn,
  pageAfter,
  paidReading,
  paymentIdAt,
  wordAt,
} from "./answer-fields.ts";
import type { AccountRequest, EventReading, PaymentReading } from "./contract.ts";
import type { AccountReading, PaymentDialect, TimeRange } from "./dialect.ts";
import { paymentKind } from "./payment-kind.ts";
import { isSameHex } from "./signature.ts";

// Paystack counts in kobo. A transfer to a receiving account is a `charge` of the channel `dedicated_nuban`; `transfer.*`
// are payouts. See docs: Dedicated Virtual Accounts, Verify Transaction, List Refunds, Webhooks.

const perPage = "100";

interface Settings {
  readonly base_url: string;
  readonly preferred_bank: string;
}
interface Credentials {
  readonly secret_key: string;
}
interface PaystackEntry {
  readonly name: string;
  readonly settings: Settings;
  readonly credentials: Credentials;
}

function dialect({ name, settings, credentials }: PaystackEntry): PaymentDialect {
  const access = { headers: { authorization: `Bearer ${credentials.secret_key}` } };
  return {
    name,
    baseUrl: withoutSlash(settings.base_url),
    accessFor: () => access,
    received: {},
    readEvent: (message) => readEvent(message, credentials.secret_key),
    verify: (paymentId) => ({
      method: "GET",
      path: `/transaction/verify/${encodeURIComponent(paymentId)}`,
      hides: ofPeople,
    }),
    readVerified,
    refunds: {
      ask: (page, range) => list("/refund", { ...momentsOf(range), perPage, page: String(page) }),
      askOfOne: (page, verified) =>
        list("/refund", { transaction: numberIn(verified) ?? "", perPage, page: String(page) }),
      read: readRefunds,
      nameIn: numberIn,
      idOf: {
        ask: (number) => list(`/transaction/${encodeURIComponent(number)}`, {}),
        read: (reply, number) =>
          reply.status < 400 && numberIn(reply) === number ? paymentIdAt(at(reply.json, "data"), "reference") : null,
      },
    },
    list: ({ page, ...range }) =>
      list("/transaction", {
        ...{ perPage, page: String(page), status: "success", channel: "dedicated_nuban" },
        ...momentsOf(range),
      }),
    readList,
    askForAccount: (request) => ({ method: "POST", path: "/customer", body: customerOf(request), hides: ofPeople }),
    readAccount: (reply) => readCustomer(reply, settings.preferred_bank),
  };
}

function list(path: string, query: Readonly<Record<string, string>>): Question {
  return { method: "GET", path: `${path}?${new URLSearchParams(query).toString()}`, hides: ofPeople };
}

function momentsOf({ from, to }: TimeRange) {
  return { from: new Date(from).toISOString(), to: new Date(to).toISOString() };
}

/** Its own number of a transaction, by which refunds name it; elsewhere its reference does. */
function numberIn({ json }: Reply): string | null {
  return textAt(json, "data", "id");
}

const ofPeople = ["first_name", "last_name", "email", "phone", "account_name", "sender_name", "narration"];

function customerOf(request: AccountRequest): JsonObject {
  const { email, firstName, lastName } = holderOf(request);
  const { phone, reference } = request;
  return {
    ...{ email, first_name: firstName, last_name: lastName, metadata: { reference } },
    ...(phone === null ? {} : { phone }),
  };
}

function readCustomer(reply: Reply, preferredBank: string): AccountReading {
  if (reply.status >= 400) return refusedBy(reply);
  const customer = textAt(reply.json, "data", "customer_code");
  if (customer === null) return { kind: "unknown" };
  const body = { customer, preferred_bank: preferredBank };
  return {
    kind: "next",
    question: { method: "POST", path: "/dedicated_account", body, hides: ofPeople },
    read: (answer) => readMade(answer, customer),
  };
}

function readMade(reply: Reply, customer: string): AccountReading {
  if (reply.status < 400) return readAccount(at(reply.json, "data"), customer);
  const refused = refusedBy(reply);
  if (refused.kind !== "refused") return refused;
  // The answer that made it may have been lost: a customer has one of them, and a second one is refused.
  const question: Question = { method: "GET", path: `/customer/${encodeURIComponent(customer)}`, hides: ofPeople };
  const read = (found: Reply): AccountReading => {
    const account = at(found.json, "data", "dedicated_account");
    if (found.status >= 400 || textAt(found.json, "data", "customer_code") !== customer) return { kind: "unknown" };
    return objectOf(account) === null ? refused : readAccount(account, customer);
  };
  return { kind: "next", question, read };
}

function readAccount(account: Json | undefined, customer: string): AccountReading {
  const [accountNumber, accountName] = [accountNumberAt(account, "account_number"), textAt(account, "account_name")];
  const bankName = textAt(account, "bank", "name");
  const isOthers = (textAt(account, "customer", "customer_code") ?? customer) !== customer;
  if (accountNumber === null || accountName === null || bankName === null || isOthers) return { kind: "unknown" };
  return { kind: "opened", account: { accountNumber, accountName, bankName, accountReference: customer } };
}

function refusedBy(reply: Reply): AccountReading {
  return isNoWord(reply) ? { kind: "unknown" } : { kind: "refused", reason: messageOf(reply) };
}

function readEvent(message: CallbackMessage, secretKey: string): EventReading {
  const expected = createHmac("sha512", secretKey).update(message.body).digest("hex");
  if (!isSameHex(message.headers["x-paystack-signature"], expected)) {
    return { kind: "forged", evidence: "x-paystack-signature is not of this body" };
  }
  const body = objectOf(parseJson(message.body)) ?? {};
  const event = textAt(body, "event") ?? "no event";
  const paymentId = paymentIdIn(event, at(body, "data"));
  if (paymentId === null) return { kind: "other", evidence: event };
  return { kind: "payment", paymentId, isRefund: event !== "charge.success", evidence: event };
}

/** A charge by another channel, such as a card, is not money on a receiving account: verifying it would say so too. */
function paymentIdIn(event: string, data: Json | undefined): string | null {
  if (event === "charge.success") {
    return textAt(data, "channel") === "dedicated_nuban" ? paymentIdAt(data, "reference") : null;
  }
  if (event.startsWith("refund.")) {
    return paymentIdAt(data, "transaction_reference") ?? paymentIdAt(data, "transaction", "reference");
  }
  return event.startsWith("charge.dispute.") ? paymentIdAt(data, "transaction", "reference") : null;
}

function readVerified(reply: Reply, paymentId: string): PaymentReading {
  const data = at(reply.json, "data");
  if (reply.status >= 400 || textAt(data, "reference") !== paymentId) return { kind: "unknown" };
  const [status, channel] = [textAt(data, "status") ?? "", textAt(data, "channel")];
  if (["failed", "abandoned"].includes(status)) return { kind: "refused", reason: `its status is ${status}` };
  if (!["success", "reversed"].includes(status) || channel === null) return { kind: "unknown" };
  if (channel !== "dedicated_nuban") return { kind: "refused", reason: `it was paid by ${channel}` };
  const amount = koboAt(data, "amount");
  const authorization = at(data, "authorization");
  return paidReading({
    amount,
    fee: at(data, "fees") === null ? zeroKobo : koboAt(data, "fees"),
    takenBack: status === "reversed" ? (amount ?? zeroKobo) : zeroKobo,
    currency: textAt(data, "currency"),
    accountNumber: accountNumberAt(authorization, "receiver_bank_account_number"),
    accountReference: textAt(data, "customer", "customer_code"),
    sender: {
      name: wordAt(authorization, "sender_name"),
      bank: wordAt(authorization, "sender_bank"),
      accountNumber: wordAt(authorization, "sender_bank_account_number"),
      sessionId: wordAt(authorization, "session_id"),
      narration: wordAt(authorization, "narration"),
    },
    paidAt: momentIn(textAt(data, "paid_at")),
  });
}

/** Each with the number of its transaction; those that are under way, or failed, gave nothing back. */
function readRefunds(reply: Reply, page: number) {
  const after = pageIn(reply, page);
  if (after === null || !Array.isArray(at(reply.json, "data"))) return null;
  const done = listAt(reply.json, "data").filter((row) => textAt(row, "status") === "processed");
  const refunds = done.map((row) => ({
    id: textAt(row, "id"),
    name: textAt(row, "transaction", "id") ?? textAt(row, "transaction"),
    amount: koboAt(row, "amount"),
  }));
  return { refunds, ...after };
}

function readList(reply: Reply, { page }: { readonly page: number }) {
  if (!Array.isArray(at(reply.json, "data"))) return null;
  const after = pageIn(reply, page);
  const paymentIds = listAt(reply.json, "data").flatMap((one) => paymentIdAt(one, "reference") ?? []);
  return after === null ? null : { paymentIds, ...after };
}

/** Some of its lists count their pages. Of others, a page that is not full is the last one. */
function pageIn({ json }: Reply, page: number) {
  const pages = textAt(json, "meta", "pageCount");
  if (pages !== null) return pageAfter(page, { page: textAt(json, "meta", "page"), pages });
  const size = textAt(json, "meta", "perPage") ?? "";
  const full = Number(/^[1-9][0-9]{0,3}$/.test(size) ? size : perPage);
  return { nextPage: listAt(json, "data").length >= full ? page + 1 : null };
}

const bankSlug: TSchema = Type.String({
  pattern: "^[a-z0-9-]{2,40}$",
  description: "a bank's name there: wema-bank, titan-paystack",
});

export const paystackKind = paymentKind<Settings, Credentials>({
  connector: "paystack",
  title: "Paystack",
  settings: Type.Object({ base_url: baseUrlLike("https://api.paystack.co"), preferred_bank: bankSlug }),
  credentials: Type.Object({ secret_key: text }),
  dialect,
});
