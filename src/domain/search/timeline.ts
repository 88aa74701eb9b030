import type { Instant } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { derivedNames } from "../../providers/registry.ts";
import { readCatalogue } from "../catalogue/catalogue.ts";
import { formatMerchantId } from "../merchants/merchant.ts";
import type { Purchase } from "../purchases/purchase.ts";
import { supplierReferenceOf } from "../purchases/settle.ts";
import { soldProductOf } from "../purchases/sold-product.ts";
import { type EndedAttempt, listAttempts } from "../resolution/attempt-queries.ts";
import { listCallbacks } from "../resolution/callbacks/callback-queries.ts";
import { listIncidents } from "../resolution/incident-queries.ts";
import { findWaiting, type Waiting } from "../resolution/review/review-queries.ts";
import { type RouteTable, readRouteTable } from "../routing/route-table.ts";
import { formatEndpointId } from "../webhooks/endpoints/endpoint-id.ts";
import { listTriesOf, listWebhooksOfPurchase } from "../webhooks/events/purchase-webhook-queries.ts";
import { maskedNumber, maskedWords } from "./masked.ts";
import { listEntriesOf, type PurchaseEntry } from "./timeline-queries.ts";

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
 * end and what its merchant was told. Reads by key alone; for whoever may see any merchant's purchases.
 */
export async function readTimeline(services: TimelineServices, purchase: Purchase): Promise<Timeline> {
  const { database, transactionIds } = services;
  const { wallet, id } = purchase;
  const [routes, waiting, ended] = await Promise.all([
    readRouteTable(database),
    findWaiting(database, purchase),
    listAttempts(database, wallet, id),
  ]);
  const product = soldProductOf(await readCatalogue(database), purchase).product.name;
  const asked = [
    ...ended,
    { supplier: purchase.supplier, supplierReference: supplierReferenceOf(transactionIds, purchase) },
  ];
  const entries = await listEntriesOf(database, purchase);
  const isCharge = ({ kind }: PurchaseEntry) => kind === "purchase";
  const endedAt = Math.max(purchase.completedAt ?? 0, ...ended.map((attempt) => attempt.endedAt));
  const events: readonly Ordered[] = [
    ...entries.filter(isCharge).map(entryEvent).map(inItsPlace),
    ...ended.map((attempt) => inItsPlace(attemptEvent(attempt, routes))),
    ...(await callbackEvents(database, asked)).map(inItsPlace),
    // The process says when it ended, the database all else: whose clock is behind must not turn the order round.
    ...endEvents(purchase).map(notBefore(endedAt)),
    ...entries
      .filter((entry) => !isCharge(entry))
      .map(entryEvent)
      .map(notBefore(endedAt)),
    ...(await incidentEvents(database, purchase)).map(inItsPlace),
    ...(await webhookEvents(database, purchase)).map(notBefore(endedAt)),
  ];
  return {
    facts: factsOf(services, purchase, {
      product,
      nameThere: nameThere(routes, purchase.supplier, asked.at(-1)?.supplierReference ?? ""),
    }),
    events: [
      requestEvent(purchase, product),
      ...events.toSorted((a, b) => a.place - b.place).map(({ event }) => event),
      ...nextEvents(purchase, waiting),
    ],
  };
}

/** An event and where it stands among the others; those of one place stay in the order in which they lead to each other. */
interface Ordered {
  readonly event: TimelineEvent;
  readonly place: Instant;
}

function inItsPlace(event: TimelineEvent): Ordered {
  return { event, place: event.at ?? 0 };
}

function notBefore(earliest: Instant): (event: TimelineEvent) => Ordered {
  return (event) => ({ event, place: Math.max(earliest, event.at ?? 0) });
}

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
function nameThere({ findSupplier }: RouteTable, supplier: string | null, reference: string): string {
  return derivedNames(findSupplier(supplier ?? "")?.connector ?? "")?.there(reference) ?? reference;
}

function requestEvent(purchase: Purchase, product: string): TimelineEvent {
  const { channel, quantity, customerRef, total, purchasedAt: at } = purchase;
  const customer = maskedNumber(customerRef);
  const what = `${quantity} × ${product}${customer === null ? "" : ` for ${customer}`}, by ${channel}`;
  const facts = { channel, product, quantity, customer, total: formatNaira(total) };
  return { at, kind: "request", what, evidence: null, facts };
}

