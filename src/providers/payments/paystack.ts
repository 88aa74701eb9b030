import { createHmac } from "node:crypto";
import { type TSchema, Type } from "typebox";
import type { JsonObject } from "../../kernel/json.ts";
import { type Kobo, kobo, zeroKobo } from "../../kernel/money.ts";
import { baseUrl, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage } from "../contract.ts";
import { at, listAt, objectOf, parseJson, type Reply, textAt } from "../reply.ts";
import type { AccountRequest, EventReading, PaymentReading, Sender } from "./contract.ts";
import type { AccountReading, PaymentDialect } from "./dialect.ts";
import { paymentKind } from "./payment-kind.ts";
import { isSignedWith, messageOf } from "./signature.ts";

// Paystack counts in kobo. A transfer to a receiving account is a `charge` of the channel `dedicated_nuban`; `transfer.*`
// are payouts. See docs: Dedicated Virtual Accounts, Verify Transaction, Webhooks.

const perPage = 100;

interface Settings {
  readonly base_url: string;
  readonly preferred_bank: string;
}
interface Credentials {
  readonly secret_key: string;
}

function dialect({ name, settings, credentials }: PaystackEntry): PaymentDialect {
  const access = { headers: { authorization: `Bearer ${credentials.secret_key}` } };
  return {
    name,
    baseUrl: withoutSlash(settings.base_url),
    accessFor: () => access,
    received: {},
    readEvent: (message) => readEvent(message, credentials.secret_key),
    verify: (paymentId) => ({ method: "GET", path: `/transaction/verify/${encodeURIComponent(paymentId)}` }),
    readVerified,
    list({ from, to, page }) {
      const range = new URLSearchParams({
        ...{ perPage: String(perPage), page: String(page), status: "success", channel: "dedicated_nuban" },
        ...{ from: new Date(from).toISOString(), to: new Date(to).toISOString() },
      });
      return { method: "GET", path: `/transaction?${range.toString()}` };
    },
    readList: (reply, page) => readList(reply, page),
    askForAccount: (request) => ({
      method: "POST",
      path: "/customer",
      body: customerOf(request),
      hides: ["first_name", "last_name", "email", "phone"],
    }),
    readAccount: (reply) => readCustomer(reply, settings.preferred_bank),
  };
}

/** One account for each customer, and one customer for each e-mail address: so an address is made of our reference. */
function customerOf({ businessName, email, phone, reference }: AccountRequest): JsonObject {
  const [first = businessName, ...rest] = businessName.split(/\s+/);
  return {
    email: addressFor(email, reference),
    first_name: first,
    last_name: rest.join(" ") || reference,
    ...(phone === null ? {} : { phone }),
    metadata: { reference },
  };
}

/** Two merchants may have one owner, whose address is one customer there. */
function addressFor(email: string, reference: string): string {
  const at = email.lastIndexOf("@");
  return `${email.slice(0, at)}+${reference.replaceAll("_", "-")}${email.slice(at)}`;
}

function readCustomer(reply: Reply, preferredBank: string): AccountReading {
  const code = textAt(reply.json, "data", "customer_code");
  if (reply.status >= 400) return refusedBy(reply);
  if (code === null) return { kind: "unknown" };
  return {
    kind: "next",
    question: { method: "POST", path: "/dedicated_account", body: { customer: code, preferred_bank: preferredBank } },
    read: (answer) => readDedicatedAccount(answer, code),
  };
}

function readDedicatedAccount(reply: Reply, customerCode: string): AccountReading {
  if (reply.status >= 400) return refusedBy(reply);
  const data = at(reply.json, "data");
  const [accountNumber, accountName] = [textAt(data, "account_number"), textAt(data, "account_name")];
  const bankName = textAt(data, "bank", "name");
  if (accountNumber === null || accountName === null || bankName === null) return { kind: "unknown" };
  const accountReference = textAt(data, "customer", "customer_code") ?? customerCode;
  return { kind: "opened", account: { accountNumber, accountName, bankName, accountReference } };
}

/** 429 and 408 are no word about the account. */
function refusedBy(reply: Reply): AccountReading {
  if (reply.status === 429 || reply.status === 408) return { kind: "unknown" };
  return { kind: "refused", reason: messageOf(reply) };
}

