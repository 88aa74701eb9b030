import type { ComponentChildren } from "preact";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { positionText } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { type CheckedLine, type CheckedOrder, countOf, type Doubt, isReady, type OrderServices } from "./order-form.ts";
import type { Fault } from "./read-lines.ts";

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
  { database }: OrderServices,
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
  const note = `${fileName === "" ? "" : `${fileName}: `}${countOf(lines.length, "line")} of ${category.title.toLowerCase()}. Nothing is charged yet.`;
  const looked = [faulty > 0 ? `${grouped(faulty)} to fix` : "", doubtful.length > 0 ? countOf(doubtful.length, "possible duplicate") : ""];
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
          { label: "Balance after", value: <Money amount={left} />, note: <>now <Money amount={balance} /></> },
          { label: "To look at", value: grouped(faulty + doubtful.length), note: looked.filter(Boolean).join(", ") || "nothing" },
        ]}
      />
      {left < 0n && ready.length > 0 ? <TooLittle visit={visit} missing={moneyText(-left)} /> : null}
      <OrderForm visit={visit} sorted={{ order, wrong, doubtful, plain }} pageNumber={pageNumber} />
    </>,
  );
}

function discountText(discount: bigint): ComponentChildren {
  if (discount === 0n) return "no discount";
  return discount > 0n ? <>after <Money amount={discount} /> discount</> : <>with <Money amount={-discount} /> fees</>;
}

function TooLittle({ visit, missing }: { readonly visit: ModeVisit; readonly missing: string }) {
  const [href, action] = visit.mode === "live" ? [visit.to("wallet"), "Add money"] : [visit.to("sandbox"), "Reset the sandbox"];
  return (
    <Flash kind="waiting">
      Your balance is {missing} too low for this order. <a href={href} target="_blank" rel="noopener">{action}</a> in another tab, then check again here.
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
            <a href={`#${boxOf(line)}`}>{`Line ${line.number}: ${line.faults[0]?.sentence}`}</a>
          </li>
        ))}
        {faulty.length > linkedMax ? <li>{`${grouped(faulty.length - linkedMax)} more below`}</li> : null}
      </ul>
    </div>
  );
}

/** The box where a line's first fault is put right. */
function boxOf({ number, faults: [first] }: CheckedLine): string {
  return `${first?.column === "network" ? "value" : (first?.column ?? "phone")}-${number}`;
}

function OrderForm({ visit, sorted, pageNumber }: { readonly visit: ModeVisit; readonly sorted: Sorted; readonly pageNumber: number }) {
  const { order, wrong, doubtful, plain } = sorted;
  const { category, reference, text, fileName } = order;
  const { formFields } = useSurroundings();
  const shownWrong = firstWithBoxes(wrong);
  const ticked = doubtful.slice(0, ticksMax);
  const kept = doubtful.slice(ticksMax).filter(({ isKept }) => isKept);
  const pages = Math.max(1, Math.ceil(plain.length / readyPerPage));
  const current = Math.min(pages, Math.max(1, pageNumber));
  const from = (current - 1) * readyPerPage;
  const hidden = {
    ...{ category: category.slug, lines: text, reference, "file-name": fileName, agreed: agreedOf(order) },
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
        <table class="rows">
          <caption class="unseen">Lines of the order, wrong ones first</caption>
          <thead>
            <tr>
              <th scope="col">Line</th>
              <th scope="col">For</th>
              <th scope="col">Product</th>
              <th scope="col" class="end">You pay</th>
              <th scope="col">Check</th>
            </tr>
          </thead>
          <tbody>
            {wrong.length === 0 ? null : <HeadRow>To fix: {grouped(wrong.length)}. Clear a box to leave its line out.</HeadRow>}
            {shownWrong.map((line) => (
              <WrongRow key={line.number} line={line} order={order} alike={alikeOf(line, wrong)} />
            ))}
            {wrong.length > shownWrong.length ? (
              <HeadRow>{countOf(wrong.length - shownWrong.length, "more line")} to fix, shown when these are right or left out</HeadRow>
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
          <span>Ready lines {positionText({ from: from + 1, to: Math.min(from + readyPerPage, plain.length), total: plain.length })}</span>
          <PageButton to={current - 1} text="Previous" isOff={current === 1} />
          <PageButton to={current + 1} text="Next" isOff={current === pages} />
        </nav>
      )}
      {"amount" in category.body.properties ? null : <Offered />}
      <PayBar visit={visit} sorted={sorted} />
    </form>
  );
}