function entryEvent(entry: PurchaseEntry): TimelineEvent {
  const { kind, at, seq } = entry;
  const delta = formatNaira(entry.delta);
  const balanceAfter = formatNaira(entry.balanceAfter);
  const what = `${kind} ${delta}, balance after ${balanceAfter} (entry ${seq})`;
  const facts = { entry: Number(seq), entry_kind: kind, delta, balance_after: balanceAfter };
  return { at, kind: "wallet", what, evidence: entry.reason === null ? null : maskedWords(entry.reason), facts };
}

function attemptEvent(ended: EndedAttempt, routes: RouteTable): TimelineEvent {
  const { attempt, supplier, verdict, endedAt: at } = ended;
  const ours = nameThere(routes, supplier, ended.supplierReference);
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
  return { at, kind: "attempt", what, evidence: maskedWords(ended.evidence), facts };
}

async function callbackEvents(
  database: Queryable,
  asked: readonly { readonly supplier: string | null; readonly supplierReference: string }[],
): Promise<TimelineEvent[]> {
  const attempts = asked.flatMap(({ supplier, ...rest }) => (supplier === null ? [] : [{ ...rest, supplier }]));
  return (await listCallbacks(database, attempts)).map(({ supplier, status, evidence, receivedAt: at }) => ({
    at,
    kind: "callback",
    what: `${supplier} called: ${status}`,
    evidence: maskedWords(evidence),
    facts: { supplier, said: status },
  }));
}

async function incidentEvents(database: Queryable, { wallet, id }: Purchase): Promise<TimelineEvent[]> {
  return (await listIncidents(database, wallet, id)).map(({ kind, attempt, supplier, source, evidence, at }) => ({
    at,
    kind: "incident",
    what: `${kind} of attempt ${attempt}, ${source}`,
    evidence: maskedWords(evidence),
    facts: { incident: kind, attempt, supplier, source: source },
  }));
}

function endEvents({ status, errorCode, completedAt: at }: Purchase): TimelineEvent[] {
  if (at === null) return [];
  const what = errorCode === null ? status : `${status}: ${errorCode}`;
  return [{ at, kind: "end", what, evidence: null, facts: { status, error_code: errorCode } }];
}

async function webhookEvents(database: Queryable, { wallet, id }: Purchase): Promise<TimelineEvent[]> {
  const owed = await listWebhooksOfPurchase(database, wallet, id);
  const tries = owed.length === 0 ? [] : await listTriesOf(database, wallet, owed);
  const endpointOf = (endpointNumber: number) => formatEndpointId({ merchantId: wallet.merchantId, endpointNumber });
  return [
    ...owed.map(({ event, endpointNumber, owedAt, nextAttemptAt }): TimelineEvent => {
      const endpoint = endpointOf(endpointNumber);
      const what = `${event} owed to ${endpoint}${nextAttemptAt === null ? "" : "; an attempt is due"}`;
      return {
        at: owedAt,
        kind: "webhook",
        what,
        evidence: null,
        facts: { event, endpoint, is_due: nextAttemptAt !== null },
      };
    }),
    ...tries.map(
      ({ event, endpointNumber, attempt, httpStatus, error, durationMs, responseBody, at }): TimelineEvent => {
        const endpoint = endpointOf(endpointNumber);
        const what = `${event} to ${endpoint}, attempt ${attempt}: ${error ?? httpStatus} in ${durationMs} ms`;
        const facts = { event, endpoint, attempt, http_status: httpStatus, error, duration_ms: durationMs };
        return { at, kind: "webhook", what, evidence: responseBody === "" ? null : maskedWords(responseBody), facts };
      },
    ),
  ];
}

/** What happens next to a pending purchase, and what its supplier answered last. */
function nextEvents({ supplier, attempt }: Purchase, waiting: Waiting | null): TimelineEvent[] {
  if (waiting === null) return [];
  const { step, tries, dueAt, lastAnswer } = waiting;
  const at = step === "review" ? null : dueAt;
  const what =
    step === "review"
      ? "waits for a person"
      : `${step}: ${supplier ?? "the simulator"} was asked ${tries} times what became of it`;
  const facts = { step, attempt, supplier, questions: tries };
  return [{ at, kind: "next", what, evidence: lastAnswer === null ? null : maskedWords(lastAnswer), facts }];
}
