import type { Json } from "../../../kernel/json.ts";
import { maskSecrets } from "../../../kernel/mask-secrets.ts";
import { formatNaira, groupedNaira } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Proposal } from "../../staff/approvals.ts";
import type { PlanId } from "./plan-queries.ts";
import { freezePlan, type PlannedEnd, type PlanTotals, resolveTogether, thawPlan } from "./resolve-together.ts";
import { checkWords, type ReviewServices } from "./review.ts";

/** How the end of many sales is called where it waits for a second person, and who may approve it. */
export const resolveSales: Pick<Proposal, "kind" | "roles"> = { kind: "resolve sales", roles: ["admin", "finance"] };

type Payload = Proposal["payload"];

/** Many ends at one supplier, found out by one person. */
export interface FoundTogether {
  readonly supplier: string;
  readonly ends: readonly PlannedEnd[];
  /** The person's email or name. */
  readonly by: string;
  readonly evidence: string;
}

/** Freezes the ends, to be asked for. @throws Refusal where the evidence says too little, or there is none */
export async function proposalOf(
  services: ReviewServices,
  { supplier, ends, by, evidence }: FoundTogether,
): Promise<Proposal> {
  checkWords({ by, evidence });
  if (ends.length === 0) throw refuse("VALIDATION_ERROR", { message: "No sale would end by this." });
  const plan = await freezePlan({ ...services, catalogue: await services.catalogue.current() }, ends);
  const payload: Record<string, Json> = {
    ...{ supplier, by, evidence: maskSecrets(evidence), plan: plan.id, plan_hash: plan.hash },
    ...{ delivered: plan.fulfilled, refunded: plan.refunded, money_back: formatNaira(plan.refundedTotal) },
  };
  return { ...resolveSales, summary: `End ${countOf(ends.length)} at ${supplier}: ${totalsText(plan)}`, payload };
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

/** Which plan an approval is about. @throws Refusal where nobody can read it */
export function planIn({ plan, plan_hash: hash }: Payload): { readonly id: PlanId; readonly hash: string } {
  if (typeof plan === "number" && typeof hash === "string") return { id: plan as PlanId, hash };
  throw refuse("VALIDATION_ERROR", { message: "This request can’t be read." });
}

/** Carries out what was frozen, as `resolveTogether` does. @returns what is true now */
export async function carryOutTogether(
  services: ReviewServices,
  database: Database,
  payload: Payload,
): Promise<string> {
  const { id, hash } = planIn(payload);
  const ends = await thawPlan(services, id, hash);
  const finding = { by: String(payload.by), evidence: String(payload.evidence) };
  const ended = await resolveTogether({ ...services, database }, ends, finding);
  const failed = ended.filter(({ status }) => status === "failed").length;
  const left = ends.length - ended.length;
  const leftText = left === 0 ? "" : ` ${countOf(left)} ended meanwhile and stayed as they are.`;
  return `${countOf(ended.length - failed)} delivered, ${countOf(failed)} refunded.${leftText}`;
}
