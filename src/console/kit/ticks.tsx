import { refused, type Form as SentForm, type Typed } from "./form.ts";
import type { Column } from "./parts/list.tsx";
import { pickColumn } from "./pick-column.tsx";

interface Lines {
  /** The fields' name. */
  readonly name: string;
  /** The id of the form that they are sent with, where that stands elsewhere. */
  readonly form?: string;
  /** What whoever chose none is told; left out where none means all. */
  readonly none?: string;
}

type Ticked = Pick<Typed, "form"> | ((value: string) => boolean);

/** Lines that are chosen by boxes, and what came of them. */
interface Ticks {
  /** The boxes: ticked as they were sent, or where it is told. */
  column<Row>(
    of: (row: Row) => { readonly value: string | number; readonly label: string },
    ticked: Ticked,
  ): Column<Row>;
  /** The values that are chosen. @throws Refusal where none is and one must be */
  in(form: SentForm): readonly string[];
}

/** One way to choose lines and act on those that are chosen. */
export function ticks({ name, form, none }: Lines): Ticks {
  return {
    column(of, ticked) {
      const sent = typeof ticked === "function" ? null : new Set(ticked.form.all(name));
      return pickColumn((row) => {
        const { value, label } = of(row);
        const isPicked = typeof ticked === "function" ? ticked(String(value)) : sent?.has(String(value)) === true;
        return { name, value, label, isPicked, ...(form === undefined ? {} : { form }) };
      });
    },
    in(sent) {
      const values = sent.all(name);
      if (none !== undefined && values.length === 0) throw refused(none);
      return values;
    },
  };
}
