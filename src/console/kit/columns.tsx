import type { ComponentChildren } from "preact";
import type { WallTime } from "../../kernel/clock.ts";
import type { Cell } from "../../platform/csv.ts";
import type { Column } from "./parts/list.tsx";
import { grouped, Moment, type MomentStyle, Money } from "./parts/text.tsx";
import type { States } from "./states.tsx";

/** What a file has of a row under each heading. Amounts are bigint; a text that begins like a formula is made harmless. */
type InFile<Row> = Readonly<Record<string, (row: Row, wallTime: WallTime) => Cell>>;

/** A column of a list, on its page and in its file. */
export interface ListColumn<Row> extends Column<Row> {
  readonly file?: InFile<Row>;
  /** The page has no such column. */
  readonly isInFileAlone?: boolean;
}

export type Columns<Row> = ReturnType<typeof columnsOf<Row>>;
type Look = { readonly style?: MomentStyle; readonly heading?: string; readonly isExtra?: boolean };

/** The makers of columns for rows of one kind. `heading` names a count, an amount in kobo or a moment in the file. */
export function columnsOf<Row>() {
  const made =
    (look: Partial<Column<Row>>) =>
    (title: string, cell: (row: Row) => ComponentChildren, file: InFile<Row> = {}): ListColumn<Row> => {
      return { title, cell, ...look, file };
    };
  const named = (heading: string | undefined, of: InFile<Row>[string]) =>
    heading === undefined ? {} : { [heading]: of };
  const money = (look: Partial<Column<Row>>) => (title: string, of: (row: Row) => bigint, heading?: string) =>
    made(look)(title, (row) => <Money amount={of(row)} />, named(heading, of));
  return {
    /** What the row is called, which is its link where it leads somewhere. */
    lead: made({ place: "lead" }),
    sub: made({ place: "sub" }),
    /** What the detail has too: it leaves where it is tight. */
    extra: made({ place: "sub", isExtra: true }),
    more: made({ place: "more" }),
    plain: made({}),
    end: made({ align: "end" }),
    status: made({ place: "state" }),
    /** Buttons, whose title is for screen readers. */
    act: made({ place: "act", isTitleHidden: true }),
    /** The amount that a row is about; `naira`: another one. */
    amount: money({ place: "amount" }),
    naira: money({ align: "end" }),
    count: (title: string, of: (row: Row) => number, heading?: string) =>
      made({ align: "end" })(title, (row) => grouped(of(row)), named(heading, of)),
    when: (title: string, of: (row: Row) => number, { style = "list", heading, isExtra = false }: Look = {}) =>
      made({ place: "sub", isExtra })(
        title,
        (row) => <Moment at={of(row)} style={style} />,
        named(heading, (row, wallTime) => wallTime.format(of(row))),
      ),
    state: <S extends string>(title: string, { status }: States<S>, of: (row: Row) => S) =>
      made({ place: "state" })(title, (row) => status(of(row))),
    /** What the file alone has. */
    inFile: (file: InFile<Row>): ListColumn<Row> => ({ title: "", cell: () => null, file, isInFileAlone: true }),
  };
}
