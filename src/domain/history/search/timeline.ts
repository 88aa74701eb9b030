import type { Instant } from "../../../kernel/clock.ts";
import type { MerchantId, TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { maskSecrets } from "../../../kernel/mask-secrets.ts";
import { formatNaira, kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { maskText } from "../../../providers/evidence/mask-text.ts";
import { derivedNames } from "../../../providers/registry.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { formatMerchantId } from "../../merchants/merchant.ts";
import { findMerchant } from "../../merchants/queries.ts";
import type { PurchaseEntry } from "../../purchases/buying/legacy-queries.ts";
import { type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import { supplierReferenceOf } from "../../purchases/settle.ts";
import type { LoggedRequest } from "../../request-log/logged-request.ts";
import { listCallbacks } from "../../resolution/callbacks/callback-queries.ts";
import { type EndedAttempt, listIncidents } from "../../resolution/incident-queries.ts";
import type { Waiting } from "../../resolution/review/review-queries.ts";
import type { Supplier } from "../../suppliers/routing/route.ts";
import { readSuppliers } from "../../suppliers/routing/route-table.ts";
import { formatEndpointId } from "../../webhooks/endpoints/endpoint.ts";
import type { DueWebhook, WebhookTry } from "../../webhooks/events/purchase-webhook-queries.ts";
import { inOrder, readHistory, type Step } from "./merchant-timeline.ts";
import { priceReason } from "./price-reason.ts";

/** Something that happened to a purchase. Nothing in it is a secret or whole number of a customer. */
export interface TimelineEvent {
  /** Null for what is still to come and has no time. */
  readonly at: Instant | null;
  readonly kind: "request" | "wallet" | "attempt" | "callback" | "incident" | "end" | "webhook" | "next";
  /** One sentence for people. */
  readonly what: string;
  /** The supplier's or receiver's text, masked; null where there is none. */
  readonly evidence: string | null;
  /** The same for programs. */
  readonly facts: JsonObject;
}

/** One purchase and all that happened to it, in one order. */
export interface Timeline {
  readonly facts: JsonObject;
  readonly events: readonly TimelineEvent[];
}

interface TimelineServices {
  readonly database: Queryable;
  readonly transactionIds: TransactionIds;
}

/**
 * Reads everything about one purchase: request, wallet entries, attempts with their evidence, callbacks, incidents, its
 * end and what its merchant was told. Reads by key alone; for whoever may see any merchant's purchases. The
 * catalogue is the caller's: it may have it in memory, and it is thousands of rows.
 */
export async function readTimeline(
  services: TimelineServices,
  purchase: Purchase,
  catalogue: CatalogueSnapshot,
): Promise<Timeline> {
  const { database, transactionIds } = services;
  const [suppliers, steps, merchant] = await Promise.all([
    readSuppliers(database),
    readHistory(database, purchase),
    findMerchant(database, purchase.wallet.merchantId),
  ]);
  const sold = soldProductOf(catalogue, purchase).product;
  const product = sold.name;
  const price = priceReason(catalogue, sold, purchase, merchant?.price_tier ?? 1);
  const ours = supplierReferenceOf(transactionIds, purchase);
  const ended = steps.flatMap((step) => (step.kind === "attempt" ? [step.of] : []));
  const present = { supplier: purchase.supplier, supplierReference: ours };
  // The last attempt of a purchase that has ended is the present one.
  const requested = ended.some(({ supplierReference }) => supplierReference === ours) ? ended : [...ended, present];
  const endedAt = steps.find(({ kind }) => kind === "end")?.at ?? 0;
  const events = [
    ...(await callbackEvents(database, requested)),
    ...(await incidentEvents(database, purchase, endedAt)),
    ...steps.flatMap((step) => eventOf(step, { purchase, product, price, suppliers })),
  ];
  return {
    facts: factsOf(services, purchase, { product, nameThere: nameThere(suppliers, purchase.supplier, ours) }),
    events: inOrder(events),
  };
}

interface Context {
  readonly purchase: Purchase;
  readonly product: string;
  /** Why it cost what it cost. */
  readonly price: string;
  readonly suppliers: readonly Supplier[];
}

/** A step for operators: of requests only the purchase itself, as the others are in its merchant's log. */
function eventOf(step: Step, { purchase, product, price, suppliers }: Context): TimelineEvent[] {
  const { at } = step;
  const { merchantId } = purchase.wallet;
  switch (step.kind) {
    case "request":
      return step.isOrigin ? [{ ...requestEvent(purchase, { product, price, request: step.of }), at }] : [];
    case "wallet":
      return [{ ...entryEvent(step.of), at }];
    case "attempt":
      return [{ ...attemptEvent(step.of, suppliers), at }];
    case "end":
      return [{ ...endEvent(step.of), at }];
    case "event":
      return [{ ...webhookEvent(step.of, merchantId), at }];
    case "try":
      return [{ ...tryEvent(step.of, merchantId), at }];
    case "due":
      return [{ ...dueEvent(step.of, merchantId), at }];
    case "next":
      return [{ ...nextEvent(purchase, step.of), at }];
  }
}

type EventFacts = Omit<TimelineEvent, "at">;

function factsOf(
  { transactionIds }: TimelineServices,
  purchase: Purchase,
  { product, nameThere }: { readonly product: string; readonly nameThere: string },
): JsonObject {
  const { wallet, reference, status, errorCode, productId, supplier, providerReference, bulk } = purchase;
  return {
    transaction_id: transactionIds.format(purchase.id, wallet.mode),
    mode: wallet.mode,
    merchant_id: formatMerchantId(wallet.merchantId),
    reference,
    bulk_reference: bulk?.reference ?? null,
    status,
    error_code: errorCode,
    product_id: productId,
    product,
    customer: maskedNumber(purchase.customerRef),
    total: formatNaira(purchase.total),
    supplier,
    our_reference_there: supplier === null ? null : nameThere,
    their_reference: providerReference,
  };
}

/** Our name for an attempt, as its supplier knows it. */
function nameThere(suppliers: readonly Supplier[], supplier: string | null, reference: string): string {
  const connector = suppliers.find(({ name }) => name === supplier)?.connector ?? "";
  return derivedNames(connector)?.there(reference) ?? reference;
}

/** `request`: as it stands in its merchant's log; null where it came in no request, or is no longer kept. */
function requestEvent(
  purchase: Purchase,
  { product, price, request }: Pick<Context, "product" | "price"> & { readonly request: LoggedRequest | null },
): EventFacts {
  const { channel, quantity, customerRef, total } = purchase;
  const customer = maskedNumber(customerRef);
  const what = `${quantity} × ${product}${customer === null ? "" : ` for ${customer}`}, by ${channel}`;
  const facts = { channel, product, quantity, customer, total: formatNaira(total), price };
  if (request === null) return { kind: "request", what, evidence: null, facts };
  const { method, path, address, status, code, durationMs: duration_ms, requestId: request_id } = request;
  const sent = { request: `${method} ${path}`, address, request_id, http_status: status, code, duration_ms };
  return { kind: "request", what, evidence: null, facts: { ...facts, ...sent } };
}

function entryEvent(entry: PurchaseEntry): EventFacts {
  const { kind, seq } = entry;
  const delta = formatNaira(entry.delta);
  const balanceAfter = formatNaira(entry.balanceAfter);
  const what = `${kind} ${delta}, balance after ${balanceAfter} (entry ${seq})`;
  const facts = { entry: Number(seq), entry_kind: kind, delta, balance_after: balanceAfter };
  return { kind: "wallet", what, evidence: entry.reason === null ? null : maskedWords(entry.reason), facts };
}

function attemptEvent(ended: EndedAttempt, suppliers: readonly Supplier[]): EventFacts {
  const { attempt, supplier, verdict } = ended;
  const ours = nameThere(suppliers, supplier, ended.supplierReference);
  const theirs = ended.providerReference;
  const cost = ended.cost === null ? null : formatNaira(kobo(ended.cost));
  const what = `attempt ${attempt} at ${supplier}: ${verdict}; our reference there ${ours}${theirs === null ? "" : `, theirs ${theirs}`}`;
  const facts = {
    attempt,
    supplier,
    verdict,
    our_reference_there: ours,
    their_reference: theirs,
    supplier_code: ended.supplierCode,
    cost,
    foreign_cost: ended.foreignCost,
    chosen_as: ended.routeReason,
  };
  return { kind: "attempt", what, evidence: maskedWords(ended.evidence), facts };
}

async function callbackEvents(
  database: Queryable,
  requested: readonly { readonly supplier: string | null; readonly supplierReference: string }[],
): Promise<TimelineEvent[]> {
  const attempts = requested.flatMap(({ supplier, ...rest }) => (supplier === null ? [] : [{ ...rest, supplier }]));
  return (await listCallbacks(database, attempts)).map(({ supplier, status, evidence, receivedAt: at }) => ({
    at,
    kind: "callback",
    what: `${supplier} called: ${status}`,
    evidence: maskedWords(evidence),
    facts: { supplier, said: status },
  }));
}

async function incidentEvents(
  database: Queryable,
  { wallet, id }: Purchase,
  endedAt: Instant,
): Promise<TimelineEvent[]> {
  return (await listIncidents(database, wallet, id)).map(({ kind, attempt, supplier, source, evidence, at }) => ({
    at: kind === "late_reversal" ? Math.max(endedAt, at) : at,
    kind: "incident",
    what: `${kind} of attempt ${attempt}, ${source}`,
    evidence: maskedWords(evidence),
    facts: { incident: kind, attempt, supplier, source: source },
  }));
}

function endEvent({ status, errorCode }: Purchase): EventFacts {
  const what = errorCode === null ? status : `${status}: ${errorCode}`;
  return { kind: "end", what, evidence: null, facts: { status, error_code: errorCode } };
}

function webhookEvent({ event, endpointNumber, nextAttemptAt }: DueWebhook, merchantId: MerchantId): EventFacts {
  const endpoint = formatEndpointId({ merchantId, endpointNumber });
  const isDue = nextAttemptAt !== null;
  const what = `${event} owed to ${endpoint}${isDue ? "; an attempt is due" : ""}`;
  return { kind: "webhook", what, evidence: null, facts: { event, endpoint, is_due: isDue } };
}

function dueEvent({ event, endpointNumber }: DueWebhook, merchantId: MerchantId): EventFacts {
  const endpoint = formatEndpointId({ merchantId, endpointNumber });
  const facts = { event, endpoint, is_next: true };
  return { kind: "webhook", what: `next attempt of ${event} to ${endpoint}`, evidence: null, facts };
}

function tryEvent(made: WebhookTry, merchantId: MerchantId): EventFacts {
  const { event, endpointNumber, url, attempt, httpStatus, error, durationMs, responseBody } = made;
  const endpoint = formatEndpointId({ merchantId, endpointNumber });
  const what = `${event} to ${endpoint} at ${url}, attempt ${attempt}: ${error ?? httpStatus} in ${durationMs} ms`;
  const facts = { event, endpoint, url, attempt, http_status: httpStatus, error, duration_ms: durationMs };
  return { kind: "webhook", what, evidence: responseBody === "" ? null : maskedWords(responseBody), facts };
}

/** What happens next to a pending purchase, and what its supplier answered last. */
function nextEvent(
  { supplier, attempt }: Purchase,
  { step, tries, lastAnswer, routeReason, cost }: Waiting,
): EventFacts {
  const what =
    step === "review"
      ? "waits for a person"
      : `${step}: ${supplier ?? "the simulator"} was asked ${tries === 1 ? "once" : `${tries} times`} what became of it`;
  const facts = {
    ...{ step, attempt, supplier, questions: tries, chosen_as: routeReason },
    cost: cost === null ? null : formatNaira(kobo(cost)),
  };
  return { kind: "next", what, evidence: lastAnswer === null ? null : maskedWords(lastAnswer), facts };
}

const digitsShown = 4;

/** A customer's number by its last four characters: enough to tell whose it is to somebody who knows it. */
export function maskedNumber(number: string | null): string | null {
  if (number === null) return null;
  const shown = number.length > 2 * digitsShown ? number.slice(-digitsShown) : "";
  return shown.padStart(number.length, "*");
}

/**
 * A text that a person or a receiver wrote, without keys, PINs, tokens, numbers and mail addresses. Suppliers' answers
 * were redacted before they were stored; people and merchants' receivers may write anything.
 */
export function maskedWords(text: string): string {
  return maskText(maskSecrets(text));
}
