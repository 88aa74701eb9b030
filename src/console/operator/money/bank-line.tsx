import { listPaymentProviders, type PaymentProvider } from "../../../domain/funding/provider-queries.ts";
import type { AnnouncedTransfer } from "../../../domain/funding/statements/announcement-queries.ts";
import { type KeptLine, listLinesByNumber } from "../../../domain/funding/statements/line-queries.ts";
import { setLineAside } from "../../../domain/funding/statements/set-aside.ts";
import { findProviderClearing } from "../../../domain/funding/statements/settlement-queries.ts";
import { clearingText, setLineSettlement } from "../../../domain/funding/statements/settlements.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { optionsOf } from "../../kit/offer-filters.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { SelectField, TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { personName } from "../audit/audit-words.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import {
  creditOrAsk,
  isMatched,
  type LineRow,
  linePath,
  lineStates,
  transfersPath,
  Why,
  withProposals,
} from "./bank-rows.tsx";

/** One line of a statement: credited to whom a person names, or set aside. */
export function bankLinePages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  detail(routes, {
    at: `${transfersPath}/lines/:number`,
    may: "see_money",
    async find({ param }) {
      const lines = await listLinesByNumber(reads, [wholeNumber(param("number")) ?? 0]);
      return (await withProposals(reads, lines))[0] ?? null;
    },
    show: (visit, row, typed) => linePage(services, visit, { row, typed }),
    actions: {
      settlement: ["move_money", (visit, line, form) => setSettlement(services, visit, line, form)],
      credit: ["move_money", (visit, line, form) => credit(services, visit, line, form)],
      aside: ["move_money", (visit, line, form) => setAside(services, visit, line, form)],
    },
  });
}

function credit(services: OperatorServices, visit: StaffVisit, line: KeptLine, form: SentForm): Promise<Answer> {
  const merchantId = parseMerchantId(form.text("merchant"));
  if (merchantId === null) throw wrong("merchant", "A merchant’s ID looks like mer_17.");
  // What was announced by another merchant than the one that is typed is not what came.
  const isAsProposed = form.text("proposed") === formatMerchantId(merchantId);
  const announcement = isAsProposed ? wholeNumber(form.text("announcement")) : null;
  return creditOrAsk(services, visit, [{ number: line.number, merchantId, announcement }], linePath(line.number));
}

async function setAside(
  services: OperatorServices,
  visit: StaffVisit,
  { number, state }: KeptLine,
  form: SentForm,
): Promise<Answer> {
  const because = state === "set_aside" ? null : form.text("because");
  const database = changing(services, visit, "console transfers aside", { line: number, because });
  await setLineAside(database, visit.session.person, { number, because });
  return goTo(linePath(number), because === null ? "The transfer is open again." : "The transfer is set aside.");
}

async function setSettlement(
  services: OperatorServices,
  visit: StaffVisit,
  { number, settlementOf }: KeptLine,
  form: SentForm,
): Promise<Answer> {
  const provider = settlementOf === null ? form.text("provider") : null;
  const database = changing(services, visit, "console transfers settlement", { line: number, provider });
  await setLineSettlement(database, visit.session.person, { number, provider });
  const of = provider ?? settlementOf ?? "";
  const clearing = clearingText(of, await findProviderClearing(database, of));
  return goTo(
    linePath(number),
    `${provider === null ? "The transfer is open again." : "Settlement booked."} ${clearing}`,
  );
}

interface Shown {
  readonly row: LineRow;
  readonly typed: Typed;
}

async function linePage({ reads }: OperatorServices, visit: StaffVisit, { row, typed }: Shown) {
  const { number, state, endedBy, endedAt, importId, line, paidOn } = row;
  const announced = row.proposal?.announcement ?? null;
  const providers = state === "open" ? await listPaymentProviders(reads) : [];
  return page(
    {
      ...{ title: `Bank transfer ${number}`, crumbs: [["Bank transfers", transfersPath]] },
      state: lineStates.status(state),
    },
    <>
      <Sheet title="As the statement has it">
        <Facts
          facts={{
            Amount: <Money amount={row.amount} />,
            Day: <Moment at={`${paidOn}T12:00:00Z`} style="day" />,
            Narration: row.narration,
            "Bank reference": <code>{row.bankReference}</code>,
            Account: `${row.bank} ${row.accountNumber}`,
            Found: <a href={`${transfersPath}/imports/${importId}`}>{`Import ${importId}, line ${line}`}</a>,
            Merchant: row.name,
            Why: <Why {...row} />,
            Announced: announced === null ? null : <Announced {...announced} />,
            By: endedBy === null || state === "open" ? null : personName(endedBy),
            Ended: endedAt === null || state === "open" ? null : <Moment at={endedAt} style="full" />,
          }}
        />
      </Sheet>
      {visit.may("move_money") && state !== "credited" ? <Ends {...{ row, typed, providers }} /> : null}
    </>,
  );
}

function Announced({ number, senderName, bank, announcedAt }: AnnouncedTransfer) {
  return (
    <a href={`${transfersPath}/announced/${number}`}>
      {senderName}, {bank}, told on <Moment at={announcedAt} />
    </a>
  );
}

/** What can become of one that is open; what was set aside, or is a settlement, can be taken up again. */
function Ends({ row, typed, providers }: Shown & { readonly providers: readonly PaymentProvider[] }) {
  const { number, proposal, state } = row;
  const isOpen = state === "open";
  const proposed = proposal === null ? "" : formatMerchantId(proposal.merchantId);
  return (
    <>
      {isOpen && (isMatched(row) || (row.creditId === null && row.requestId === null)) ? (
        <Sheet title="Credit it">
          <Form
            action={`${linePath(number)}/credit`}
            submit="Credit wallet"
            hidden={{ proposed, announcement: String(proposal?.announcement?.number ?? "") }}
          >
            <TextField {...typed.field("merchant", proposed)} label="Merchant" hint="Its ID, such as mer_17." />
          </Form>
        </Sheet>
      ) : null}
      {providers.length === 0 ? null : (
        <Sheet title="It’s a settlement" note="A payment provider paid us what it held">
          <Form action={`${linePath(number)}/settlement`} submit="Book settlement">
            <SelectField
              {...typed.field("provider")}
              label="Payment provider"
              choices={[{ value: "", label: "Choose one" }, ...optionsOf(providers.map(({ name }) => name))]}
            />
          </Form>
        </Sheet>
      )}
      <Sheet title={isOpen ? "It’s nobody’s" : "Take it up again"}>
        <Form
          action={`${linePath(number)}/${state === "settlement" ? "settlement" : "aside"}`}
          submit={isOpen ? "Set aside" : "Open again"}
          kind="plain"
        >
          {isOpen ? (
            <TextField
              {...typed.field("because")}
              label="Why"
              hint="Such as: our own transfer, interest, credited by hand."
              lengthMax={200}
            />
          ) : null}
        </Form>
      </Sheet>
    </>
  );
}
