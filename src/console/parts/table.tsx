import type { ComponentChildren } from "preact";

export interface Column<Row> {
  readonly title: string;
  readonly cell: (row: Row) => ComponentChildren;
  /** Figures stand at the end, so that their digits meet. */
  readonly align?: "start" | "end";
  /** Less important than its neighbours: grey. */
  readonly isQuiet?: boolean;
  /** The title is for screen readers alone, as over a column of buttons. */
  readonly isTitleHidden?: boolean;
  /** Where the title leads, and how the rows are sorted by this column now. */
  readonly sort?: { readonly href: string; readonly direction: "ascending" | "descending" | null };
  /**
   * Its place in the card that a row becomes on a narrow screen: `lead` and `amount` on the first line, `under` and `state`
   * on the second; a `line` of its own with the title before it (unless told otherwise); or `none`.
   */
  readonly place?: "lead" | "amount" | "under" | "state" | "line" | "none";
}

interface TableProps<Row> {
  readonly caption: string;
  readonly isCaptionHidden?: boolean;
  readonly columns: readonly Column<Row>[];
  readonly rows: readonly Row[];
  /** Where a row leads: the whole row is the link's area, the cell in `lead` is the link. */
  readonly href?: (row: Row) => string | null;
  /** The row that is open beside the table. */
  readonly isCurrent?: (row: Row) => boolean;
  /** What stands here instead of rows: an `<Empty>`. */
  readonly empty: ComponentChildren;
  /** Needed where the table is live: its rows are looked for under this name. */
  readonly id?: string;
  /** A last row of totals, cell by cell. */
  readonly totals?: readonly ComponentChildren[];
}

/** A table that becomes a list of cards on a narrow screen. */
export function Table<Row>(props: TableProps<Row>) {
  const { caption, isCaptionHidden = true, columns, rows, empty, id, totals } = props;
  if (rows.length === 0) return <div id={id}>{empty}</div>;
  return (
    <table id={id}>
      <caption class={isCaptionHidden ? "unseen" : undefined}>{caption}</caption>
      <thead>
        <tr>{columns.map(heading)}</tr>
      </thead>
      <tbody>{rows.map((row) => tableRow(row, props))}</tbody>
      {totals === undefined ? null : (
        <tfoot>
          <tr>{columns.map((column, at) => cell(column, totals[at] ?? ""))}</tr>
        </tfoot>
      )}
    </table>
  );
}

function heading<Row>({ title, align, sort, isTitleHidden }: Column<Row>) {
  const words = isTitleHidden ? <span class="unseen">{title}</span> : title;
  return (
    <th scope="col" class={align === "end" ? "end" : undefined} aria-sort={sort?.direction ?? undefined}>
      {sort === undefined ? words : <a href={sort.href}>{words}</a>}
    </th>
  );
}

function tableRow<Row>(row: Row, { columns, href, isCurrent }: TableProps<Row>) {
  const target = href?.(row) ?? null;
  const leading = columns.find(({ place }) => place === "lead") ?? columns[0];
  return (
    <tr class={target === null ? undefined : "leads"} aria-current={isCurrent?.(row) ? "true" : undefined}>
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
  const { title, align, isQuiet, isTitleHidden = false, place = "line" } = column;
  const classes = [place, align === "end" ? "end" : "", isQuiet ? "quiet" : ""].filter(Boolean).join(" ");
  return (
    <td class={classes} data-title={place === "line" && !isTitleHidden ? title : undefined}>
      {content}
    </td>
  );
}
