import {
  type FoundTogether,
  proposalOf,
  resolveSales,
  resolvingSales,
} from "../../../domain/resolution/review/propose-together.ts";
import type { FrozenEnd } from "../../../domain/resolution/review/resolve-together.ts";
import { kobo } from "../../../kernel/money.ts";
import type { Answer } from "../../kit/answer.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Money, Status } from "../../kit/parts/text.tsx";
import type { StaffVisit } from "../access.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";

import type { OperatorServices } from "../services.ts";

/** Frozen lines that the second person's page shows. */
const shownMax = 200;

/** The end of many sales at once, only as they were frozen. */
export const resolutions: TwoPeople = {
  ...resolveSales,
  by: resolvingSales,
  show: async (_services, _fields, lines) => <FrozenEnds ends={lines as unknown as readonly FrozenEnd[]} />,
};

/** Asks for the end of many sales; a second person approves. @throws Refusal where the evidence says too little */
export async function askForResolutions(
  services: OperatorServices,
  visit: StaffVisit,
  found: Omit<FoundTogether, "by">,
  doneAt: string,
): Promise<Answer> {
  const request = await proposalOf(services, { ...found, by: visit.session.person.email });
  return askForTwo(services, visit, resolutions, { ...request, doneAt });
}

function FrozenEnds({ ends }: { readonly ends: readonly FrozenEnd[] }) {
  const shown = ends.slice(0, shownMax);
  return (
    <TableSheet
      title="Sales that end"
      note={countText(ends.length, "sale")}
      caption="Sales that end"
      rows={shown}
      href={({ sale }) => `/operator/sales/${sale}`}
      columns={[
        { title: "Sale", cell: ({ sale }) => <code>{sale}</code>, place: "lead" },
        { title: "Line", cell: ({ line }) => line, isExtra: true },
        ...(shown.some(({ fulfilment }) => fulfilment !== null) ? [customerGets] : []),
        { title: "Charged", cell: ({ total }) => <Money amount={kobo(BigInt(total))} />, place: "amount" },
        { title: "End", cell: ({ result }) => <EndStatus isFulfilled={result === "vended"} />, place: "state" },
      ]}
    >
      {ends.length > shown.length ? (
        <p class="hint">{`The first ${grouped(shown.length)} of ${grouped(ends.length)} are shown.`}</p>
      ) : null}
    </TableSheet>
  );
}

const customerGets: Column<FrozenEnd> = {
  title: "Customer gets",
  cell: ({ fulfilment }) => (fulfilment === null ? null : <code>{shortText(fulfilment)}</code>),
  place: "sub",
};

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