function readEvent(message: CallbackMessage, secretKey: string): EventReading {
  const expected = createHmac("sha512", secretKey).update(message.body).digest("hex");
  if (!isSignedWith(message.headers["x-paystack-signature"], expected)) {
    return { kind: "forged", evidence: "x-paystack-signature is not of this body" };
  }
  const body = objectOf(parseJson(message.body));
  const event = textAt(body?.event) ?? "no event";
  const data = at(body ?? {}, "data");
  const paymentId = paymentIdIn(event, data);
  if (paymentId === null || paymentId.length > 100) return { kind: "other", evidence: event };
  return { kind: "payment", paymentId, evidence: event };
}

/** A charge by another channel, such as a card, is not money on a receiving account: verifying it would say so too. */
function paymentIdIn(event: string, data: Parameters<typeof textAt>[0]): string | null {
  if (event === "charge.success") {
    return textAt(data, "channel") === "dedicated_nuban" ? textAt(data, "reference") : null;
  }
  if (event.startsWith("refund."))
    return textAt(data, "transaction_reference") ?? textAt(data, "transaction", "reference");
  if (event.startsWith("charge.dispute.")) return textAt(data, "transaction", "reference");
  return null;
}

function readVerified(reply: Reply, paymentId: string): PaymentReading {
  const data = at(reply.json, "data");
  if (reply.status >= 400 || textAt(data, "reference") !== paymentId) return { kind: "unknown" };
  const status = textAt(data, "status") ?? "";
  if (["failed", "abandoned"].includes(status)) return { kind: "refused", reason: `its status is ${status}` };
  const wasPaid = status === "success" || status === "reversed";
  const channel = textAt(data, "channel");
  if (!wasPaid || channel === null) return { kind: "unknown" };
  if (channel !== "dedicated_nuban") return { kind: "refused", reason: `it was paid by ${channel}` };
  const currency = textAt(data, "currency") ?? "no currency";
  if (currency !== "NGN") return { kind: "refused", reason: `it is in ${currency}` };
  const [amount, fee] = [koboAt(data, "amount"), koboAt(data, "fees") ?? zeroKobo];
  const paidAt = Date.parse(textAt(data, "paid_at") ?? "");
  if (amount === null || amount === zeroKobo || fee > amount || Number.isNaN(paidAt)) return { kind: "unknown" };
  const takenBack = status === "reversed" ? amount : (koboAt(data, "refunded_amount") ?? zeroKobo);
  if (takenBack > amount) return { kind: "unknown" };
  return {
    kind: "paid",
    transfer: {
      ...{ amount, fee, takenBack, paidAt },
      accountNumber: textAt(data, "authorization", "receiver_bank_account_number"),
      accountReference: textAt(data, "customer", "customer_code"),
      sender: senderOf(at(data, "authorization")),
    },
  };
}

function senderOf(authorization: Parameters<typeof textAt>[0]): Sender {
  return {
    name: textAt(authorization, "sender_name"),
    bank: textAt(authorization, "sender_bank"),
    accountNumber: textAt(authorization, "sender_bank_account_number"),
    sessionId: textAt(authorization, "session_id"),
    narration: textAt(authorization, "narration"),
  };
}

function koboAt(value: Parameters<typeof textAt>[0], name: string): Kobo | null {
  const digits = textAt(value, name);
  return digits !== null && /^\d{1,15}$/.test(digits) ? kobo(BigInt(digits)) : null;
}

function readList(reply: Reply, page: number) {
  if (!Array.isArray(at(reply.json, "data"))) return null;
  const paymentIds = listAt(reply.json, "data").flatMap((one) => textAt(one, "reference") ?? []);
  const pages = Number(textAt(reply.json, "meta", "pageCount") ?? "");
  if (!Number.isInteger(pages) || pages < 0) return null;
  return { paymentIds, nextPage: page < pages ? page + 1 : null };
}

type PaystackEntry = { readonly name: string; readonly settings: Settings; readonly credentials: Credentials };

const bankSlug: TSchema = Type.String({
  pattern: "^[a-z0-9-]{2,40}$",
  description: "a bank's name there: wema-bank, titan-paystack",
});

export const paystackKind = paymentKind<Settings, Credentials>({
  connector: "paystack",
  title: "Paystack",
  settings: Type.Object({ base_url: baseUrl, preferred_bank: bankSlug }),
  credentials: Type.Object({ secret_key: text }),
  dialect,
});
