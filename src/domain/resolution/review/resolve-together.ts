import { createHash } from "node:crypto";
import type { FailureCode } from "../../../kernel/failure-codes.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable, Tx } from "../../../platform/database/database.ts";
import { openYieldToEventLoop } from "../../../platform/pacing.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { type EndedPurchase, type FinalOutcome, type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import type { FoundEnd } from "../../purchases/settle.ts";
import { insertFound } from "../incident-queries.ts";
import { checkWords, findingCodes, maskedFulfilment, type ReviewServices, withGoods, wordsOf } from "./review.ts";
import { listSalesByIds } from "./review-queries.ts";

/** A pending sale and the end that a person found out for it. */
export interface PlannedEnd {
  readonly purchase: Purchase;
  readonly outcome: FinalOutcome;
  /** Of the statement, counted as an editor does; null where it comes from no statement. */
  readonly line: number | null;
}

/** One sale of a plan as it is frozen. */
export interface FrozenEnd {
  readonly sale: string;
  readonly attempt: number;
  readonly result: "vended" | "declined";
  readonly code: FailureCode | null;
  readonly supplier_id: string | null;
  /** Kobo, of the whole sale: for people. */
  readonly total: string;
  readonly line: number | null;
  /** With its secrets masked; null where nothing is handed over. */
  readonly fulfilment: JsonObject | null;
}

/** How many sales a plan ends, and how much of that goes back to merchants. */
export interface PlanTotals {
  readonly fulfilled: number;
  readonly refunded: number;
  readonly refundedTotal: Kobo;
}

/** Ends as a change keeps them: its lines, and what was fulfilled by transaction id, as JSON, which is secret. */
export interface SavedPlan {
  readonly lines: readonly FrozenEnd[];
  readonly secret: string | null;
}

export interface PlanServices {
  readonly transactionIds: TransactionIds;
  readonly catalogue: CatalogueSnapshot;
}

export function totalsOf(ends: readonly Pick<PlannedEnd, "purchase" | "outcome">[]): PlanTotals {
  const refunded = ends.filter(({ outcome }) => outcome.status === "failed");
  return {
    fulfilled: ends.length - refunded.length,
    refunded: refunded.length,
    refundedTotal: refunded.reduce((sum, { purchase }) => add(sum, purchase.total), zeroKobo),
  };
}

/** Which ends they are, as one text: the same for the same sales, attempts and outcomes. */
export function nameOfEnds(transactionIds: TransactionIds, ends: readonly PlannedEnd[]): string {
  const parts = ends.map(({ purchase, outcome, line }) => [
    ...[transactionIds.format(purchase.id, "live"), purchase.attempt, line, outcome.status, outcome.providerReference],
    outcome.status === "failed" ? outcome.errorCode : outcome.fulfilment,
  ]);
  return createHash("sha256").update(JSON.stringify(parts)).digest("base64url");
}

/** The ends as they are to be carried out once a second person agrees. */
export function savePlan({ transactionIds, catalogue }: PlanServices, ends: readonly PlannedEnd[]): SavedPlan {
  const fulfilments: Record<string, JsonObject> = {};
  const lines = ends.map(({ purchase, outcome, line }): FrozenEnd => {
    const sale = transactionIds.format(purchase.id, "live");
    const fulfilment = outcome.status === "successful" ? outcome.fulfilment : null;
    if (fulfilment !== null) fulfilments[sale] = fulfilment;
    return {
      ...{ sale, attempt: purchase.attempt, line, total: String(purchase.total) },
      result: outcome.status === "successful" ? "vended" : "declined",
      code: outcome.status === "failed" ? outcome.errorCode : null,
      supplier_id: outcome.providerReference ?? null,
      fulfilment:
        fulfilment === null ? null : maskedFulfilment(soldProductOf(catalogue, purchase).category, fulfilment),
    };
  });
  return { lines, secret: Object.keys(fulfilments).length > 0 ? JSON.stringify(fulfilments) : null };
}

