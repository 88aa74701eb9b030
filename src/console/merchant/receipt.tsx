import type { Company } from "../../domain/company/company.ts";
import { amountOf } from "../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../kernel/json.ts";
import { type PageAnswer, page } from "../kit/answer.ts";
import { Facts } from "../kit/parts/data.tsx";
import { ButtonLink, PageHead, Sheet } from "../kit/parts/layout.tsx";
import { Moment, type MomentFormat, Money } from "../kit/parts/text.tsx";
import type { ModeVisit } from "../kit/visit.ts";
import { VisitForm } from "../kit/visit-form.tsx";
import { may } from "./access.ts";
import { Delivered } from "./buy/delivered.tsx";
import { statusOf } from "./purchase-words.tsx";
import { holdsSecrets } from "./reveal.ts";
import { type OpenedTransaction, placeOf } from "./transaction-view.tsx";

/**
 * A page to print for the customer: what was bought and for how much, and where the person may see it, what was delivered.
 * What the merchant paid for it is nobody else's business.
 */
export function receiptPage(
  visit: ModeVisit,
  opened: OpenedTransaction,
  shown: { readonly company: Company; readonly format: MomentFormat; readonly revealed: JsonObject | null },
): PageAnswer {
  const { purchase, sold, transactionId } = opened;
  const { company, format, revealed } = shown;
  const { product } = sold;
  const support = [company.supportEmail, company.supportPhone].filter((each) => each !== null).join(", ");
  return page(
    `Receipt ${purchase.reference}`,
    <>
      <PageHead title="Receipt" actions={<ButtonLink href={placeOf(visit, opened)}>Back to it</ButtonLink>}>
        {visit.member.name}
      </PageHead>
      {visit.mode === "test" ? <p class="notice">A test: nothing was sold.</p> : null}
      <Sheet title={product.name} note={statusOf(purchase)}>
        <Facts
          facts={[
            ...(purchase.customerRef === null ? [] : [{ name: "For", value: <code>{purchase.customerRef}</code> }]),
            { name: "Biller", value: product.biller.name },
            ...(purchase.quantity > 1 ? [{ name: "Quantity", value: purchase.quantity }] : []),
            { name: "Amount", value: <Money amount={amountOf(purchase)} /> },
            { name: "Bought", value: <Moment at={purchase.purchasedAt} format={format} style="full" /> },
            { name: "Reference", value: <code>{purchase.reference}</code> },
            { name: "Transaction", value: <code>{transactionId}</code> },
          ]}
        />
      </Sheet>
      {revealed === null ? null : <Delivered fulfilment={revealed} secrets={sold.category.secrets} />}
      {revealed === null && holdsSecrets(purchase, sold) && may(visit.member.role, "reveal") ? (
        <div class="not-for-print">
          <p class="hint">Anyone who reads what was delivered can use it. We log who views it.</p>
          <VisitForm visit={visit} action={`${placeOf(visit, opened)}/receipt`} submit="Show it" kind="plain" />
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
