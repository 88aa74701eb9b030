import type { ComponentChildren } from "preact";
import type { Product } from "../../../categories/product/product.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { Button } from "../../kit/parts/layout.tsx";
import { positionText } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { boxesOf, boxOfFault, DoubtHead, DoubtRow, HeadRow, Offered, ReadyRow, role, WrongRow } from "./check-rows.tsx";
import {
  type CheckedLine,
  type CheckedOrder,
  countOf,
  fieldsOfList,
  isReady,
  type OrderServices,
} from "./order-form.ts";
import { offeredIn } from "./read-lines.ts";

/** Boxes of wrong lines, and possible duplicates with their ticks, that a page shows: a form has 200 fields at most. */
const boxesMax = 100;
const ticksMax = 60;
const readyPerPage = 50;
/** Wrong lines that the top of the page links to. */
const linkedMax = 10;

/** What was agreed to by the button: no other lines and no other price are charged. */
export function agreedOf({ ready, total }: CheckedOrder): string {
  return `${ready.length} ${total}`;
}

interface Sorted {
  readonly order: CheckedOrder;
  readonly wrong: readonly CheckedLine[];
  readonly doubtful: readonly CheckedLine[];
  readonly plain: readonly CheckedLine[];
}

/** Each line before anything is paid: wrong ones first and corrected in their row, then the doubtful, then the others by the page. */
export async function checkPage(
  { database, catalogue }: OrderServices,
  visit: ModeVisit,
  order: CheckedOrder,
  { problem = null, pageNumber = 1 }: { readonly problem?: string | null; readonly pageNumber?: number } = {},
): Promise<PageAnswer> {
  const { category, lines, total, amount, ready, fileName, notes } = order;
  const wrong = lines.filter(({ sound, isOpen }) => sound === null || isOpen);
  const doubtful = lines.filter(({ sound, isOpen, doubt }) => sound !== null && !isOpen && doubt !== null);
  const plain = lines.filter((line) => isReady(line) && line.doubt === null);
  const faulty = wrong.filter(({ faults }) => faults.length > 0).length;
  const balance = (await findWallet(database, visit.wallet))?.balance ?? zeroKobo;
  const left = subtract(balance, total);
  const list = await fieldsOfList(order.text);
  const offered = offeredIn(await catalogue.current(), visit.buyer, category);
  const note = `${fileName === "" ? "" : `${fileName}: `}${countOf(lines.length, "line")} of ${category.title.toLowerCase()}. Nothing is charged yet.`;
  const looked = [
    faulty > 0 ? `${grouped(faulty)} to fix` : "",
    doubtful.length > 0 ? countOf(doubtful.length, "possible duplicate") : "",
  ];
  const title = faulty > 0 ? `Error: ${countOf(faulty, "line")} to fix` : "Check your order";
  const status = problem !== null ? 409 : faulty > 0 ? 400 : 200;
  return page(
    { title, heading: "Check your order", note, status, problem },
    <>
      {faulty === 0 ? null : <FaultSummary wrong={wrong} />}
      {notes.length === 0 ? null : (
        <Flash kind="note">
          {notes.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </Flash>
      )}
      <Figures
        figures={[
          { label: "Ready to buy", value: grouped(ready.length), note: ready.length === 1 ? "line" : "lines" },
          { label: "You pay", value: <Money amount={total} />, note: discountText(subtract(amount, total)) },
          {
            label: "Balance after",
            value: <Money amount={left} />,
            note: (
              <>
                now <Money amount={balance} />
              </>
            ),
          },
          {
            label: "To look at",
            value: grouped(faulty + doubtful.length),
            note: looked.filter(Boolean).join(", ") || "nothing",
          },
        ]}
      />
      {left < 0n && ready.length > 0 ? <TooLittle visit={visit} missing={moneyText(-left)} /> : null}
      <OrderForm visit={visit} sorted={{ order, wrong, doubtful, plain }} {...{ offered, list, pageNumber }} />
    </>,
  );
}

function discountText(discount: bigint): ComponentChildren {
  if (discount === 0n) return "no discount";
  return discount > 0n ? (
    <>
      after <Money amount={discount} /> discount
    </>
  ) : (
    <>
      with <Money amount={-discount} /> fees
    </>
  );
}

/** Where a wallet gets more. */
export const moreMoney: Readonly<Record<Mode, { readonly page: string; readonly action: string }>> = {
  live: { page: "wallet", action: "Add money" },
  test: { page: "sandbox", action: "Reset the sandbox" },
};

function TooLittle({ visit, missing }: { readonly visit: ModeVisit; readonly missing: string }) {
  const { page: name, action } = moreMoney[visit.mode];
  return (
    <Flash kind="waiting">
      Your balance is {missing} too low for this order.{" "}
      <a href={visit.to(name)} target="_blank" rel="noopener">
        {action}
      </a>{" "}
      in another tab, then check again here.
    </Flash>
  );
}

function FaultSummary({ wrong }: Pick<Sorted, "wrong">) {
  const faulty = wrong.filter(({ faults }) => faults.length > 0);
  return (
    <div class="error-summary" role="alert" tabIndex={-1} autofocus>
      <h2>{`${countOf(faulty.length, "line")} can’t be bought yet`}</h2>
      <ul>
        {faulty.slice(0, linkedMax).map((line) => (
          <li key={line.number}>
            <a href={`#${boxOfFault(line)}`}>{`Line ${line.number}: ${shortened(line.faults[0]?.sentence)}`}</a>
          </li>
        ))}
        {faulty.length > linkedMax ? <li>{`${grouped(faulty.length - linkedMax)} more below`}</li> : null}
      </ul>
    </div>
  );
}

/** A long sentence stands whole in the line's own row. */
function shortened(sentence = ""): string {
  return sentence.length <= 60 ? sentence : sentence.replace(/(?<=[.?!]) .*$/, "");
}

interface OrderFormProps {
  readonly visit: ModeVisit;
  readonly sorted: Sorted;
  readonly offered: readonly Product[];
  /** The fields that the whole list waits in. */
  readonly list: Readonly<Record<string, string>>;
  readonly pageNumber: number;
}

function OrderForm({ visit, sorted, offered, list, pageNumber }: OrderFormProps) {
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
