import type { Company } from "../../../domain/identity/company/company.ts";
import { amountOf } from "../../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Delivered } from "../../kit/delivered.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import type { ModeVisit } from "../access.ts";
import { purchasePath, purchaseStatus } from "./purchase.tsx";
import { type BoughtPurchase, holdsSecrets } from "./reveal.ts";

/**
 * A page to print for the customer: what was bought and for how much, and where the person may see it, what was delivered.
 * What the merchant paid for it is nobody else's business.
 */
export function receiptPage(
  visit: ModeVisit,
  opened: BoughtPurchase & { readonly transactionId: string },
  { company, revealed }: { readonly company: Company; readonly revealed: JsonObject | null },
): PageAnswer {
  const { purchase, sold, transactionId } = opened;
  const { product } = sold;
  const { reference, customerRef, quantity } = purchase;
  const support = [company.supportEmail, company.supportPhone].filter((each) => each !== null).join(", ");
  const path = purchasePath(visit, reference);
  return page(
    {
      title: `Receipt ${reference}`,
      heading: "Receipt",
      note: visit.member.name,
      actions: visit.may("look") ? (
        <ButtonLink href={path}>Open transaction</ButtonLink>
      ) : (
        <ButtonLink href={visit.to("my-sales")}>My sales</ButtonLink>
      ),
    },
    <>
      {visit.mode === "test" ? <p class="notice">A test: nothing was sold.</p> : null}
      <Sheet title={product.name} note={purchaseStatus(purchase)}>
        <Facts
          facts={{
            For: customerRef && <code>{customerRef}</code>,
            Biller: product.biller.name,
            Quantity: quantity > 1 ? quantity : null,
            Amount: <Money amount={amountOf(purchase)} />,
            Bought: <Moment at={purchase.purchasedAt} style="full" />,
            Reference: <code>{reference}</code>,
            Transaction: <code>{transactionId}</code>,
          }}
        />
      </Sheet>
      {revealed === null ? null : <Delivered fulfilment={revealed} secrets={sold.category.secrets} />}
      {revealed === null && holdsSecrets(opened) && visit.may("hand_over") ? (
        <div class="not-for-print">
          <p class="hint">Anyone who reads what was delivered can use it. We log who views it.</p>
          <Form action={`${path}/receipt`} submit="Show it" kind="plain" />
        </div>
      ) : null}
      <p>
        {company.logo === null ? null : <img src="/company/logo" alt="" height="40" />} Provided by {company.name}
        {support === "" ? "" : `. Questions: ${support}`}
      </p>
      <p class="hint not-for-print">Print this page with your browser: the menu and the buttons stay off the paper.</p>
    </>,
  );
}
