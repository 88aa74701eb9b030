import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import type { FindByReference } from "../../domain/purchases/find.ts";
import { findNamed } from "../../domain/purchases/find.ts";
import { type Purchase, totalDeductedOf } from "../../domain/purchases/purchase.ts";
import { type SoldProduct, soldProductOf } from "../../domain/purchases/sold-product.ts";
import { messageOf } from "../../domain/purchases/transaction-object.ts";
import { type MerchantStep, readMerchantTimeline } from "../../domain/search/merchant-timeline.ts";
import { failureCodes } from "../../kernel/failure-codes.ts";
import type { TransactionIds, WalletKey } from "../../kernel/ids.ts";
import type { Database } from "../../platform/database/database.ts";
import { CopyButton } from "../parts/copy-button.tsx";
import { Facts } from "../parts/facts.tsx";
import { Moment, type MomentFormat } from "../parts/moment.tsx";
import { Money, moneyText } from "../parts/money.tsx";
import { Timeline } from "../parts/timeline.tsx";
import type { ModeVisit } from "../visit.ts";

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

const states = { done: "done", waiting: "waiting", failed: "failed" } as const;

/** Amount, facts and timeline of one purchase. */
export function TransactionView({
  opened,
  format,
}: {
  readonly visit: ModeVisit;
  readonly opened: OpenedTransaction;
  readonly format: MomentFormat;
}) {
  const { purchase, sold, transactionId, steps } = opened;
  const { product } = sold;
  return (
    <>
      <p class="figure">
        <Money amount={purchase.total} />
      </p>
      <p class="hint">
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
      <Timeline
        label={`What happened to ${purchase.reference}`}
        steps={steps.map(({ state, title, detail, moved, at }) => ({
          state: states[state],
          title: moved === undefined ? title : `${title} ${moneyText(moved.amount)}`,
          at: at === null ? undefined : <Moment at={at} format={format} style="time" />,
          children: moved === undefined ? detail : `${moneyText(moved.before)} → ${moneyText(moved.after)}`,
        }))}
      />
    </>
  );
}
