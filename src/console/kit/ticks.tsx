import { refused, type Form as SentForm, type Typed } from "./form.ts";
import type { Column } from "./parts/list.tsx";

interface Boxes {
  /** The fields' name. */
  readonly name: string;
  /** The id of the form that they are sent with, where that stands elsewhere: a table in it would be as narrow as its fields. */
  readonly form?: string;
  /** What the column is called, if not Choose. */
  readonly title?: string;
  /** What whoever chose none is told; left out where none means all. */
  readonly none?: string;
}

/** One way to choose lines by boxes, and to act on those that are chosen. */
export function ticks({ name, form, none, title = "Choose" }: Boxes) {
  return {
    /** The boxes: ticked as they were sent, or where it is told. */
    column<Row>(
      of: (row: Row) => { readonly value: string | number; readonly label: string },
      ticked: Pick<Typed, "form"> | ((value: string) => boolean),
    ): Column<Row> {
      const sent = typeof ticked === "function" ? null : new Set(ticked.form.all(name));
      const isTicked = typeof ticked === "function" ? ticked : (value: string) => sent?.has(value) === true;
      return {
        ...{ title, isTitleHidden: true, place: "pick" },
        cell(row) {
          const { value, label } = of(row);
          const isChecked = isTicked(String(value));
          return (
            <input type="checkbox" {...{ form, name, value }} checked={isChecked} aria-label={`${title} ${label}`} />
          );
        },
      };
    },
    /** The values that are chosen. @throws Refusal where none is and one must be */
    in(sent: SentForm): readonly string[] {
      const values = sent.all(name);
      if (none !== undefined && values.length === 0) throw refused(none);
      return values;
    },
  };
}
