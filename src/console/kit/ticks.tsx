import { refused, type Form as SentForm, type Typed } from "./form.ts";
import type { Column } from "./parts/list.tsx";
import { pickColumn } from "./pick-column.tsx";

interface Boxes {
  /** The fields' name. */
  readonly name: string;
  /** The id of the form that they are sent with, where that stands elsewhere. */
  readonly form?: string;
  /** What whoever chose none is told; left out where none means all. */
  readonly none?: string;
}

/** One way to choose lines by boxes, and to act on those that are chosen. */
export function ticks({ none, ...boxes }: Boxes) {
  return {
    /** The boxes: ticked as they were sent, or where it is told. */
    column<Row>(
      of: (row: Row) => { readonly value: string | number; readonly label: string },
      ticked: Pick<Typed, "form"> | ((value: string) => boolean),
    ): Column<Row> {
      const sent = typeof ticked === "function" ? null : new Set(ticked.form.all(boxes.name));
      const isTicked = typeof ticked === "function" ? ticked : (value: string) => sent?.has(value) === true;
      return pickColumn((row) => {
        const box = of(row);
        return { ...boxes, ...box, isPicked: isTicked(String(box.value)) };
      });
    },
    /** The values that are chosen. @throws Refusal where none is and one must be */
    in(form: SentForm): readonly string[] {
      const values = form.all(boxes.name);
      if (none !== undefined && values.length === 0) throw refused(none);
      return values;
    },
  };
}
