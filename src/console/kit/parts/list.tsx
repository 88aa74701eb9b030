import type { ComponentChildren } from "preact";
import { Sheet } from "./layout.tsx";
import { useSurroundings } from "./surroundings.ts";
import { grouped } from "./text.tsx";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end, so that their digits meet. */
  readonly align?: "start" | "end";
  /** The title is for screen readers alone, as over a column of buttons. */
  readonly isTitleHidden?: boolean;
  /**
   * Its place once the table is too narrow for columns: `lead` and `amount` on the first line, each `sub` and the `state` on
   * the second; `more` with the title before it (unless told otherwise); `pick` before all, `act` after all; or `none`.
   */
  readonly place?: Place;
  /** What the detail has too: it leaves where it is tight. */
  readonly isExtra?: boolean;
}

type Place = "lead" | "amount" | "sub" | "state" | "more" | "pick" | "act" | "none";

interface TableProps<Row> {
  readonly caption: string;
  readonly isCaptionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where a row leads: the whole row is the link's area, the cell in `lead` is the link. */
  readonly href?: (row: Row) => string | null;
  /** The row that is open beside the table. */
  readonly isCurrent?: (row: Row) => boolean;
  /** A row that is wrong, or odd enough to be looked at. */
  readonly mark?: (row: Row) => "wrong" | "odd" | undefined;
  /** What stands in a row of its own over a row: how many follow of a kind. */
  readonly headOf?: (row: Row) => ComponentChildren;
  /** What stands here instead of rows: an `<Empty>`. */
  readonly empty?: ComponentChildren;
  /** Needed where the table is live: its rows are looked for under this name. */
  readonly id?: string;
  /** Two or three short columns, which never fold. */
  readonly isPlain?: boolean;
  /** Its cells are fields. */
  readonly isEdited?: boolean;
}

/** A table that becomes a list of two lines a row where its place is narrow. Its roles are printed, as the fold undoes them. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, isCaptionHidden = true, columns, rows, empty, id, isPlain, isEdited } = props;
  if (rows.length === 0) return <div id={id}>{empty}</div>;
  return (
    <div class="table" id={id}>
      <table class={isPlain ? "rows plain" : isEdited ? "rows middle edit" : "rows"} {...role("table")}>
        <caption class={isCaptionHidden ? "unseen" : undefined}>{caption}</caption>
        <thead {...role("rowgroup")}>
          <tr {...role("row")}>{columns.map(heading)}</tr>
        </thead>
        <tbody {...role("rowgroup")}>{rows.flatMap((row) => [headRow(row, props), tableRow(row, props)])}</tbody>
      </table>
    </div>
  );
}

type TableSheetProps<Row> = Omit<TableProps<Row>, "caption"> &
  Pick<Parameters<typeof Sheet>[0], "note"> & {
    /** The id of the sheet, for links to it. */
    readonly anchor?: string;
    readonly title?: ComponentChildren;
    /** What the rows are, where the title doesn't say it. */
    readonly caption?: string;
    readonly children?: ComponentChildren;
  };

export function TableSheet<Row>({ anchor, title, note, children, ...table }: TableSheetProps<Row>) {
  return (
    <Sheet {...{ title, note }} {...(anchor === undefined ? {} : { id: anchor })} isPadded={false}>
      <Table caption={typeof title === "string" ? title : ""} {...table} />
      {children}
    </Sheet>
  );
}

/** Said although the element has it: with another `display` browsers forget it. */
function role(name: "table" | "rowgroup" | "row" | "cell" | "columnheader") {
  return { role: name };
}

function heading<Row>(column: Column<Row>) {
  const { title, isTitleHidden } = column;
  return (
    <th scope="col" class={classOf(column, "") || undefined} {...role("columnheader")}>
      {isTitleHidden ? <span class="unseen">{title}</span> : title}
    </th>
  );
}

function headRow<Row>(row: Row, { columns, headOf }: TableProps<Row>) {
  const content = headOf?.(row) ?? null;
  return content === null ? null : (
    <tr class="head-row" {...role("row")}>
      <td class="lead" colSpan={columns.length} {...role("cell")}>
        {content}
      </td>
    </tr>
  );
}

