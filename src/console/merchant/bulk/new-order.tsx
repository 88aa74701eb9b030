import { categories } from "../../../categories/registry.ts";
import { linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { assert } from "../../../kernel/assert.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import { type Refusal, refuse } from "../../../kernel/problems.ts";
import { goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { bulkFormBytesMax, type Form as SentForm, type Typed, untouched } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { CheckField, RadioField, TextAreaField, TextField } from "../../kit/parts/fields.tsx";
import { FileText, Form } from "../../kit/parts/form.tsx";
import { ScrollArea, Sheet } from "../../kit/parts/layout.tsx";
import { grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import type { ModeRoutes, ModeVisit } from "../access.ts";
import { closedPage, refusalSentence, refuseWhenClosed, topOf } from "../buy/selling.tsx";
import { enterBefore } from "../exports.ts";
import {
  type CheckedLine,
  type CheckedOrder,
  checkOrder,
  faultsByLine,
  isSound,
  type OrderServices,
  refuseUnticked,
  ticksOf,
} from "./order-form.ts";

const capability = "buy";
const title = "New bulk order";
/** Wrong lines that are shown to be corrected at once; the others follow. */
const shownMax = 100;

/** A new order from a pasted list: its check, where wrong lines are corrected in place, and its start. */
export function newOrderPages(routes: ModeRoutes, services: OrderServices): void {
  const showNew = (visit: ModeVisit, typed: Typed) => closedPage(visit, title) ?? newOrderPage(visit, typed);

  routes.page("/bulk/new", { capability, show: showNew });

  routes.form("/bulk/check", {
    capability,
    isHarmless: true,
    bytesMax: bulkFormBytesMax,
    doneAt: (visit) => visit.to("bulk"),
    show: showNew,
    async send(visit, form) {
      refuseWhenClosed(visit);
      return checkedOrderPage(services, visit, await checkOrder(services, visit, form), untouched);
    },
  });

  routes.form("/bulk/start/:reference", {
    capability,
    bytesMax: bulkFormBytesMax,
    doneAt: (visit) => visit.to(`bulk/${encodeURIComponent(visit.param("reference"))}`),
    show: (visit, typed) => closedPage(visit, title) ?? checkAgain(services, visit, typed),
    send: (visit, form) => start(services, visit, form),
  });
}

/** Places the order that was checked. @throws Refusal where nothing was charged */
async function start(services: OrderServices, visit: ModeVisit, form: SentForm) {
  refuseWhenClosed(visit);
  const order = await checkOrder(services, visit, form);
  const { category, reference } = order;
  if (reference !== visit.param("reference")) throw refuse("REFERENCE_CONFLICT");
  const lines = order.lines.filter(isSound);
  if (order.faults.size > 0)
    throw refuse("VALIDATION_ERROR", { message: "Some lines are wrong now: look at them again." });
  assert(lines.length === order.lines.length, "a line without a fault was read");
  refuseUnticked(order, form);
  await enterBefore(services, visit, { command: "console bulk", details: { reference, lines: lines.length } });
  const placed = await services.placeBulkOrder({ principal: visit.buyer, category, reference, lines });
  const done = placed.replayed ? "This order was started before, and charged once." : "The order is started.";
  return goTo(visit.to(`bulk/${reference}`), done);
}

/** The check again, with the faults that only placing it found; the list itself where it can't be read. */
async function checkAgain(services: OrderServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  if (typed.refusal?.code === "RATE_LIMITED" || typed.error("lines") !== null) return newOrderPage(visit, typed);
  const order = await checkOrder(services, visit, typed.form);
  const faults = new Map([...order.faults, ...faultsByLine(typed.errors)]);
  return checkedOrderPage(services, visit, { ...order, faults }, typed);
}

/** A new order: what, and the list. With what was typed and its faults, where it was refused. */
function newOrderPage(visit: ModeVisit, typed: Typed): PageAnswer {
  const sold = categories.filter(({ paths }) => "bulk" in paths);
  const note = `Up to ${grouped(linesMax)} lines. Nothing is charged before you have seen the check.`;
  return page(
    { title, note, status: typed.refusal === null ? 200 : 400 },
    <Sheet>
      <Form
        action={visit.to("bulk/check")}
        submit="Check"
        error={topOf(typed, ["category", "lines", "reference"], visit)}
        cancelHref={visit.to("bulk")}
      >
        <RadioField
          {...typed.field("category")}
          value={typed.form.text("category") || sold[0]?.slug}
          label="What"
          choices={sold.map(({ slug, title: label }) => ({ value: slug, label }))}
        />
        <TextAreaField
          {...typed.field("lines")}
          label="Lines"
          hint="A line for each number: phone, then the product's number or plan, or for airtime the amount, then, if you like, your own reference. Between them commas, semicolons or tabs. A first line of names may say otherwise: phone, network, amount, reference."
          rows={12}
          isCode
        />
        <FileText areaName="lines" label="Take a file's lines" />
        <TextField
          {...typed.field("reference")}
          label="Reference of the order"
          hint="Your own name for it. Left empty, it gets one."
          isRequired={false}
          lengthMax={90}
          isCode
        />
      </Form>
    </Sheet>,
  );
}

/** A merchant with a duplicate guard may trust that it looks at lists too. */
function guardSentence({ buyer }: ModeVisit): string {
  if (buyer.duplicateGuardSeconds === null) return "";
  return "Your duplicate guard doesn't look at bulk orders: this check does.";
}

/** What the order costs, and its wrong lines to be corrected where they stand: the right ones travel along unseen. */
async function checkedOrderPage(
  { database }: OrderServices,
  visit: ModeVisit,
  order: CheckedOrder,
  typed: Typed,
): Promise<PageAnswer> {
  const { category, reference, text, typed: lines, faults, total, alike } = order;
  const { refusal } = typed;
  const wrong = lines.filter(({ number }) => faults.has(number));
  const balance = (await findWallet(database, visit.wallet))?.balance ?? zeroKobo;
  const isRight = wrong.length === 0;
  const left = subtract(balance, total);
  const short = isRight && left < 0n ? `The wallet holds ${moneyText(balance)}, which is too little.` : null;
  const wrongText = `${grouped(wrong.length)} wrong ${wrong.length === 1 ? "line" : "lines"}`;
  return page(
    {
      title: "Check the order",
      heading: isRight ? "Is everything right?" : wrongText,
      note: isRight
        ? `Nothing is charged yet. ${guardSentence(visit)}`
        : "Correct them here, or empty a line to leave it out.",
      status: statusOf(isRight, refusal),
    },
    <Sheet title={category.title}>
      <Facts
        facts={{
          Reference: <code>{reference}</code>,
          "Right lines": grouped(lines.length - wrong.length),
          [isRight ? "You pay" : "The right ones cost"]: <Money amount={total} />,
          "Balance now": <Money amount={balance} />,
          "Balance after": left < 0n ? null : <Money amount={left} />,
        }}
      />
      <Form
        action={visit.to(isRight ? `bulk/start/${reference}` : "bulk/check")}
        submit={isRight ? `Start: buy for ${moneyText(total)}` : "Check again"}
        hidden={{ category: category.slug, lines: text, reference, ...(alike === null ? {} : { alike }) }}
        error={refusal === null ? short : refusalSentence(refusal, visit.mode)}
        cancelHref={visit.to("bulk")}
      >
        {wrong.slice(0, shownMax).map(({ number, text: line }) => (
          <TextField
            key={number}
            name={`line-${number}`}
            label={`Line ${number}`}
            isRequired={false}
            isOptional={false}
            isCode
            value={line}
            error={faults.get(number)?.join(" ")}
          />
        ))}
        {wrong.length > shownMax ? (
          <p class="hint">{grouped(wrong.length - shownMax)} more follow when these are right.</p>
        ) : null}
        <CheckedLines {...order} />
        {Object.entries(isRight ? ticksOf(order) : {}).map(([name, label]) => (
          <CheckField key={name} {...{ name, label }} isRequired error={typed.error(name)} />
        ))}
      </Form>
    </Sheet>,
  );
}

function statusOf(isRight: boolean, refusal: Refusal | null): number {
  if (refusal !== null) return 409;
  return isRight ? 200 : 400;
}

/** Every line of an order with what it buys: wrong ones first, then those whose number came before, then the others. */
function CheckedLines({ typed, faults }: Pick<CheckedOrder, "typed" | "faults">) {
  const rank = ({ number, sameAs }: CheckedLine) => (faults.has(number) ? 0 : sameAs === null ? 2 : 1);
  const lines = typed.toSorted((one, other) => rank(one) - rank(other));
  const titles = ["Line", "For", "Product", "Amount", "You pay", "Check"];
  return (
    <ScrollArea label="Lines of the order" isTall>
      <table class="rows plain">
        <caption class="unseen">Lines of the order, wrong ones first</caption>
        <thead>
          <tr>
            {titles.map((each) => (
              <th key={each} scope="col">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>{lines.map((line) => rowOf(line, faults.has(line.number)))}</tbody>
      </table>
    </ScrollArea>
  );
}

function rowOf({ number, fields, priced, sameAs }: CheckedLine, isWrong: boolean) {
  const sound = sameAs === null ? "Ready" : `Same number as line ${sameAs}`;
  return (
    <tr>
      <td>{number}</td>
      <td>{priced?.requested.customerRef ?? fields.phone}</td>
      <td>{priced?.soldProduct.product.name}</td>
      <td>{priced === null ? fields.value : moneyText(priced.price.amount)}</td>
      <td>{priced === null ? null : moneyText(priced.price.total)}</td>
      <td>{isWrong ? "Wrong" : sound}</td>
    </tr>
  );
}
