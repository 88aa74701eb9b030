import type { ComponentChildren } from "preact";
import type { Product } from "../../../categories/product/product.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash, HiddenFields } from "../../kit/parts/form.tsx";
import { Button } from "../../kit/parts/layout.tsx";
import { positionText, TableSheet } from "../../kit/parts/list.tsx";
import { useSurroundings } from "../../kit/parts/surroundings.ts";
import { countText, grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import { moreMoney } from "../buy/selling.tsx";
import { boxesOf, boxOfFault, DoubtHead, kindOf, lineColumns, productListId } from "./check-rows.tsx";
import { type CheckedLine, type CheckedOrder, fieldsOfList, isReady, type OrderServices } from "./order-form.ts";
import { offeredIn } from "./read-lines.ts";

/** Wrong lines that the top of the page links to. */
const linkedMax = 10;
/** Boxes of wrong lines, and possible duplicates with their ticks, that a page shows: a form has 200 fields at most. */
const boxesMax = 100;
const ticksMax = 60;
const readyPerPage = 50;

/** What was agreed to by the button: no other lines and no other price are charged. */
export function agreedOf({ ready, total }: CheckedOrder): string {
  return `${ready.length} ${total}`;
}

/** Each line before anything is paid: wrong ones first and corrected in their row, then the doubtful, then the others by the page. */
export async function checkPage(
  { database, catalogue }: OrderServices,
  visit: ModeVisit,
  order: CheckedOrder,
  { problem = null, pageNumber = 1 }: { readonly problem?: string | null; readonly pageNumber?: number } = {},
): Promise<PageAnswer> {
  const { category, lines, ready, fileName, notes } = order;
  const faulty = lines.filter(({ faults }) => faults.length > 0);
  const balance = (await findWallet(database, visit.wallet))?.balance ?? zeroKobo;
  const missing = subtract(order.total, balance);
  const list = await fieldsOfList(order.text);
  const offered = offeredIn(await catalogue.current(), visit.buyer, category);
  const what = `${countText(lines.length, "line")} of ${category.title.toLowerCase()}`;
  const toFix = countText(faulty.length, "line");
  return page(
    {
      title: faulty.length > 0 ? `Error: ${toFix} to fix` : "Check your order",
      heading: "Check your order",
      note: `${fileName === "" ? "" : `${fileName}: `}${what}. Nothing is charged yet.`,
      status: problem !== null ? 409 : faulty.length > 0 ? 400 : 200,
      problem,
    },
    <>
      {faulty.length === 0 ? null : (
        <div class="error-summary" role="alert" tabIndex={-1} autofocus>
          <h2>{`${toFix} can’t be bought yet`}</h2>
          <ul>
            {faulty.slice(0, linkedMax).map((line) => (
              <li key={line.number}>
                <a href={`#${boxOfFault(line)}`}>{`Line ${line.number}: ${shortened(line.faults[0]?.sentence)}`}</a>
              </li>
            ))}
            {faulty.length > linkedMax ? <li>{`${grouped(faulty.length - linkedMax)} more below`}</li> : null}
          </ul>
        </div>
      )}
      {notes.length === 0 ? null : (
        <Flash kind="note">
          {notes.map((each) => (
            <p key={each}>{each}</p>
          ))}
        </Flash>
      )}
      <OrderFigures order={order} balance={balance} />
      {missing > 0n && ready.length > 0 ? <TooLittle missing={moneyText(missing)} /> : null}
      <OrderForm {...{ order, offered, list, pageNumber }} />
    </>,
  );
}

/** A long sentence stands whole in the line's own row. */
function shortened(sentence = ""): string {
  return sentence.length <= 60 ? sentence : sentence.replace(/(?<=[.?!]) .*$/, "");
}

function OrderFigures({ order, balance }: { readonly order: CheckedOrder; readonly balance: bigint }) {
  const { lines, ready, total, amount } = order;
  const faulty = lines.filter(({ faults }) => faults.length > 0).length;
  const doubtful = lines.filter((line) => kindOf(line) === "odd").length;
  const looked = [
    faulty > 0 ? `${grouped(faulty)} to fix` : "",
    doubtful > 0 ? countText(doubtful, "possible duplicate") : "",
  ];
  const discount = amount - total;
  const saved = discount === 0n ? "no discount" : discount > 0n ? ["after ", " discount"] : ["with ", " fees"];
  return (
    <Figures
      figures={[
        { label: "Ready to buy", value: grouped(ready.length), note: ready.length === 1 ? "line" : "lines" },
        {
          label: "You pay",
          value: <Money amount={total} />,
          note: typeof saved === "string" ? saved : [saved[0], <Money key="" amount={abs(discount)} />, saved[1]],
        },
        {
          label: "Balance after",
          value: <Money amount={balance - total} />,
          note: ["now ", <Money key="" amount={balance} />],
        },
        {
          label: "To look at",
          value: grouped(faulty + doubtful),
          note: looked.filter(Boolean).join(", ") || "nothing",
        },
      ]}
    />
  );
}

function abs(amount: bigint): bigint {
  return amount < 0n ? -amount : amount;
}

function TooLittle({ missing }: { readonly missing: string }) {
  const visit = useVisit();
  const { page: name, action, capability } = moreMoney[visit.mode];
  return (
    <Flash kind="waiting">
      Your balance is {missing} too low for this order.{" "}
      {visit.may(capability) ? (
        <>
          <a href={visit.to(name)} target="_blank" rel="noopener">
            {action}
          </a>{" "}
          in another tab, then check again here.
        </>
      ) : (
        "Ask an owner or a developer to reset the sandbox, then check again here."
      )}
    </Flash>
  );
}

interface OrderFormProps {
  readonly order: CheckedOrder;
  readonly offered: readonly Product[];
  /** The fields that the whole list waits in. */
  readonly list: Readonly<Record<string, string>>;
  readonly pageNumber: number;
}

/** Every line in a table, the wrong ones with boxes, and the buttons that check it again and pay for it. */
function OrderForm({ order, offered, list, pageNumber }: OrderFormProps) {
  const { category, reference, fileName, lines } = order;
  const { formFields } = useSurroundings();
  const [wrong, doubtful, plain] = (["wrong", "odd", undefined] as const).map((kind) =>
    lines.filter((line) => kindOf(line) === kind),
  ) as [CheckedLine[], CheckedLine[], CheckedLine[]];
  const shownWrong = firstWithBoxes(wrong);
  const more = wrong.length - shownWrong.length;
  const kept = doubtful.slice(ticksMax).filter(({ isKept }) => isKept);
  const pages = Math.max(1, Math.ceil(plain.length / readyPerPage));
  const current = Math.min(pages, Math.max(1, pageNumber));
  const from = (current - 1) * readyPerPage;
  const shownPlain = plain.slice(from, from + readyPerPage);
  const heads = new Map<CheckedLine | undefined, ComponentChildren>([
    [
      shownWrong[0],
      `To fix: ${grouped(wrong.length)}. ${more > 0 ? `The last ${grouped(more)} are shown when these are right or left out. ` : ""}Leave a line out by its button, or by clearing what stands in its box.`,
    ],
    [doubtful[0], <DoubtHead key="" count={doubtful.length} />],
    [shownPlain[0], `Ready: ${grouped(plain.length)}`],
  ]);
  const hidden = {
    ...{ category: category.slug, ...list, reference, "file-name": fileName, agreed: agreedOf(order) },
    ...(kept.length === 0 ? {} : { kept: kept.map(({ number }) => number).join(" ") }),
  };
  return (
    <form method="post" action={useVisit().to("bulk/check")} data-island="once" data-sent="instead">
      <HiddenFields fields={{ ...hidden, ...formFields }} />
      {/* What Enter presses in a box: the first button of the form. */}
      <button class="unseen" type="submit" tabIndex={-1} aria-hidden="true">
        Check again
      </button>
      <TableSheet
        caption="Lines of the order, wrong ones first"
        rows={[...shownWrong, ...doubtful.slice(0, ticksMax), ...shownPlain]}
        columns={lineColumns(order)}
        mark={kindOf}
        headOf={(line) => heads.get(line)}
      />
      {pages === 1 ? null : (
        <nav class="pager" aria-label="Pages">
          <span>Ready lines {positionText({ from: from + 1, to: from + shownPlain.length, total: plain.length })}</span>
          <PageButton to={current - 1} text="Previous" isOff={current === 1} />
          <PageButton to={current + 1} text="Next" isOff={current === pages} />
        </nav>
      )}
      {"amount" in category.body.properties ? null : (
        <datalist id={productListId}>
          {offered.map(({ id, name }) => (
            <option key={id} value={id}>
              {name}
            </option>
          ))}
        </datalist>
      )}
      <PayBar {...{ order, wrong: wrong.length, doubtful }} />
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

function PageButton({ to, text, isOff }: { readonly to: number; readonly text: string; readonly isOff: boolean }) {
  return (
    <button class="button small" type="submit" name="page" value={to} disabled={isOff}>
      {text}
    </button>
  );
}

interface PayBarProps {
  readonly order: CheckedOrder;
  readonly wrong: number;
  readonly doubtful: readonly CheckedLine[];
}

/** What would be paid now, and what is left out of it. */
function PayBar({ order, wrong, doubtful }: PayBarProps) {
  const { ready, total, reference } = order;
  const visit = useVisit();
  const unticked = doubtful.filter((line) => !isReady(line)).length;
  const left = [
    wrong > 0 ? `${countText(wrong, "line")} to fix` : "",
    unticked > 0 ? countText(unticked, "possible duplicate") : "",
  ].filter(Boolean);
  const count = countText(ready.length, "line");
  return (
    <div class="save-bar">
      <div>
        <b>
          {count}, <Money amount={total} />
        </b>
        <br />
        <span class="quiet">
          {left.length === 0 ? "Every line is ready." : `Left out of it: ${left.join(" and ")}.`}
        </span>
      </div>
      <div class="buttons">
        <Button name="do" value="check">
          Check again
        </Button>
        {ready.length === 0 ? null : (
          <Button kind="main" action={visit.to(`bulk/start/${reference}`)} done={visit.to(`bulk/${reference}`)}>
            {`Pay ${moneyText(total).replace(/\.00$/, "")} for ${count}`}
          </Button>
        )}
      </div>
    </div>
  );
}
