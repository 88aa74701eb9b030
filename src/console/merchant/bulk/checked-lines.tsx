import { ScrollArea } from "../../kit/parts/layout.tsx";
import { moneyText } from "../../kit/parts/text.tsx";
import type { CheckedLine, CheckedOrder } from "./order-form.ts";

/** Every line of an order with what it buys: wrong ones first, then those whose number came before, then the others. */
export function CheckedLines({ typed, faults }: Pick<CheckedOrder, "typed" | "faults">) {
  const rank = ({ number, sameAs }: CheckedLine) => (faults.has(number) ? 0 : sameAs === null ? 2 : 1);
  const lines = typed.toSorted((one, other) => rank(one) - rank(other));
  return (
    <ScrollArea label="Lines of the order" isTall>
      <table class="plain">
        <caption class="unseen">Lines of the order, wrong ones first</caption>
        <thead>
          <tr>
            <th scope="col">Line</th>
            <th scope="col">For</th>
            <th scope="col">Product</th>
            <th scope="col">Amount</th>
            <th scope="col">You pay</th>
            <th scope="col">Check</th>
          </tr>
        </thead>
        <tbody>{lines.map((line) => rowOf(line, faults.get(line.number)))}</tbody>
      </table>
    </ScrollArea>
  );
}

function rowOf({ number, fields, priced, sameAs }: CheckedLine, faults: readonly string[] | undefined) {
  return (
    <tr>
      <td>{number}</td>
      <td>{priced?.requested.customerRef ?? fields.phone}</td>
      <td>{priced?.soldProduct.product.name}</td>
      <td>{priced === null ? fields.value : moneyText(priced.price.amount)}</td>
      <td>{priced === null ? null : moneyText(priced.price.total)}</td>
      <td>{faults === undefined ? (sameAs === null ? "Ready" : `Same number as line ${sameAs}`) : "Wrong"}</td>
    </tr>
  );
}
