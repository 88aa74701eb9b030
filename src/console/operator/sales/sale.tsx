import { listSaleEntries, type StoredEntry } from "../../../domain/audit/audit-queries.ts";
import { readTimeline } from "../../../domain/history/search/timeline.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { type Purchase, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import { findWaiting } from "../../../domain/resolution/review/review-queries.ts";
import { type DueWebhook, listWebhooksOfPurchase } from "../../../domain/webhooks/events/purchase-webhook-queries.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Copied, customerText, Delivered } from "../../kit/delivered.tsx";
import { detail } from "../../kit/detail.ts";
import { type Typed, untouched } from "../../kit/form.ts";
import { Facts, Timeline } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Moment, moneyText } from "../../kit/parts/text.tsx";
import { channelNames, SaleHead, saleStatus } from "../../kit/sale.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { personName } from "../audit/audit-words.ts";
import { merchantPath } from "../merchants/found-merchant.ts";
import { productRoutesPath } from "../routes/words.tsx";
import type { OperatorServices } from "../services.ts";
import {
  askSupplier,
  askToReveal,
  canAskSupplier,
  canRefund,
  enterSaleLook,
  goodwill,
  mayReveal,
  type OpenSale,
  openSale,
  resendOrAsk,
  revealGoods,
} from "./acting.ts";
import { saleSteps } from "./steps.tsx";
import { salePath } from "./words.ts";

const looksShown = 20;

/** One sale with all that happened to it, and what can be done about it. */
export function salePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = detail(routes, {
    at: "/operator/sales/:id",
    may: "look",
    find: (visit) => openSale(services, visit),
    audit: (visit, sale) => enterSaleLook(services, visit, sale),
    show: (visit, sale, typed) => salePage(services, visit, { sale, typed }),
    actions: {
      ask: [
        "ask_supplier",
        (visit, sale) => askSupplier(services, visit, sale, salePath(services.transactionIds, sale.purchase)),
      ],
      resend: ["act_on_sales", (visit, sale, form) => resendOrAsk(services, visit, sale, form.text("delivery"))],
      reveal: ["act_on_sales", (visit, sale, form) => revealOrAsk(services, visit, sale, form.text("why"))],
    },
  });
  goodwill.addTo(routes, services, show);
}

async function revealOrAsk(services: OperatorServices, visit: StaffVisit, sale: OpenSale, why: string) {
  if (!holdsSecrets(sale)) return null;
  if (!(await mayReveal(services, visit, sale))) return askToReveal(services, visit, sale, why);
  const revealed = await revealGoods(services, visit, sale);
  await enterSaleLook(services, visit, sale);
  return salePage(services, visit, { sale, typed: untouched, revealed });
}

function holdsSecrets({ purchase: { status, fulfilment }, sold }: OpenSale): boolean {
  return status === "successful" && fulfilment !== null && sold.category.secrets.length > 0;
}

interface Shown {
  readonly sale: OpenSale;
  readonly typed: Typed;
  readonly revealed?: JsonObject | null;
}

async function salePage(
  services: OperatorServices,
  visit: StaffVisit,
  { sale, typed, revealed = null }: Shown,
): Promise<PageAnswer> {
  const { reads, transactionIds } = services;
  const { purchase, sold, transactionId } = sale;
  const [timeline, merchant, waiting, looks, webhooks, reveals] = await Promise.all([
    readTimeline({ database: reads, transactionIds }, purchase, await services.catalogue.current()),
    findMerchant(reads, purchase.wallet.merchantId),
    findWaiting(reads, purchase),
    listSaleEntries(services.database, transactionId, looksShown),
    listWebhooksOfPurchase(reads, purchase.wallet, purchase.id),
    mayReveal(services, visit, sale),
  ]);
  const merchantName = merchant?.name ?? "the merchant";
  const isGivenBack = timeline.events.some(({ facts }) => facts.entry_kind === "goodwill");
  const inReview = waiting?.step === "review";
  return page(
    {
      title: purchase.reference,
      crumbs: [["Transactions", "/operator/sales"]],
      state: saleStatus(purchase),
      note: `${sold.product.name}, sold by ${merchantName}`,
      actions:
        inReview && visit.may("see_review") ? (
          <ButtonLink href={`/operator/review/${transactionId}`} kind="main">
            Open in review
          </ButtonLink>
        ) : undefined,
    },
    <Columns>
      <div>
        <SaleFacts {...{ sale, merchantName }} />
        {revealed === null ? null : <Delivered fulfilment={revealed} secrets={sold.category.secrets} />}
        <Sheet title="What happened">
          <Timeline label={`What happened to ${purchase.reference}`} steps={saleSteps(timeline.events)} />
        </Sheet>
      </div>
      <div>
        <Actions {...{ visit, sale, typed, transactionIds, isGivenBack, webhooks, reveals }} />
        <Looks looks={looks} />
      </div>
    </Columns>,
  );
}

