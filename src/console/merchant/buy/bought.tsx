import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import {
  amountOf,
  discountOf,
  type Purchase,
  soldProductOf,
  totalDeductedOf,
} from "../../../domain/purchases/purchase.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Money, moneyText } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { openTo } from "../team/own-sales.ts";
import { withoutCodes } from "../transactions/codes.tsx";
import { Delivered } from "../transactions/delivered.tsx";
import { Customer, purchasePath, purchaseStatus } from "../transactions/purchase.tsx";
import { ReportProblem } from "../transactions/report-problem.tsx";
import { type BoughtPurchase, reveal, revealOwn } from "../transactions/reveal.ts";
import { boughtPath, savedCustomers } from "./customers.ts";
import { percentOf } from "./pay.tsx";
import { Result } from "./result.tsx";
import { SaveCustomer } from "./save-customer.tsx";

/** What became of a sale by hand, and its PINs or token for whoever may see them. */
export function boughtPages(routes: ModeRoutes, services: MerchantServices): void {
  const showing = (open: typeof reveal) => async (visit: ModeVisit) => {
    const bought = await findBought(services, visit);
    return bought === null
      ? notBoughtPage(visit)
      : boughtPage(services, visit, bought, await open(services, visit, bought));
  };
  routes.page("/buy/bought/:reference", { capability: "buy", show: showing(revealOwn) });
  routes.form("/buy/bought/:reference", {
    capability: "hand_over",
    doneAt: (visit) => boughtPath(visit, visit.param("reference")),
    show: notBoughtPage,
    send: showing(reveal),
  });
}

async function findBought(services: MerchantServices, visit: ModeVisit): Promise<BoughtPurchase | null> {
  const reference = parseStoredReference(visit.param("reference"));
  if (reference === null) return null;
  const purchase = await openTo(services, visit, await services.findByReference({ wallet: visit.wallet, reference }));
  if (purchase === null) return null;
  return { purchase, sold: soldProductOf(await services.catalogue.current(), purchase) };
}

function notBoughtPage(visit: ModeVisit): PageAnswer {
  return page(
    { title: "You haven’t been charged", status: 404 },
    <Sheet>
      <Empty title="No sale has this reference" action={<ButtonLink href={visit.to("buy")}>Buy</ButtonLink>}>
        If you pressed the button a moment ago, load this page again before you sell it once more.
      </Empty>
    </Sheet>,
  );
}

/** `revealed` is what was handed over, where somebody asked for it; null: it stays hidden. */
async function boughtPage(
  services: MerchantServices,
  visit: ModeVisit,
  bought: BoughtPurchase,
  revealed: JsonObject | null,
): Promise<PageAnswer> {
  const { purchase, sold } = bought;
  const { product, category } = sold;
  const isOpen = purchase.status === "successful" && category.secrets.length === 0;
  const delivered = isOpen ? openFulfilment(services.secretBox, purchase) : revealed;
  const company = await services.people.company();
  const saved = purchase.customerRef === null ? [] : await savedCustomers(services, visit, purchase.customerRef);
  const transactionId = services.transactionIds.format(purchase.id, visit.mode);
  const { reference, customerRef } = purchase;
  return page(
    {
      title: `${product.name}: ${purchase.status === "successful" ? "delivered" : purchase.status}`,
      heading: `${product.name}, ${moneyText(amountOf(purchase))}`,
      state: purchaseStatus(purchase),
      ...(customerRef === null
        ? {}
        : {
            note: (
              <>
                For <Customer text={customerRef} />
              </>
            ),
          }),
      actions: <ButtonLink href={visit.to("buy")}>Sell to somebody else</ButtonLink>,
    },
    <Columns kind="aside">
      <div>
        <Live tableId="bought" isOn={purchase.status === "pending"} />
        <div id="bought">
          <Result bought={bought} delivered={delivered} />
        </div>
        <Rest fulfilment={delivered} secrets={category.secrets} />
      </div>
      <div class="stay">
        <Sheet title="Payment">
          <Payment purchase={purchase} />
        </Sheet>
        {saved.some((each) => each.category === category && each.number === customerRef) ? null : (
          <SaveCustomer bought={bought} />
        )}
        <Sheet>
          {visit.may("look") ? (
            <p>
              <a href={purchasePath(visit, reference)}>Open transaction</a>
            </p>
          ) : null}
          <ReportProblem {...{ company, reference, transactionId }} product={product.name} />
        </Sheet>
      </div>
    </Columns>,
  );
}

function Payment({ purchase }: { readonly purchase: Purchase }) {
  const deducted = totalDeductedOf(purchase);
  const [amount, discount] = [amountOf(purchase), discountOf(purchase)];
  return (
    <Facts
      isMoney
      facts={{
        Amount: <Money amount={amount} />,
        Fee: purchase.fee > 0n ? <Money amount={purchase.fee} isSigned /> : null,
        [`Your discount, ${percentOf(discount, amount)}`]: discount > 0n ? <Money amount={-discount} /> : null,
        "You paid": <Money amount={deducted} />,
        "Balance after": useVisit().may("see_balance") ? (
          <Money amount={subtract(purchase.balanceBefore, deducted)} />
        ) : null,
      }}
    />
  );
}

/** What else was handed over; the codes stand large above it. */
function Rest({
  fulfilment,
  secrets,
}: {
  readonly fulfilment: JsonObject | null;
  readonly secrets: readonly string[];
}) {
  if (fulfilment === null) return null;
  return <Delivered fulfilment={withoutCodes(fulfilment, secrets)} secrets={secrets} />;
}
