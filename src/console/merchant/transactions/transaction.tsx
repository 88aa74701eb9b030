import type { ComponentChildren } from "preact";
import { listSellers } from "../../../domain/history/sales-by-person/queries.ts";
import { type MerchantStep, readMerchantTimeline } from "../../../domain/history/search/merchant-timeline.ts";
import { findBusinessDetails } from "../../../domain/members/live-access-queries.ts";
import { findNamed } from "../../../domain/purchases/find.ts";
import { type Purchase, soldProductOf, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Copied, Delivered } from "../../kit/delivered.tsx";
import { CopyButton, Facts, Timeline } from "../../kit/parts/data.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money, moneyText, sinceText } from "../../kit/parts/text.tsx";
import { channelNames, SaleHead, saleStatus } from "../../kit/sale.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import { requeryCurl } from "../exports.ts";
import type { MerchantServices } from "../services.ts";
import { failureAdvice, purchasePath } from "./purchase.tsx";
import { type ReceiptFacts, receiptPage } from "./receipt.tsx";
import { ReportProblem } from "./report-problem.tsx";
import { holdsSecrets, openTo, reveal, revealOwn } from "./reveal.ts";

/** One purchase with all that happened to it. */
export interface OpenedTransaction extends ReceiptFacts {
  readonly steps: readonly MerchantStep[];
  /** The person who sold it by hand. */
  readonly soldBy: string | null;
}

/** One transaction on its own, and its receipt; each with what was delivered, for whoever may see it and asks. */
export function transactionPages(routes: ModeRoutes, services: MerchantServices): void {
  const reading = { ...services, database: services.reads };
  const pathOf = (visit: ModeVisit) => purchasePath(visit, visit.param("name"));
  type ShowOpened = (visit: ModeVisit, opened: OpenedTransaction, revealed: JsonObject | null) => PageAnswer;
  const show = (as: ShowOpened) => async (visit: ModeVisit) => {
    const opened = await readTransaction(reading, visit, visit.param("name"));
    return opened === null ? null : as(visit, opened, await revealOwn(services, visit, opened));
  };
  const revealing = (as: ShowOpened) => async (visit: ModeVisit) => {
    const opened = await readTransaction(services, visit, visit.param("name"));
    return opened !== null && holdsSecrets(opened) ? as(visit, opened, await reveal(services, visit, opened)) : null;
  };

  routes.page("/transactions/:name", { capability: "look", show: show(transactionPage) });
  routes.form("/transactions/:name/reveal", {
    capability: "reveal",
    doneAt: pathOf,
    show: () => null,
    send: revealing(transactionPage),
  });
  routes.page("/transactions/:name/receipt", { capability: "see_receipt", show: show(receiptPage) });
  routes.form("/transactions/:name/receipt", {
    capability: "hand_over",
    doneAt: (visit) => `${pathOf(visit)}/receipt`,
    show: () => null,
    send: revealing(receiptPage),
  });
}

/** Reads a purchase by the merchant's reference or our id; null where neither names one that the visit may open. */
export async function readTransaction(
  services: Pick<MerchantServices, "database" | "catalogue" | "findByReference" | "transactionIds" | "people">,
  visit: ModeVisit,
  name: string,
): Promise<OpenedTransaction | null> {
  const { wallet } = visit;
  const purchase = await openTo(services, visit, await findNamed(services, wallet, name));
  if (purchase === null) return null;
  const [sellers, products, steps, company, shop] = await Promise.all([
    listSellers(services.database, wallet, [purchase]),
    services.catalogue.current(),
    readMerchantTimeline(services.database, purchase),
    services.people.company(),
    findBusinessDetails(services.database, wallet.merchantId),
  ]);
  const transactionId = services.transactionIds.format(purchase.id, wallet.mode);
  const soldBy = sellers.get(purchase.id) ?? null;
  return { purchase, sold: soldProductOf(products, purchase), soldBy, transactionId, steps, company, shop };
}

function transactionPage(visit: ModeVisit, opened: OpenedTransaction, revealed: JsonObject | null): PageAnswer {
  const { purchase } = opened;
  return page(
    { title: purchase.reference, crumbs: [["Transactions", visit.to("transactions")]] },
    <TransactionView opened={opened} revealed={revealed} />,
  );
}

interface TransactionViewProps {
  readonly opened: OpenedTransaction;
  /** What was handed over, in the one answer to whoever asked for it. */
  readonly revealed?: JsonObject | null;
  /** Beside the list: the way out. */
  readonly closeLink?: ComponentChildren;
}

