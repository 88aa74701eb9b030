import {
  type KeptDifference,
  listDifferences,
  listDifferencesByIds,
} from "../../../domain/history/reconciliation/difference-queries.ts";
import { actsFor, saleOfDifference } from "../../../domain/history/reconciliation/end-difference.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { detail } from "../../kit/detail.ts";
import { refused, type Typed } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter } from "../../kit/list-page.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Empty, Sheet } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { Moment } from "../../kit/parts/text.tsx";
import { ticks } from "../../kit/ticks.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { daysName } from "../reports/day-name.ts";
import { salePath } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";
import {
  Amount,
  amountColumns,
  differencesPath,
  EndOf,
  endFields,
  endOrAsk,
  referenceColumn,
} from "./difference-end.tsx";
import { reconciliationPath, setNames } from "./differences.tsx";

const here = differencesPath;
const idMax = 2 ** 31 - 1;
const crumbs = [["Reconciliation", reconciliationPath]] as const;

const chosen = ticks({ name: "difference", form: "ends", none: "Choose the differences first." });

/** Differences that were kept, and how each ends. */
export function keptDifferencePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = list(routes, {
    at: here,
    may: "see_reports",
    title: "Open differences",
    filters: { state: choiceFilter("State", [{ value: "ended", label: "Ended" }] as const) },
    // A form has 200 fields at most.
    perPage: 100,
    placeIn: (text) => idOf(text) || null,
    async read({ visit, values, before, limit, typed }) {
      const areOpen = values.state === null;
      const rows = await listDifferences(services.reads, { areOpen, below: before ?? idMax, limit });
      const mayEnd = areOpen && visit.may("reconcile") && rows.length > 0;
      return {
        rows,
        title: areOpen ? "Open differences" : "Ended differences",
        columns: [...(mayEnd ? [chosen.column(boxOf, typed)] : []), ...columns, ...(areOpen ? [] : ended)],
        empty: (
          <Empty title={areOpen ? "No difference is open" : "No difference has ended yet"} icon="check">
            Compare a supplier’s statement under Reconciliation and keep what differs.
          </Empty>
        ),
        below: mayEnd ? (
          <Sheet title="How do the chosen ones end?">
            <Form id="ends" action={`${here}/end`} submit="End chosen differences">
              {endFields(typed, [])}
            </Form>
          </Sheet>
        ) : null,
      };
    },
    place: ({ id }) => id,
    href: ({ id }) => `${here}/${id}`,
    crumbs,
    note: "Between suppliers’ statements and our books",
    caption: "Differences",
  });
  routes.form(`${here}/end`, {
    ...{ capability: "reconcile", doneAt: () => here, show },
    send(visit, form) {
      const ids = chosen.in(form).map(idOf);
      // Acts about a sale are looked at one by one.
      if (form.text("end").startsWith("ours.")) throw refused("Open it to do that.");
      return endOrAsk(services, visit, form, ids);
    },
  });
  detail(routes, {
    at: `${here}/:id`,
    may: "see_reports",
    find: async ({ param }) => (await listDifferencesByIds(services.reads, [idOf(param("id"))]))[0] ?? null,
    show: (visit, difference, typed) => onePage(services, visit, { difference, typed }),
    actions: { "": ["reconcile", (visit, { id }, form) => endOrAsk(services, visit, form, [id])] },
  });
}

function idOf(text: string): number {
  return wholeNumber(text) ?? 0;
}

function boxOf({ id }: KeptDifference) {
  return { value: id, label: String(id) };
}

const columns: readonly Column<KeptDifference>[] = [
  referenceColumn,
  { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub" },
  { title: "Difference", cell: ({ kind }) => setNames[kind], place: "sub" },
  ...amountColumns,
  { title: "Why", cell: ({ note }) => note, isExtra: true },
];

const ended: readonly Column<KeptDifference>[] = [
  { title: "State", cell: (difference) => <EndOf {...difference} />, place: "state" },
  { title: "By", cell: ({ end }) => end?.endedBy, place: "sub" },
  { title: "Ended", cell: ({ end }) => (end === null ? null : <Moment at={end.endedAt} style="list" />), place: "sub" },
];

async function onePage(
  services: OperatorServices,
  visit: StaffVisit,
  { difference, typed }: { readonly difference: KeptDifference; readonly typed: Typed },
): Promise<PageAnswer> {
  const { transactionIds, catalogue } = services;
  const { end, supplier, kind, reference, providerReference } = difference;
  const sale = await saleOfDifference(services.reads, difference);
  const acts = actsFor(difference, sale, await catalogue.current());
  return page(
    {
      ...{ title: reference ?? providerReference ?? `Difference ${difference.id}`, state: <EndOf end={end} /> },
      crumbs: [...crumbs, ["Differences", here]],
      note: `${supplier}: ${setNames[kind].toLowerCase()}`,
    },
    <>
      <Sheet title="Difference">
        <Facts
          facts={{
            Why: difference.note,
            Ours: <Amount amount={difference.ours} />,
            Theirs: <Amount amount={difference.theirs} />,
            "Supplier’s ID": providerReference,
            Sale:
              sale === null ? (
                "None of ours"
              ) : (
                <a href={salePath(transactionIds, sale.purchase)}>{sale.purchase.reference}</a>
              ),
            "Statement of": daysName(services.format, { from: difference.fromDay, to: difference.toDay }),
            Found: (
              <>
                <Moment at={difference.foundAt} style="full" /> by {difference.foundBy}
              </>
            ),
            "In an upload last": <Moment at={difference.seenAt} style="full" />,
            ...(end === null
              ? {}
              : {
                  "Case number": end.caseNumber,
                  Reason: end.reason,
                  "Ended by": end.endedBy,
                  "Approved by": end.approvedBy,
                  Ended: <Moment at={end.endedAt} style="full" />,
                }),
          }}
        />
      </Sheet>
      {end !== null || !visit.may("reconcile") ? null : (
        <Sheet title="How does it end?">
          <Form action={`${here}/${difference.id}`} submit="End difference">
            {endFields(typed, acts)}
          </Form>
          <p class="quiet">What moves or waives money waits for a second person.</p>
        </Sheet>
      )}
    </>,
  );
}
