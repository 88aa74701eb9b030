import type { ComponentChildren } from "preact";
import type { Product } from "../../../categories/product/product.ts";
import { grouped, Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import { type CheckedLine, type CheckedOrder, countOf, type ReadyLine } from "./order-form.ts";
import type { Column } from "./read-list.ts";

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

/** Said although the elements have it: a row that folds has another `display`, with which browsers forget it. */
export function role(name: "table" | "rowgroup" | "row" | "columnheader" | "cell") {
  return { role: name };
}

export function HeadRow({ children }: { readonly children: ComponentChildren }) {
  return (
    <tr class="head-row" {...role("row")}>
      <td class="lead" colSpan={5} {...role("cell")}>
        {children}
      </td>
    </tr>
  );
}

interface RowProps {
  readonly kind?: "wrong" | "odd";
  readonly number: number;
  readonly phone: ComponentChildren;
  readonly product: ComponentChildren;
  readonly price: ComponentChildren;
  readonly children: ComponentChildren;
}

function Row({ kind, number, phone, product, price, children }: RowProps) {
  return (
    <tr class={kind} {...role("row")}>
      <td class="sub tight" {...role("cell")}>
        {number}
      </td>
      <td class="lead" {...role("cell")}>
        {phone}
      </td>
      <td class="sub" {...role("cell")}>
        {product}
      </td>
      <td class="amount end" {...role("cell")}>
        {price}
      </td>
      <td class="state" {...role("cell")}>
        {children}
      </td>
    </tr>
  );
}

const boxNames: Readonly<Record<Box, string>> = {
  phone: "Phone",
  value: "Product",
  reference: "Reference",
  line: "All of line",
};

interface WrongRowProps {
  readonly line: CheckedLine;
  readonly order: Pick<CheckedOrder, "category">;
  /** How many lines have the same wrong value, where this is the first of them; else 0. */
  readonly alike: number;
}

/** A line with a box in place of each cell that is wrong. */
export function WrongRow({ line, order: { category }, alike }: WrongRowProps) {
  const { number, phone, what, sound, isOpen, fields } = line;
  const boxes = boxesOf(line);
  const takesAmount = "amount" in category.body.properties;
  const box = (name: Box) => <CellBox {...{ line, name, takesAmount }} />;
  const [first] = boxes;
  return (
    <Row
      kind="wrong"
      number={number}
      phone={
        <>
          {boxes.includes("line") ? (
            box("line")
          ) : boxes.includes("phone") ? (
            box("phone")
          ) : (
            <Phone text={phone ?? fields.phone} />
          )}
          {boxes.includes("reference") ? box("reference") : null}
        </>
      }
      product={
        <>
          {first === "line" ? null : boxes.includes("value") ? box("value") : what}
          {alike === 0 ? null : (
            <label class="choice">
              <input type="checkbox" name="all" value={number} checked />
              <span>{`The same for all ${grouped(alike)} lines with “${fields.value}”`}</span>
            </label>
          )}
        </>
      }
      price={sound === null ? null : <Money amount={sound.priced.price.total} />}
    >
      {isOpen && sound !== null ? <span class="status">Edit</span> : <span class="status bad">Fix</span>}{" "}
      <button class="button small" type="submit" name="leave" value={number}>
        Leave out<span class="unseen"> line {number}</span>
      </button>
    </Row>
  );
}

function CellBox(props: { readonly line: CheckedLine; readonly name: Box; readonly takesAmount: boolean }) {
  const { line, name, takesAmount } = props;
  const id = `${name}-${line.number}`;
  const sentence = line.faults
    .filter(({ column }) => boxFor(column) === name)
    .map((fault) => fault.sentence)
    .join(" ");
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

const productListId = "offered";

/** What the boxes of products suggest, where the browser does. */
export function Offered({ products }: { readonly products: readonly Product[] }) {
  return (
    <datalist id={productListId}>
      {products.map(({ id, name }) => (
        <option key={id} value={id}>
          {name}
        </option>
      ))}
    </datalist>
  );
}

/** How many may be duplicates, with one tick for all of them. */
export function DoubtHead({ doubtful }: { readonly doubtful: readonly CheckedLine[] }) {
  const { length } = doubtful;
  return (
    <HeadRow>
      {`Possible duplicates: ${grouped(length)}`}
      {length === 1 ? null : (
        <label class="choice">
          <input type="checkbox" name="keep" value="all" />
          <span>{`Buy all ${countOf(length, "line")} again`}</span>
        </label>
      )}
    </HeadRow>
  );
}

/** A line that may be one too many: bought once somebody ticks it. */
export function DoubtRow({ line }: { readonly line: CheckedLine }) {
  const { number, doubt, isKept } = line;
  return (
    <Row kind="odd" number={number} {...cellsOf(line)}>
      <label class="choice">
        <input type="checkbox" name="keep" value={number} checked={isKept} />
        <span>
          Buy again{" "}
          <small>
            {doubt === null ? null : "sameAs" in doubt ? (
              `same number as line ${doubt.sameAs}`
            ) : (
              <>
                sold <Moment at={doubt.soldAt} />
              </>
            )}
          </small>
          <span class="unseen"> line {number}</span>
        </span>
      </label>
    </Row>
  );
}

export function ReadyRow({ line }: { readonly line: CheckedLine }) {
  const { number } = line;
  return (
    <Row number={number} {...cellsOf(line)}>
      <span class="status ok">Ready</span>{" "}
      <button class="button small plain" type="submit" name="edit" value={number}>
        Edit<span class="unseen"> line {number}</span>
      </button>
    </Row>
  );
}

function cellsOf({ phone, what, fields, sound }: CheckedLine): Pick<RowProps, "phone" | "product" | "price"> {
  const priced = (sound as ReadyLine["sound"] | null)?.priced;
  if (priced === undefined) return { phone: <Phone text={phone ?? fields.phone} />, product: what, price: null };
  const { product } = priced.soldProduct;
  const isAmount = product.amountType === "variable";
  return {
    phone: <Phone text={phone ?? fields.phone} />,
    product: isAmount ? `${product.name}, ${moneyText(priced.price.amount).replace(/\.00$/, "")}` : product.name,
    price: <Money amount={priced.price.total} />,
  };
}

/** `0803 123 4567`, to be read aloud; what is no number stays as it is. */
export function Phone({ text }: { readonly text: string }) {
  return <span class="phone">{text.replace(/^([0-9]{4})([0-9]{3})([0-9]{4})$/, "$1 $2 $3")}</span>;
}
