import { creditMerchant } from "../../../domain/members/new-merchants/create-merchants.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import type { BankReference } from "../../../domain/wallet/credit-queries.ts";
import {
  bookedText,
  creditingWallet,
  creditLiveWallet,
  creditOfHolder,
  parseBankReference,
  type ReferenceHolder,
} from "../../../domain/wallet/credits.ts";
import { statementReason } from "../../../domain/wallet/wallet.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { formatNaira, type Kobo, kobo } from "../../../kernel/money.ts";
import { goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { box, naira, optional, readOr, typed as typedField } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeBy, changeOfTwo } from "../approvals/change.ts";
import { answerRequest } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";
import { presentWallet, statementLine } from "./undo-credit.tsx";

const here = "/operator/money";

interface Found {
  /** That was typed, or that the page's address names; null where there is none. */
  readonly merchant: MerchantRow | null;
}

interface Booking {
  readonly merchant: MerchantId;
  readonly amount: Kobo;
  readonly reason: string;
}

interface Credit extends Booking {
  readonly bank_reference: BankReference | null;
  readonly no_reference: boolean;
}

const noSuch = "There’s no such merchant. An ID looks like mer_17.";

const merchant = typedField<MerchantId>(
  "Merchant",
  { read: readOr(parseMerchantId, noSuch), show: formatMerchantId },
  { hint: "Its ID, such as mer_17." },
);

function checkThere({ merchant }: Found): void {
  if (merchant === null) throw wrong("merchant", noSuch);
}

/** What both forms share: whose wallet it is, and how they are shown. */
function ofWallet(submit: string) {
  return {
    may: "move_money",
    async find({ reads }: OperatorServices, { query }: StaffVisit, form: SentForm): Promise<Found> {
      const id = parseMerchantId(form.text("merchant") || (query.get("merchant") ?? ""));
      return { merchant: id === null ? null : await findMerchant(reads, id) };
    },
    looks: ({ merchant: known }: Found) => ({
      ...{ submit, cancelHref: known === null ? here : merchantPath(known.id) },
      more: known === null ? {} : { merchant: { value: formatMerchantId(known.id) } },
    }),
  } as const;
}

export const credit = changeBy<Found, Credit>(
  {
    ...ofWallet("Credit wallet"),
    at: `${here}/credit`,
    doneAt: () => here,
    fields: fields<Credit>({
      ...{ merchant, amount: naira("Amount") },
      bank_reference: optional(
        typedField(
          "Bank reference",
          { read: readOr(parseBankReference, "Up to 64 letters, digits and signs, as the bank prints it.") },
          { hint: "As your bank’s statement has it. Each one is credited once.", isOptional: false, isCode: true },
        ),
      ),
      no_reference: box("This payment has no reference (it isn’t protected from being credited twice)"),
      reason: statementLine,
    }),
    check({ bank_reference, no_reference }, found) {
      checkThere(found);
      if (no_reference === (bank_reference !== null))
        throw wrong("bank_reference", "Type the bank’s reference, or tick that there is none.");
    },
  },
  { kind: creditingWallet.rules.kind, command: "console credit" },
  async (services, visit, { values: { merchant: merchantId, amount, bank_reference: bankReference, reason } }) => {
    const { person } = visit.session;
    const details = { merchant: formatMerchantId(merchantId), amount: formatNaira(amount), bankReference, reason };
    const { people, creditAloneMax } = services;
    const result = await creditLiveWallet(
      {
        database: changing(services, visit, "console credit", details),
        clock: people.clock,
        creditAloneMax,
        openChanges: () => Promise.resolve(people),
      },
      person,
      { merchantId, amount, reason, bankReference },
    );
    switch (result.kind) {
      case "booked":
        return goTo(here, bookedText(result));
      case "requested":
        return answerRequest(result.result, { me: person.id, doneAt: here });
      case "repeated":
        return goBack(here, repeatedText(result.holder));
      case "reference_taken":
        throw wrong("bank_reference", takenText(result.holder));
    }
  },
);

function repeatedText(holder: ReferenceHolder): string {
  return holder.kind === "credit"
    ? `This transfer was entered before, as credit ${holder.credit.id}. It’s booked once.`
    : `This transfer was entered before. Request ${holder.change.id} for it waits for approval.`;
}

function takenText(holder: ReferenceHolder): string {
  const credit = creditOfHolder(holder);
  const name = holder.kind === "credit" ? `Credit ${holder.credit.id}` : `Request ${holder.change.id}`;
  const what =
    credit === null ? "one of many" : `${moneyText(credit.amount)} to ${formatMerchantId(credit.merchantId)}`;
  return `${name} has this reference: ${what}.`;
}

const debitFields = fields<Booking>({ merchant, amount: naira("Amount"), reason: statementLine });

/** What is asked for by the page or a command: `amount` is positive. @throws Refusal VALIDATION_ERROR for its reason */
export function debitRequest(found: MerchantRow | null, booking: Booking) {
  const [name, id] = [found?.name ?? "", formatMerchantId(booking.merchant)];
  return {
    summary: `Take ${moneyText(booking.amount)} back from ${name} (${id})`,
    fields: { name, ...debitFields.freeze({ ...booking, reason: statementReason(booking.reason) }) },
  };
}

/** Takes back what was credited by mistake, no more than the live wallet holds. */
export const debit = changeOfTwo<Found, Booking>({
  ...ofWallet("Ask to take money back"),
  at: `${here}/debit`,
  doneAt: (_visit, values) => (values === undefined ? here : merchantPath(values.merchant)),
  fields: debitFields,
  check: (_values, found) => checkThere(found),
  kind: "wallet debit",
  approve: ["admin", "finance"],
  summary: ({ found, values }) => debitRequest(found.merchant, values).summary,
  freeze: ({ found, values }) => debitRequest(found.merchant, values).fields,
  async run({ database }, { merchant: merchantId, amount, reason }) {
    const booking = { merchantId, mode: "live", amount: kobo(-amount), reason } as const;
    const { balance } = await creditMerchant({ database }, booking);
    return `${moneyText(amount)} taken back from ${formatMerchantId(merchantId)}. It holds ${moneyText(balance)} now.`;
  },
  show: ({ reads }, frozen) => presentWallet(reads, frozen),
});

/** Each form has a page: a credit by its own address, a debit with `take=back`. */
export function bookingPages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => bookingPage(services, visit, typed);
  routes.page(`${here}/credit`, { capability: "move_money", show });
  credit.addTo(routes, services, show);
  debit.addTo(routes, services, show);
}

async function bookingPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const isDebit = visit.path === `${here}/debit` || visit.query.get("take") === "back";
  const found = await ofWallet("").find(services, visit, typed.form);
  const named: Record<string, string> =
    found.merchant === null ? {} : { merchant: formatMerchantId(found.merchant.id) };
  const other = new URLSearchParams(isDebit ? named : { ...named, take: "back" });
  return page(
    {
      title: isDebit ? "Take money back" : "Credit wallet",
      ...(found.merchant === null ? {} : { note: `${found.merchant.name}, live wallet` }),
      crumbs: [["Credits", here]],
      actions: (
        <ButtonLink href={`${here}/credit?${other}`}>{isDebit ? "Credit instead" : "Take money back"}</ButtonLink>
      ),
    },
    <Sheet>
      <p>
        {isDebit
          ? "For what was credited by mistake. A second person approves; no more is taken than the wallet holds."
          : `You can credit up to ${moneyText(services.creditAloneMax)} alone. More waits for a second person.`}
      </p>
      {(isDebit ? debit : credit).draw(visit, typed, found)}
    </Sheet>,
  );
}
