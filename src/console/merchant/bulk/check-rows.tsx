import type { Column as TableColumn } from "../../kit/parts/list.tsx";
import { countText, grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { Customer } from "../../kit/sale.tsx";
import type { CheckedLine, CheckedOrder, Doubt } from "./order-form.ts";
import type { Column } from "./read-list.ts";

/** What a line waits for: a correction or a tick; nothing where it is ready. */
export function kindOf({ sound, isOpen, doubt }: CheckedLine): "wrong" | "odd" | undefined {
  if (sound === null || isOpen) return "wrong";
  return doubt === null ? undefined : "odd";
}

type Box = Exclude<Column, "network"> | "line";

/** The boxes of a line that is corrected: of its wrong cells, or of all where somebody opened it. */
export function boxesOf({ faults, isOpen, fields }: CheckedLine): readonly Box[] {
  if (faults.some(({ column }) => column === "line")) return ["line"];
  if (isOpen) return ["phone", "value", ...(fields.reference === "" ? [] : ["reference" as const])];
  return [...new Set(faults.map(({ column }) => boxFor(column)))];
}

function boxFor(column: Column | "line"): Box {
  return column === "network" ? "value" : column;
}

/** The id of the box where a line's first fault is put right. */
export function boxOfFault({ number, faults: [first] }: CheckedLine): string {
  return `${boxFor(first?.column ?? "phone")}-${number}`;
}

/** A line's cells, with a box in place of each that is wrong. */
export function lineColumns({ category, lines }: CheckedOrder): readonly TableColumn<CheckedLine>[] {
  const takesAmount = "amount" in category.body.properties;
  const wrong = lines.filter((line) => kindOf(line) === "wrong");
  const box = (line: CheckedLine, name: Box) =>
    boxesOf(line).includes(name) ? <CellBox {...{ line, name, takesAmount }} /> : null;
  return [
    { title: "Line", cell: ({ number }) => number, place: "sub" },
    {
      title: "For",
      cell: (line) => (
        <>
          {box(line, "line") ?? box(line, "phone") ?? <Customer text={line.phone ?? line.fields.phone} />}
          {box(line, "reference")}
        </>
      ),
      place: "lead",
    },
    {
      title: "Product",
      cell: (line) => (
        <>
          {boxesOf(line).includes("line") ? null : (box(line, "value") ?? productText(line))}
          <SameForAll line={line} alike={alikeOf(line, wrong)} />
        </>
      ),
      place: "sub",
    },
    { title: "You pay", cell: ({ sound }) => sound && <Money amount={sound.priced.price.total} />, place: "amount" },
    { title: "Check", cell: (line) => <Verdict line={line} />, place: "state" },
  ];
}

function productText({ what, sound }: CheckedLine): string {
  if (sound === null) return what;
  const { soldProduct, price } = sound.priced;
  const { name, amountType } = soldProduct.product;
  return amountType === "variable" ? `${name}, ${moneyText(price.amount).replace(/\.00$/, "")}` : name;
}

/** How many wrong lines have the same wrong product or amount, told at the first of them; else 0. */
function alikeOf({ number, fields, faults }: CheckedLine, wrong: readonly CheckedLine[]): number {
  if (fields.value === "" || faults[0]?.column !== "value") return 0;
  const alike = wrong.filter((one) => one.fields.value === fields.value && one.faults[0]?.column === "value");
  return alike.length > 1 && alike[0]?.number === number ? alike.length : 0;
}

function SameForAll({ line: { number, fields }, alike }: { readonly line: CheckedLine; readonly alike: number }) {
  if (alike === 0) return null;
  return (
    <label class="choice">
      <input type="checkbox" name="all" value={number} checked />
      <span>{`The same for all ${grouped(alike)} lines with “${fields.value}”`}</span>
    </label>
  );
}

/** What is the matter with a line, and what can be done: it is left out, bought all the same, or changed. */
function Verdict({ line }: { readonly line: CheckedLine }) {
  const { number, sound, doubt, isKept } = line;
  const kind = kindOf(line);
  if (kind === "odd" && doubt !== null) {
    return (
      <label class="choice">
        <input type="checkbox" name="keep" value={number} checked={isKept} />
        <span>
          Buy again <small>{doubtText(doubt)}</small>
          <span class="unseen"> line {number}</span>
        </span>
      </label>
    );
  }
  const [name, button, look] = kind === "wrong" ? ["leave", "Leave out", ""] : ["edit", "Edit", " plain"];
  const status = kind !== "wrong" ? ["ok", "Ready"] : sound === null ? ["bad", "Fix"] : ["", "Edit"];
  return (
    <>
      <span class={`status ${status[0]}`.trim()}>{status[1]}</span>{" "}
      <button class={`button small${look}`} type="submit" name={name} value={number}>
        {button}
        <span class="unseen"> line {number}</span>
      </button>
    </>
  );
}

function doubtText(doubt: Doubt) {
  if ("sameAs" in doubt) return `same number as line ${doubt.sameAs}`;
  return (
    <>
      sold <Moment at={doubt.soldAt} />
    </>
  );
}

const boxNames: Readonly<Record<Box, string>> = {
  phone: "Phone",
  value: "Product",
  reference: "Reference",
  line: "All of line",
};

function CellBox(props: { readonly line: CheckedLine; readonly name: Box; readonly takesAmount: boolean }) {
  const { line, name, takesAmount } = props;
  const id = `${name}-${line.number}`;
  const faults = line.faults.filter(({ column }) => boxFor(column) === name);
  const sentence = faults.map((fault) => fault.sentence).join(" ");
  const label = name === "value" && takesAmount ? "Amount" : boxNames[name];
  return (
    <div class="field">
      <label class="unseen" for={id}>
        {name === "line" ? `${label} ${line.number}` : `${label} on line ${line.number}`}
      </label>
      <input
        {...{ id, name: id, autocomplete: "off", class: name === "phone" ? "phone" : undefined }}
        inputMode={name === "phone" ? "tel" : name === "value" && takesAmount ? "decimal" : undefined}
        value={name === "line" ? line.text : line.fields[name]}
        list={name === "value" && !takesAmount ? productListId : undefined}
        aria-invalid={sentence === "" ? undefined : "true"}
        aria-describedby={sentence === "" ? undefined : `${id}-error`}
      />
      {sentence === "" ? null : (
        <p class="error" id={`${id}-error`}>
          {sentence}
        </p>
      )}
    </div>
  );
}

/** What the boxes of products suggest, where the browser does. */
export const productListId = "offered";

/** How many may be duplicates, with one tick for all of them. */
export function DoubtHead({ count }: { readonly count: number }) {
  return (
    <>
      {`Possible duplicates: ${grouped(count)}`}
      {count === 1 ? null : (
        <label class="choice">
          <input type="checkbox" name="keep" value="all" />
          <span>{`Buy all ${countText(count, "line")} again`}</span>
        </label>
      )}
    </>
  );
}
