import { toppedUp } from "../../categories/fulfilment/fulfilment-fields.ts";
import type { VendRequest } from "../../categories/supplier-request.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira } from "../../kernel/money.ts";
import { differenceIn, type Question, type Reading, type Unsendable } from "../dialect.ts";
import { vendedWith } from "../fulfilments.ts";
import { koboOf, objectOf, type Reply, textAt } from "../reply.ts";
import { openService, readEnd, readPurchase, type Service, verdictOf } from "./services.ts";

/** When the status is asked for: at once, and then after so many milliseconds. Mostly it takes some seconds. */
const waitsMs = [0, 1_000, 2_000, 4_000, 8_000];

export function airtimeService({ topupsUrl }: { readonly topupsUrl: string | null }): Service | null {
  if (topupsUrl === null) return null;
  const service = openService(topupsUrl, "topups-v1", {
    reports: "/topups/reports/transactions",
    differenceIn: differenceOf,
    readVended: (purchase, _, id) => readDelivered(purchase, id),
    // It may still be under way, and nobody says whether their reports show it then. A person looks, in the end.
    readAbsent: (request) =>
      request.providerReference === null
        ? { kind: "unknown" }
        : askForStatus(request, { id: request.providerReference, tries: waitsMs.length - 1, afterMs: 0, service }),
  });
  return service;
}

/**
 * Without waiting for its end (`/topups-async`): its name is told at once. The other way (`/topups`) answers after up to
 * a minute, when our deadline is long over, and nothing is left to ask by but their search.
 */
export function askForTopup(
  request: VendRequest,
  service: Service,
  { currency }: { readonly currency: string },
): Question | Unsendable {
  const operatorId = operatorOf(request.supplierCode);
  const [number] = /^0[0-9]{10}$/.exec(request.customerRef ?? "") ?? [];
  if (operatorId === null) return { unsendable: "the route names no operatorId" };
  if (number === undefined) return { unsendable: "it is no Nigerian number" };
  return service.question("POST", "/topups-async", {
    body: {
      operatorId: Number(operatorId),
      amount: Number(formatNaira(request.faceAmount)),
      // Our amounts are in naira. An account in naira has them as its own amounts, at the better discount.
      useLocalAmount: currency !== "NGN",
      customIdentifier: request.supplierReference,
      recipientPhone: { countryCode: "NG", number: `234${number.slice(1)}` },
    },
  });
}

function operatorOf(code: string | null): string | null {
  return /^[1-9][0-9]{0,9}$/.exec(code ?? "")?.[0] ?? null;
}

function differenceOf(purchase: JsonObject, request: VendRequest): string | null {
  const isNaira = textAt(purchase, "requestedAmountCurrencyCode") === "NGN";
  return differenceIn({
    reference: { theirs: textAt(purchase, "customIdentifier"), ours: request.supplierReference },
    products: [{ theirs: textAt(purchase, "operatorId"), ours: operatorOf(request.supplierCode) }],
    number: { theirs: textAt(purchase, "recipientPhone"), ours: [request.customerRef] },
    amount: {
      theirs: [isNaira ? koboOf(textAt(purchase, "requestedAmount")) : null],
      ours: request.faceAmount,
    },
  });
}

/** The answer to a purchase tells its name and nothing else. */
export function readAccepted(json: JsonObject, request: VendRequest, service: Service): Reading {
  const id = textAt(json, "transactionId");
  return id === null ? { kind: "unknown" } : askForStatus(request, { id, tries: 0, service });
}

interface Topup {
  readonly id: string;
  readonly tries: number;
  readonly afterMs?: number;
  readonly service: Service;
}

function askForStatus(request: VendRequest, topup: Topup): Reading {
  const { id, tries, service } = topup;
  const afterMs = topup.afterMs ?? waitsMs[tries];
  if (afterMs === undefined || !/^[0-9]{1,20}$/.test(id)) return { kind: "unknown", providerReference: id };
  return {
    kind: "next",
    question: service.question("GET", `/topups/${id}/status`),
    afterMs,
    providerReference: id,
    read: (reply) => readStatus(reply, request, { id, tries: tries + 1, service }),
  };
}

/** The purchase stands in the status, or is it, and is there only once it is over. */
function readStatus({ status, json }: Reply, request: VendRequest, topup: Topup): Reading {
  if (status >= 400) return { kind: "unknown", providerReference: topup.id };
  const verdict = verdictOf(json.status);
  if (verdict === null) return askForStatus(request, topup);
  const purchase = objectOf(json.transaction) ?? (json.transactionId === undefined ? null : json);
  if (purchase !== null) return readPurchase({ ...purchase, status: json.status ?? null }, request, topup.service);
  return verdict === "vended" ? { kind: "unknown", providerReference: topup.id } : readEnd(verdict, topup.id);
}

/** Some operators sell a PIN instead of topping up: our airtime has no place for one, so that nobody would get it. */
function readDelivered(purchase: JsonObject, id: string): Reading {
  return vendedWith(objectOf(purchase.pinDetail) === null ? toppedUp : "unclear", id);
}