/** One sale of a frozen plan; without its end where it has ended or went on meanwhile. */
export interface ThawedEnd {
  readonly sale: string;
  readonly line: number | null;
  readonly end: PlannedEnd | null;
}

/** Some ends of a frozen plan, of the sales as they are now. @throws Refusal where one can't be read */
export async function loadPlan(
  { database, transactionIds }: { readonly database: Queryable; readonly transactionIds: TransactionIds },
  { lines: ends, secret }: SavedPlan,
): Promise<readonly ThawedEnd[]> {
  const opened = secret ?? "{}";
  const fulfilments = new Map(Object.entries(JSON.parse(opened) as Record<string, JsonObject>));
  const ids = ends.flatMap(({ sale }) => transactionIds.parse(sale, "live") ?? []);
  const found = await listSalesByIds(database, ids);
  const byName = new Map(found.map(({ purchase }) => [transactionIds.format(purchase.id, "live"), purchase]));
  return ends.map(({ sale, attempt, result, code, supplier_id: providerReference, line }) => {
    const purchase = byName.get(sale);
    // Another attempt is at another supplier: what was found out is not about that one.
    if (purchase?.status !== "pending" || purchase.attempt !== attempt) return { sale, line, end: null };
    const errorCode = findingCodes.find((known) => known === code);
    if (result === "vended") {
      const fulfilment = fulfilments.get(sale) ?? null;
      return { sale, line, end: { purchase, line, outcome: { status: "successful", providerReference, fulfilment } } };
    }
    if (errorCode === undefined) throw refuse("VALIDATION_ERROR", { message: `Nobody can end a sale with ${code}.` });
    return { sale, line, end: { purchase, line, outcome: { status: "failed", errorCode, providerReference } } };
  });
}

/** @throws Refusal VALIDATION_ERROR */
export function refuseEnded(sale: string, line: number | null): never {
  const place = line === null ? "" : ` (line ${line})`;
  const message = `${sale}${place} ended or went on meanwhile, so nothing was changed. Look at all of them again.`;
  throw refuse("VALIDATION_ERROR", { message });
}

/**
 * Ends pending sales as a person found out, some hundred in each commit: refunds, events, attempts, incidents, and what
 * the database of the services adds. Locks as C2 does. What ended while earlier ones were written is left as it is.
 * @returns what was ended
 * @throws Refusal VALIDATION_ERROR where one of them had ended or went on before, or what it hands over is not its own: of a
 * part of many, that one is left as it is
 */
export async function resolveTogether(
  services: ReviewServices,
  ends: readonly PlannedEnd[],
  finding: { readonly by: string; readonly evidence: string },
  { isPart }: { readonly isPart: boolean } = { isPart: false },
): Promise<readonly EndedPurchase[]> {
  checkWords(finding);
  const { by } = finding;
  const found: FoundEnd[] = [];
  const incidents: { purchase: Purchase; source: string; evidence: string }[] = [];
  const pause = openYieldToEventLoop();
  for (const { purchase, outcome, line } of ends) {
    if (found.length % 100 === 99) await pause();
    if (purchase.status !== "pending") refuseEnded(services.transactionIds.format(purchase.id, "live"), line);
    const evidence = `${finding.evidence.trim()}${line === null ? "" : `, line ${line}`}`;
    const checked = await withGoods(services, purchase, outcome);
    found.push({ purchase, outcome: checked, evidence: wordsOf({ by, evidence }) });
    incidents.push({ purchase, source: by, evidence });
  }
  const enterFound = (tx: Tx, nths: readonly number[]) => {
    const written = new Set(nths);
    return insertFound(
      tx,
      incidents.filter((_, nth) => written.has(nth)),
      services.clock.now(),
    );
  };
  return services.settle.together(services.database, found, enterFound, { isPart });
}
