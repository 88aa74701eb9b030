import { listMerchantsOf } from "../../../domain/funding/statements/announcement-queries.ts";
import { type ChosenLine, creditingLines, type FrozenLine } from "../../../domain/funding/statements/credit-lines.ts";
import { listStatementLines } from "../../../domain/funding/statements/line-queries.ts";
import { parseMerchantId } from "../../../domain/merchants/merchant.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { refused, type Typed } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { countText, Money } from "../../kit/parts/text.tsx";
import { ticks } from "../../kit/ticks.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { TwoPeople } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";
import {
  creditOrAsk,
  isMatched,
  type LineRow,
  lineColumns,
  linePath,
  lineStates,
  transfersPath,
  withProposals,
} from "./bank-rows.tsx";

const here = transfersPath;

/** So many open lines are looked through for those that have a match: a month of most companies. */
const searchedMax = 2_000;

const chosen = ticks({ name: "line", form: "credit", none: "Choose the transfers first." });

/** Credits of many lines that more than one person may book: what exactly is credited stands beside the request. */
export const bankTransfers: TwoPeople = {
  ...creditingLines.rules,
  by: () => creditingLines,
  async show({ reads }, _fields, lines) {
    const frozen = lines as unknown as readonly FrozenLine[];
    const ids = frozen.flatMap(({ merchant }) => parseMerchantId(merchant) ?? []);
    const merchants = await listMerchantsOf(reads, [...new Set(ids)]);
    const nameOf = (id: string) => merchants.get(parseMerchantId(id) ?? (0 as MerchantId))?.name ?? "nobody";
    return <FrozenLines lines={frozen} nameOf={nameOf} />;
  },
};

/** Money that came to the company's bank: whose it may be, confirmed by many at once. */
export function bankLineListPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  const show = list(routes, {
    at: here,
    may: "see_money",
    title: "Bank transfers",
    filters: {
      state: lineStates.filter("State"),
      match: choiceFilter("Match", [{ value: "found", label: "Found" }] as const),
    },
    // A form has 200 fields at most.
    perPage: 100,
    placeIn: wholeNumber,
    async read({ visit, values, before, limit, typed }) {
      const state = values.state ?? "open";
      const isMatchedAlone = values.match === "found";
      const place = { limit: isMatchedAlone ? searchedMax : limit, before };
      const found = await withProposals(reads, await listStatementLines(reads, state, place));
      const rows = isMatchedAlone ? found.filter(isMatched).slice(0, limit) : found;
      const mayCredit = visit.may("move_money") && rows.some(isMatched);
      const ticked = tickedIn(visit, typed, rows);
      return {
        rows,
        columns: [...(mayCredit ? [boxes(ticked)] : []), ...lineColumns],
        below: mayCredit ? <CreditChosen /> : null,
      };
    },
    place: ({ number }) => number,
    href: ({ number }) => linePath(number),
    note: "Money that came to our accounts, by the banks’ statements. Nothing is credited before you confirm it",
    caption: "Bank transfers, the latest first",
    actions: (visit) => (
      <>
        {visit.may("move_money") ? <ButtonLink href={`${here}?match=found`}>Select matches</ButtonLink> : null}
        <ButtonLink href={`${here}/announced`}>Announced transfers</ButtonLink>
        {visit.may("import_statements") ? (
          <ButtonLink href={`${here}/import`} kind="main">
            Import statement
          </ButtonLink>
        ) : null}
      </>
    ),
    empty: (
      <Empty title="No open transfers" icon="check">
        Import your bank’s statement: what came in appears here, with whose it may be.
      </Empty>
    ),
    noneFits: { title: "No such transfers", text: "Clear the filters to see all that are open." },
  });
  routes.form(`${here}/credit`, {
    ...{ capability: "move_money", doneAt: () => here, show },
    send: (visit, form) => creditOrAsk(services, visit, chosen.in(form).map(choiceIn), here),
  });
}

/** What is credited where the box is ticked, exactly as the page shows it. */
function choiceOf({ number, proposal }: LineRow): string {
  return `${number}-${proposal?.merchantId ?? 0}-${proposal?.announcement?.number ?? 0}`;
}

function choiceIn(text: string): ChosenLine {
  const [number, merchantId, announcement = null] = text.split("-").map((part) => wholeNumber(part));
  if (!number || !merchantId) throw refused("Nobody is known for one of these transfers. Open it to say whose it is.");
  return { number, merchantId: merchantId as MerchantId, announcement };
}

/** A box for each that can be credited as it is proposed. */
function boxes(ticked: (choice: string) => boolean): Column<LineRow> {
  const column = chosen.column((row: LineRow) => ({ value: choiceOf(row), label: `transfer ${row.number}` }), ticked);
  return { ...column, cell: (row) => (isMatched(row) ? column.cell(row) : null) };
}

/** As they were sent, else, in the list of matches, those that more than an amount speaks for. */
function tickedIn({ query }: StaffVisit, { form }: Typed, rows: readonly LineRow[]): (choice: string) => boolean {
  const sure = rows.filter((row) => isMatched(row) && row.proposal?.by !== "amount").map(choiceOf);
  const ticked = new Set(form.fields.size > 0 ? form.all("line") : query.get("match") === "found" ? sure : []);
  return (choice) => ticked.has(choice);
}

function CreditChosen() {
  return (
    <Sheet title="Credit the chosen ones">
      <p>Each merchant’s live wallet is credited at once. More than you may book alone waits for a second person.</p>
      <Form id="credit" action={`${here}/credit`} submit="Credit chosen transfers" />
    </Sheet>
  );
}

interface FrozenProps {
  readonly lines: readonly FrozenLine[];
  readonly nameOf: (merchant: string) => string;
}

function FrozenLines({ lines, nameOf }: FrozenProps) {
  return (
    <TableSheet
      title="Transfers that are credited"
      note={countText(lines.length, "transfer")}
      rows={lines}
      href={({ line }) => linePath(line)}
      columns={[
        { title: "From", cell: ({ narration }) => narration, place: "lead" },
        { title: "Day", cell: ({ paid_on }) => paid_on, place: "sub" },
        { title: "Merchant", cell: ({ merchant }) => `${nameOf(merchant)} (${merchant})`, place: "sub" },
        { title: "Bank reference", cell: ({ reference }) => <code>{reference}</code>, isExtra: true },
        { title: "Announced", cell: ({ announcement }) => (announcement === null ? "no" : "yes"), place: "sub" },
        { title: "Amount", cell: ({ amount }) => <Money amount={amount} />, place: "amount" },
      ]}
    />
  );
}