/** Amount, facts, what was handed over, and what happened, with what can be done, in sheets of their own. */
export function TransactionView({ opened, revealed = null, closeLink }: TransactionViewProps) {
  const { purchase, sold, soldBy, transactionId, company } = opened;
  const { reference, errorCode } = purchase;
  const deducted = totalDeductedOf(purchase);
  return (
    <>
      <Sheet title={<span>{saleStatus(purchase)}</span>} note={closeLink}>
        <SaleHead purchase={purchase} product={sold.product}>
          . {outcomeOf(purchase)}
        </SaleHead>
        <Facts
          facts={{
            Reference: <Copied text={reference} subject="the reference" />,
            "Transaction ID": <Copied text={transactionId} subject="the transaction ID" />,
            Sold: <Moment at={purchase.purchasedAt} style="full" />,
            Channel: channelNames[purchase.channel],
            "Sold by": soldBy,
            Charged: deducted === purchase.total ? null : <Money amount={deducted} />,
            "Error code": errorCode && <code>{errorCode}</code>,
          }}
        />
      </Sheet>
      <Handed {...{ opened, revealed }} />
      <WhatHappened opened={opened} />
      <ReportProblem {...{ company, reference, transactionId }} product={sold.product.name} />
    </>
  );
}

/** What became of a sale, and what to do about it. */
function outcomeOf({ status, errorCode, refundedAt, total }: Purchase): string {
  if (status === "pending") return "We don’t know yet whether this was delivered. Don’t sell it again; we’re asking.";
  const isBack = `${moneyText(total)} is back in your wallet.`;
  if (status === "failed") return `${failureAdvice[errorCode ?? "PROVIDER_DECLINED"]} ${isBack}`;
  return refundedAt === null ? "" : `The supplier took it back later. ${isBack}`;
}

function WhatHappened({ opened: { purchase, steps } }: { readonly opened: OpenedTransaction }) {
  const visit = useVisit();
  const { reference } = purchase;
  const actions = (
    <>
      <ButtonLink href={`${purchasePath(visit, reference)}/receipt`} size="small" icon="print">
        Receipt
      </ButtonLink>
      {visit.may("read_requests") ? (
        <CopyButton
          text={requeryCurl(visit.place.origin, visit.mode, reference)}
          subject="the requery"
          label="Copy as curl"
          kind="small"
        />
      ) : null}
    </>
  );
  return (
    <Sheet title="What happened" actions={actions}>
      <Timeline
        label={`What happened to ${reference}`}
        steps={steps.map((step, place) => ({
          state: step.moved === undefined ? step.state : "cash",
          title: titleOf(step),
          at: step.at === null ? undefined : <Moment at={step.at} style="millisecond" />,
          since: place === 0 ? null : sinceText(steps[0]?.at ?? null, step.at),
          children: <StepDetail {...{ step, steps }} />,
        }))}
      />
    </Sheet>
  );
}

/** A token or PIN: hidden until somebody who may asks for it. */
function Handed({ opened, revealed }: { readonly opened: OpenedTransaction; readonly revealed: JsonObject | null }) {
  const visit = useVisit();
  if (revealed !== null) return <Delivered fulfilment={revealed} secrets={opened.sold.category.secrets} />;
  if (!holdsSecrets(opened)) return null;
  const mayReveal = visit.may("reveal");
  return (
    <Sheet title="What was delivered">
      <p>
        {mayReveal
          ? "Anyone with this token or PIN can use it. We log who views it."
          : "Only owners and finance can see tokens and PINs."}
      </p>
      {mayReveal ? (
        <Form action={`${purchasePath(visit, opened.purchase.reference)}/reveal`} submit="Show it" kind="plain" />
      ) : null}
    </Sheet>
  );
}

function titleOf({ title, moved }: MerchantStep): string {
  return moved === undefined ? title : `${title}: ${moneyText(moved.amount)}`;
}

/** A member who sets endpoints up sees the address of each attempt whole, the others its host. */
function triedText(visit: ModeVisit, { event, url }: NonNullable<MerchantStep["delivery"]>): string {
  return `${event} to ${visit.may("develop") ? url : new URL(url).host}. `;
}

/** A step's second line; under the last try of each delivery, the way to send it again. */
function StepDetail({ step, steps }: { readonly step: MerchantStep; readonly steps: readonly MerchantStep[] }) {
  const visit = useVisit();
  const { detail, moved, delivery: shown } = step;
  if (moved !== undefined) return <>{`${moneyText(moved.before)} → ${moneyText(moved.after)}`}</>;
  if (shown === undefined) return <>{detail}</>;
  const isLast = steps.findLast((each) => each.delivery?.id === shown.id) === step;
  const tried = triedText(visit, shown) + detail;
  if (!isLast || !visit.may("develop")) return <>{tried}</>;
  const delivery = visit.to(`webhooks/deliveries/${shown.id}`);
  return (
    <>
      {tried}
      <div class="buttons">
        <ButtonLink href={delivery} size="small">
          See what we sent
        </ButtonLink>
        <Form action={`${delivery}/resend`} submit="Resend webhook" kind="plain" size="small" isInline />
      </div>
    </>
  );
}
