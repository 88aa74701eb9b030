import type { Column } from "./parts/list.tsx";

interface Pick {
  readonly name: string;
  readonly value: string | number;
  /** The id of the form that it is sent with, where that stands elsewhere: a table in it would be as narrow as its fields. */
  readonly form?: string;
  readonly isPicked: boolean;
  readonly label: string;
}

/** A column of boxes by which rows are chosen. */
export function pickColumn<Row>(pickOf: (row: Row) => Pick, title = "Choose"): Column<Row> {
  return {
    ...{ title, isTitleHidden: true, place: "pick" },
    cell(row) {
      const { form, name, value, isPicked, label } = pickOf(row);
      return <input type="checkbox" {...{ form, name, value }} checked={isPicked} aria-label={`${title} ${label}`} />;
    },
  };
}
