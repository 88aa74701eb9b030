import { createHmac } from "node:crypto";
import type { CallbackMessage } from "../../../src/providers/contract.ts";
import type { ConnectorUnderTest } from "./connector-under-test.ts";
import { cardAt, page, refusal, reloadlySecret, tokenFor, transaction } from "./reloadly-answers.ts";
import { reloadlyTraps } from "./reloadly-traps.ts";
import type { Requested, Saying, SentCallback, StubAnswer, StubDialect, StubRecord } from "./stub-dialect.ts";

const clientId = "b9QJxM2c0zVtR7cLw4Gk1Yh8";
const webhookSecret = "whk-5d3Vq8Zt1Lr6Xc0Pb7Ny2";

const services: Readonly<Record<string, string>> = { cards: "giftcards", airtime: "topups" };

/** Reloadly's services for tokens, gift cards and airtime, as its documentation and its sandbox show them. */
export const reloadlyStub: StubDialect = {
  receive({ method, path, query, headers, body }): Requested | null {
    if (path === "/auth/oauth/token" && method === "POST") return receiveToken(body);
    const [, at = "", below = ""] = /^\/(cards|airtime)(\/.*)$/.exec(path) ?? [];
    const service = services[at];
    if (service === undefined) return null;
    const phone = body.recipientPhone as { readonly number?: string } | undefined;
    const reference = String(body.customIdentifier ?? "");
    const calls = { reference, number: String(phone?.number ?? ""), body: { ...body, service } };
    if (headers.authorization !== `Bearer ${tokenFor(service)}`) return { ...calls, question: "denied" };
    const accept = `application/com.reloadly.${service}-v`;
    if (headers.accept?.startsWith(accept) !== true) return null;
    if (method === "POST") {
      return below === (service === "giftcards" ? "/orders" : "/topups-async") ? { ...calls, question: "vend" } : null;
    }
    return receiveGet(below, query, { ...calls, isVersion2: headers.accept === `${accept}2+json` });
  },
  say,
  call(record, status) {
    const { status: word, customIdentifier, transactionId } = transaction(record, statusWords[status]);
    const type = record.calls.body.service === "topups" ? "airtime_transaction.status" : "giftcard_transaction.status";
    const data = { transactionId, customIdentifier, status: word, recipientPhone: Number(record.number) || null };
    return { headers: { "content-type": "application/json" }, body: JSON.stringify({ type, data }) };
  },
  traps: reloadlyTraps,
  outOfMoney: refusal(400, "INSUFFICIENT_BALANCE", "Wallet balance is not enough for this order"),
};

function receiveToken(body: Record<string, unknown>): Requested {
  const { client_id, client_secret, grant_type, audience } = body;
  const isOurs = client_id === clientId && client_secret === reloadlySecret && grant_type === "client_credentials";
  const service = services[/\/(cards|airtime)$/.exec(String(audience))?.[1] ?? ""];
  const about = { reference: "", number: "", body: { service } };
  return { ...about, question: isOurs && service !== undefined ? "token" : "denied" };
}

function receiveGet(
  below: string,
  query: URLSearchParams,
  calls: Omit<Requested, "question"> & { isVersion2: boolean },
) {
  const { isVersion2, ...rest } = calls;
  const of = (view: string, reference: string): Requested => ({
    ...rest,
    reference,
    question: "requery",
    body: { ...rest.body, view },
  });
  const reports = rest.body.service === "giftcards" ? "/reports/transactions" : "/topups/reports/transactions";
  if (below === "/accounts/balance") return { ...rest, question: "balance" as const };
  if (below === "/products") return { ...rest, question: "catalogue" as const, body: Object.fromEntries(query) };
  if (below === reports) return of("search", query.get("customIdentifier") ?? "");
  if (below.startsWith(`${reports}/`)) return of("report", below.slice(reports.length + 1));
  const topup = /^\/topups\/([0-9]+)\/status$/.exec(below)?.[1];
  if (topup !== undefined) return of("status", topup);
  const order = /^\/orders\/transactions\/([0-9]+)\/cards$/.exec(below)?.[1];
  return order === undefined || !isVersion2 ? null : { ...of("cards", order), question: "collect" as const };
}

const statusWords = { vended: "SUCCESSFUL", declined: "FAILED", pending: "PROCESSING", reversed: "REFUNDED" };

