import type { Company } from "../../../domain/identity/company/company.ts";
import type { BusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { amountOf } from "../../../domain/purchases/purchase.ts";
import type { Json, JsonObject } from "../../../kernel/json.ts";
import { add } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { codesIn, LargeCode } from "../../kit/codes.tsx";
import { customerText } from "../../kit/delivered.tsx";
import type { Fact } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Icon } from "../../kit/parts/icon.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { Moment, moneyText, spoken } from "../../kit/parts/text.tsx";
import { saleStatus } from "../../kit/sale.tsx";
import { type ModeVisit, useVisit } from "../access.ts";
import { purchasePath } from "./purchase.tsx";
import { type BoughtPurchase, holdsSecrets } from "./reveal.ts";

const papers = { "80": "80 mm", "58": "58 mm", a4: "A4" } as const;
const paperCookie = "paper";

/** What is printed on it, besides what was delivered. */
export interface ReceiptFacts extends BoughtPurchase {
  readonly transactionId: string;
  /** A problem with it is reported there. */
  readonly company: Company;
  /** Where the shop is found, for its customer; null until its details are filled in. */
  readonly shop: Pick<BusinessDetails, "address" | "phone"> | null;
}

/**
 * A page to print for the customer, on the paper that the shop's printer has: what was bought and for how much, and where the
 * person may see it, what was delivered. What the merchant paid for it is nobody else's business.
 */
export function receiptPage(visit: ModeVisit, opened: ReceiptFacts, revealed: JsonObject | null): PageAnswer {
  const { reference } = opened.purchase;
  const chosen = visit.request.cookies[paperCookie] ?? "";
  const kept = chosen in papers ? chosen : "80";
  const path = purchasePath(visit, reference);
  return page(
    {
      title: `Receipt ${reference}`,
      heading: "Receipt",
      actions: (
        <>
          {visit.may("look") ? (
            <ButtonLink href={path}>Open transaction</ButtonLink>
          ) : (
            <ButtonLink href={visit.to("my-sales")}>My sales</ButtonLink>
          )}
          <button class="button main" type="button" data-island="print" hidden>
            <Icon name="print" />
            Print
          </button>
        </>
      ),
    },
    <div class="desk">
      {/* By it the style sheet knows the paper; the browser keeps it for the next receipt. */}
      <fieldset class="not-for-print buttons" data-island="keep">
        <legend class="unseen">Paper</legend>
        {Object.entries(papers).map(([size, name]) => (
          <label key={size} class="choice">
            <input type="radio" name={paperCookie} value={size} checked={size === kept} /> {name}
          </label>
        ))}
      </fieldset>
      {revealed === null && holdsSecrets(opened) && visit.may("hand_over") ? (
        <div class="not-for-print">
          <p class="quiet">Anyone with this token can use it. We log who views it.</p>
          <Form action={`${path}/receipt`} submit="Show it" kind="plain" />
        </div>
      ) : null}
      <PaperReceipt {...{ opened, revealed }} />
    </div>,
  );
}

/** What comes out of the printer. */
function PaperReceipt({ opened, revealed }: { readonly opened: ReceiptFacts; readonly revealed: JsonObject | null }) {
  const visit = useVisit();
  const { purchase, sold, transactionId, company, shop } = opened;
  const { product } = sold;
  const { customerRef, quantity, fee, reference, purchasedAt: at } = purchase;
  const amount = amountOf(purchase);
  const codes = revealed === null ? [] : codesIn(revealed, sold.category.secrets);
  const isForMeter = sold.category.token !== undefined;
  const support = [company.supportPhone, company.supportEmail].filter((each) => each !== null).join(", ");
  return (
    <article class="paper" aria-label="Receipt">
      {visit.mode === "test" ? <p class="sample">Sandbox receipt. Nothing was sold.</p> : null}
      <header>
        {company.logo === null ? null : <img src="/company/logo" alt="" height="40" />}
        <p class="shop">{visit.member.name}</p>
        {[shop?.address, shop && customerText(shop.phone)].map((line) => line && <p key={line}>{line}</p>)}
      </header>
      <hr />
      <p class="label">{product.name}</p>
      {purchase.status === "successful" && purchase.refundedAt === null ? null : (
        <p class="label">{saleStatus(purchase)}</p>
      )}
      {codes.length > 0 && isForMeter ? (
        <p class="label">
          {codes.length > 1
            ? "Key in the tokens in this order. Press Enter after each."
            : "Key it in, then press Enter."}
        </p>
      ) : null}
      {codes.map((code) => (
        <LargeCode key={code.label} code={code} />
      ))}
      <hr />
      <dl>
        {linesOf([
          [product.biller.customerLabel, customerRef && customerText(customerRef)],
          ...handedFacts(revealed),
          ["Quantity", quantity > 1 ? quantity : null],
          ["Amount", moneyText(amount)],
          ["Fee", fee > 0n ? moneyText(fee) : null],
        ])}
        <dt class="paid">Total</dt>
        <dd class="paid">{moneyText(add(amount, fee))}</dd>
      </dl>
      <hr />
      <dl>
        {linesOf([
          ["Date", [<Moment key="day" at={at} style="day" />, " ", <Moment key="time" at={at} style="time" />]],
        ])}
        <Whole name="Reference" text={reference} />
        <Whole name="Transaction" text={transactionId} />
      </dl>
      <hr />
      <footer>
        {isForMeter && codes.length > 0 ? <p>Keep this receipt until the token is loaded.</p> : null}
        <p>
          Provided by {company.name}
          {support === "" ? "" : `. Questions: ${support}`}
        </p>
      </footer>
    </article>
  );
}

/** What somebody may have to type is in one line of any paper, as far as it goes. */
function Whole({ name, text }: { readonly name: string; readonly text: string }) {
  const { length } = text;
  return (
    <>
      <dt>{name}</dt>
      <dd class={length <= 32 ? "whole" : length <= 44 ? "whole small" : "long"}>{text}</dd>
    </>
  );
}

function linesOf(facts: readonly Fact[]) {
  const known = facts.filter(([, value]) => value !== null);
  return known.flatMap(([name, value]) => [<dt key={name}>{name}</dt>, <dd key={`${name} value`}>{value}</dd>]);
}

/** What a customer wants to read of what was handed over, by the names that the categories give it. */
const receiptFacts: Readonly<Record<string, string>> = {
  customer_name: "Name",
  customer_address: "Address",
  tariff_band: "Tariff band",
  units: "Units (kWh)",
  receipt_number: "Vend ref",
  exam: "Exam",
  check_url: "Check at",
  expires_at: "Valid until",
};

function handedFacts(revealed: JsonObject | null): readonly Fact[] {
  const textIn = (value: Json | undefined) => (typeof value === "string" && value !== "" ? value : null);
  const facts = Object.entries(receiptFacts).map(([field, name]) => [name, textIn(revealed?.[field])] as const);
  const amounts = Object.entries((revealed?.amount_breakdown ?? {}) as JsonObject);
  const some = amounts.filter(([, value]) => textIn(value) !== null && value !== "0.00");
  return [
    ...facts,
    ...some.map(([field, value]) => [spokenAmounts[field] ?? spoken(field), moneyText(String(value))] as const),
  ];
}

const spokenAmounts: Readonly<Record<string, string>> = { energy: "Energy", vat: "VAT", debt_recovered: "Debt paid" };
