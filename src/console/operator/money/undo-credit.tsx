import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { findCredit } from "../../../domain/wallet/credit-queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { requestUndo, undoingCredit } from "../../../domain/wallet/undo-credit.ts";
import { statementReason } from "../../../domain/wallet/wallet.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeBy } from "../approvals/change.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { merchantIn } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";

const credits = "/operator/money";

/** A credit that was booked by mistake; beside it what the wallet holds now. */
export const creditUndo: TwoPeople = {
  ...undoingCredit.rules,
  by: () => undoingCredit,
  show: ({ reads }, fields) => presentWallet(reads, fields),
};

/** Why money of a merchant moves. */
export const statementLine = typedField(
  "Reason",
  { read: statementReason },
  { hint: "The merchant’s statement shows it.", lengthMax: 200 },
);

/** What a live wallet holds now: no more than that can be taken from it. */
export async function presentWallet(db: Queryable, fields: Fields) {
  const wallet = await findWallet(db, { merchantId: merchantIn(fields), mode: "live" });
  return (
    <Sheet title="Live wallet now">
      <Facts facts={{ Balance: wallet === null ? null : <Money amount={wallet.balance} /> }} />
    </Sheet>
  );
}

/** Takes a booked credit back: once, and its bank reference is free again. */
const undo = changeBy(
  {
    at: `${credits}/credits/:number/take-back`,
    may: "move_money",
    doneAt: () => credits,
    find: ({ reads }, visit) => findCredit(reads, wholeNumber(visit.param("number")) ?? 0),
    fields: fields({ reason: statementLine }),
    looks: () => ({ submit: "Take back credit", kind: "danger", cancelHref: credits }),
  },
  { kind: undoingCredit.rules.kind, command: null },
  async (services, visit, { found: { id }, values: { reason } }) =>
    askForTwo(services, visit, creditUndo, { ...(await requestUndo(services.reads, { id, reason })), doneAt: credits }),
);

export function undoCreditPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => undoCreditPage(services, visit, typed);
  routes.page(`${credits}/credits/:number/take-back`, { capability: "move_money", show });
  undo.addTo(routes, services, show);
}

async function undoCreditPage(
  { reads }: OperatorServices,
  visit: StaffVisit,
  typed: Typed,
): Promise<PageAnswer | null> {
  const credit = await findCredit(reads, wholeNumber(visit.param("number")) ?? 0);
  if (credit === null) return null;
  return page(
    {
      title: `Take back credit ${credit.id}`,
      crumbs: [["Credits", credits]],
      note: "For a credit that was a mistake. A second person approves",
    },
    <>
      <Sheet title="The credit">
        <Facts facts={(await undoingCredit.readFacts?.(reads, { credit: credit.id })) ?? {}} />
      </Sheet>
      {credit.wasUndone ? null : <Sheet>{undo.draw(visit, typed, credit)}</Sheet>}
    </>,
  );
}
