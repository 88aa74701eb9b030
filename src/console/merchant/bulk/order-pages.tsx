import { categories } from "../../../categories/registry.ts";
import { linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import type { FieldErrors, Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../answer.ts";
import type { Form } from "../../form.ts";
import { CheckField, RadioField } from "../../parts/choice-field.tsx";
import { Facts } from "../../parts/facts.tsx";
import { TextAreaField, TextField } from "../../parts/field.tsx";
import { FileText } from "../../parts/live.tsx";
import { Money, moneyText } from "../../parts/money.tsx";
import { PageHead } from "../../parts/page-head.tsx";
import { grouped } from "../../parts/pager.tsx";
import { Sheet } from "../../parts/sheet.tsx";
import { type ModeVisit, modePath } from "../../visit.ts";
import { VisitForm } from "../../visit-form.tsx";
import { refusalSentence, unshownMessages } from "../buy/refusal-sentence.ts";
import { buyerOf } from "../buy/selling-gate.tsx";
import type { BulkPageServices } from "./bulk-services.ts";
import { CheckedLines } from "./checked-lines.tsx";
import { type CheckedOrder, ticksOf } from "./order-form.ts";

/** Wrong lines that are shown to be corrected at once; the others follow. */
const shownMax = 100;

/** A new order: what, and the list. With what was typed and its faults, where it was refused. */
export function newOrderPage(visit: ModeVisit, form: Form, refusal: Refusal | null): PageAnswer {
  const errors: FieldErrors = refusal?.detail.errors ?? {};
  const top = refusal === null ? null : topOf(refusal, errors, visit);
  const sold = categories.filter(({ paths }) => "bulk" in paths);
  return page(
    "New bulk order",
    <>
      <PageHead title="New bulk order">
        Up to {grouped(linesMax)} lines. Nothing is charged before you have seen the check.
      </PageHead>
      <Sheet>
        <VisitForm
          visit={visit}
          action={modePath(visit, "bulk/check")}
          submit="Check"
          error={top}
          cancelHref={modePath(visit, "bulk")}
        >
          <RadioField
            name="category"
            label="What"
            choices={sold.map(({ slug, title }) => ({ value: slug, label: title }))}
            value={form.text("category") || sold[0]?.slug}
            error={errors.category?.join(" ")}
          />
          <TextAreaField
            name="lines"
            label="Lines"
            hint="A line for each number: phone, then the product's number or plan, or for airtime the amount, then, if you like, your own reference. Between them commas, semicolons or tabs. A first line of names may say otherwise: phone, network, amount, reference."
            rows={12}
            isCode
            value={form.raw("lines")}
            error={errors.lines?.join(" ")}
          />
          <FileText areaName="lines" label="Take a file's lines" />
          <TextField
            name="reference"
            label="Reference of the order"
            hint="Your own name for it. Left empty, it gets one."
            isRequired={false}
            lengthMax={90}
            isCode
            value={form.text("reference")}
            error={errors.reference?.join(" ")}
          />
        </VisitForm>
      </Sheet>
    </>,
    refusal === null ? {} : { status: 400 },
  );
}

/** A merchant with a duplicate guard may trust that it looks at lists too. */
function guardSentence(visit: ModeVisit): string {
  if (buyerOf(visit).duplicateGuardSeconds === null) return "";
  return "Your duplicate guard doesn't look at bulk orders: this check does.";
}

function topOf(refusal: Refusal, errors: FieldErrors, { mode }: ModeVisit): string | null {
  if (Object.keys(errors).length === 0) return refusalSentence(refusal, mode);
  return unshownMessages(errors, ["category", "lines", "reference"]).join(" ") || null;
}

/** What the order costs, and its wrong lines to be corrected where they stand: the right ones travel along unseen. */
export async function checkedOrderPage(
  { database }: BulkPageServices,
  visit: ModeVisit,
  order: CheckedOrder,
  refusal: Refusal | null,
): Promise<PageAnswer> {
  const { category, reference, text, typed, faults, total, alike } = order;
  const wrong = typed.filter(({ number }) => faults.has(number));
  const balance = (await findWallet(database, visit.wallet))?.balance ?? zeroKobo;
  const isRight = wrong.length === 0;
  const left = subtract(balance, total);
  const short = isRight && left < 0n ? `The wallet holds ${moneyText(balance)}, which is too little.` : null;
  return page(
    "Check the order",
    <>
      <PageHead
        title={
          isRight ? "Is everything right?" : `${grouped(wrong.length)} wrong ${wrong.length === 1 ? "line" : "lines"}`
        }
      >
        {isRight
          ? `Nothing is charged yet. ${guardSentence(visit)}`
          : "Correct them here, or empty a line to leave it out."}
      </PageHead>
      <Sheet title={category.title}>
        <Facts
          facts={[
            { name: "Reference", value: <code>{reference}</code> },
            { name: "Right lines", value: grouped(typed.length - wrong.length) },
            { name: isRight ? "You pay" : "The right ones cost", value: <Money amount={total} /> },
            { name: "Balance now", value: <Money amount={balance} /> },
            ...(left < 0n ? [] : [{ name: "Balance after", value: <Money amount={left} /> }]),
          ]}
        />
        <VisitForm
          visit={visit}
          action={modePath(visit, isRight ? `bulk/start/${reference}` : "bulk/check")}
          submit={isRight ? `Start: buy for ${moneyText(total)}` : "Check again"}
          hidden={{ category: category.slug, lines: text, reference, ...(alike === null ? {} : { alike }) }}
          error={refusal === null ? short : refusalSentence(refusal, visit.mode)}
          cancelHref={modePath(visit, "bulk")}
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
            <CheckField key={name} {...{ name, label }} isRequired error={refusal?.detail.errors?.[name]?.join(" ")} />
          ))}
        </VisitForm>
      </Sheet>
    </>,
    isRight && refusal === null ? {} : { status: refusal === null ? 400 : 409 },
  );
}
