import { createHmac, timingSafeEqual } from "node:crypto";
import { Type } from "typebox";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type News, readNews } from "../addressed-callback.ts";
import { baseUrl, httpKind, text, withoutSlash } from "../connector-kind.ts";
import type { CallbackMessage, CallbackReading } from "../contract.ts";
import type { Dialect, Question, Reading, TokenSource } from "../dialect.ts";
import { firstText, koboOf, objectOf, type Reply, textAt } from "../reply.ts";
import { airtimeService, askForTopup, readAccepted } from "./airtime.ts";
import { giftcardList } from "./catalogue.ts";
import { askForCards, giftcardService } from "./giftcards.ts";
import { isNotFound, readPurchase, readRefusal, type Service } from "./services.ts";

/** Reloadly: gift cards, and airtime for Nigerian numbers. Its documentation: docs.reloadly.com. */
export interface ReloadlySettings {
  readonly name: string;
  /** The gift cards' API: `https://giftcards.reloadly.com`, or their sandbox's. */
  readonly giftcardsUrl: string;
  /** The airtime's; null where we sell none of it. */
  readonly topupsUrl: string | null;
  readonly authUrl: string;
  /** Of our account there: three capital letters. */
  readonly currency: string;
  /** Our shop's name on their receipts. */
  readonly senderName: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Signs their callbacks; null where they send none. */
  readonly webhookSecret: string | null;
}

/** A gift card's code is `productId` or, for one value of it, `productId/25.00`; that of airtime an `operatorId`. */
export function reloadly(settings: ReloadlySettings): Dialect {
  const giftcards = giftcardService(settings);
  const airtime = airtimeService(settings);
  const serviceOf = ({ category }: VendRequest): Service | null =>
    category === "giftcard" ? giftcards : category === "airtime" ? airtime : null;
  return {
    name: settings.name,
    baseUrl: settings.giftcardsUrl,
    // The access token is all.
    accessFor: () => ({}),
    tokens: tokensOf(settings),
    askToVend(request) {
      if (request.category === "giftcard") return askForCards(request, giftcards, settings);
      if (request.category !== "airtime") return { unsendable: `we buy no ${request.category} there` };
      return airtime === null
        ? { unsendable: "the settings have no topups_url" }
        : askForTopup(request, airtime, settings);
    },
    readVend(reply, request) {
      if (reply.status >= 400) return readRefusal(reply);
      if (request.category === "giftcard") return readPurchase(reply.json, request, giftcards);
      return airtime === null ? { kind: "unknown" } : readAccepted(reply.json, request, airtime);
    },
    requery(request) {
      const service = serviceOf(request);
      return service === null ? null : (byTheirName(request, service) ?? byOurName(request, service));
    },
    readAgain(reply, request) {
      const service = serviceOf(request);
      return service === null ? { kind: "unknown" } : readAgain(reply, request, service);
    },
    balance: {
      question: giftcards.question("GET", "/accounts/balance"),
      currency: settings.currency,
      // An amount of another currency would be a balance a thousand times too high or too low.
      read: ({ json }) => (textAt(json, "currencyCode") === settings.currency ? koboOf(textAt(json, "balance")) : null),
    },
    callbacks: {
      received: { received: true },
      read: (message) => readCallback(message, settings.webhookSecret),
    },
    catalogue: [giftcardList(giftcards)],
  };
}

/** One token opens one of their services. Sandbox and live are different services. */
function tokensOf({ authUrl, clientId, clientSecret }: ReloadlySettings): TokenSource {
  return {
    account: clientId,
    ask: (audience) => ({
      question: {
        method: "POST",
        path: "/oauth/token",
        baseUrl: authUrl,
        body: { grant_type: "client_credentials", audience },
      },
      access: { fields: { client_id: clientId, client_secret: clientSecret } },
    }),
    read({ json }) {
      // Not by `textAt`, which cuts: their tokens have about a thousand characters.
      const token = json.access_token;
      if (typeof token !== "string" || !/^[\x21-\x7e]+$/.test(token)) return null;
      return { token, goodForSeconds: Number(textAt(json, "expires_in")) || usualSeconds };
    },
  };
}

/** Where they do not say: one that ends before is renewed at its first 401. */
const usualSeconds = 3_600;

function byTheirName({ providerReference }: VendRequest, { question, reports }: Service): Question | null {
  return providerReference !== null && /^[0-9]{1,20}$/.test(providerReference)
    ? question("GET", `${reports}/${providerReference}`)
    : null;
}

