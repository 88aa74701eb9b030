import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import {
  amountOf,
  discountOf,
  type Purchase,
  soldProductOf,
  totalDeductedOf,
} from "../../../domain/purchases/purchase.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { Delivered } from "../../kit/delivered.tsx";
import { Facts } from "../../kit/parts/data.tsx";
import { Form, Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money } from "../../kit/parts/text.tsx";
import { type ModeRoutes, type ModeVisit, useVisit } from "../access.ts";
import type { MerchantServices } from "../services.ts";
import { openTo } from "../team/own-sales.ts";
import { purchasePath, purchaseStatus } from "../transactions/purchase.tsx";
import { type BoughtPurchase, reveal, revealOwn } from "../transactions/reveal.ts";

export function boughtPath(visit: ModeVisit, reference: string): string {
  return visit.to(`buy/bought/${encodeURIComponent(reference)}`);
}

/** What became of a purchase by hand, and its PINs or token for whoever may see them. */
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
    { title: "Nothing bought so far", status: 404 },
    <Sheet>
      <Empty title="No purchase has this reference" action={<ButtonLink href={visit.to("buy")}>Buy</ButtonLink>}>
        If you pressed the button a moment ago, load this page again before you buy anew.
      </Empty>
    </Sheet>,
  );
}

/** `revealed` is what was handed over, where somebody asked for it; null: it stays hidden. */
function boughtPage(
  services: MerchantServices,
  visit: ModeVisit,
  bought: BoughtPurchase,
  revealed: JsonObject | null,
): PageAnswer {
  const { purchase, sold } = bought;
  const { product, category } = sold;
  const isPart = visit.request.headers["x-fragment"] !== undefined;
  const isOpen = purchase.status === "successful" && category.secrets.length === 0;
  const delivered = isOpen ? openFulfilment(services.secretBox, purchase) : revealed;
  return page(
    { title: product.name, note: <code>{purchase.reference}</code> },
    <>
      <Live tableId="bought" isOn={purchase.status === "pending"}>
        <div id="bought">
          <Sheet title="Result" note={purchaseStatus(purchase)}>
            <p>{messageOf(purchase, product)}</p>
            <BoughtFacts purchase={purchase} />
            {isPart && purchase.status === "successful" ? (
              <ButtonLink href={visit.request.url}>See what was delivered</ButtonLink>
            ) : null}
          </Sheet>
        </div>
      </Live>
      <Handed bought={bought} delivered={delivered} />
      <Buttons>
        <ButtonLink href={visit.to(`buy/${category.slug}?product=${product.id}`)} kind="main">
          Buy another
        </ButtonLink>
        {visit.may("look") ? (
          <ButtonLink href={purchasePath(visit, purchase.reference)}>Open transaction</ButtonLink>
        ) : (
          <ButtonLink href={`${purchasePath(visit, purchase.reference)}/receipt`}>Receipt</ButtonLink>
        )}
      </Buttons>
    </>,
  );
}

function BoughtFacts({ purchase }: { readonly purchase: Purchase }) {
  const deducted = totalDeductedOf(purchase);
  const discount = discountOf(purchase);
  return (
    <Facts
      facts={{
        For: purchase.customerRef && <code>{purchase.customerRef}</code>,
        Amount: <Money amount={amountOf(purchase)} />,
        Fee: purchase.fee > 0n ? <Money amount={purchase.fee} isSigned /> : null,
        Discount: discount > 0n ? <Money amount={-discount} isSigned /> : null,
        "You paid": <Money amount={deducted} />,
        "Balance after": useVisit().may("see_balance") ? (
          <Money amount={subtract(purchase.balanceBefore, deducted)} />
        ) : null,
        Bought: <Moment at={purchase.purchasedAt} style="full" />,
      }}
    />
  );
}

/** What was handed over: hidden where it is worth money, until somebody who may asks for it. */
function Handed(props: { readonly bought: BoughtPurchase; readonly delivered: JsonObject | null }) {
  const visit = useVisit();
  const { purchase, sold } = props.bought;
  const { secrets } = sold.category;
  if (purchase.status !== "successful") return null;
  if (props.delivered !== null) return <Delivered fulfilment={props.delivered} secrets={secrets} />;
  if (secrets.length === 0 || !visit.may("hand_over")) return null;
  return (
    <Sheet title="What was delivered">
      <p>Anyone who reads it can use it. We log who views it.</p>
      <Form action={boughtPath(visit, purchase.reference)} submit="Show it" kind="plain" />
    </Sheet>
  );
}
