import { amountOf } from "../../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { parsePhone } from "../../../kernel/phone.ts";
import { type Code, codesIn, LargeCode } from "../../kit/codes.tsx";
import { customerText } from "../../kit/delivered.tsx";
import { CopyButton } from "../../kit/parts/data.tsx";
import { Flash, Form } from "../../kit/parts/form.tsx";
import { Icon } from "../../kit/parts/icon.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, moneyText } from "../../kit/parts/text.tsx";
import { ForCustomer } from "../../kit/sale.tsx";
import { useVisit } from "../access.ts";
import { failureAdvice, purchasePath } from "../transactions/purchase.tsx";
import { whatsAppHref } from "../transactions/report-problem.tsx";
import { type BoughtPurchase, holdsSecrets } from "../transactions/reveal.ts";
import { boughtPath, saleHref } from "./customers.ts";

/** How it ended, large: what the customer takes home, and what is done next. */
export function Result({ bought, delivered }: { bought: BoughtPurchase; delivered: JsonObject | null }) {
  const visit = useVisit();
  const { purchase, sold } = bought;
  const { reference, customerRef, phone } = purchase;
  const { category, product } = sold;
  const codes = delivered === null ? [] : codesIn(delivered, category.secrets);
  const isPart = visit.request.headers["x-fragment"] !== undefined;
  const again = saleHref(visit, category, {
    [category.customerField]: customerRef,
    phone: "phone" in category.body.properties ? phone : null,
    product: String(product.id),
  });
  const isDone = purchase.status === "successful";
  return (
    <Sheet>
      <Outcome bought={bought} />
      {codes.length === 0 ? null : (
        <div class="token-box">
          {codes.map((code) => (
            <LargeCode key={code.label} code={code} isCopied={codes.length > 1} />
          ))}
          {typeof delivered?.units === "string" ? <p>{delivered.units} kWh</p> : null}
        </div>
      )}
      {isDone && isPart ? <ButtonLink href={visit.request.url}>See what was delivered</ButtonLink> : null}
      {delivered === null && holdsSecrets(bought) && !isPart && visit.may("hand_over") ? (
        <>
          <p class="quiet">Anyone with this token can use it. We log who views it.</p>
          <Form action={boughtPath(visit, reference)} submit="Show it" kind="plain" />
        </>
      ) : null}
      <div class="buttons">
        {codes.length === 0 ? null : <CopyCodes codes={codes} />}
        {isDone ? (
          <ButtonLink href={`${purchasePath(visit, reference)}/receipt`} icon="print">
            Print receipt
          </ButtonLink>
        ) : null}
        {isDone && (codes.length > 0 || category.secrets.length === 0) ? (
          <WhatsApp bought={bought} codes={codes} />
        ) : null}
        {purchase.status === "pending" ? null : (
          <ButtonLink href={again} icon="repeat">
            {purchase.status === "failed" ? "Try again" : "Sell again to this customer"}
          </ButtonLink>
        )}
      </div>
    </Sheet>
  );
}

/** What happened and what to do now; of a plain delivery, that it is there. */
function Outcome({ bought: { purchase, sold } }: { readonly bought: BoughtPurchase }) {
  const { status, total, refundedAt, errorCode, customerRef } = purchase;
  const paid = useVisit().may("see_costs")
    ? `${moneyText(total)} is back in your wallet`
    : "The shop has its money back";
  if (status === "pending") {
    return (
      <Flash kind="waiting">You’re charged; delivery isn’t confirmed yet. We’re checking. Don’t sell it again.</Flash>
    );
  }
  if (status === "failed") {
    return (
      <Flash kind="bad">
        Not delivered. {paid}. {errorCode === null ? null : failureAdvice[errorCode]}
      </Flash>
    );
  }
  if (refundedAt !== null) {
    return (
      <Flash kind="waiting">
        Delivered, then taken back by the supplier. {paid} since <Moment at={refundedAt} />.
      </Flash>
    );
  }
  if (sold.category.secrets.length > 0) return null;
  return (
    <p class="amount-large">
      <Icon name="check" class="ink-good" /> {sold.product.name}
      <ForCustomer text={customerRef} />
    </p>
  );
}

function CopyCodes({ codes }: { readonly codes: readonly Code[] }) {
  const [only, another] = codes;
  if (only !== undefined && another === undefined) {
    const subject = only.label.toLowerCase();
    return <CopyButton text={only.value} subject="" label={`Copy ${subject}`} kind="main" />;
  }
  const text = codes
    .map(({ label, value, note }) => [`${label}: ${value}`, note].filter(Boolean).join(" · "))
    .join("\n");
  return <CopyButton text={text} subject="" label={`Copy all ${codes.length}`} kind="main" />;
}

/** Sends the customer what was bought, to their phone where it is known. */
function WhatsApp({ bought, codes }: { readonly bought: BoughtPurchase; readonly codes: readonly Code[] }) {
  const visit = useVisit();
  const { purchase, sold } = bought;
  const { customerRef, phone, reference } = purchase;
  const whom = customerRef === null ? "" : ` for ${customerText(customerRef)}`;
  const lines = [
    `${visit.member.name}: ${sold.product.name}${whom}, ${moneyText(amountOf(purchase))}.`,
    ...codes.map(({ label, text, note }) => [`${label}: ${text}`, note].filter(Boolean).join(" · ")),
    `Reference ${reference}`,
  ];
  const called = [phone, customerRef].find((each) => each !== null && parsePhone(each) !== null) ?? null;
  return (
    <a class="button" href={whatsAppHref(called, lines.join("\n")) ?? ""} rel="noreferrer" target="_blank">
      <Icon name="chat" />
      WhatsApp
    </a>
  );
}
