import type { ComponentChildren } from "preact";
import { findWallet } from "../../../domain/wallet/queries.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { subtract, zeroKobo } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Figures } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { grouped, Money, moneyText } from "../../kit/parts/text.tsx";
import type { Capability, ModeVisit } from "../access.ts";
import { OrderForm, type Sorted } from "./check-form.tsx";
import { boxOfFault } from "./check-rows.tsx";
import { type CheckedOrder, countOf, fieldsOfList, isReady, type OrderServices } from "./order-form.ts";
import { offeredIn } from "./read-lines.ts";

/** Wrong lines that the top of the page links to. */
const linkedMax = 10;

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

interface MoreMoney {
  readonly page: string;
  readonly action: string;
  /** Of those who may open the page. */
  readonly capability: Capability;
}

/** Where a wallet gets more. */
export const moreMoney: Readonly<Record<Mode, MoreMoney>> = {
  live: { page: "wallet", action: "Add money", capability: "see_money" },
  test: { page: "sandbox", action: "Reset the sandbox", capability: "develop" },
};

function TooLittle({ visit, missing }: { readonly visit: ModeVisit; readonly missing: string }) {
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
