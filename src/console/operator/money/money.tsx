import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { listWaitingChanges } from "../../../domain/staff/change-list-queries.ts";
import { listCredits } from "../../../domain/wallet/credit-queries.ts";
import {
  bookedText,
  creditIn,
  creditingWallet,
  creditLiveWallet,
  parseBankReference,
  type ReferenceHolder,
} from "../../../domain/wallet/credits.ts";
import { statementReason } from "../../../domain/wallet/wallet.ts";
import { formatNaira, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { answerRequest, askForTwo, twoPeopleOf } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";
import { bookingPage } from "./booking-form.tsx";
import { RecentCredits, WaitingCredits } from "./credit-tables.tsx";
import { debit, debitRequest } from "./debit.ts";
import { presentWallet } from "./undo-credit.tsx";

const here = "/operator/money";
const waitingMax = 200;
const shownMax = 50;

/** Money that merchants paid in: what waits for a second person, what was booked, and what is taken back. */
export function moneyPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "see_money", show: (visit) => creditsPage(services, visit) });

  const show = (visit: StaffVisit, typed: Typed) => bookingPage(services, visit, typed);
  const change = { capability: "move_money", doneAt: () => here, show } as const;
  routes.both(`${here}/credit`, { ...change, send: (visit, form) => credit(services, visit, form) });
  routes.form(`${here}/debit`, { ...change, send: (visit, form) => adjust(services, visit, form) });
}

async function creditsPage({ reads, people }: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const before = wholeNumber(visit.query.get("before") ?? "");
  const [open, found] = await Promise.all([
    listWaitingChanges(reads, people.clock.now(), waitingMax, creditingWallet.rules.kind),
    listCredits(reads, shownMax + 1, before),
  ]);
  const waiting = open.map((change) => ({ ...change, ...creditIn(JSON.parse(change.fields)) }));
  const credits = found.slice(0, shownMax);
  const names = await listMerchantNames(
    reads,
    [...waiting, ...credits].map(({ merchantId }) => merchantId),
  );
  return page(
    {
      title: "Credits",
      note: "Money that merchants paid in. Each bank reference is booked once.",
      actions: visit.may("move_money") ? (
        <ButtonLink href={`${here}/credit`} kind="main">
          Credit wallet
        </ButtonLink>
      ) : null,
    },
    <>
      <WaitingCredits {...{ waiting, names }} />
      <Sheet title="Recent credits" isPadded={false}>
        <RecentCredits
          {...{ credits, names, here }}
          mayUndo={visit.may("move_money")}
          isFirstPage={before === null}
          nextBefore={found.length > shownMax ? (credits.at(-1)?.id ?? null) : null}
        />
      </Sheet>
    </>,
  );
}

/** More than one person may book alone; beside it what the wallet holds now. */
export const walletCredit = twoPeopleOf(creditingWallet, ({ reads }, fields) => presentWallet(reads, fields));

async function credit(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { merchantId, amount, reason } = await bookingIn(services, form);
  const text = form.text("bank_reference");
  const hasNone = form.has("no_reference");
  if (hasNone === (text !== "")) {
    throw wrong("bank_reference", "Type the bank’s reference, or tick that there is none.");
  }
  const bankReference = hasNone ? null : parseBankReference(text);
  if (!hasNone && bankReference === null) {
    throw wrong("bank_reference", "Up to 64 letters, digits and signs, as the bank prints it.");
  }
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
}

function repeatedText(holder: ReferenceHolder): string {
  return holder.kind === "credit"
    ? `This transfer was entered before, as credit ${holder.credit.id}. It’s booked once.`
    : `This transfer was entered before. Request ${holder.change.id} for it waits for approval.`;
}

function takenText(holder: ReferenceHolder): string {
  const { merchantId, amount } = holder.kind === "credit" ? holder.credit : creditIn(JSON.parse(holder.change.fields));
  const name = holder.kind === "credit" ? `Credit ${holder.credit.id}` : `Request ${holder.change.id}`;
  return `${name} has this reference: ${moneyText(amount)} to ${formatMerchantId(merchantId)}.`;
}

async function adjust(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { merchantId, amount, reason, name } = await bookingIn(services, form);
  const { summary, fields: payload } = debitRequest({ id: merchantId, name }, amount, reason);
  return askForTwo(services, visit, debit, { summary, payload, doneAt: merchantPath(merchantId) });
}

async function bookingIn({ reads }: OperatorServices, form: SentForm) {
  const merchantId = parseMerchantId(form.text("merchant"));
  const merchant = merchantId === null ? null : await findMerchant(reads, merchantId);
  if (merchant === null) throw wrong("merchant", "There’s no such merchant. An ID looks like mer_17.");
  const typed = form.text("amount");
  const amount = readAmount(typed);
  if (amount === null) throw wrong("amount", notAnAmount(typed));
  if (form.text("reason") === "") throw wrong("reason", "The statement shows it.");
  return { merchantId: merchant.id, name: merchant.name, amount, reason: statementReason(form.text("reason")) };
}