function SaleFacts({ sale, merchantName }: { readonly sale: OpenSale; readonly merchantName: string }) {
  const { purchase, transactionId, sold } = sale;
  const { customerRef, phone, errorCode, wallet, supplier, providerReference } = purchase;
  return (
    <Sheet>
      <SaleHead purchase={purchase} product={sold.product}>
        , sold by <a href={merchantPath(wallet.merchantId)}>{merchantName}</a>.{modeNotes[wallet.mode]}
      </SaleHead>
      <Facts
        facts={{
          Reference: <Copied text={purchase.reference} subject="the reference" />,
          "Transaction ID": <Copied text={transactionId} subject="the transaction ID" />,
          "Supplier’s ID": providerReference && <Copied text={providerReference} subject="the supplier’s ID" />,
          Supplier: supplier && <a href={productRoutesPath(sold.product)}>{supplier}</a>,
          Phone: phone === null || phone === customerRef ? null : customerText(phone),
          Sold: <Moment at={purchase.purchasedAt} style="full" />,
          Channel: channelNames[purchase.channel],
          Price: priceText(purchase),
          "Bulk order": purchase.bulk?.reference,
          "Error code": errorCode && <code>{errorCode}</code>,
        }}
      />
    </Sheet>
  );
}

/** Nothing was sold in the sandbox, and the page says so. */
const modeNotes: Readonly<Record<Mode, string>> = { live: "", test: " Sandbox." };

/** How the price came about: pieces at a price each, and the fee. */
function priceText(purchase: Purchase): string {
  const { quantity, unitAmount, fee, faceAmount } = purchase;
  const face = faceAmount === null ? "" : ` (face value ${moneyText(faceAmount)})`;
  const fees = fee === 0n ? "" : `, fee ${moneyText(fee)}`;
  const deducted = totalDeductedOf(purchase);
  return `${quantity} × ${moneyText(unitAmount)}${face}${fees}; charged ${moneyText(deducted)}`;
}

interface ActionProps {
  readonly visit: StaffVisit;
  readonly sale: OpenSale;
  readonly typed: Typed;
  readonly transactionIds: OperatorServices["transactionIds"];
  /** The merchant has the price back as goodwill already. */
  readonly isGivenBack: boolean;
  readonly webhooks: readonly DueWebhook[];
  /** The person who looks may see what was delivered, and need not ask. */
  readonly reveals: boolean;
}

/** What the role may do with the sale as it stands; nothing where that is nothing. */
function Actions({ visit, sale, typed, transactionIds, isGivenBack, webhooks, reveals }: ActionProps) {
  const { purchase } = sale;
  const mayAct = visit.may("act_on_sales");
  const path = salePath(transactionIds, purchase);
  return (
    <>
      {canAskSupplier(purchase) && visit.may("ask_supplier") ? (
        <Sheet title="Ask the supplier">
          <p>{purchase.supplier} is asked now what became of this sale. A clear answer ends it.</p>
          <Form action={`${path}/ask`} submit={`Ask ${purchase.supplier} now`} kind="plain" />
        </Sheet>
      ) : null}
      {holdsSecrets(sale) && mayAct ? (
        <Sheet title="What was delivered">
          <p>Anyone with this token or PIN can use it. We log who views it.</p>
          <Form
            action={`${path}/reveal`}
            submit={reveals ? "Show token or PIN" : "Ask to see token or PIN"}
            kind="plain"
          >
            {reveals ? null : <TextField {...typed.field("why")} label="Why" lengthMax={200} />}
          </Form>
        </Sheet>
      ) : null}
      {mayAct && webhooks.length > 0 ? (
        <Sheet title="Webhooks of this sale">
          {webhooks.map(({ id, event, endpointNumber }) => (
            <Form
              key={id}
              action={`${path}/resend`}
              hidden={{ delivery: id }}
              submit={`${visit.may("reveal") ? "Resend" : "Ask to resend"} ${event} to webhook ${endpointNumber}`}
              kind="plain"
            />
          ))}
        </Sheet>
      ) : null}
      {canRefund(purchase) && !isGivenBack && mayAct ? (
        <Sheet title="Refund as goodwill">
          <p>
            The merchant gets {moneyText(purchase.total)} back at our cost. The sale stays delivered. A second person
            approves.
          </p>
          {goodwill.draw(visit, typed, sale)}
        </Sheet>
      ) : null}
    </>
  );
}

const commandNames: Readonly<Record<string, string>> = {
  "console sale look": "Looked",
  "console sale reveal": "Saw the token or PIN",
  "console sale ask supplier": "Asked the supplier",
  "console sale answers": "Saw the supplier’s whole answers",
  "console approval ask": "Asked for a change",
  "console approval approve": "Approved a change",
  "console approval refuse": "Refused a change",
  "console approval alone": "Changed it alone",
};

function Looks({ looks }: { readonly looks: readonly StoredEntry[] }) {
  return (
    <TableSheet
      title="Who looked"
      caption="Who looked, the latest first"
      rows={looks}
      columns={[
        { title: "Who", cell: ({ who }) => personName(who), place: "lead" },
        { title: "What", cell: ({ command }) => commandNames[command] ?? command, place: "sub" },
        { title: "When", cell: ({ at }) => <Moment at={at} style="list" />, place: "state" },
      ]}
    />
  );
}
