import type { ComponentChildren } from "preact";
import type { Company } from "../../../domain/identity/company/company.ts";
import { amountOf } from "../../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { add } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { codesIn, LargeCode } from "../../kit/codes.tsx";
import { customerText } from "../../kit/delivered.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Icon } from "../../kit/parts/icon.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { Moment, moneyText, spoken } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { purchasePath, purchaseStatus } from "./purchase.tsx";
import { type BoughtPurchase, holdsSecrets } from "./reveal.ts";

const papers = { "80": "80 mm", "58": "58 mm", a4: "A4" } as const;
const paperCookie = "paper";

interface ReceiptParts {
  readonly company: Company;
  /** What was handed over, where the person may see it. */
  readonly revealed: JsonObject | null;
}

/**
 * A page to print for the customer, on the paper that the shop's printer has: what was bought and for how much, and where the
 * person may see it, what was delivered. What the merchant paid for it is nobody else's business.
 */
export function receiptPage(
  visit: ModeVisit,
  opened: BoughtPurchase & { readonly transactionId: string },
  { company, revealed }: ReceiptParts,
): PageAnswer {
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
      <PaperReceipt {...{ visit, opened, company, revealed }} />
    </div>,
  );
}

interface PaperReceiptProps extends ReceiptParts {
  readonly visit: ModeVisit;
  readonly opened: BoughtPurchase & { readonly transactionId: string };
}

/** What comes out of the printer. */
function PaperReceipt({ visit, opened, company, revealed }: PaperReceiptProps) {
  const { purchase, sold, transactionId } = opened;
  const { product } = sold;
  const { customerRef, quantity, fee, reference } = purchase;
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
      </header>
      <hr />
      <p class="label">{product.name}</p>
      {purchase.status === "successful" && purchase.refundedAt === null ? null : (
        <p class="label">{purchaseStatus(purchase)}</p>
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
        <Line name={product.biller.customerLabel}>{customerRef === null ? null : customerText(customerRef)}</Line>
        {handedFacts(revealed).map(([name, value]) => (
          <Line key={name} name={name}>
            {value}
          </Line>
        ))}
        <Line name="Quantity">{quantity > 1 ? quantity : null}</Line>
        <Line name="Amount">{moneyText(amount)}</Line>
        <Line name="Fee">{fee > 0n ? moneyText(fee) : null}</Line>
        <dt class="paid">Total</dt>
        <dd class="paid">{moneyText(add(amount, fee))}</dd>
      </dl>
      <hr />
      <dl>
        <Line name="Date">
          <Moment at={purchase.purchasedAt} style="day" /> <Moment at={purchase.purchasedAt} style="time" />
        </Line>
        <Line name="Reference">{reference}</Line>
        <Line name="Transaction">{transactionId}</Line>
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

function Line({ name, children }: { readonly name: string; readonly children: ComponentChildren }) {
  if (children === null || children === undefined) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
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

function handedFacts(revealed: JsonObject | null): readonly (readonly [name: string, value: string])[] {
  if (revealed === null) return [];
  const facts = Object.entries(receiptFacts).flatMap(([field, name]) => {
    const value = revealed[field];
    return typeof value === "string" && value !== "" ? [[name, value] as const] : [];
  });
  const breakdown = Object.entries((revealed.amount_breakdown ?? {}) as JsonObject).flatMap(([field, value]) =>
    typeof value === "string" && value !== "0.00"
      ? [[spokenAmounts[field] ?? spoken(field), moneyText(value)] as const]
      : [],
  );
  return [...facts, ...breakdown];
}

const spokenAmounts: Readonly<Record<string, string>> = { energy: "Energy", vat: "VAT", debt_recovered: "Debt paid" };
