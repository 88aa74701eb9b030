import { createHmac } from "node:crypto";
import { type TSchema, Type } from "typebox";
import type { Instant } from "../../kernel/clock.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { subtract, zeroKobo } from "../../kernel/money.ts";
import { baseUrlLike, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage } from "../contract.ts";
import type { Question, TokenSource } from "../dialect.ts";
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
import type { AccountRequest, EventReading, PaymentReading, Sender } from "./contract.ts";
import type { AccountReading, PaymentDialect, TimeRange } from "./dialect.ts";
import { paymentKind } from "./payment-kind.ts";
import { isSameHex } from "./signature.ts";

// Monnify counts in naira, and pages from 0. A transfer to a receiving account is a transaction of the product
// `RESERVED_ACCOUNT`, whose reference is ours of the account. An event is good whatever its age: it only makes us ask.
// See docs: Authentication, Reserved Accounts, Transaction Status, Refunds, Webhook Event Types.

const pageSize = "100";
const product = "RESERVED_ACCOUNT";

interface Settings {
  readonly base_url: string;
  readonly contract_code: string;
  readonly preferred_bank: string;
}
interface Credentials {
  readonly api_key: string;
  readonly client_secret: string;
}
interface MonnifyEntry {
  readonly name: string;
  readonly settings: Settings;
  readonly credentials: Credentials;
}

function dialect({ name, settings, credentials }: MonnifyEntry): PaymentDialect {
  return {
    name,
    baseUrl: withoutSlash(settings.base_url),
    // The access token is all.
    accessFor: () => ({}),
    tokens: tokensOf(credentials),
    received: {},
    readEvent: (message) => readEvent(message, credentials.client_secret),
    verify: (paymentId) => ({
      method: "GET",
      path: `/api/v2/transactions/${encodeURIComponent(paymentId)}`,
      hides: ofPeople,
    }),
    readVerified,
    refunds: {
      ask: (page, range) => list("/api/v1/refunds", page, momentsOf(range)),
      read: readRefunds,
      nameIn: (verified) => textAt(verified.json, "responseBody", "transactionReference"),
    },
    list: ({ page, ...range }) =>
      list("/api/v1/transactions/search", page, { paymentStatus: "PAID", ...momentsOf(range) }),
    readList,
    askForAccount: (request) => ({
      method: "POST",
      path: accountsPath,
      body: accountOf(request, settings),
      hides: ofPeople,
    }),
    readAccount,
  };
}

function momentsOf({ from, to }: TimeRange) {
  return { from: String(from), to: String(to) };
}

/** Both names of each are in its documents. */
function list(path: string, page: number, query: Readonly<Record<string, string>>): Question {
  const at = String(page - 1);
  const paged = { ...query, page: at, pageNo: at, size: pageSize, pageSize };
  return { method: "GET", path: `${path}?${new URLSearchParams(paged).toString()}`, hides: ofPeople };
}

/** Where an answer does not say: one that ends before is renewed at its first 401. */
const usualSeconds = 3_000;

function tokensOf({ api_key: key, client_secret: secret }: Credentials): TokenSource {
  const basic = Buffer.from(`${key}:${secret}`).toString("base64");
  return {
    account: key,
    ask: () => ({
      question: { method: "POST", path: "/api/v1/auth/login", body: {} },
      access: { headers: { authorization: `Basic ${basic}` } },
    }),
    read({ json }) {
      // Not by `textAt`, which cuts: a token has about a thousand characters.
      const token = at(json, "responseBody", "accessToken");
      if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) return null;
      return { token, goodForSeconds: Number(textAt(json, "responseBody", "expiresIn")) || usualSeconds };
    },
  };
}

const accountsPath = "/api/v2/bank-transfer/reserved-accounts";
const ofPeople = ["customerName", "customerEmail", "accountName", "bvn", "nin"];

function accountOf(request: AccountRequest, settings: Settings): JsonObject {
  const { reference, businessName, identity } = request;
  return {
    ...{ accountReference: reference, accountName: businessName, currencyCode: "NGN" },
    ...{ contractCode: settings.contract_code, customerEmail: holderOf(request).email, customerName: businessName },
    ...{ getAllAvailableBanks: false, preferredBanks: [settings.preferred_bank] },
    ...(identity === null ? {} : { [identity.kind]: identity.number }),
  };
}

function readAccount(reply: Reply, { reference }: AccountRequest): AccountReading {
  if (reply.status < 400) return readReserved(reply, reference);
  if (isNoWord(reply)) return { kind: "unknown" };
  const refused = { kind: "refused", reason: messageOf(reply) } as const;
  // The answer that made it may have been lost: a reference has one account, and a second one is refused.
  const path = `${accountsPath}/${encodeURIComponent(reference)}`;
  const read = (found: Reply): AccountReading => {
    if (found.status === 404 || found.status === 400) return refused;
    return found.status > 400 ? { kind: "unknown" } : readReserved(found, reference);
  };
  return { kind: "next", question: { method: "GET", path, hides: ofPeople }, read };
}

function readReserved({ json }: Reply, reference: string): AccountReading {
  const body = at(json, "responseBody");
  const account = listAt(body, "accounts").find((one) => accountNumberAt(one, "accountNumber") !== null);
  const accountNumber = accountNumberAt(account, "accountNumber");
  const accountName = textAt(account, "accountName") ?? textAt(body, "accountName");
  const bankName = textAt(account, "bankName");
  const isOthers = textAt(body, "accountReference") !== reference;
  if (accountNumber === null || bankName === null || accountName === null || isOthers) return { kind: "unknown" };
  return { kind: "opened", account: { accountNumber, bankName, accountName, accountReference: reference } };
}

