import type { WallTime } from "../../../kernel/clock.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { formatNaira, kobo } from "../../../kernel/money.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { derivedNames } from "../../../providers/registry.ts";
import { readCatalogue } from "../../catalogue/catalogue.ts";
import { amountOf, type Purchase, type SoldProduct, soldProductOf } from "../../purchases/purchase.ts";
import { supplierReferenceOf } from "../../purchases/settle.ts";
import { readSuppliers } from "../../suppliers/routing/route-table.ts";
import { listCallbacks } from "../callbacks/callback-queries.ts";
import { listAttempts, listIncidents } from "../incident-queries.ts";
import { findWaiting, type Waiting } from "./review-queries.ts";
import { listUnread } from "./unread-queries.ts";

/** All that is known about a purchase whose outcome a person has to find out. Times and amounts are texts, as they are printed. */
export type Dossier = Awaited<ReturnType<typeof openDossier>>;

interface DossierServices {
  readonly database: Queryable;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
}

export async function openDossier({ database, wallTime, transactionIds }: DossierServices, purchase: Purchase) {
  const { wallet, id } = purchase;
  const waiting = await findWaiting(database, purchase);
  const ended = await listAttempts(database, wallet, id);
  const attempts = [...ended.map(endedAttempt(wallTime)), ...runningAttempt(transactionIds, purchase, waiting)];
  const callbacks = await listCallbacks(
    database,
    attempts.map(({ supplier, supplier_reference: supplierReference }) => ({ supplier, supplierReference })),
  );
  const incidents = await listIncidents(database, wallet, id);
  const suppliers = await readSuppliers(database);
  const findSupplier = (name: string) => suppliers.find((supplier) => supplier.name === name) ?? null;
  const unread = await listUnread(database, purchase);
  const soldProduct = soldProductOf(await readCatalogue(database), purchase);
  const nameThere = ({ supplier, supplier_reference: reference }: AttemptFacts) =>
    derivedNames(findSupplier(supplier)?.connector ?? "")?.there(reference) ?? reference;
  const facts = {
    status: purchase.status,
    step: waiting?.step ?? null,
    questions: waiting?.tries ?? null,
    next_question_at: nextQuestionAt(waiting, wallTime),
    customer: purchase.customerRef,
    total: formatNaira(purchase.total),
    purchased_at: wallTime.format(purchase.purchasedAt),
    bought: boughtFacts(soldProduct, purchase, attempts.at(-1)?.cost ?? null),
    attempts: attempts.map((reported) => ({ ...reported, name_there: nameThere(reported) })),
    callbacks: callbacks.map(({ supplier, supplierReference, status, evidence, receivedAt }) => ({
      supplier,
      supplier_reference: supplierReference,
      said: status,
      evidence,
      at: wallTime.format(receivedAt),
    })),
    incidents: incidents.map(({ source, at, ...rest }) => ({ ...rest, source: source, at: wallTime.format(at) })),
  };
  return {
    facts,
    /** What decides what a person does next. */
    ways: {
      step: waiting?.step ?? null,
      nameThere: attempts.map(nameThere).at(-1) ?? "",
      handsOver: soldProduct.category.byHand !== null,
      isManual: findSupplier(purchase.supplier ?? "")?.connector === "manual",
      hasAnswers: unread.length > 0,
    },
  };
}

/** One attempt, ended or running. `verdict` is null while nobody knows. */
type AttemptFacts = {
  readonly attempt: number;
  readonly supplier: string;
  readonly supplier_code: string | null;
  readonly supplier_reference: string;
  readonly provider_reference: string | null;
  readonly verdict: "vended" | "declined" | null;
  readonly evidence: string | null;
  readonly cost: string | null;
  /** The same in the supplier's own currency and at what rate; null where that is naira. */
  readonly foreign_cost: string | null;
  readonly route_reason: string | null;
  readonly ended_at: string | null;
};

function endedAttempt(wallTime: WallTime) {
  return (ended: Awaited<ReturnType<typeof listAttempts>>[number]): AttemptFacts => ({
    attempt: ended.attempt,
    supplier: ended.supplier,
    supplier_code: ended.supplierCode,
    supplier_reference: ended.supplierReference,
    provider_reference: ended.providerReference,
    verdict: ended.verdict,
    evidence: ended.evidence,
    cost: naira(ended.cost),
    foreign_cost: ended.foreignCost,
    route_reason: ended.routeReason,
    ended_at: wallTime.format(ended.endedAt),
  });
}

/** A pending purchase's present attempt, which gets its own row when it ends. */
function runningAttempt(
  transactionIds: TransactionIds,
  purchase: Purchase,
  waiting: Waiting | null,
): readonly AttemptFacts[] {
  const { attempt, supplier, supplierCode, providerReference } = purchase;
  if (waiting === null || supplier === null) return [];
  return [
    {
      attempt,
      supplier,
      supplier_code: supplierCode,
      supplier_reference: supplierReferenceOf(transactionIds, purchase),
      provider_reference: providerReference,
      verdict: null,
      evidence: waiting.lastAnswer,
      cost: naira(waiting.cost),
      foreign_cost: waiting.foreignCost,
      route_reason: waiting.routeReason,
      ended_at: null,
    },
  ];
}

function nextQuestionAt(waiting: Waiting | null, wallTime: WallTime): string | null {
  return waiting === null || waiting.step === "review" ? null : wallTime.format(waiting.dueAt);
}

/** What was bought, for whom and for how much: everything needed to fulfil the purchase by hand. */
function boughtFacts({ product, category }: SoldProduct, purchase: Purchase, cost: string | null) {
  const { details, quantity, unitAmount, customerRef, phone, fee, total } = purchase;
  return {
    category: category.title,
    product_id: product.id,
    product: product.name,
    plan: product.plan,
    validity: product.validity,
    biller: product.biller.name,
    network: product.biller.network,
    quantity,
    unit_amount: formatNaira(unitAmount),
    amount: formatNaira(amountOf(purchase)),
    card_value: cardValue(product, details),
    customer_number: customerRef,
    customer_number_is: product.biller.customerLabel,
    phone,
    meter_type: product.meterType ?? details.meter_type ?? null,
    details,
    fee: formatNaira(fee),
    paid_by_the_merchant: formatNaira(total),
    cost,
  };
}

/** The value of one card in its own currency; null for cards in naira. */
function cardValue({ faceCurrency, foreignFace }: SoldProduct["product"], { value }: JsonObject): string | null {
  if (faceCurrency === "NGN") return null;
  const amount = foreignFace === null ? value : formatNaira(kobo(foreignFace));
  return typeof amount === "string" ? `${amount} ${faceCurrency}` : null;
}

function naira(amount: bigint | null): string | null {
  return amount === null ? null : formatNaira(kobo(amount));
}
