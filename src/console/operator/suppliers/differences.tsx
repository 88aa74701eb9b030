import { listText } from "../../../domain/suppliers/price-lists/accept-chosen.ts";
import { type ChangeKind, changeKinds } from "../../../domain/suppliers/price-lists/compare.ts";
import type { DifferenceRow } from "../../../domain/suppliers/price-lists/difference-row.ts";
import { hasOff } from "../../../domain/suppliers/price-lists/marked-file.ts";
import type { StoredList } from "../../../domain/suppliers/price-lists/queries.ts";
import type { Typed } from "../../kit/form.ts";
import { CheckField } from "../../kit/parts/fields.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { Button, Sheet } from "../../kit/parts/layout.tsx";
import { Pager } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped } from "../../kit/parts/text.tsx";
import { changeNames, DifferenceLines, type Line } from "./difference-lines.tsx";

/** A form has 200 fields at most, and something new has two. */
const pageLength = 50;

interface Shown {
  /** The list as it was shown: what is accepted is refused where it is another by then. */
  readonly shown: string;
  readonly counts: StoredList["counts"];
  /** Null: of every kind. */
  readonly kind: ChangeKind | null;
  readonly page: number;
  readonly lines: readonly Line[];
  readonly total: number;
  /** Differences that are not kept: a file of the command has them. */
  readonly further: number;
}

/** The part of a kept list that an address asks for. */
export function shownOf(
  kept: StoredList & { readonly differences: readonly DifferenceRow[] },
  query: ReadonlyMap<string, string>,
): Shown {
  const kind = changeKinds.find((known) => known === query.get("change")) ?? null;
  const all = kept.differences
    .map((row, place) => ({ line: place + 1, row }))
    .filter(({ row }) => kind === null || row.change === kind);
  const last = Math.max(1, Math.ceil(all.length / pageLength));
  const page = Math.min(last, Math.max(1, Number(/^\d{1,4}$/.exec(query.get("page") ?? "")?.[0] ?? 1)));
  const lines = all.slice((page - 1) * pageLength, page * pageLength);
  const further = Object.values(kept.counts).reduce((sum, count) => sum + count, 0) - kept.differences.length;
  return { shown: listText(kept), counts: kept.counts, kind, page, lines, total: all.length, further };
}

interface DifferencesProps extends Shown {
  readonly at: string;
  readonly mayChange: boolean;
  readonly typed: Typed;
}

/** The differences as a table, with what can be done about the lines that are chosen. */
export function Differences(props: DifferencesProps) {
  const { at, mayChange, counts, kind, page, total, lines, further } = props;
  const here = (change: ChangeKind | null, at1 = 1) => addressOf(at, change, at1);
  return (
    <>
      {further > 0 ? (
        <Flash kind="note">
          {`${grouped(further)} more differences are not here. The command supplier catalogue writes all of them to a file.`}
        </Flash>
      ) : null}
      <Sheet isPadded={false}>
        <nav class="inside" aria-label="Kinds of differences">
          <div class="buttons">
            <KindLink href={here(null)} isCurrent={kind === null} text="All" count={null} />
            {changeKinds.map((each) => (
              <KindLink
                key={each}
                href={here(each)}
                isCurrent={kind === each}
                text={changeNames.wordOf(each)}
                count={counts[each]}
              />
            ))}
          </div>
        </nav>
        {mayChange && lines.length > 0 ? (
          <form method="post" action={here(kind, page).replace(at, `${at}/accept`)} data-island="once">
            <AcceptFields {...props} />
          </form>
        ) : (
          <DifferenceLines {...props} />
        )}
      </Sheet>
      <Pager
        previousHref={page > 1 ? here(kind, page - 1) : null}
        nextHref={page * pageLength < total ? here(kind, page + 1) : null}
        from={lines.length === 0 ? null : (page - 1) * pageLength + 1}
        to={(page - 1) * pageLength + lines.length}
        total={total}
      />
    </>
  );
}

function addressOf(at: string, change: ChangeKind | null, page: number): string {
  const query = new URLSearchParams({
    ...(change === null ? {} : { change }),
    ...(page === 1 ? {} : { page: String(page) }),
  });
  return query.size === 0 ? at : `${at}?${query}`;
}

interface KindLinkProps {
  readonly href: string;
  readonly isCurrent: boolean;
  readonly text: string;
  readonly count: number | null;
}

function KindLink({ href, isCurrent, text, count }: KindLinkProps) {
  return (
    <a
      class={isCurrent ? "button small main" : "button small"}
      href={href}
      aria-current={isCurrent ? "page" : undefined}
    >
      {text}
      {count === null ? "" : ` (${grouped(count)})`}
    </a>
  );
}

function AcceptFields(props: DifferencesProps) {
  const { shown, counts, kind, lines, total } = props;
  const { formFields } = useSurroundings();
  const mayTakeAll = kind !== null && kind !== "new" && kind !== "loses_money" && total > lines.length;
  return (
    <>
      <HiddenFields fields={{ ...formFields, shown }} />
      <DifferenceLines {...props} />
      <div class="inside">
        {counts.gone > 0 ? (
          <CheckField
            {...props.typed.box("many_gone")}
            label="Many may be gone: more than half of a category’s routes"
          />
        ) : null}
        <div class="buttons">
          <Button kind="main" name="do" value="yes">
            Accept chosen lines
          </Button>
          {lines.some(({ row }) => hasOff(row.change)) ? (
            <Button name="do" value="off">
              Accept costs, turn routes off
            </Button>
          ) : null}
          {mayTakeAll ? (
            <Button name="all" value={kind}>
              {`Accept all ${grouped(total)}`}
            </Button>
          ) : null}
        </div>
      </div>
    </>
  );
}