function readEvent(message: CallbackMessage, clientSecret: string): EventReading {
  const expected = createHmac("sha512", clientSecret).update(message.body).digest("hex");
  if (!isSameHex(message.headers["monnify-signature"], expected)) {
    return { kind: "forged", evidence: "monnify-signature is not of this body" };
  }
  const body = objectOf(parseJson(message.body)) ?? {};
  const event = textAt(body, "eventType") ?? "no event";
  const data = at(body, "eventData");
  const isOurs = isRefund(event) || (event === "SUCCESSFUL_TRANSACTION" && textAt(data, "product", "type") === product);
  const paymentId = isOurs ? paymentIdAt(data, "transactionReference") : null;
  if (paymentId === null) return { kind: "other", evidence: event };
  return { kind: "payment", paymentId, isRefund: isRefund(event), evidence: event };
}

function isRefund(event: string): boolean {
  return event === "SUCCESSFUL_REFUND" || event === "FAILED_REFUND";
}

const paidAs = ["PAID", "OVERPAID", "REVERSED"];
const neverPaidAs = ["FAILED", "EXPIRED", "CANCELLED", "ABANDONED"];

function readVerified(reply: Reply, paymentId: string): PaymentReading {
  const body = at(reply.json, "responseBody");
  const isOthers = textAt(body, "transactionReference") !== paymentId;
  if (reply.status >= 400 || reply.json.requestSuccessful !== true || isOthers) return { kind: "unknown" };
  const [status, type] = [textAt(body, "paymentStatus") ?? "", textAt(body, "product", "type")];
  if (neverPaidAs.includes(status)) return { kind: "refused", reason: `its status is ${status}` };
  if (!paidAs.includes(status) || type === null) return { kind: "unknown" };
  if (type !== product) return { kind: "refused", reason: `it was paid through ${type}` };
  const [amount, settled] = [nairaAt(body, "amountPaid"), settledNairaAt(body, "settlementAmount")];
  return paidReading({
    amount,
    fee: amount === null || settled === null ? null : subtract(amount, settled),
    takenBack: status === "REVERSED" ? (amount ?? zeroKobo) : zeroKobo,
    currency: firstText(body, ["currency", "currencyCode"]),
    accountNumber: accountNumberAt(body, "destinationAccountInformation", "accountNumber"),
    accountReference: textAt(body, "product", "reference"),
    sender: senderIn(body),
    paidAt: localMomentIn(textAt(body, "paidOn")),
  });
}

/** In its events a list or an object, in its answers under other names. */
function senderIn(body: Json | undefined): Sender {
  const sources = ["paymentSourceInformation", "accountPayments", "accountDetails"].map((name) => at(body, name));
  const source = sources.map((each) => (Array.isArray(each) ? each[0] : each)).find((each) => objectOf(each) !== null);
  return {
    name: wordAt(source, "accountName"),
    bank: wordAt(source, "bankName") ?? wordAt(source, "bankCode"),
    accountNumber: wordAt(source, "accountNumber"),
    sessionId: wordAt(source, "sessionId"),
    narration: null,
  };
}

const britishLike = /^(\d\d)\/(\d\d)\/(\d{4}) (\d{1,2}):(\d\d:\d\d) ([AP])M$/;

/** It tells Nigeria's wall time in two ways, `2026-11-17 15:48:10.615` and `17/11/2026 3:48:10 PM`, or with an offset. */
function localMomentIn(wallTime: string | null): Instant {
  const text = (wallTime ?? "").replace(britishLike, (_, day, month, year, hour, rest, half) => {
    const hours = (Number(hour) % 12) + (half === "P" ? 12 : 0);
    return `${year}-${month}-${day}T${String(hours).padStart(2, "0")}:${rest}`;
  });
  const zoned = /(?:Z|[+-]\d\d:?\d\d)$/.test(text) ? text : `${text}+01:00`;
  return momentIn(zoned.replace(" ", "T"));
}

function readRefunds(reply: Reply, page: number) {
  const after = pageIn(reply, page);
  if (after === null || !Array.isArray(at(reply.json, "responseBody", "content"))) return null;
  const rows = listAt(reply.json, "responseBody", "content");
  const done = rows.filter((row) => textAt(row, "refundStatus") === "COMPLETED");
  const refunds = done.map((row) => ({
    id: textAt(row, "refundReference"),
    name: paymentIdAt(row, "transactionReference"),
    amount: nairaAt(row, "refundAmount"),
  }));
  return { refunds, ...after };
}

function readList(reply: Reply, { page }: { readonly page: number }) {
  const after = pageIn(reply, page);
  if (after === null || !Array.isArray(at(reply.json, "responseBody", "content"))) return null;
  const rows = listAt(reply.json, "responseBody", "content");
  return { paymentIds: rows.flatMap((one) => paymentIdAt(one, "transactionReference") ?? []), ...after };
}

function pageIn({ json }: Reply, page: number) {
  const body = at(json, "responseBody");
  const number = textAt(body, "number");
  const stated = number !== null && /^[0-9]{1,7}$/.test(number) ? String(Number(number) + 1) : null;
  return pageAfter(page, { page: stated, pages: textAt(body, "totalPages") });
}

const bankCode: TSchema = Type.String({
  pattern: "^[0-9]{3,6}$",
  description: "the code of a bank there: 035 for Wema, 50515 for Moniepoint",
});

export const monnifyKind = paymentKind<Settings, Credentials>({
  connector: "monnify",
  title: "Monnify",
  settings: Type.Object({
    base_url: baseUrlLike("https://api.monnify.com"),
    contract_code: text,
    preferred_bank: bankCode,
  }),
  credentials: Type.Object({ api_key: text, client_secret: text }),
  dialect,
});
