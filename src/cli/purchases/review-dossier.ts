import { readCatalogue } from "../../domain/catalogue/catalogue.ts";
import type { Purchase } from "../../domain/purchases/purchase.ts";
import { supplierReferenceOf } from "../../domain/purchases/settle.ts";
import { soldProductOf } from "../../domain/purchases/sold-product.ts";
import { listAttempts } from "../../domain/resolution/attempt-queries.ts";
import { listCallbacks } from "../../domain/resolution/callbacks/callback-queries.ts";
import { listIncidents } from "../../domain/resolution/incident-queries.ts";
import { findWaiting, type Waiting } from "../../domain/resolution/review/review-queries.ts";
import { listUnread } from "../../domain/resolution/review/unread-queries.ts";
import { readRouteTable } from "../../domain/routing/route-table.ts";
import type { WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import { formatNaira, kobo } from "../../kernel/money.ts";
import { derivedNames } from "../../providers/registry.ts";
import { printLine, printTable } from "../printing.ts";
import type { Session } from "../session.ts";
import { boughtTold, printBought } from "./review-bought.ts";

/** All that is known about a purchase whose outcome a person has to find out, in the words of the command line. */
export type Dossier = Awaited<ReturnType<typeof openDossier>>;

export async function openDossier({ database, wallTime }: Session, transactionIds: TransactionIds, purchase: Purchase) {
  const { wallet, id } = purchase;
  const waiting = await findWaiting(database, purchase);
  const ended = await listAttempts(database, wallet, id);
  const attempts = [...ended.map(endedAttempt(wallTime)), ...runningAttempt(transactionIds, purchase, waiting)];
  const callbacks = await listCallbacks(
    database,
    attempts.map(({ supplier, supplier_reference: supplierReference }) => ({ supplier, supplierReference })),
  );
  const incidents = await listIncidents(database, wallet, id);
  const { findSupplier } = await readRouteTable(database);
  const unread = await listUnread(database, purchase);
  const soldProduct = soldProductOf(await readCatalogue(database), purchase);
  const nameThere = ({ supplier, supplier_reference: reference }: AttemptTold) =>
    derivedNames(findSupplier(supplier)?.connector ?? "")?.there(reference) ?? reference;
  return {
    status: purchase.status,
    step: waiting?.step ?? null,
    questions: waiting?.tries ?? null,
    next_question_at: nextQuestionAt(waiting, wallTime),
    customer: purchase.customerRef,
    total: formatNaira(purchase.total),
    purchased_at: wallTime.format(purchase.purchasedAt),
    bought: boughtTold(soldProduct, purchase, attempts.at(-1)?.cost ?? null),
    attempts: attempts.map((told) => ({ ...told, name_there: nameThere(told) })),
    callbacks: callbacks.map(({ supplier, supplierReference, status, evidence, receivedAt }) => ({
      supplier,
      supplier_reference: supplierReference,
      said: status,
      evidence,
      at: wallTime.format(receivedAt),
    })),
    incidents: incidents.map(({ source, at, ...rest }) => ({ ...rest, source: source, at: wallTime.format(at) })),
    next_steps: nextSteps(purchase, waiting, {
      transactionId: transactionIds.format(id, wallet.mode),
      nameThere: attempts.map(nameThere).at(-1) ?? "",
      handsOver: soldProduct.category.byHand !== null,
      isManual: findSupplier(purchase.supplier ?? "")?.connector === "manual",
      hasAnswers: unread.length > 0,
    }),
  };
}

/** One attempt, ended or running. `verdict` is null while nobody knows. */
type AttemptTold = {
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
  return (ended: Awaited<ReturnType<typeof listAttempts>>[number]): AttemptTold => ({
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
): readonly AttemptTold[] {
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

function nextSteps(
  purchase: Purchase,
  waiting: Waiting | null,
  told: {
    readonly transactionId: string;
    readonly nameThere: string;
    readonly handsOver: boolean;
    readonly isManual: boolean;
    readonly hasAnswers: boolean;
  },
): readonly string[] {
  const { supplier, providerReference, status } = purchase;
  const { transactionId, nameThere, handsOver, isManual, hasAnswers } = told;
  if (waiting === null)
    return [`It is ${status}, for good. Settle what an incident says with ${supplier} and the merchant.`];
  if (waiting.step === "queued") return [`Nobody was asked yet: a worker sends it to ${supplier} when its turn comes.`];
  const theirs = providerReference === null ? "" : ` (which it calls ${providerReference})`;
  const resolve = `npm run operator -- review resolve ${transactionId}`;
  const template = `npm run -s operator -- review resolve ${transactionId} vended --template`;
  const lookUp = `Look ${nameThere}${theirs} up at ${supplier}: in its console, its statement, by a ticket.`;
  return [
    waiting.step === "review"
      ? "Nobody asks any more: a person decides."
      : "It is asked about on its own; decide only if you know more than its supplier tells.",
    ...(hasAnswers
      ? [`What it answered may hold the goods, to the letter: npm run operator -- review answers ${transactionId}`]
      : []),
    isManual ? "No machine fulfils it: buy or do by hand what was bought, for the customer above." : lookUp,
    `${isManual ? "It is done" : "It vended"}: ${resolve} vended --by YOU --evidence TEXT${handsOver ? " --fulfilment FILE" : ""}`,
    ...(handsOver ? [`FILE comes from ${template} > FILE; fill in what is empty.`] : []),
    `It ${isManual ? "can't be done" : "did not, and never will"}: ${resolve} declined --by YOU --evidence TEXT; the merchant is refunded.`,
  ];
}

function naira(amount: bigint | null): string | null {
  return amount === null ? null : formatNaira(kobo(amount));
}

/** For a person: facts, attempts, what was said, what to do. */
export function printDossier(identity: Readonly<Record<string, unknown>>, dossier: Dossier): void {
  const { bought, attempts, callbacks, incidents, next_steps: steps, ...facts } = dossier;
  const known = Object.entries({ ...identity, ...facts }).filter(([, value]) => value !== null);
  printTable(
    ["purchase", ""],
    known.map(([name, value]) => [name.replaceAll("_", " "), String(value)]),
  );
  printBought(bought);
  const columns = [
    "attempt",
    "supplier",
    "code",
    "our reference there",
    "their reference",
    "verdict",
    "cost",
    "chosen as",
  ];
  printTable(
    columns,
    attempts.map((told) => [
      String(told.attempt),
      told.supplier,
      told.supplier_code ?? "",
      told.name_there,
      told.provider_reference ?? "",
      told.verdict ?? "unknown",
      told.cost ?? "",
      told.route_reason ?? "",
    ]),
  );
  for (const told of attempts) printSaid(`Attempt ${told.attempt}, ${told.supplier}`, told.ended_at, told.evidence);
  for (const told of callbacks) printSaid(`${told.supplier} called: ${told.said}`, told.at, told.evidence);
  for (const told of incidents) printSaid(`${told.kind}, ${told.source}`, told.at, told.evidence);
  printLine("Next:");
  for (const step of steps) printLine(`  ${step}`);
}

function printSaid(who: string, at: string | null, evidence: string | null): void {
  printLine(`${who}${at === null ? "" : `, ${at}`}: ${evidence ?? "nothing was said yet"}`);
}
