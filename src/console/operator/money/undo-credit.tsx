import type { Fields } from "../../../domain/staff/change-kinds.ts";
import { findCredit } from "../../../domain/wallet/credit-queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { requestUndo, undoingCredit } from "../../../domain/wallet/undo-credit.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo, twoPeopleOf } from "../approvals/two-people.ts";
import { merchantIn } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";

const credits = "/operator/money";

/** A credit that was booked by mistake; beside it what the wallet holds now. */
export const creditUndo = twoPeopleOf(undoingCredit, ({ reads }, fields) => presentWallet(reads, fields));

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
export function undoCreditPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.both(`${credits}/credits/:number/take-back`, {
    capability: "move_money",
    doneAt: () => credits,
    show: (visit, typed) => undoCreditPage(services, visit, typed),
    async send(visit, form) {
      const given = { id: idIn(visit), reason: form.text("reason") };
      const { fields, ...request } = await requestUndo(services.reads, given);
      return askForTwo(services, visit, creditUndo, { ...request, payload: fields, doneAt: credits });
    },
  });
}

function idIn(visit: StaffVisit): number {
  return wholeNumber(visit.param("number")) ?? 0;
}

async function undoCreditPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer | null> {
  const id = idIn(visit);
  const credit = await findCredit(services.reads, id);
  if (credit === null) return null;
  const facts = (await undoingCredit.readFacts?.(services.reads, { credit: id })) ?? {};
  return page(
    {
      title: `Take back credit ${id}`,
      crumbs: [["Credits", credits]],
      note: "For a credit that was a mistake. A second person approves",
    },
    <>
      <Sheet title="The credit">
        <Facts facts={facts} />
      </Sheet>
      {credit.wasUndone ? null : (
        <Sheet>
          <Form
            action={`${credits}/credits/${id}/take-back`}
            submit="Take back credit"
            kind="danger"
            cancelHref={credits}
          >
            <TextField
              {...typed.field("reason")}
              label="Reason"
              lengthMax={200}
              hint="The merchant’s statement shows it."
            />
          </Form>
        </Sheet>
      )}
    </>,
  );
}
