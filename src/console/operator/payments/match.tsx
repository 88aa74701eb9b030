import { findPaymentNumbered, type ListedPayment } from "../../../domain/funding/listed-payment-queries.ts";
import { matchingPayment, requestMatch } from "../../../domain/funding/match-payment.ts";
import { formatPaymentNumber } from "../../../domain/funding/payment.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { statementReason } from "../../../domain/wallet/wallet.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import type { Queryable } from "../../../platform/database/database.ts";
import { readOr, typed } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { wrong } from "../../kit/form.ts";
import { Sheet } from "../../kit/parts/layout.tsx";
import type { StaffVisit } from "../access.ts";
import { changeBy } from "../approvals/change.ts";
import { askForTwo, type TwoPeople } from "../approvals/two-people.ts";
import { paymentPath, paymentsPath, shownState } from "./words.ts";

/** The payment that a page's address names; null where there is none. */
export async function paymentAt(db: Queryable, { param }: Pick<StaffVisit, "param">): Promise<ListedPayment | null> {
  const number = wholeNumber(param("number"));
  return number === null ? null : findPaymentNumbered(db, number);
}

export function isUnmatched(payment: ListedPayment): boolean {
  return shownState(payment) === "unmatched";
}

/** A transfer that came to nobody's account, and whose it is; beside it the payment itself. */
export const paymentMatch: TwoPeople = {
  ...matchingPayment.rules,
  by: () => matchingPayment,
  show: async (_services, { payment }) => (
    <Sheet title="Payment">
      <a href={paymentPath(Number(payment))}>See {formatPaymentNumber(Number(payment))}</a>
    </Sheet>
  ),
};

const noSuch = "There’s no such merchant. An ID looks like mer_17.";

interface Match {
  readonly merchant: MerchantId;
  readonly reason: string;
}

/** Asks a second person to credit it. */
export const match = changeBy<ListedPayment, Match>(
  {
    at: `${paymentsPath}/:number/match`,
    may: "match_payments",
    doneAt: ({ param }) => `${paymentsPath}/${encodeURIComponent(param("number"))}`,
    find: ({ reads }, visit) => paymentAt(reads, visit),
    fields: fields<Match>({
      merchant: typed(
        "Merchant",
        { read: readOr(parseMerchantId, noSuch), show: formatMerchantId },
        { hint: "Its ID, such as mer_17." },
      ),
      reason: typed(
        "Why it’s theirs",
        { read: statementReason },
        { hint: "For the second person: what proves whose it is.", lengthMax: 200 },
      ),
    }),
    async check({ merchant }, _found, { reads }) {
      if ((await findMerchant(reads, merchant)) === null) throw wrong("merchant", noSuch);
    },
    looks: () => ({ submit: "Ask to match payment" }),
  },
  { kind: matchingPayment.rules.kind, command: null },
  async (services, visit, { found: { number }, values: { merchant, reason } }) =>
    askForTwo(services, visit, paymentMatch, {
      ...(await requestMatch(services.reads, { number, merchant: formatMerchantId(merchant), reason })),
      doneAt: paymentPath(number),
    }),
);
