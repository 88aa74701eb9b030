import { createHmac } from "node:crypto";
import { Type } from "typebox";
import { dayMs, type Instant } from "../../kernel/clock.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { type Kobo, subtract, zeroKobo } from "../../kernel/money.ts";
import { baseUrlLike, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage } from "../contract.ts";
import type { Question } from "../dialect.ts";
import { at, firstText, listAt, objectOf, parseJson, type Reply, textAt } from "../reply.ts";
import { holderOf } from "./account-holder.ts";
import {
  accountNumberAt,
  isNoWord,
  messageOf,
  momentIn,
  nairaAt,
  pageAfter,
  paidReading,
  paymentIdAt,
  settledNairaAt,
  wordAt,
} from "./answer-fields.ts";
import type { AccountRequest, EventReading, PaymentReading } from "./contract.ts";
import type { AccountReading, PaymentDialect, TimeRange } from "./dialect.ts";
import { paymentKind } from "./payment-kind.ts";
import { isSame } from "./signature.ts";

// Flutterwave's API v3 counts in naira. A transfer to a static virtual account is a transaction of the type
// `bank_transfer`; its `tx_ref` is that of the account, and the same for all that ever arrive there: `id` alone names one.
// See docs: Virtual Account Numbers, Verify Transaction, Webhooks.

interface Settings {
  readonly base_url: string;
}
interface Credentials {
  readonly secret_key: string;
  readonly secret_hash: string;
}
interface FlutterwaveEntry {
  readonly name: string;
  readonly settings: Settings;
  readonly credentials: Credentials;
}

function dialect({ name, settings, credentials }: FlutterwaveEntry): PaymentDialect {
  const access = { headers: { authorization: `Bearer ${credentials.secret_key}` } };
  return {
    name,
    baseUrl: withoutSlash(settings.base_url),
    accessFor: () => access,
    received: {},
    readEvent: (message) => readEvent(message, credentials.secret_hash),
    verify: (paymentId) => ({
      method: "GET",
      path: `/v3/transactions/${encodeURIComponent(paymentId)}/verify`,
      hides: ofPeople,
    }),
    readVerified,
    refunds: {
      ask: (page, range) => list("/v3/refunds", { ...daysOf(range), page: String(page) }),
      read: readRefunds,
      nameIn: (verified) => textAt(verified.json, "data", "id"),
    },
    list: ({ page, ...range }) =>
      list("/v3/transactions", { ...daysOf(range), page: String(page), status: "successful" }),
    readList,
    askForAccount: (request) => ({
      method: "POST",
      path: "/v3/virtual-account-numbers",
      body: accountOf(request),
      hides: ofPeople,
    }),
    readAccount,
  };
}

const ofPeople = [
  ...["email", "phonenumber", "firstname", "lastname", "narration", "note", "bvn", "nin"],
  ...["originatorname", "originatoraccountnumber", "originatornarration"],
];

function list(path: string, query: Readonly<Record<string, string>>): Question {
  return { method: "GET", path: `${path}?${new URLSearchParams(query).toString()}`, hides: ofPeople };
}

/** It knows days only, and nobody says whether the last one is within. */
function daysOf({ from, to }: TimeRange) {
  return { from: dayOf(from), to: dayOf(to + dayMs) };
}

function dayOf(instant: Instant): string {
  return new Date(instant).toISOString().slice(0, 10);
}

function accountOf(request: AccountRequest): JsonObject {
  const { email, firstName, lastName } = holderOf(request);
  const { businessName, phone, reference, identity } = request;
  return {
    ...{ email, is_permanent: true, tx_ref: reference, firstname: firstName, lastname: lastName },
    narration: businessName,
    ...(phone === null ? {} : { phonenumber: phone }),
    ...(identity === null ? {} : { [identity.kind]: identity.number }),
  };
}

/** `response_code` 02 says that it is in progress; the number is good from then on. */
function readAccount(reply: Reply, { reference, businessName }: AccountRequest): AccountReading {
  if (reply.status >= 400) return isNoWord(reply) ? { kind: "unknown" } : refusedBy(reply);
  const data = at(reply.json, "data");
  const [accountNumber, bankName] = [accountNumberAt(data, "account_number"), textAt(data, "bank_name")];
  if (accountNumber === null || bankName === null) return { kind: "unknown" };
  const [, named] = /^Please make a bank transfer to (.+)$/.exec(textAt(data, "note") ?? "") ?? [];
  const accountName = textAt(data, "account_name") ?? named ?? businessName;
  return { kind: "opened", account: { accountNumber, accountName, bankName, accountReference: reference } };
}

function refusedBy(reply: Reply): AccountReading {
  return { kind: "refused", reason: messageOf(reply) };
}

/**
 * `verif-hash` is the secret itself and proves nothing of the body; the newer `flutterwave-signature` does. Either shows
 * who sent it, and no more is made of an event than a question.
 */
