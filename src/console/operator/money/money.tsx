import { listMerchantNames } from "../../../domain/history/today/risk-queries.ts";
import { auditName, type Person } from "../../../domain/identity/people/person.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { listEndedCredits, listProposedCredits, type WalletCredit } from "../../../domain/wallet/credit-queries.ts";
import {
  approveCredit,
  creditLiveWallet,
  isSamePerson,
  parseBankReference,
  withdrawCredit,
} from "../../../domain/wallet/credits.ts";
import { statementReason } from "../../../domain/wallet/wallet.ts";
import { formatNaira, type Kobo, notAnAmount, readAmount } from "../../../kernel/money.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goBack, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { askForTwo } from "../approvals/two-people.ts";
import { changing } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import type { OperatorServices } from "../services.ts";
import { bookingPage } from "./booking-form.tsx";
import { EndedCredits, WaitingCredits } from "./credit-tables.tsx";
import { debit } from "./debit.ts";

const here = "/operator/money";
const waitingMax = 200;
const endedShown = 50;

/** Money that merchants paid in: what waits for a second person, what was booked, and what is taken back. */
export function moneyPages(routes: StaffRoutes, services: OperatorServices): void {
  const list = (visit: StaffVisit) => creditsPage(services, visit);
  routes.page(here, { capability: "see_money", show: list });
  routes.form(`${here}/credits/:number`, {
    capability: "move_money",
    doneAt: () => here,
    show: list,
    send: (visit, form) => decide(services, visit, deedIn(form, ["approve", "withdraw"])),
  });

  const show = (visit: StaffVisit, typed: Typed) => bookingPage(services, visit, typed);
  const change = { capability: "move_money", doneAt: () => here, show } as const;
  routes.both(`${here}/credit`, { ...change, send: (visit, form) => credit(services, visit, form) });
  routes.form(`${here}/debit`, { ...change, send: (visit, form) => adjust(services, visit, form) });
}

/** How a person of the company stands in credits: as in the audit log, as long as a name there may be. */
function creditName(person: Person): string {
  return auditName(person).slice(0, 100);
}

async function creditsPage({ reads }: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const before = wholeNumber(visit.query.get("before") ?? "");
  const [waiting, found] = await Promise.all([
    listProposedCredits(reads, waitingMax),
    listEndedCredits(reads, endedShown + 1, before),
  ]);
  const ended = found.slice(0, endedShown);
  const merchantIds = [...waiting, ...ended].map(({ merchantId }) => merchantId);
  const names = await listMerchantNames(reads, merchantIds);
  const me = creditName(visit.session.person);
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
      <WaitingCredits credits={waiting} {...{ names, here }} isOwn={({ proposedBy }) => isSamePerson(proposedBy, me)} />
      <Sheet title="Recent credits" isPadded={false}>
        <EndedCredits
          credits={ended}
          {...{ names, here }}
          mayUndo={visit.may("move_money")}
          isFirstPage={before === null}
          nextBefore={found.length > endedShown ? (ended.at(-1)?.id ?? null) : null}
        />
      </Sheet>
    </>,
  );
}

async function decide(services: OperatorServices, visit: StaffVisit, decision: "approve" | "withdraw") {
  const id = wholeNumber(visit.param("number")) ?? 0;
  const person = visit.session.person;
  const command = decision === "withdraw" ? "console credit withdraw" : "console credit approve";
  const database = changing(services, visit, command, { credit: id });
  if (decision === "withdraw") {
    await withdrawCredit(database, { id, by: creditName(person) });
    return goTo(here, "Withdrawn. Nothing was booked, and the bank reference is free again.");
  }
  const { credit: booked, balance } = await approveCredit(database, { id, by: creditName(person) });
  return goTo(here, bookedText(booked, balance));
}

function bookedText({ amount, merchantId }: WalletCredit, balance: Kobo): string {
  return `${moneyText(amount)} credited to ${formatMerchantId(merchantId)}. It holds ${moneyText(balance)} now.`;
}

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
  const person = visit.session.person;
  const details = { merchant: formatMerchantId(merchantId), amount: formatNaira(amount), bankReference, reason };
  const database = changing(services, visit, "console credit", details);
  const request = { merchantId, amount, reason, bankReference, by: creditName(person) };
  const result = await creditLiveWallet(database, request, { aloneMax: services.creditAloneMax });
  switch (result.kind) {
    case "booked":
      return goTo(here, bookedText(result.credit, result.balance));
    case "proposed":
      return goTo(here, "Nothing is booked yet: it waits for approval by a second person, for 24 hours.");
    case "repeated":
      return goBack(here, `This transfer was entered before, as credit ${result.credit.id}. It’s booked once.`);
    case "reference_taken":
      throw wrong("bank_reference", takenText(result.credit));
  }
}

function takenText({ id, merchantId, amount }: WalletCredit): string {
  return `Credit ${id} has this reference: ${moneyText(amount)} to ${formatMerchantId(merchantId)}.`;
}

async function adjust(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const { merchantId, amount, reason, name } = await bookingIn(services, form);
  const merchant = formatMerchantId(merchantId);
  return askForTwo(services, visit, debit, {
    summary: `Take ${moneyText(amount)} back from ${name} (${merchant})`,
    payload: { merchant, name, amount: formatNaira(amount), reason },
    doneAt: merchantPath(merchantId),
  });
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
