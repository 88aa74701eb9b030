import { type DeliveredCard, giftcardFace } from "../../categories/giftcard.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { Json, JsonObject } from "../../kernel/json.ts";
import { differenceIn, type Question, type Reading, type Unsendable } from "../dialect.ts";
import { cards, vendedWith } from "../fulfilments.ts";
import { at, koboOf, objectOf, type Reply, textAt } from "../reply.ts";
import { openService, type Service } from "./services.ts";

/** What is asked for before the cards are there: once at once, and then after so many milliseconds. */
const waitsMs = [0, 1_000, 3_000];

export function giftcardService({ giftcardsUrl }: { readonly giftcardsUrl: string }): Service {
  const service = openService(giftcardsUrl, "giftcards-v1", {
    reports: "/reports/transactions",
    differenceIn: differenceOf,
    readVended: (_, request, id) => askForCodes(request, { id, tries: 0, service }),
    // Of an order that was told a name before, nobody can say that it was never received.
    readAbsent: ({ providerReference }) => ({ kind: providerReference === null ? "absent" : "unknown" }),
  });
  return service;
}

export function askForCards(
  request: VendRequest,
  service: Service,
  { senderName }: { readonly senderName: string },
): Question | Unsendable {
  const code = codeOf(request.supplierCode);
  if (code === null) return { unsendable: "the route names no productId, or no productId/25.00" };
  const face = koboOf(giftcardFace(request).value);
  if (face === null || (code.face !== null && code.face !== face))
    return { unsendable: "the route is of another value" };
  const { details, quantity, supplierReference } = request;
  const recipientEmail = textAt(details, "recipient_email");
  return service.question("POST", "/orders", {
    body: {
      productId: code.productId,
      quantity,
      unitPrice: Number(giftcardFace(request).value),
      customIdentifier: supplierReference,
      senderName,
      // Without a phone, for which they take the fee of a text message.
      ...(recipientEmail === null ? {} : { recipientEmail }),
    },
  });
}

function codeOf(code: string | null): { readonly productId: number; readonly face: bigint | null } | null {
  const [, productId, face] = /^([1-9][0-9]{0,9})(?:\/([0-9]{1,9}\.[0-9]{2}))?$/.exec(code ?? "") ?? [];
  return productId === undefined ? null : { productId: Number(productId), face: koboOf(face ?? null) };
}

function differenceOf(order: JsonObject, request: VendRequest): string | null {
  const code = codeOf(request.supplierCode);
  const face = giftcardFace(request);
  const isSameCurrency = textAt(order, "product", "currencyCode") === face.currency;
  return differenceIn({
    reference: { theirs: textAt(order, "customIdentifier"), ours: request.supplierReference },
    products: [
      { theirs: textAt(order, "product", "productId"), ours: code === null ? null : String(code.productId) },
      { theirs: textAt(order, "product", "quantity"), ours: String(request.quantity) },
    ],
    number: { theirs: null, ours: [] },
    amount: {
      theirs: [isSameCurrency ? koboOf(textAt(order, "product", "unitPrice")) : null],
      ours: koboOf(face.value),
    },
  });
}

interface Order {
  readonly id: string;
  readonly tries: number;
  readonly service: Service;
}

/** The cards are told by a question of their own, and are there a moment after the order's success, or a minute. */
function askForCodes(request: VendRequest, order: Order): Reading {
  const { id, tries, service } = order;
  const afterMs = waitsMs[tries];
  if (afterMs === undefined || !/^[0-9]{1,20}$/.test(id)) return vendedWith("missing", id);
  return {
    kind: "next",
    // Version 1 writes a link where it should write a code.
    question: service.question("GET", `/orders/transactions/${id}/cards`, {
      accept: "application/com.reloadly.giftcards-v2+json",
      isListed: true,
    }),
    afterMs,
    providerReference: id,
    read: (reply) => readCodes(reply, request, order),
  };
}

function readCodes(reply: Reply, request: VendRequest, order: Order): Reading {
  const found = cardsIn(reply);
  if (found.length < request.quantity) {
    // 404 or an empty list: not yet. All else will be asked again later.
    const isEarly = reply.status === 404 || reply.status < 300;
    return askForCodes(request, { ...order, tries: isEarly ? order.tries + 1 : waitsMs.length });
  }
  const read = found.flatMap((card) => cardOf(card) ?? []);
  return vendedWith(read.length < found.length ? "unclear" : cards(request, read), order.id);
}

/** A list; for a single card, the card alone has been seen. */
function cardsIn({ status, json, list }: Reply): readonly Json[] {
  if (status >= 300) return [];
  return list ?? (["cardNumber", "pinCode", "redemptionUrl"].some((name) => name in json) ? [json] : []);
}

/** A code, with a PIN or without, or a link alone. Null where a field holds something that cannot be read whole. */
function cardOf(card: Json): DeliveredCard | null {
  const fields = ["cardNumber", "pinCode", "redemptionUrl"].map((name) => at(objectOf(card) ?? {}, name) ?? null);
  const received = fields.map(
    (field) => (typeof field === "string" ? field.trim() : textAt(field ?? undefined)) || null,
  );
  if (fields.some((field, n) => field !== null && field !== "" && received[n] === null)) return null;
  const [number, pin, url] = received;
  const isLink = (word: string | null | undefined) => word?.startsWith("https://") === true;
  const link = [url, number, pin].find(isLink) ?? null;
  const [code, second] = [number, pin].filter((word) => word !== null && word !== undefined && !isLink(word));
  const shown = code ?? link;
  return shown === null ? null : { code: shown, pin: second ?? null, claim_url: link, serial: null, expires_at: null };
}
