import { type ListedPayment, listPaymentEntries } from "../../../domain/funding/listed-payment-queries.ts";
import { formatPaymentNumber } from "../../../domain/funding/payment.ts";
import { formatMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { findWallet } from "../../../domain/wallet/queries.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Copied } from "../../kit/delivered.tsx";
import { detail } from "../../kit/detail.ts";
import type { Typed } from "../../kit/form.ts";
import { Facts, Timeline } from "../../kit/parts/data.tsx";
import { Flash } from "../../kit/parts/form.tsx";
import { Columns, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money, moneyText } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { enterLook } from "../audited.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import { isExchange, RawAnswer } from "../sales/raw-answer.tsx";
import type { OperatorServices } from "../services.ts";
import { contradictionEnd, EndContradiction } from "./contradiction.tsx";
import { isUnmatched, match, paymentAt } from "./match.tsx";
import { paymentSteps } from "./payment-steps.tsx";
import { accountText, paymentStates, paymentsPath, providerPath, senderText, shownState } from "./words.ts";

/** One payment with all that happened to it, and what can be done about it. */
export function paymentPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  const show = detail(routes, {
    at: `${paymentsPath}/:number`,
    may: "see_payments",
    find: (visit) => paymentAt(reads, visit),
    audit: (visit, { number }) =>
      enterLook(services, visit, "console payment look", { payment: formatPaymentNumber(number) }),
    show: (visit, payment, typed) => paymentPage(services, visit, { payment, typed }),
  });
  match.addTo(routes, services, show);
  contradictionEnd.addTo(routes, services, show);
}

interface Shown {
  readonly payment: ListedPayment;
  readonly typed: Typed;
}

async function paymentPage(
  { reads }: OperatorServices,
  visit: StaffVisit,
  { payment, typed }: Shown,
): Promise<PageAnswer> {
  const { number, merchantId, evidence, provider, contradiction, contradictionEnd: end } = payment;
  const [entries, merchant, wallet] = await Promise.all([
    listPaymentEntries(reads, payment),
    merchantId === null ? null : findMerchant(reads, merchantId),
    merchantId === null ? null : findWallet(reads, { merchantId, mode: "live" }),
  ]);
  const merchantName = merchant?.name ?? null;
  const debt = wallet?.debt ?? 0n;
  return page(
    {
      title: formatPaymentNumber(number),
      crumbs: [["Payments", paymentsPath]],
      state: paymentStates.status(shownState(payment)),
      note: noteOf(payment),
    },
    <Columns>
      <div>
        {contradiction === null || end !== null ? null : (
          <Flash kind="bad">
            {provider} said something else after this was booked: <q>{contradiction}</q> Ask it what is true.
          </Flash>
        )}
        <PaymentFacts {...{ payment, merchantName }} />
        <Sheet title="What happened">
          <Timeline
            label={`What happened to ${formatPaymentNumber(number)}`}
            steps={paymentSteps({ payment, entries, merchantName, debt })}
          />
        </Sheet>
      </div>
      <div>
        <EndContradiction {...{ visit, typed, payment }} />
        {isUnmatched(payment) && visit.may("match_payments") ? (
          <Sheet title="Match to a merchant" note="A second person approves">
            {match.draw(visit, typed, payment)}
          </Sheet>
        ) : null}
        <Sheet title={`What ${provider} said`}>
          {evidence === "" ? (
            <p>Nothing yet. We ask it in a moment.</p>
          ) : isExchange(evidence) ? (
            <RawAnswer label="What was asked and answered last" text={evidence} />
          ) : (
            <blockquote class="said">{evidence}</blockquote>
          )}
        </Sheet>
      </div>
    </Columns>,
  );
}

function noteOf(payment: ListedPayment): string {
  const from = senderText(payment);
  const amount = payment.amount === null ? "Not verified yet" : moneyText(payment.amount);
  return `${amount}${from === null ? "" : ` from ${from}`}, by ${payment.provider}`;
}

interface FactProps {
  readonly payment: ListedPayment;
  readonly merchantName: string | null;
}

function PaymentFacts({ payment, merchantName }: FactProps) {
  const { amount, fee, credited, takenBack, sender, merchantId, paidAt, provider, paymentId, state } = payment;
  const account = accountText(payment);
  const money = (value: bigint | null) => (value === null || value === 0n ? null : <Money amount={value} />);
  return (
    <Sheet title="Payment">
      <Facts
        facts={{
          Merchant:
            merchantId === null ? (
              state === "unmatched" && "Nobody’s"
            ) : (
              <a href={merchantPath(merchantId)}>{merchantName ?? formatMerchantId(merchantId)}</a>
            ),
          Sent: money(amount),
          "Provider’s fee": money(fee),
          [merchantId === null ? "To be credited" : "Credited"]: money(credited),
          "Taken back": money(takenBack),
          Sender: sender?.name,
          "Sender’s bank": sender?.bank,
          "Sender’s account": sender?.accountNumber,
          Narration: sender?.narration,
          "Session ID": sender?.sessionId && <Copied text={sender.sessionId} subject="the session ID" />,
          "To account": account && <Copied text={account} subject="the account" />,
          Arrived: paidAt && <Moment at={paidAt} style="full" />,
          Provider: <a href={providerPath(provider)}>{provider}</a>,
          "Provider’s ID": <Copied text={paymentId} subject="the provider’s ID" />,
        }}
      />
    </Sheet>
  );
}
