import type { PriceChange, WholePriceChange } from "../../../domain/catalogue/price-changes/price-change-queries.ts";
import { nameOfLine, type PriceLine } from "../../../domain/catalogue/price-changes/price-lines.ts";
import type { ChangeId } from "../../../domain/staff/change-queries.ts";
import type { Preview, PreviewedLine, TierEffect } from "../../../domain/suppliers/selling-prices/preview.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { Facts, Figures } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { type Column, Pager, TableSheet } from "../../kit/parts/list.tsx";
import { countText, grouped, Moment, Status } from "../../kit/parts/text.tsx";
import { ticks } from "../../kit/ticks.tsx";
import { StateOf } from "../approvals/change-state.tsx";
import { personName } from "../audit/audit-words.ts";
import { CostText, changesPath, movedText, PriceText, productPath, scopeName, shareText } from "./price-words.tsx";

const linesPerPage = 100;
const leftNamed = 20;

/** What a change comes to, at one glance. Costs are those of now, so of a change that is made they say nothing. */
export function PreviewFigures({ preview, isAhead }: { readonly preview: Preview; readonly isAhead: boolean }) {
  const { lines, products, dearer, cheaper, belowCost, largest } = preview;
  return (
    <Figures
      figures={[
        { label: "Prices", value: grouped(lines.length), note: `of ${countText(products, "product")}` },
        { label: "Increases", value: grouped(dearer), note: `${grouped(cheaper)} decreases` },
        { label: "Largest move", value: shareText(largest) },
        ...(isAhead ? [{ label: "Below cost", value: grouped(belowCost), isAlarm: belowCost > 0 }] : []),
      ]}
    />
  );
}

interface StateProps {
  readonly change: PriceChange;
  readonly now: Instant;
}

export function StateOfChange({ change, now }: StateProps) {
  const { state, isRequested, endsAt, dueAt } = change;
  if (state === "draft") return <Status kind="waiting">draft</Status>;
  return <StateOf change={{ state, endsAt, dueAt, isAlone: change.isAlone && isRequested }} now={now} />;
}

/** As in the audit log, without the realm; a command's is looked up there. */
export function makerName(madeBy: string | null): string {
  return madeBy === null ? "by command" : personName(madeBy);
}

interface FactsProps {
  readonly change: WholePriceChange;
  /** What of it was not set. */
  readonly left: readonly PriceLine[];
}

export function ChangeFacts({ change, left }: FactsProps) {
  const { id, madeBy, reason, dueAt, at, state, isRequested, undoneBy, outcome } = change;
  const isOpen = state === "waiting" || state === "agreed";
  return (
    <Sheet title="Change">
      <Facts
        facts={{
          By: makerName(madeBy),
          Reason: reason === "" ? null : reason,
          Approval: isRequested ? <a href={`/operator/approvals/${id}`}>See the request</a> : null,
          "Valid from": dueAt === null ? null : <Moment at={dueAt} style="full" />,
          [state === "done" ? "Made" : "Ended"]: isOpen ? null : <Moment at={at} style="full" />,
          Result: state === "done" ? outcome : null,
          "Left as they were": left.length === 0 ? null : leftText(left),
          "Undone by": undoneBy === null ? null : <a href={`${changesPath}/${undoneBy}`}>Change {undoneBy}</a>,
        }}
      />
    </Sheet>
  );
}

function leftText(left: readonly PriceLine[]): string {
  const named = left.slice(0, leftNamed).map(({ productId, scope }) => `product ${productId}, ${scopeName(scope)}`);
  return [...named, ...(left.length > leftNamed ? [`and ${grouped(left.length - leftNamed)} more`] : [])].join("; ");
}

/** Merchants by their price tier, and for how many products each pays more or less. */
export function WhoPays({ effects }: { readonly effects: readonly TierEffect[] }) {
  return (
    <TableSheet
      title="Who pays what"
      note="Merchants with a price of their own for a product keep it"
      rows={effects}
      columns={[
        { title: "Price tier", place: "lead", cell: ({ tier }) => `Tier ${tier}` },
        { title: "Merchants", align: "end", cell: ({ merchants }) => grouped(merchants) },
        { title: "Increases", align: "end", cell: ({ dearer }) => grouped(dearer) },
        { title: "Decreases", align: "end", cell: ({ cheaper }) => grouped(cheaper) },
      ]}
      empty={<p class="inside">No merchants yet.</p>}
    />
  );
}

interface LinesProps {
  readonly preview: Preview;
  readonly id: ChangeId;
  readonly number: number;
  /** It is not made yet, so that costs of now say what it brings. */
  readonly isAhead: boolean;
  /** The lines that are to be left out, unless a person chooses others; null where none can be. */
  readonly ticked: ReadonlySet<string> | null;
}

const formId = "leave-out";

const leftOut = ticks({ name: "line", form: formId, title: "Leave out" });

function leaveOut(ticked: ReadonlySet<string>): Column<PreviewedLine> {
  return leftOut.column(
    (line) => ({ value: nameOfLine(line), label: `${line.product.name}, ${scopeName(line.scope)}` }),
    (value) => ticked.has(value),
  );
}

/** Each price before and after, those below cost first. */
export function ChangeLines({ preview: { lines }, id, number, isAhead, ticked }: LinesProps) {
  const last = Math.max(1, Math.ceil(lines.length / linesPerPage));
  const shown = Math.min(last, Math.max(1, number));
  const before = (shown - 1) * linesPerPage;
  const rows = lines.slice(before, before + linesPerPage);
  const hrefOf = (to: number) => `${changesPath}/${id}?page=${to}`;
  return (
    <>
      <TableSheet
        title="Prices"
        caption="Prices before and after"
        rows={rows}
        href={({ product }) => productPath(product)}
        mark={({ isBelowCost }) => (isAhead && isBelowCost ? "wrong" : undefined)}
        columns={[
          ...(ticked === null || lines.length < 2 ? [] : [leaveOut(ticked)]),
          ...(isAhead ? [...columns, ...costColumns] : columns),
        ]}
        empty={<p class="inside">This version doesn’t sell these products.</p>}
      />
      {ticked === null || lines.length < 2 ? null : (
        <Form id={formId} action={`${changesPath}/${id}/leave-out`} submit="Leave out ticked prices" kind="plain" />
      )}
      <Pager
        previousHref={shown > 1 ? hrefOf(shown - 1) : null}
        nextHref={shown < last ? hrefOf(shown + 1) : null}
        from={rows.length === 0 ? null : before + 1}
        to={before + rows.length}
        total={lines.length}
      />
    </>
  );
}

const columns: readonly Column<PreviewedLine>[] = [
  { title: "Product", place: "lead", cell: ({ product }) => product.name },
  { title: "Price for", place: "sub", cell: ({ scope }) => scopeName(scope) },
  { title: "Before", align: "end", cell: ({ before }) => <PriceText price={before} /> },
  { title: "After", place: "amount", cell: ({ after }) => <PriceText price={after} /> },
  { title: "Change", align: "end", cell: ({ moved }) => movedText(moved) },
];

const costColumns: readonly Column<PreviewedLine>[] = [
  {
    title: "Cost",
    align: "end",
    isExtra: true,
    cell: ({ margin }) => (margin === null ? "–" : <CostText cost={margin.route.cost} />),
  },
  {
    title: "Margin after",
    align: "end",
    cell: ({ margin, isBelowCost }) => {
      if (margin === null) return "–";
      const text = shareText(margin.share);
      return isBelowCost ? <b class="ink-bad">{`${text}, below cost`}</b> : text;
    },
  },
];
