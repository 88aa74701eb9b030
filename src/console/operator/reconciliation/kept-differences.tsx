import {
  type KeptDifference,
  listDifferences,
  listDifferencesByIds,
} from "../../../domain/history/reconciliation/difference-queries.ts";
import { actsFor, saleOfDifference } from "../../../domain/history/reconciliation/end-difference.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { RadioField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { Form, OwnFields } from "../../kit/parts/form.tsx";
import { Button, ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Pager, Table } from "../../kit/parts/list.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { daysName } from "../reports/day-name.ts";
import { salePath } from "../sales/words.ts";
import type { OperatorServices } from "../services.ts";
import { choicesFor, differencesPath, EndOf, endNames, endOrAsk } from "./difference-end.tsx";
import { reconciliationPath, setNames } from "./differences.tsx";

const here = differencesPath;
/** A form has 200 fields at most. */
const shownMax = 100;
const idMax = 2 ** 31 - 1;
const crumbs = [["Reconciliation", reconciliationPath]] as const;

/** Differences that were kept, and how each ends. */
export function keptDifferencePages(routes: StaffRoutes, services: OperatorServices): void {
  const list = (visit: StaffVisit, typed?: Typed) => listPage(services, visit, typed ?? null);
  routes.page(here, { capability: "see_reports", show: (visit) => list(visit) });
  routes.form(`${here}/end`, {
    ...{ capability: "reconcile", doneAt: () => here, show: list },
    send(visit, form) {
      const ids = form.all("difference").map(idOf);
      if (ids.length === 0) throw refuse("VALIDATION_ERROR", { message: "Choose the differences first." });
      // Acts about a sale are looked at one by one.
      if (form.text("end").startsWith("ours.")) throw refuse("VALIDATION_ERROR", { message: "Open it to do that." });
      return endOrAsk(services, visit, form, ids);
    },
  });
  const show = (visit: StaffVisit, typed: Typed) => onePage(services, visit, typed);
  routes.page(`${here}/:id`, { capability: "see_reports", show });
  routes.form(`${here}/:id`, {
    ...{ capability: "reconcile", doneAt: () => here, show },
    send: (visit, form) => endOrAsk(services, visit, form, [idOf(visit.param("id"))]),
  });
}

function idOf(text: string): number {
  return /^[1-9]\d{0,8}$/.test(text) ? Number(text) : 0;
}

const columns: readonly Column<KeptDifference>[] = [
  {
    title: "Reference",
    cell: ({ reference, providerReference }) => <code>{reference ?? providerReference ?? "none"}</code>,
    place: "lead",
  },
  { title: "Supplier", cell: ({ supplier }) => supplier, place: "sub" },
  { title: "Difference", cell: ({ kind }) => setNames[kind], place: "sub" },
  { title: "Ours", cell: ({ ours }) => <Amount amount={ours} />, align: "end" },
  { title: "Theirs", cell: ({ theirs }) => <Amount amount={theirs} />, align: "end" },
  { title: "Why", cell: ({ note }) => note, isExtra: true },
];

const ended: readonly Column<KeptDifference>[] = [
  { title: "State", cell: (difference) => <EndOf {...difference} />, place: "state" },
  { title: "By", cell: ({ end }) => end?.endedBy, place: "sub" },
  { title: "Ended", cell: ({ end }) => (end === null ? null : <Moment at={end.endedAt} style="list" />), place: "sub" },
];

function Amount({ amount }: { readonly amount: KeptDifference["ours"] }) {
  return amount === null ? <>–</> : <Money amount={amount} />;
}