function tableRow<Row>(row: Row, { columns, href, isCurrent, mark }: TableProps<Row>) {
  const target = href?.(row) ?? null;
  const leading = columns.find(({ place }) => place === "lead") ?? columns[0];
  const classes = [target === null ? "" : "leads", mark?.(row) ?? ""].filter(Boolean).join(" ");
  return (
    <tr class={classes || undefined} aria-current={isCurrent?.(row) ? "true" : undefined} {...role("row")}>
      {columns.map((column) => {
        const content = column.cell(row);
        return cell(
          column,
          column === leading && target !== null ? (
            <a class="row-link" href={target}>
              {content}
            </a>
          ) : (
            content
          ),
        );
      })}
    </tr>
  );
}

function cell<Row>(column: Column<Row>, content: ComponentChildren) {
  const { title, isTitleHidden = false, place = "more" } = column;
  return (
    <td
      class={classOf(column, place)}
      data-title={place === "more" && !isTitleHidden ? title : undefined}
      {...role("cell")}
    >
      {content}
    </td>
  );
}

function classOf<Row>({ align, place, isExtra }: Column<Row>, own: string): string {
  const isAtEnd = align === "end" || place === "amount";
  return [own, isAtEnd ? "end" : "", isExtra ? "p3" : ""].filter(Boolean).join(" ");
}

/**
 * A table of a form whose rows can be put in another order: by buttons with `data-move`, which without JavaScript send the
 * form, and by dragging at a `<DragHandle>`. The order of the rows' fields is what is sent.
 */
export function Arrangeable({ children }: { readonly children: ComponentChildren }) {
  const { assetUrl } = useSurroundings();
  return (
    <div data-island="arrange" data-script={assetUrl("arrange.js")}>
      {children}
      <p class="unseen" role="status" />
    </div>
  );
}

/** Where a row is dragged by the pointer; by keyboard its buttons move it. Its script shows it. */
export function DragHandle() {
  return (
    <span class="handle" aria-hidden="true" hidden>
      ⠿
    </span>
  );
}

interface PagerProps {
  readonly previousHref: string | null;
  readonly nextHref: string | null;
  /** Places of the first and last row shown, counted from 1; null where a list doesn't know its places. */
  readonly from?: number | null;
  readonly to?: number | null;
  /** Null where it isn't counted. */
  readonly total?: number | null;
  /** The list counts no further: `10,000+`. */
  readonly isTotalLeast?: boolean;
}

/**
 * The position, and previous and next by link; one page has neither of the two. Nothing where
 * nothing is counted, or there is none: the list says so itself.
 */
export function Pager({ previousHref, nextHref, ...place }: PagerProps) {
  const position = positionText(place);
  const isOnlyPage = previousHref === null && nextHref === null;
  if (isOnlyPage && (position === "" || place.total === 0)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      <span>{position}</span>
      {isOnlyPage ? null : (
        <>
          <PageLink href={previousHref} relation="prev" text="Previous" />
          <PageLink href={nextHref} relation="next" text="Next" />
        </>
      )}
    </nav>
  );
}

function PageLink({ href, relation, text }: { href: string | null; relation: "prev" | "next"; text: string }) {
  if (href === null) return <span class="button off">{text}</span>;
  return (
    <a class="button" href={href} rel={relation}>
      {text}
    </a>
  );
}

/** `51–100 of 1,934`; `51–100` without a total; empty where there is nothing to tell. */
export function positionText({
  from = null,
  to = null,
  total = null,
  isTotalLeast = false,
}: Partial<PagerProps>): string {
  const all = total === null ? "" : `${grouped(total)}${isTotalLeast ? "+" : ""}`;
  if (from === null || to === null || to < from) return total === null ? "" : `${all} in all`;
  const shown = from === to ? grouped(from) : `${grouped(from)}–${grouped(to)}`;
  return all === "" ? shown : `${shown} of ${all}`;
}
