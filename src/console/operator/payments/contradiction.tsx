import { contradictionNoteMax, endContradiction } from "../../../domain/funding/end-contradiction.ts";
import type { ListedPayment } from "../../../domain/funding/listed-payment-queries.ts";
import { type ContradictionEnd, contradictionEnds, formatPaymentNumber } from "../../../domain/funding/payment.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { choice, text } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import type { Typed } from "../../kit/form.ts";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffVisit } from "../access.ts";
import { changeAlone } from "../approvals/change.ts";
import { paymentAt } from "./match.tsx";
import { contradictionEndWords, paymentsPath } from "./words.ts";

interface Ended {
  readonly end: ContradictionEnd;
  readonly note: string;
}

const hints: Readonly<Record<ContradictionEnd, string>> = {
  ours: "Take the credit back from the wallet, if it was wrong.",
  theirs: "The money is with the provider. What is booked stays.",
  written_off: "Nobody pays it back. What is booked stays.",
};

const choices = contradictionEnds.map((value) => {
  return { value, label: contradictionEndWords[value], hint: hints[value] };
});

/** How a person ends what a provider said against a booked payment. */
export const contradictionEnd = changeAlone<ListedPayment, Ended>({
  at: `${paymentsPath}/:number/contradiction`,
  may: "end_contradictions",
  doneAt: ({ param }) => `${paymentsPath}/${encodeURIComponent(param("number"))}`,
  find: ({ reads }, visit) => paymentAt(reads, visit),
  fields: fields<Ended>({
    end: choice("How does it end?", choices, { isRadio: true, unread: "Choose how it ends." }),
    note: text("Note", {
      ...{ lengthMax: contradictionNoteMax, hint: "What you found, who said it and when." },
      unread: "Say how it ends.",
    }),
  }),
  looks: () => ({ submit: "End contradiction" }),
  command: "console payment contradiction",
  about: ({ number }) => ({ payment: formatPaymentNumber(number) }),
  async run({ database }, { found: { number }, values }, visit) {
    await endContradiction(database, visit.session.person, { number, ...values });
    return `Ended: ${contradictionEndWords[values.end].toLowerCase()}. No money moved.`;
  },
});

interface Shown {
  readonly visit: StaffVisit;
  readonly typed: Typed;
  readonly payment: ListedPayment;
}

/** Drawn where a payment has one that is open, for whoever may end it. */
export function EndContradiction({ visit, typed, payment }: Shown) {
  const { contradiction, contradictionEnd: end, merchantId } = payment;
  if (contradiction === null || end !== null || !visit.may("end_contradictions")) return null;
  return (
    <Sheet title="End the contradiction" note="No money moves">
      <p>
        This records your decision and takes the payment off Today.{" "}
        {merchantId === null ? null : (
          <>
            To correct the credit,{" "}
            <a href={`/operator/money/credit?merchant=${formatMerchantId(merchantId)}&take=back`}>take money back</a>{" "}
            from the wallet.
          </>
        )}
      </p>
      {contradictionEnd.draw(visit, typed, payment)}
    </Sheet>
  );
}
