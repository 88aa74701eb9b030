import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { type FindByReference, findNamed } from "../../domain/purchases/find.ts";
import { type Purchase, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { type SoldProduct, soldProductOf } from "../../domain/purchases/sold-product.ts";
import { messageOf } from "../../domain/purchases/transaction-object.ts";
import { type MerchantStep, readMerchantTimeline } from "../../domain/search/merchant-timeline.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import type { TransactionIds, WalletKey } from "../../kernel/ids.ts";
import type { JsonObject } from "../../kernel/json.ts";
import type { Database } from "../../platform/database/database.ts";
import { CopyButton, Facts, Timeline } from "../kit/parts/data.tsx";
import { ButtonLink, Buttons } from "../kit/parts/layout.tsx";
import { Moment, type MomentFormat, Money, moneyText, sinceText } from "../kit/parts/text.tsx";
import { type ModeVisit, modePath } from "../kit/visit.ts";
import { VisitForm } from "../kit/visit-form.tsx";
import { may } from "./access.ts";
import { Delivered } from "./buy/delivered.tsx";
import { requeryCurl } from "./requery-curl.ts";
import { holdsSecrets } from "./reveal.ts";

/** One purchase with all that happened to it. */
export interface OpenedTransaction {
  readonly purchase: Purchase;
  readonly sold: SoldProduct;
  readonly transactionId: string;
  readonly steps: readonly MerchantStep[];
}

/** Reads a purchase by the merchant's reference or our id; null where neither names one of this wallet. */
export async function readTransaction(
  services: {
    readonly database: Database;
    readonly catalogue: Catalogue;
    readonly findByReference: FindByReference;
    readonly transactionIds: TransactionIds;
  },
  wallet: WalletKey,
  name: string,
): Promise<OpenedTransaction | null> {
  const purchase = await findNamed(services, wallet, name);
  if (purchase === null) return null;
  const [products, steps] = await Promise.all([
    services.catalogue.current(),
    readMerchantTimeline(services.database, purchase),
  ]);
  const transactionId = services.transactionIds.format(purchase.id, wallet.mode);
  return { purchase, sold: soldProductOf(products, purchase), transactionId, steps };
}

interface TransactionViewProps {
  readonly visit: ModeVisit;
  readonly opened: OpenedTransaction;
  readonly format: MomentFormat;
  /** What was handed over, in the one answer to whoever asked for it. */
  readonly revealed?: JsonObject | null;
}

/** Amount, facts, what can be done and timeline of one purchase. */
export function TransactionView({ visit, opened, format, revealed = null }: TransactionViewProps) {
  const { purchase, sold, transactionId, steps } = opened;
  const { product } = sold;
  return (
    <>
      <p class="amount-large">
        <Money amount={purchase.total} />
      </p>
      <p class="quiet">
        {purchase.quantity > 1 ? `${purchase.quantity} × ` : ""}
        {product.name}
        {purchase.customerRef === null ? null : (
          <>
            {" "}
            for <code>{purchase.customerRef}</code>
          </>
        )}
      </p>
      <Facts
        facts={[
          {
            name: "Reference",
            value: (
              <>
                <code>{purchase.reference}</code> <CopyButton text={purchase.reference} subject="the reference" />
              </>
            ),
          },
          { name: "Transaction", value: <code>{transactionId}</code> },
          ...(purchase.errorCode === null
            ? []
            : [
                {
                  name: "Why",
                  value: (
                    <>
                      {failureCodes[purchase.errorCode]} <code>{purchase.errorCode}</code>
                    </>
                  ),
                },
              ]),
          { name: "Charged", value: <Money amount={totalDeductedOf(purchase)} /> },
          { name: "Channel", value: purchase.channel },
          { name: "Bought", value: <Moment at={purchase.purchasedAt} format={format} style="full" /> },
          { name: "Result", value: messageOf(purchase, product) },
        ]}
      />
      <Handed {...{ visit, opened, revealed }} />
      <Buttons>
        <ButtonLink href={`${placeOf(visit, opened)}/receipt`}>Receipt</ButtonLink>
        {may(visit.member.role, "read_requests") ? (
          <CopyButton text={requeryCurl(visit, purchase.reference)} subject="the requery" label="Copy as curl" />
        ) : null}
      </Buttons>
      <Timeline
        label={`What happened to ${purchase.reference}`}
        steps={steps.map((step, place) => ({
          state: step.state,
          title: titleOf(visit, step),
          at: step.at === null ? undefined : <Moment at={step.at} format={format} style="millisecond" />,
          since: place === 0 ? null : sinceText(steps[0]?.at ?? null, step.at),
          children: <StepDetail {...{ visit, step, steps }} />,
        }))}
      />
    </>
  );
}

/** The page of one purchase. */
export function placeOf(visit: ModeVisit, { purchase }: Pick<OpenedTransaction, "purchase">): string {
  return modePath(visit, `transactions/${encodeURIComponent(purchase.reference)}`);
}

/** A token or PIN: hidden until somebody who may asks for it. */
function Handed(props: {
  readonly visit: ModeVisit;
  readonly opened: OpenedTransaction;
  readonly revealed: JsonObject | null;
}) {
  const { visit, opened, revealed } = props;
  const { purchase, sold } = opened;
  if (revealed !== null) return <Delivered fulfilment={revealed} secrets={sold.category.secrets} />;
  if (!holdsSecrets(purchase, sold)) return null;
  if (!may(visit.member.role, "reveal")) {
    return <p class="hint">Only owners and finance can see tokens and PINs.</p>;
  }
  return (
    <>
      <p class="hint">Anyone who reads what was delivered can use it. We log who views it.</p>
      <VisitForm visit={visit} action={`${placeOf(visit, opened)}/reveal`} submit="Show it" kind="plain" />
    </>
  );
}

/** Whoever sets endpoints up sees the address of each attempt whole, the others its host. */
function titleOf({ member }: ModeVisit, { title, moved, delivery }: MerchantStep): string {
  if (moved !== undefined) return `${title} ${moneyText(moved.amount)}`;
  if (delivery === undefined) return title;
  return `${title} to ${may(member.role, "develop") ? delivery.url : new URL(delivery.url).host}`;
}

/** A step's second line; under the last try of each delivery, the way to send it again. */
function StepDetail(props: {
  readonly visit: ModeVisit;
  readonly step: MerchantStep;
  readonly steps: readonly MerchantStep[];
}) {
  const { visit, step, steps } = props;
  const { detail, moved, delivery: told } = step;
  if (moved !== undefined) return <>{`${moneyText(moved.before)} → ${moneyText(moved.after)}`}</>;
  const isLast = told !== undefined && steps.findLast((each) => each.delivery?.id === told.id) === step;
  if (!isLast || !may(visit.member.role, "develop")) return <>{detail}</>;
  const delivery = modePath(visit, `webhooks/deliveries/${told.id}`);
  return (
    <>
      {detail} <a href={delivery}>What was sent</a>
      <VisitForm visit={visit} action={`${delivery}/resend`} submit="Send it again" kind="plain" isInline />
    </>
  );
}