function say(saying: Saying, calls: Requested, record: StubRecord | null): StubAnswer {
  switch (saying) {
    case "vended":
    case "declined":
    case "pending":
    case "reversed":
      return view(calls, record!, statusWords[saying]);
    case "undocumented":
      return view(calls, record!, "ON_HOLD");
    case "absent":
      return calls.body.view === "search"
        ? { status: 200, body: page([]) }
        : refusal(404, "TRANSACTION_NOT_FOUND", "Transaction not found");
    case "duplicate":
      return refusal(400, "CUSTOM_IDENTIFIER_ALREADY_USED", "The custom identifier provided has already been used");
    case "denied":
      return refusal(401, "INVALID_TOKEN", "Full authentication is required to access this resource");
    case "token":
      return {
        status: 200,
        body: { access_token: tokenFor(String(calls.body.service)), expires_in: 86_400, token_type: "Bearer" },
      };
    case "balance":
      return {
        status: 200,
        body: { balance: 993.81, frozenBalance: null, currencyCode: "USD", updatedAt: "2026-11-20" },
      };
    case "collected":
      return { status: 200, body: Array.from({ length: Number(record!.calls.body.quantity) }, (_, n) => cardAt(n)) };
    case "not_collected":
      return refusal(404, null, "The requested transaction has no cards yet");
    default:
      throw new Error(`nobody asks it for ${saying}`);
  }
}

/** As the answer to an order shows a purchase, or the questions about it. */
function view({ question, body }: Requested, record: StubRecord, status: string): StubAnswer {
  const row = transaction(record, status);
  if (question === "vend" && body.service === "topups")
    return { status: 200, body: { transactionId: row.transactionId } };
  if (body.view === "search") return { status: 200, body: page([row]) };
  if (body.view !== "status") return { status: 200, body: row };
  const isOver = status === "SUCCESSFUL" || status === "FAILED" || status === "REFUNDED";
  return { status: 200, body: { code: null, message: null, status, transaction: isOver ? row : null } };
}

export function signed(sent: SentCallback, secret: string, timestamp = "1795186830250"): Record<string, string> {
  const signature = createHmac("sha256", secret).update(`${sent.body}:${timestamp}`).digest("hex");
  return { ...sent.headers, "x-reloadly-request-timestamp": timestamp, "x-reloadly-signature": signature };
}

function genuine(sent: SentCallback, at: number): CallbackMessage {
  return { headers: signed(sent, webhookSecret), body: sent.body, query: "", addressSecret: null, at };
}

export const underTest: ConnectorUnderTest = {
  name: "reloadly",
  stub: reloadlyStub,
  sells: { giftcard: "5/10.00", airtime: "341" },
  usual: "giftcard",
  referenceAtSupplier: ({ supplierReference }) => supplierReference,
  canAskUnanswered: true,
  keys: [clientId, reloadlySecret, webhookSecret, tokenFor("giftcards"), tokenFor("topups"), "a1B2c3D4a1B2c3D4"],
  saysReversed: true,
  entered: ({ baseUrl, wrongKeys }) => ({
    settings: {
      base_url: `${baseUrl}/cards`,
      topups_url: `${baseUrl}/airtime/`,
      auth_url: `${baseUrl}/auth`,
      currency: "USD",
      sender_name: "Corner Shop",
    },
    credentials: {
      client_id: clientId,
      client_secret: wrongKeys ? "wrong" : reloadlySecret,
      webhook_secret: webhookSecret,
    },
  }),
  verifies: null,
  balance: 99_381n,
  callbacks: {
    genuine,
    forged(sent, at) {
      const message = genuine(sent, at);
      const { "x-reloadly-signature": signature, ...unsigned } = signed(sent, webhookSecret);
      const { "x-reloadly-request-timestamp": _, ...timeless } = signed(sent, webhookSecret);
      return [
        { ...message, headers: sent.headers },
        { ...message, headers: unsigned },
        { ...message, headers: timeless },
        { ...message, headers: signed(sent, reloadlySecret) },
        { ...message, body: sent.body.replace("SUCCESSFUL", "REFUNDED") },
        { ...message, headers: { ...message.headers, "x-reloadly-request-timestamp": "1795186830251" } },
        { ...message, headers: { ...unsigned, "x-reloadly-signature": signature!.slice(0, -2) } },
      ];
    },
  },
};
