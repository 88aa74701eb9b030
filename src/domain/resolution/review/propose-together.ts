import type { Json } from "../../../kernel/json.ts";
import { maskSecrets } from "../../../kernel/mask-secrets.ts";
import { formatNaira, groupedNaira } from "../../../kernel/money.ts";
import { Refusal, refuse } from "../../../kernel/problems.ts";
import type { EndedPurchase } from "../../purchases/purchase.ts";
import type { Asking, CarriedOut, ChangeKind, Fields, Progress, Request } from "../../staff/change-kinds.ts";
import {
  type FrozenEnd,
  loadPlan,
  type PlannedEnd,
  type PlanTotals,
  refuseEnded,
  resolveTogether,
  type SavedPlan,
  savePlan,
  totalsOf,
} from "./resolve-together.ts";
import { checkWords, type Finding, type ReviewServices } from "./review.ts";

/** How the end of many sales is called where it waits for a second person, and who may approve it. */
export const resolveSales: ChangeKind = {
  kind: "resolve sales",
  ask: ["admin", "finance"],
  approve: ["admin", "finance"],
};

/** What a change is about that ends a sale, or moves its money. */
export function subjectOfSale(sale: string): string {
  return `sale ${sale}`;
}

/** Many ends at one supplier, found out by one person. */
export interface FoundTogether {
  readonly supplier: string;
  readonly ends: readonly PlannedEnd[];
  /** The person's email or name. */
  readonly by: string;
  readonly evidence: string;
  /** The change in a sentence; how many end how, where absent. */
  readonly summary?: string;
}

/** Freezes the ends, to be asked for. @throws Refusal where the evidence says too little, or there is none */
export async function proposalOf(
  services: ReviewServices,
  { supplier, ends, by, evidence, summary }: FoundTogether,
): Promise<Request> {
  checkWords({ by, evidence });
  if (ends.length === 0) throw refuse("VALIDATION_ERROR", { message: "No sale would end by this." });
  const plan = savePlan({ ...services, catalogue: await services.catalogue.current() }, ends);
  const totals = totalsOf(ends);
  const sales = ends.map(({ purchase }) => services.transactionIds.format(purchase.id, "live"));
  const [sale, ...others] = sales;
  const fields: Record<string, Json> = {
    ...(others.length === 0 && sale !== undefined ? { transaction: sale } : {}),
    ...{ supplier, by, evidence: maskSecrets(evidence) },
    ...{ delivered: totals.fulfilled, refunded: totals.refunded, money_back: formatNaira(totals.refundedTotal) },
  };
  return {
    subjects: sales.map(subjectOfSale),
    summary: summary ?? `End ${countOf(ends.length)} at ${supplier}: ${totalsText(totals)}`,
    fields,
    lines: plan.lines as unknown as Json,
    secret: plan.secret,
  };
}

/** `1,190 delivered, 14 refunded (₦8,960.00)`. */
export function totalsText({ fulfilled, refunded, refundedTotal }: PlanTotals): string {
  const back = refunded === 0 ? "" : ` (₦${groupedNaira(refundedTotal)})`;
  return `${grouped(String(fulfilled))} delivered, ${grouped(String(refunded))} refunded${back}`;
}

function countOf(count: number): string {
  return `${grouped(String(count))} ${count === 1 ? "sale" : "sales"}`;
}

function grouped(digits: string): string {
  return digits.replace(/\B(?=(\d{3})+(?!\d))/g, ",");
}

/** Sales that one transaction ends: it holds their wallets. */
const portionMax = 200;

/** The end of many sales as a change carries it out: up to `portionMax` with the decision, more of them in portions. */
export function resolvingSales(services: ReviewServices): CarriedOut {
  return {
    rules: resolveSales,
    carryOut: (database, asking) => carryOutTogether({ ...services, database }, asking),
    portions: {
      isLong: (fields) => linesOf(fields) > portionMax,
      carryOutNext: (database, asking, before) => endNext({ ...services, database }, asking, before),
    },
  };
}

function linesOf({ delivered, refunded }: Fields): number {
  return Number(delivered) + Number(refunded);
}

async function endNext(services: ReviewServices, asking: Asking, before: Progress | null) {
  const { fields } = asking;
  const all = linesOf(fields);
  const from = before?.done ?? 0;
  const part = await loadPlan(services, planIn(asking, { from, to: from + portionMax }));
  const ends = part.flatMap(({ end }) => end ?? []);
  const ended = await endPart(services, ends, findingIn(fields));
  const { delivered = 0, refunded = 0, left = 0 } = before?.counts ?? {};
  const now = countsOf(ended, part.length);
  const counts = { delivered: delivered + now.delivered, refunded: refunded + now.refunded, left: left + now.left };
  const done = Math.min(from + portionMax, all);
  return { progress: { done, all, counts }, outcome: done < all ? null : outcomeOf(counts) };
}

/** What can't be ended as it was found is left for a person, and keeps none of the others waiting. */
async function endPart(
  services: ReviewServices,
  ends: readonly PlannedEnd[],
  finding: Finding,
): Promise<readonly EndedPurchase[]> {
  if (ends.length === 0) return [];
  try {
    return await resolveTogether(services, ends, finding, { isPart: true });
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    if (ends.length === 1) return [];
  }
  const ended: EndedPurchase[] = [];
  for (const end of ends) ended.push(...(await endPart(services, [end], finding)));
  return ended;
}

function findingIn({ by, evidence }: Fields): Finding {
  return { by: String(by), evidence: String(evidence) };
}

/** How so many sales ended. */
function countsOf(ended: readonly EndedPurchase[], all: number) {
  const refunded = ended.filter(({ status }) => status === "failed").length;
  return { delivered: ended.length - refunded, refunded, left: all - ended.length };
}

function outcomeOf(counts: ReturnType<typeof countsOf>): string {
  const { delivered, refunded, left } = counts;
  const leftText = left === 0 ? "" : ` ${countOf(left)} ended meanwhile and stayed as they are.`;
  return `${countOf(delivered)} delivered, ${countOf(refunded)} refunded.${leftText}`;
}

/** The ends that were frozen. */
function planIn({ lines, secret }: Asking, { from, to }: { readonly from: number; readonly to?: number }): SavedPlan {
  return { lines: (lines as unknown as readonly FrozenEnd[]).slice(from, to), secret };
}

/** Carries out what was frozen, as `resolveTogether` does. @returns what is true now */
async function carryOutTogether(services: ReviewServices, asking: Asking): Promise<string> {
  const { fields } = asking;
  const loaded = await loadPlan(services, planIn(asking, { from: 0 }));
  const ends = loaded.map(({ end, sale, line }) => end ?? refuseEnded(sale, line));
  const ended = await resolveTogether(services, ends, findingIn(fields));
  const [one] = ended;
  if (one !== undefined && ends.length === 1) {
    const { reference, total } = one;
    return one.status === "successful"
      ? `${reference} is delivered.`
      : `${reference} failed: ₦${groupedNaira(total)} is back in the merchant’s wallet.`;
  }
  return outcomeOf(countsOf(ended, ends.length));
}
