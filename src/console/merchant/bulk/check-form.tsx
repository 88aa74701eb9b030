import type { Product } from "../../../categories/product/product.ts";
import { HiddenFields } from "../../kit/parts/form.tsx";
import { Button } from "../../kit/parts/layout.tsx";
import { positionText } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { boxesOf, DoubtHead, DoubtRow, HeadRow, Offered, ReadyRow, role, WrongRow } from "./check-rows.tsx";
import { type CheckedLine, type CheckedOrder, countOf } from "./order-form.ts";

/** Boxes of wrong lines, and possible duplicates with their ticks, that a page shows: a form has 200 fields at most. */
const boxesMax = 100;
const ticksMax = 60;
const readyPerPage = 50;

/** What was agreed to by the button: no other lines and no other price are charged. */
export function agreedOf({ ready, total }: CheckedOrder): string {
  return `${ready.length} ${total}`;
}

/** The lines of a page that checks an order, as they stand in it. */
export interface Sorted {
  readonly order: CheckedOrder;
  readonly wrong: readonly CheckedLine[];
  readonly doubtful: readonly CheckedLine[];
  readonly plain: readonly CheckedLine[];
}

interface OrderFormProps {
  readonly visit: ModeVisit;
  readonly sorted: Sorted;
  readonly offered: readonly Product[];
  /** The fields that the whole list waits in. */
  readonly list: Readonly<Record<string, string>>;
  readonly pageNumber: number;
}

/** Every line in a table, the wrong ones with boxes, and the buttons that check it again and pay for it. */
export function OrderForm({ visit, sorted, offered, list, pageNumber }: OrderFormProps) {
  const { order, wrong, doubtful, plain } = sorted;
  const { category, reference, fileName } = order;
  const { formFields } = useSurroundings();
  const shownWrong = firstWithBoxes(wrong);
  const ticked = doubtful.slice(0, ticksMax);
  const kept = doubtful.slice(ticksMax).filter(({ isKept }) => isKept);
  const pages = Math.max(1, Math.ceil(plain.length / readyPerPage));
  const current = Math.min(pages, Math.max(1, pageNumber));
  const from = (current - 1) * readyPerPage;
  const hidden = {
    ...{ category: category.slug, ...list, reference, "file-name": fileName, agreed: agreedOf(order) },
    ...(kept.length === 0 ? {} : { kept: kept.map(({ number }) => number).join(" ") }),
  };
  return (
    <form method="post" action={visit.to("bulk/check")} data-island="once">
      <HiddenFields fields={{ ...hidden, ...formFields }} />
      {/* What Enter presses in a box: the first button of the form. */}
      <button class="unseen" type="submit" tabIndex={-1} aria-hidden="true">
        Check again
      </button>
      <section class="sheet table">
        <table class="rows" {...role("table")}>
          <caption class="unseen">Lines of the order, wrong ones first</caption>
          <thead {...role("rowgroup")}>
            <tr {...role("row")}>
              <th scope="col" {...role("columnheader")}>
                Line
              </th>
              <th scope="col" {...role("columnheader")}>
                For
              </th>
              <th scope="col" {...role("columnheader")}>
                Product
              </th>
              <th scope="col" class="end" {...role("columnheader")}>
                You pay
              </th>
              <th scope="col" {...role("columnheader")}>
                Check
              </th>
            </tr>
          </thead>
          <tbody {...role("rowgroup")}>
            {wrong.length === 0 ? null : (
              <HeadRow>To fix: {grouped(wrong.length)}. Clear a box to leave its line out.</HeadRow>
            )}
            {shownWrong.map((line) => (
              <WrongRow key={line.number} line={line} order={order} alike={alikeOf(line, wrong)} />
            ))}
            {wrong.length > shownWrong.length ? (
              <HeadRow>
                {countOf(wrong.length - shownWrong.length, "more line")} to fix, shown when these are right or left out
              </HeadRow>
            ) : null}
            {doubtful.length === 0 ? null : <DoubtHead doubtful={doubtful} />}
            {ticked.map((line) => (
              <DoubtRow key={line.number} line={line} />
            ))}
            {plain.length === 0 ? null : <HeadRow>Ready: {grouped(plain.length)}</HeadRow>}
            {plain.slice(from, from + readyPerPage).map((line) => (
              <ReadyRow key={line.number} line={line} />
            ))}
          </tbody>
        </table>
      </section>
      {pages === 1 ? null : (
        <nav class="pager" aria-label="Pages">
          <span>
            Ready lines{" "}
            {positionText({ from: from + 1, to: Math.min(from + readyPerPage, plain.length), total: plain.length })}
          </span>
          <PageButton to={current - 1} text="Previous" isOff={current === 1} />
          <PageButton to={current + 1} text="Next" isOff={current === pages} />
        </nav>
      )}
      {"amount" in category.body.properties ? null : <Offered products={offered} />}
      <PayBar visit={visit} sorted={sorted} />
    </form>
  );
}

/** As many wrong lines as have their boxes in one form. */
function firstWithBoxes(wrong: readonly CheckedLine[]): readonly CheckedLine[] {
  let boxes = 0;
  const end = wrong.findIndex((line) => {
    boxes += boxesOf(line).length;
    return boxes > boxesMax;
  });
  return end < 0 ? wrong : wrong.slice(0, end);
}

/** How many wrong lines have the same wrong product or amount, told at the first of them. */
function alikeOf({ number, fields, faults }: CheckedLine, wrong: readonly CheckedLine[]): number {
  if (fields.value === "" || faults[0]?.column !== "value") return 0;
  const alike = wrong.filter((one) => one.fields.value === fields.value && one.faults[0]?.column === "value");
  return alike.length > 1 && alike[0]?.number === number ? alike.length : 0;
}

function PageButton({ to, text, isOff }: { readonly to: number; readonly text: string; readonly isOff: boolean }) {
  return (
    <button class="button small" type="submit" name="page" value={to} disabled={isOff}>
      {text}
    </button>
  );
}

/** What would be paid now, and what is left out of it. */
function PayBar({ visit, sorted }: { readonly visit: ModeVisit; readonly sorted: Sorted }) {
  const { order, wrong, doubtful } = sorted;
  const { ready, total, reference } = order;
  const unticked = doubtful.filter(({ isKept }) => !isKept).length;
  const parts = [
    wrong.length > 0 ? `${countOf(wrong.length, "line")} to fix` : "",
    unticked > 0 ? countOf(unticked, "possible duplicate") : "",
  ].filter(Boolean);
  return (
    <div class="save-bar">
      <div>
        <b>
          {countOf(ready.length, "line")}, <Money amount={total} />
        </b>
        <br />
        <span class="quiet">
          {parts.length === 0 ? "Every line is ready." : `Left out of it: ${parts.join(" and ")}.`}
        </span>
      </div>
      <div class="buttons">
        <Button name="do" value="check">
          Check again
        </Button>
        {ready.length === 0 ? null : (
          <Button kind="main" action={visit.to(`bulk/start/${reference}`)}>
            {`Pay ${moneyText(total).replace(/\.00$/, "")} for ${countOf(ready.length, "line")}`}
          </Button>
        )}
      </div>
    </div>
  );
}