async function listPage({ reads }: OperatorServices, visit: StaffVisit, typed: Typed | null): Promise<PageAnswer> {
  const areOpen = visit.query.get("state") !== "ended";
  const below = idOf(visit.query.get("below") ?? "") || idMax;
  const found = await listDifferences(reads, { areOpen, below, limit: shownMax + 1 });
  const rows = found.slice(0, shownMax);
  const more =
    found.length > shownMax
      ? `${here}?${new URLSearchParams({ ...(areOpen ? {} : { state: "ended" }), below: String(rows.at(-1)?.id) })}`
      : null;
  const mayEnd = areOpen && visit.may("reconcile") && rows.length > 0;
  const sent = new Set(typed?.form.all("difference"));
  const pick: Column<KeptDifference> = {
    ...{ title: "Choose", isTitleHidden: true, place: "pick" },
    cell: ({ id }) => (
      <input
        type="checkbox"
        form={formId}
        name="difference"
        value={String(id)}
        checked={sent.has(String(id))}
        aria-label={`Choose ${id}`}
      />
    ),
  };
  const table = (
    <Sheet isPadded={false}>
      <Table
        caption="Differences"
        rows={rows}
        href={({ id }) => `${here}/${id}`}
        columns={mayEnd ? [pick, ...columns] : areOpen ? columns : [...columns, ...ended]}
        empty={
          <Empty title={areOpen ? "No difference is open" : "No difference has ended yet"} icon="check">
            Compare a supplier’s statement under Reconciliation and keep what differs.
          </Empty>
        }
      />
      <Pager previousHref={below === idMax ? null : here} nextHref={more} />
    </Sheet>
  );
  const other = areOpen ? "ended" : "open";
  return page(
    {
      ...{ title: areOpen ? "Open differences" : "Ended differences", crumbs, problem: typed?.whole ?? null },
      ...{ status: typed?.status ?? 200, note: "Between suppliers’ statements and our books" },
      actions: <ButtonLink href={areOpen ? `${here}?state=ended` : here}>{`See ${other} ones`}</ButtonLink>,
    },
    <>
      {table}
      {mayEnd ? <EndForm typed={typed} /> : null}
    </>,
  );
}

/** The boxes stand outside of their form: a table in it would be as narrow as its fields. */
const formId = "ends";

function EndForm({ typed }: { readonly typed: Typed | null }) {
  return (
    <Sheet title="How do the chosen ones end?">
      <form class="form" id={formId} method="post" action={`${here}/end`} data-island="once">
        <OwnFields />
        <EndFields choices={choicesFor([])} typed={typed} />
        <div class="buttons">
          <Button kind="main">End chosen differences</Button>
        </div>
      </form>
    </Sheet>
  );
}

async function onePage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer | null> {
  const { reads, transactionIds, catalogue } = services;
  const [difference] = await listDifferencesByIds(reads, [idOf(visit.param("id"))]);
  if (difference === undefined) return null;
  const { end, supplier, kind, reference, providerReference } = difference;
  const sale = await saleOfDifference(services.reads, difference);
  const acts = actsFor(difference, sale, await catalogue.current());
  return page(
    {
      ...{ title: reference ?? providerReference ?? `Difference ${difference.id}`, state: <EndOf end={end} /> },
      ...{ crumbs: [...crumbs, ["Differences", here]], problem: typed.whole, status: typed.status },
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
            Found: <FoundBy {...difference} />,
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
            <EndFields choices={choicesFor(acts)} typed={typed} />
          </Form>
          <p class="quiet">What moves or waives money waits for a second person.</p>
        </Sheet>
      )}
    </>,
  );
}

function FoundBy({ foundAt, foundBy }: KeptDifference) {
  return (
    <>
      <Moment at={foundAt} style="full" /> by {foundBy}
    </>
  );
}

function EndFields({ choices, typed }: { readonly choices: readonly string[]; readonly typed: Typed | null }) {
  const field = (name: string) => typed?.field(name) ?? { name, value: "", error: null };
  return (
    <>
      <RadioField
        {...field("end")}
        label="End"
        choices={choices.map((value) => ({ value, label: "", hint: "", ...endNames[value] }))}
      />
      <TextField
        {...field("case_number")}
        label="Supplier’s case number, for a claim"
        isRequired={false}
        isOptional={false}
        isCode
      />
      <TextAreaField
        {...field("reason")}
        label="Reason"
        rows={3}
        hint="In 10 characters or more: what you found, who said it and when."
      />
    </>
  );
}
