import type { ComponentChildren } from "preact";
import { findCategory } from "../../../categories/category-slugs.ts";
import { categories } from "../../../categories/registry.ts";
import { linesMax } from "../../../domain/bulk-orders/bulk-order.ts";
import { findBulkOrder } from "../../../domain/bulk-orders/queries.ts";
import { enterSale } from "../../../domain/members/console-sales.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { FileOrLines } from "../../kit/file-or-lines.tsx";
import { bulkFormBytesMax, formOf, type Form as SentForm, type Typed, typedForm } from "../../kit/form.ts";
import { RadioField, TextField } from "../../kit/parts/fields.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Sheet } from "../../kit/parts/layout.tsx";
import { countText, grouped, moneyText } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { closedPage, moreMoney, refusalSentence, refuseWhenClosed, topOf } from "../buy/selling.tsx";
import { agreedOf, checkPage } from "./check-page.tsx";
import { failedLines, template } from "./made-lists.ts";
import { type CheckedOrder, checkOrder, isReady, type OrderServices, withPlainList } from "./order-form.ts";
import { faultsByLine } from "./read-lines.ts";

const capability = "buy_in_bulk";
const title = "New bulk order";

/** A new order from a file or a pasted list: its check, where lines are corrected in place, and its start. */
export function newOrderPages(routes: ModeRoutes, services: OrderServices): void {
  const showNew = async (visit: ModeVisit, typed: Typed) =>
    closedPage(visit, title) ?? newOrderPage(await plain(visit, typed));

  routes.page("/bulk/new", {
    capability,
    async show(visit, typed) {
      const again = await failedLines(services, visit, visit.query.get("again") ?? "");
      return showNew(visit, again === null ? typed : typedForm(formOf(again), null));
    },
  });

  routes.file("/bulk/new/:category/template.csv", {
    capability,
    show: (visit) => template(services, visit, findCategory(visit.param("category"))),
  });

  routes.form("/bulk/check", {
    capability,
    isHarmless: true,
    bytesMax: bulkFormBytesMax,
    doneAt: (visit) => visit.to("bulk"),
    show: showNew,
    async send(visit, form) {
      refuseWhenClosed(visit);
      try {
        return await checkPage(services, visit, await checkOrder(services, visit, form), pageOf(form));
      } catch (error) {
        const started = error instanceof Refusal ? error.detail.meta?.started : undefined;
        if (typeof started !== "string") throw error;
        return goTo(visit.to(`bulk/${started}`), "You started this order before. It’s charged once.");
      }
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

async function plain(visit: ModeVisit, { form, refusal, errors }: Typed): Promise<Typed> {
  return typedForm(await withPlainList(visit, form), refusal, errors);
}

function pageOf(form: SentForm) {
  return { pageNumber: Number(/^[0-9]{1,4}$/.exec(form.text("page"))?.[0] ?? 1) };
}

/** Places the ready lines of the order, as many and for as much as its button said. @throws Refusal where nothing was charged */
async function start(services: OrderServices, visit: ModeVisit, form: SentForm): Promise<Answer> {
  refuseWhenClosed(visit);
  const order = await checkOrder(services, visit, form, { isPaid: true });
  const { category, reference, ready } = order;
  const known = await findBulkOrder(services.database, visit.wallet, reference);
  const changed = known === null ? changeOf(order, form.text("agreed")) : null;
  if (changed !== null) return checkPage(services, visit, order, { problem: changed });
  const lines = ready.map(({ sound }) => sound.line);
  const seller = { wallet: visit.wallet, reference, person: visit.session.person };
  await enterSale(services.people, { ...seller, command: "console bulk", details: { lines: lines.length } });
  const placed = await services.placeBulkOrder({ principal: visit.buyer, category, reference, lines });
  const left = order.lines.length - lines.length;
  if (left > 0) return leftOutPage(visit, order);
  const done = placed.replayed ? "This order is already running. It’s charged once." : "Order started.";
  return goTo(visit.to(`bulk/${reference}`), done);
}

/** Why the order is not what the button said; null where it is. */
function changeOf(order: CheckedOrder, agreed: string): string | null {
  if (agreed === agreedOf(order) && order.ready.length > 0) return null;
  const [count = "0", total = "0"] = agreed.split(" ");
  const now = `${countText(order.ready.length, "line")} for ${moneyText(order.total)}`;
  if (order.ready.length === 0) return "No line is ready. You were not charged.";
  return Number(count) === order.ready.length && /^[0-9]{1,18}$/.test(total)
    ? `Prices changed: ${moneyText(BigInt(total))} is now ${moneyText(order.total)}. You were not charged. Pay the new price?`
    : `Your changes are in: the order is now ${now}. You were not charged yet. Check it, then pay.`;
}

/** The check again, with the faults that only placing it found; the list itself where it can't be read. */
async function checkAgain(services: OrderServices, visit: ModeVisit, typed: Typed): Promise<PageAnswer> {
  const { refusal } = typed;
  const isOfLines = Object.keys(typed.errors).every((name) => name.startsWith("line."));
  if (refusal?.code === "RATE_LIMITED" || !isOfLines) return newOrderPage(await plain(visit, typed));
  if (refusal?.code === "REFERENCE_CONFLICT" && Object.keys(typed.errors).length === 0) {
    const sentence = "You used this reference for another sale. Choose a new one.";
    return newOrderPage((await plain(visit, typed)).aimed({ REFERENCE_CONFLICT: ["reference", sentence] }));
  }
  const order = await checkOrder(services, visit, typed.form, { isPaid: true });
  const found = faultsByLine(typed.errors);
  const lines = order.lines.map((line) =>
    found.has(line.number)
      ? { ...line, sound: null, faults: [...line.faults, ...(found.get(line.number) ?? [])] }
      : line,
  );
  const problem = refusal === null ? null : `${whyNot(refusal, found.size, visit)} You were not charged.`;
  return checkPage(services, visit, { ...order, lines, ready: lines.filter(isReady) }, { problem });
}

function whyNot(refusal: Refusal, wrongLines: number, visit: ModeVisit): string {
  const { mode } = visit;
  if (wrongLines > 0) return `${countText(wrongLines, "line")} can’t be bought now.`;
  if (refusal.code !== "INSUFFICIENT_BALANCE" || refusal.detail.meta?.debt !== undefined)
    return refusalSentence(refusal, visit);
  const { required, balance } = refusal.detail.meta ?? {};
  return `This order costs ${moneyText(String(required))}; your balance is ${moneyText(String(balance))}. ${moreMoney[mode].action} first.`;
}

/** After a part of a list was bought: the rest of it, so that nothing of it is lost. */
function leftOutPage(visit: ModeVisit, order: CheckedOrder): PageAnswer {
  const left = order.lines.filter((line) => !isReady(line));
  const text = [...(order.header === null ? [] : [order.header]), ...left.map((line) => line.text)].join("\n");
  const typed = typedForm(
    formOf([
      ["category", order.category.slug],
      ["lines", text],
    ]),
    null,
  );
  const href = visit.to(`bulk/${order.reference}`);
  const started = `Order started: ${countText(order.ready.length, "line")} for ${moneyText(order.total)}.`;
  return newOrderPage(typed, {
    title: `${countText(left.length, "line")} left over`,
    note: "We left these lines out. Check them now, or close this page.",
    done: (
      <>
        {started} <a href={href}>See order {order.reference}</a>
      </>
    ),
  });
}

interface Head {
  readonly title: string;
  readonly note: string;
  /** What was done before. */
  readonly done: ComponentChildren;
}

/** A new order: what, and the list. With what was typed and its faults, where it was refused. */
function newOrderPage(typed: Typed, head?: Head): PageAnswer {
  const note = `Up to ${grouped(linesMax)} lines. You see every line with its price before you pay.`;
  return page(
    { title, note, ...head, status: typed.refusal === null ? 200 : 400 },
    <>
      {head === undefined ? null : <Flash kind="good">{head.done}</Flash>}
      <Sheet>
        <NewOrderForm typed={typed} />
      </Sheet>
    </>,
  );
}

function NewOrderForm({ typed }: { readonly typed: Typed }) {
  const visit = useVisit();
  const sold = categories.filter(({ paths }) => "bulk" in paths);
  const error = topOf(typed, ["category", "lines", "reference"], visit);
  return (
    <Form action={visit.to("bulk/check")} submit="Check lines" cancelHref={visit.to("bulk")} error={error} isUpload>
      <RadioField
        {...typed.field("category")}
        value={typed.form.text("category") || sold[0]?.slug}
        label="What are you selling?"
        choices={sold.map(({ slug, title: label }) => ({ value: slug, label }))}
      />
      <FileOrLines
        {...{ typed, name: "lines", rows: 10 }}
        label="Upload a file"
        hint={
          <>
            CSV from Excel or Google Sheets. Templates:{" "}
            {sold.map(({ slug, title: label }, at) => (
              <>
                {at === 0 ? "" : ", "}
                <a href={visit.to(`bulk/new/${slug}/template.csv`)} download="">
                  {label}
                </a>
              </>
            ))}
            .
          </>
        }
        keepsLines
        linesLabel="Or paste your lines"
        linesHint="One line for each number: phone, then product or amount, then your reference if you have one. You can paste rows from a spreadsheet."
      />
      <TextField
        {...typed.field("reference")}
        label="Reference of the order"
        hint="We’ll name it for you if you leave it empty."
        isRequired={false}
        lengthMax={90}
        isCode
      />
    </Form>
  );
}
