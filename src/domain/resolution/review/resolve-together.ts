import { createHash } from "node:crypto";
import type { Clock } from "../../../kernel/clock.ts";
import type { FailureCode } from "../../../kernel/failure-codes.ts";
import type { TransactionIds } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { add, type Kobo, zeroKobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { oneATurn } from "../../../platform/pacing.ts";
import type { SecretBox } from "../../../platform/sealing/secret-box.ts";
import type { CatalogueSnapshot } from "../../catalogue/snapshot.ts";
import { type EndedPurchase, type FinalOutcome, type Purchase, soldProductOf } from "../../purchases/purchase.ts";
import type { FoundEnd } from "../../purchases/settle.ts";
import { insertFound } from "../incident-queries.ts";
import { deletePlansBefore, findPlan, insertPlan, type PlanId } from "./plan-queries.ts";
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

/** A plan, and by its hash exactly what is in it. */
export interface FrozenPlan extends PlanTotals {
  readonly id: PlanId;
  readonly hash: string;
}

export interface PlanServices {
  readonly database: Queryable;
  readonly secretBox: SecretBox;
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

/** Stores ends to be carried out once a second person approves. What was fulfilled is sealed. */
export async function freezePlan(services: PlanServices, ends: readonly PlannedEnd[]): Promise<FrozenPlan> {
  const { database, secretBox, transactionIds, catalogue } = services;
  const fulfilments: Record<string, JsonObject> = {};
  const frozen = ends.map(({ purchase, outcome, line }): FrozenEnd => {
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
  const isSecret = Object.keys(fulfilments).length > 0;
  const sealed = isSecret ? secretBox.seal(JSON.stringify(fulfilments), placeOfPlans) : null;
  const stored = { ends: JSON.stringify(frozen), sealed };
  return { id: await insertPlan(database, stored), hash: hashOf(stored), ...totalsOf(ends) };
}

const placeOfPlans = "review_plans";

function hashOf({ ends, sealed }: { readonly ends: string; readonly sealed: string | null }): string {
  return createHash("sha256")
    .update(`${ends}\n${sealed ?? ""}`)
    .digest("hex");
}

/** Days after a plan was made its approval ended long ago, and with it what its sealed codes are kept for. */
const keptMs = 3 * 86_400_000;

/** Deletes plans that nobody can approve any more. @returns how many */
export function purgePlans(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  limit: number,
): Promise<number> {
  return deletePlansBefore(database, clock.now() - keptMs, limit);
}

/** A frozen plan's lines, for people; `changed` where it isn't what was frozen, `deleted` after its time. */
export async function readFrozenPlan(
  db: Queryable,
  id: PlanId,
  hash: string,
): Promise<readonly FrozenEnd[] | "changed" | "deleted"> {
  const plan = await findPlan(db, id);
  if (plan === null) return "deleted";
  return hashOf(plan) === hash ? (JSON.parse(plan.ends) as FrozenEnd[]) : "changed";
}

/** The ends of a frozen plan, of the sales as they are now. @throws Refusal where it isn't what was frozen */
export async function thawPlan(
  { database, secretBox, transactionIds }: Omit<PlanServices, "catalogue">,
  id: PlanId,
  hash: string,
): Promise<readonly PlannedEnd[]> {
  const plan = await findPlan(database, id);
  if (plan === null || hashOf(plan) !== hash) {
    const message = "This plan was changed in the database after it was made, so nothing was done. Refuse it.";
    throw refuse("VALIDATION_ERROR", { message });
  }
  const ends = JSON.parse(plan.ends) as FrozenEnd[];
  const opened = plan.sealed === null ? "{}" : secretBox.open(plan.sealed, placeOfPlans);
  const fulfilments = new Map(Object.entries(JSON.parse(opened) as Record<string, JsonObject>));
  const ids = ends.flatMap(({ sale }) => transactionIds.parse(sale, "live") ?? []);
  const found = await listSalesByIds(database, ids);
  const byName = new Map(found.map(({ purchase }) => [transactionIds.format(purchase.id, "live"), purchase]));
  return ends.map(({ sale, attempt, result, code, supplier_id: providerReference, line }) => {
    const purchase = byName.get(sale);
    // Another attempt is at another supplier: what was found out is not about that one.
    if (purchase?.status !== "pending" || purchase.attempt !== attempt) throw hasEnded(sale, line);
    const errorCode = findingCodes.find((known) => known === code);
    if (result === "vended") {
      return {
        purchase,
        line,
        outcome: { status: "successful", providerReference, fulfilment: fulfilments.get(sale) ?? null },
      };
    }
    if (errorCode === undefined) throw refuse("VALIDATION_ERROR", { message: `Nobody can end a sale with ${code}.` });
    return { purchase, line, outcome: { status: "failed", errorCode, providerReference } };
  });
}

function hasEnded(sale: string, line: number | null) {
  const place = line === null ? "" : ` (line ${line})`;
  const message = `${sale}${place} ended or went on meanwhile, so nothing was changed. Look at all of them again.`;
  return refuse("VALIDATION_ERROR", { message });
}

/**
 * Ends pending sales as a person found out, some hundred in each commit: refunds, events, attempts, incidents, and what
 * the database of the services adds. Locks as C2 does. What ended while earlier ones were written is left as it is.
 * @returns what was ended
 * @throws Refusal VALIDATION_ERROR where one of them had ended or went on before, or what it hands over is not its own
 */
export async function resolveTogether(
  services: ReviewServices,
  ends: readonly PlannedEnd[],
  finding: { readonly by: string; readonly evidence: string },
): Promise<readonly EndedPurchase[]> {
  checkWords(finding);
  const { by } = finding;
  const found: FoundEnd[] = [];
  const incidents: { purchase: Purchase; source: string; evidence: string }[] = [];
  const pause = oneATurn();
  for (const { purchase, outcome, line } of ends) {
    if (found.length % 100 === 99) await pause();
    if (purchase.status !== "pending") throw hasEnded(services.transactionIds.format(purchase.id, "live"), line);
    const evidence = `${finding.evidence.trim()}${line === null ? "" : `, line ${line}`}`;
    const checked = await withGoods(services, purchase, outcome);
    found.push({ purchase, outcome: checked, evidence: wordsOf({ by, evidence }) });
    incidents.push({ purchase, source: by, evidence });
  }
  return services.settle.together(services.database, found, (tx, nths) => {
    const written = new Set(nths);
    return insertFound(
      tx,
      incidents.filter((_, nth) => written.has(nth)),
    );
  });
}