function readEvent({ headers, body: bytes }: CallbackMessage, secretHash: string): EventReading {
  const signature = createHmac("sha256", secretHash).update(bytes).digest("base64");
  if (!isSame(headers["verif-hash"], secretHash) && !isSame(headers["flutterwave-signature"], signature)) {
    return { kind: "forged", evidence: "neither verif-hash nor flutterwave-signature is ours" };
  }
  const body = objectOf(parseJson(bytes)) ?? {};
  const event = textAt(body, "event") ?? "no event";
  const paymentId = paymentIdIn(event, at(body, "data"));
  if (paymentId === null) return { kind: "other", evidence: event };
  return { kind: "payment", paymentId, isRefund: event !== "charge.completed", evidence: event };
}

function paymentIdIn(event: string, data: Json | undefined): string | null {
  if (event === "charge.completed") return textAt(data, "payment_type") === transferType ? numberAt(data, "id") : null;
  if (!event.startsWith("refund.")) return null;
  return numberAt({ id: firstText(data, idNames) }, "id");
}

const transferType = "bank_transfer";
/** How refunds name the transaction that they are of. */
const idNames = ["tx_id", "transaction_id", "TransactionId"];

/** Its ids are numbers: anything else, put into an address, would ask another question. */
function numberAt(value: Json | undefined, name: string): string | null {
  const id = paymentIdAt(value, name);
  return id !== null && /^[0-9]{1,20}$/.test(id) ? id : null;
}

function readVerified(reply: Reply, paymentId: string): PaymentReading {
  const data = at(reply.json, "data");
  if (reply.status >= 400 || textAt(data, "id") !== paymentId) return { kind: "unknown" };
  const [status, type] = [textAt(data, "status"), textAt(data, "payment_type")];
  if (status === "failed") return { kind: "refused", reason: `its status is ${status}` };
  if (status !== "successful" || type === null) return { kind: "unknown" };
  if (type !== transferType) return { kind: "refused", reason: `it was paid by ${type}` };
  const amount = nairaAt(data, "amount");
  const sender = at(data, "meta");
  return paidReading({
    amount,
    fee: feeIn(data, amount),
    takenBack: zeroKobo,
    currency: textAt(data, "currency"),
    // It says whose account it is, never which.
    accountNumber: null,
    accountReference: textAt(data, "tx_ref"),
    sender: {
      name: wordAt(sender, "originatorname"),
      bank: wordAt(sender, "bankname"),
      accountNumber: wordAt(sender, "originatoraccountnumber"),
      sessionId: wordAt(sender, "sessionid"),
      narration: wordAt(sender, "originatornarration"),
    },
    paidAt: momentIn(textAt(data, "created_at")),
  });
}

/** What is not settled, stamp duty included; until it is known what will be, its own word. */
function feeIn(data: Json | undefined, amount: Kobo | null): Kobo | null {
  if (amount === null) return null;
  if (textAt(data, "amount_settled") === null) return nairaAt(data, "app_fee");
  const settled = settledNairaAt(data, "amount_settled");
  return settled === null ? null : subtract(amount, settled);
}

function readRefunds(reply: Reply, page: number) {
  const after = pageIn(reply, page);
  if (after === null || !Array.isArray(at(reply.json, "data"))) return null;
  // It tells by the way that it took: completed-bank-transfer.
  const done = listAt(reply.json, "data").filter((row) => textAt(row, "status")?.startsWith("completed") === true);
  const refunds = done.map((row) => ({
    id: numberAt(row, "id"),
    name: numberAt({ id: firstText(row, idNames) }, "id"),
    amount: nairaAt(row, "amount_refunded"),
  }));
  return { refunds, ...after };
}

/** Its list goes back to the beginning of a day, newest first, ten on a page: nobody reads on from what is too old. */
function readList(reply: Reply, { from, page }: { readonly from: Instant; readonly page: number }) {
  if (!Array.isArray(at(reply.json, "data"))) return null;
  const rows = listAt(reply.json, "data");
  const after = pageIn(reply, page);
  if (after === null) return null;
  const transfers = rows.filter((one) => textAt(one, "payment_type") === transferType);
  const paymentIds = transfers.flatMap((one) => numberAt(one, "id") ?? []);
  const isOver = rows.length > 0 && rows.every((one) => momentIn(textAt(one, "created_at")) < from);
  return { paymentIds, nextPage: isOver ? null : after.nextPage };
}

function pageIn({ json }: Reply, page: number) {
  const info = at(json, "meta", "page_info");
  return pageAfter(page, { page: textAt(info, "current_page"), pages: textAt(info, "total_pages") });
}

export const flutterwaveKind = paymentKind<Settings, Credentials>({
  connector: "flutterwave",
  title: "Flutterwave",
  settings: Type.Object({ base_url: baseUrlLike("https://api.flutterwave.com") }),
  credentials: Type.Object({ secret_key: text, secret_hash: text }),
  dialect,
});
