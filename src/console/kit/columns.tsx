import type { ComponentChildren } from "preact";
import type { WallTime } from "../../kernel/clock.ts";
import type { Cell } from "../../platform/csv.ts";
import type { Column } from "./parts/list.tsx";
import { grouped, Moment, type MomentStyle, Money } from "./parts/text.tsx";
import type { States } from "./states.tsx";

/** What a file has of a row under each heading. Amounts are bigint; a text that begins like a formula is made harmless. */
export type InFile<Row> = Readonly<Record<string, (row: Row, wallTime: WallTime) => Cell>>;

/** A column of a list, on its page and in its file. */
export interface ListColumn<Row> extends Column<Row> {
  readonly file?: InFile<Row>;
  /** The page has no such column. */
  readonly isInFileAlone?: boolean;
}

/** A column of any text; `file`: what the file has of it. */
type Made<Row> = (title: string, cell: (row: Row) => ComponentChildren, file?: InFile<Row>) => ListColumn<Row>;
type OfNumber<Row, N> = (title: string, of: (row: Row) => N, heading?: string) => ListColumn<Row>;

/** The columns that most lists are made of. */
export interface Columns<Row> {
  /** What the row is called, which is its link where it leads somewhere. */
  readonly lead: Made<Row>;
  readonly sub: Made<Row>;
  /** What the detail has too: it leaves where it is tight. */
  readonly extra: Made<Row>;
  readonly more: Made<Row>;
  /** At the end, so that digits meet. */
  readonly end: Made<Row>;
  /** Buttons, whose title is for screen readers. */
  readonly act: Made<Row>;
  readonly count: OfNumber<Row, number>;
  /** The amount that a row is about, in kobo; and another one. */
  readonly amount: OfNumber<Row, bigint>;
  readonly naira: OfNumber<Row, bigint>;
  /** A moment; in a file in the deployment's zone. */
  when(
    title: string,
    of: (row: Row) => number,
    more?: { readonly style?: MomentStyle; readonly heading?: string; readonly isExtra?: boolean },
  ): ListColumn<Row>;
  /** A state by its word, or whatever says it. */
  state<S extends string>(title: string, states: States<S>, of: (row: Row) => S): ListColumn<Row>;
  readonly status: Made<Row>;
  /** What the file alone has. */
  inFile(file: InFile<Row>): ListColumn<Row>;
}

/** The makers of columns for rows of any kind. */
export function columnsOf<Row>(): Columns<Row> {
  const made =
    (look: Partial<Column<Row>>): Made<Row> =>
    (title, cell, file = {}) => ({ title, cell, ...look, file });
  const named = (heading: string | undefined, of: InFile<Row>[string]): InFile<Row> =>
    heading === undefined ? {} : { [heading]: of };
  const end = made({ align: "end" });
  return {
    lead: made({ place: "lead" }),
    sub: made({ place: "sub" }),
    extra: made({ place: "sub", isExtra: true }),
    more: made({ place: "more" }),
    ...{ end, act: made({ place: "act", isTitleHidden: true }), status: made({ place: "state" }) },
    count: (title, of, heading) => end(title, (row) => grouped(of(row)), named(heading, of)),
    amount: (title, of, heading) =>
      made({ place: "amount" })(title, (row) => <Money amount={of(row)} />, named(heading, of)),
    naira: (title, of, heading) => end(title, (row) => <Money amount={of(row)} />, named(heading, of)),
    when: (title, of, { style = "list", heading, isExtra = false } = {}) =>
      made({ place: "sub", isExtra })(
        title,
        (row) => <Moment at={of(row)} style={style} />,
        named(heading, (row, wallTime) => wallTime.format(of(row))),
      ),
    state: (title, states, of) => made({ place: "state" })(title, (row) => states.status(of(row))),
    inFile: (file) => ({ title: "", cell: () => null, file, isInFileAlone: true }),
  };
}
