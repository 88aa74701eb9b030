import type { PlanId } from "../../../domain/resolution/review/plan-queries.ts";
import {
  type FrozenEnd,
  freezePlan,
  type PlannedEnd,
  type PlanTotals,
  readFrozenPlan,
  resolveTogether,
  thawPlan,
} from "../../../domain/resolution/review/resolve-together.ts";
import { checkWords } from "../../../domain/resolution/review/review.ts";
import { maskSecrets } from "../../../kernel/mask-secrets.ts";
import { kobo } from "../../../kernel/money.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Answer } from "../../kit/answer.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Table } from "../../kit/parts/list.tsx";
import { grouped, Money, moneyText, Status } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { askForTwo, type Payload, type TwoPeople } from "../approvals/two-people.ts";
import { countText } from "../sales/words.tsx";
import type { OperatorServices } from "../services.ts";

/** Frozen lines that the second person's page shows. */
const shownMax = 200;

/** The end of many sales at once: all or none, and only as they were frozen. */
export const resolutions: TwoPeople = {
  kind: "resolve sales",
  roles: ["admin", "finance"],
  async carryOut(services, database, payload) {
    const { id, hash } = planIn(payload);
    const ends = await thawPlan(services, id, hash);
    const { by, evidence } = payload as Readonly<Record<string, string>>;
    const ended = await resolveTogether({ ...services, database }, ends, { by: by ?? "", evidence: evidence ?? "" });
    const failed = ended.filter(({ status }) => status === "failed").length;
    return `${countText(ended.length - failed, "sale")} delivered, ${countText(failed, "sale")} refunded.`;
  },
  async show({ reads }, payload) {
    const { id, hash } = planIn(payload);
    return <FrozenEnds ends={await readFrozenPlan(reads, id, hash)} />;
  },
};

function planIn({ plan, plan_hash: hash }: Payload): { readonly id: PlanId; readonly hash: string } {
  if (typeof plan === "number" && typeof hash === "string") return { id: plan as PlanId, hash };
  throw refuse("VALIDATION_ERROR", { message: "This request can’t be read." });
}

interface Requested {
  readonly supplier: string;
  readonly ends: readonly PlannedEnd[];
  readonly evidence: string;
  readonly doneAt: string;
}

/** Asks for the end of many sales; a second person approves. @throws Refusal where the evidence says too little */
export async function askForResolutions(
  services: OperatorServices,
  visit: StaffVisit,
  { supplier, ends, evidence, doneAt }: Requested,
): Promise<Answer> {
  const by = visit.session.person.email;
  checkWords({ by, evidence });
  if (ends.length === 0) throw refuse("VALIDATION_ERROR", { message: "No sale would end by this." });
  const plan = await freezePlan({ ...services, catalogue: await services.catalogue.current() }, ends);
  return askForTwo(services, visit, resolutions, {
    summary: `End ${countText(ends.length, "sale")} at ${supplier}: ${totalsText(plan)}`,
    payload: {
      ...{ supplier, by, evidence: maskSecrets(evidence), plan: plan.id, plan_hash: plan.hash },
      ...{ delivered: plan.fulfilled, refunded: plan.refunded, refunded_total: moneyText(plan.refundedTotal) },
    },
    doneAt,
  });
}

/** `1,190 delivered, 14 refunded (₦8,960.00)`. */
export function totalsText({ fulfilled, refunded, refundedTotal }: PlanTotals): string {
  const back = refunded === 0 ? "" : ` (${moneyText(refundedTotal)})`;
  return `${grouped(fulfilled)} delivered, ${grouped(refunded)} refunded${back}`;
}

function FrozenEnds({ ends }: { readonly ends: readonly FrozenEnd[] }) {
  const shown = ends.slice(0, shownMax);
  return (
    <Sheet title="Sales that end, all or none" note={countText(ends.length, "sale")} isPadded={false}>
      <Table
        caption="Sales that end"
        rows={shown}
        href={({ sale }) => `/operator/sales/${sale}`}
        columns={[
          { title: "Sale", cell: ({ sale }) => <code>{sale}</code>, place: "lead" },
          { title: "Line", cell: ({ line }) => line, isExtra: true },
          {
            title: "Customer gets",
            cell: ({ fulfilment }) => (fulfilment === null ? null : <code>{shortText(fulfilment)}</code>),
            place: "sub",
          },
          { title: "Charged", cell: ({ total }) => <Money amount={kobo(BigInt(total))} />, place: "amount" },
          { title: "End", cell: ({ result }) => <EndStatus isFulfilled={result === "vended"} />, place: "state" },
        ]}
        empty={null}
      />
      {ends.length > shown.length ? (
        <p class="hint">{`The first ${grouped(shown.length)} of ${grouped(ends.length)} are shown.`}</p>
      ) : null}
    </Sheet>
  );
}

/** What becomes of a sale. */
export function EndStatus({ isFulfilled }: { readonly isFulfilled: boolean }) {
  return isFulfilled ? <Status kind="good">delivered</Status> : <Status kind="waiting">refunded</Status>;
}

const shownFields = 4;

/** The fields that tell one delivery from another, secrets masked. */
function shortText(fulfilment: NonNullable<FrozenEnd["fulfilment"]>): string {
  const fields = Object.entries(fulfilment).filter(([name, value]) => name !== "kind" && value !== null);
  return fields
    .slice(0, shownFields)
    .map(([name, value]) => `${name} ${typeof value === "string" ? value : JSON.stringify(value).slice(0, 60)}`)
    .join(", ");
}