/** Without dates, which they read as of UTC−4. */
function byOurName({ supplierReference }: VendRequest, { question, reports }: Service): Question {
  return question("GET", `${reports}?customIdentifier=${encodeURIComponent(supplierReference)}&size=10`);
}

function readAgain(reply: Reply, request: VendRequest, service: Service): Reading {
  if (reply.json.content !== undefined) return readFound(reply, request, service);
  if (reply.status < 400) return readPurchase(reply.json, request, service);
  if (!isNotFound(reply) || byTheirName(request, service) === null) return { kind: "unknown" };
  // A supplier that gave us a name for it must deny that and ours.
  return {
    kind: "next",
    question: byOurName(request, service),
    read: (found) => readFound(found, request, service),
  };
}

/**
 * Their search ignores case, and might ignore what it was asked for: only what bears our reference to the letter is
 * ours, and only an empty answer says that there is none.
 */
function readFound({ status, json }: Reply, request: VendRequest, service: Service): Reading {
  if (status >= 400 || !Array.isArray(json.content)) return { kind: "unknown" };
  if (json.content.length === 0) return service.readAbsent(request);
  const named = (row: unknown) => textAt(objectOf(row) ?? {}, "customIdentifier");
  const ours = json.content.filter((row) => named(row) === request.supplierReference);
  const [only] = ours;
  // They execute both of two requests that are under way at once.
  if (ours.length > 1) return { kind: "another", what: "several under our reference" };
  if (only !== undefined) return readPurchase(objectOf(only) ?? {}, request, service);
  const alike = request.supplierReference.toLowerCase();
  if (!json.content.some((row) => named(row)?.toLowerCase() === alike)) return { kind: "unknown" };
  return { kind: "another", what: "our reference in other letters" };
}

const currency = Type.String({
  pattern: "^[A-Z]{3}$",
  description: "the currency of our account there, such as USD or NGN",
});
const senderName = Type.String({
  minLength: 1,
  maxLength: 100,
  description: "our name on their receipts, 1 to 100 characters",
});

export const reloadlyKind = httpKind({
  connector: "reloadly",
  title: "Reloadly",
  settings: {
    base_url: baseUrl,
    topups_url: Type.Optional(baseUrl),
    auth_url: baseUrl,
    currency,
    sender_name: senderName,
  },
  credentials: { client_id: text, client_secret: text, webhook_secret: Type.Optional(text) },
  dialect: ({ name, settings, credentials }) =>
    reloadly({
      name,
      giftcardsUrl: withoutSlash(settings.base_url),
      topupsUrl: settings.topups_url === undefined ? null : withoutSlash(settings.topups_url),
      authUrl: withoutSlash(settings.auth_url),
      currency: settings.currency,
      senderName: settings.sender_name,
      clientId: credentials.client_id,
      clientSecret: credentials.client_secret,
      webhookSecret: credentials.webhook_secret ?? null,
    }),
});

/** They repeat a callback for a while, so that its age says nothing: it only makes us ask. */
export function readCallback(message: CallbackMessage, secret: string | null): CallbackReading {
  const timestamp = message.headers["x-reloadly-request-timestamp"];
  const signature = message.headers["x-reloadly-signature"];
  if (secret === null || typeof timestamp !== "string" || typeof signature !== "string") {
    return { kind: "forged", evidence: "no signature, or no secret of ours" };
  }
  const expected = createHmac("sha256", secret).update(`${message.body}:${timestamp}`).digest();
  const given = Buffer.from(signature.trim(), "hex");
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) {
    return { kind: "forged", evidence: "not signed with the webhook secret" };
  }
  return readNews(message, newsIn);
}

/** `type` is `giftcard_transaction.status` or `airtime_transaction.status`. What it is about stands in one of three places. */
function newsIn(body: JsonObject): News | null {
  if (textAt(body, "type")?.endsWith("_transaction.status") !== true) return null;
  const data = objectOf(body.data) ?? {};
  const about = objectOf(data.transaction) ?? objectOf(body.transaction) ?? data;
  const status = textAt(about, "status") ?? textAt(data, "status") ?? textAt(body, "status");
  if (status === null) return null;
  return {
    supplierReference: textAt(about, "customIdentifier"),
    providerReference: firstText(about, ["transactionId", "id"]),
    status,
  };
}
