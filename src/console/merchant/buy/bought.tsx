import { openFulfilment } from "../../../domain/purchases/fulfilment/sealed-fulfilment.ts";
import { amountOf, discountOf, type Purchase, totalDeductedOf } from "../../../domain/purchases/purchase.ts";
import { type SoldProduct, soldProductOf } from "../../../domain/purchases/sold-product.ts";
import { messageOf } from "../../../domain/purchases/transaction-object.ts";
import { parseStoredReference } from "../../../kernel/ids.ts";
import type { JsonObject } from "../../../kernel/json.ts";
import { subtract } from "../../../kernel/money.ts";
import { type PageAnswer, page } from "../../kit/answer.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Live } from "../../kit/parts/form.tsx";
import { ButtonLink, Buttons, Empty, PageHead, Sheet } from "../../kit/parts/layout.tsx";
import { Moment, Money, momentFormat } from "../../kit/parts/text.tsx";
import type { Routes } from "../../kit/routes.ts";
import { type ModeVisit, modePath } from "../../kit/visit.ts";
import { VisitForm } from "../../kit/visit-form.tsx";
import { may } from "../access.ts";
import { statusOf } from "../purchase-words.tsx";
import { reveal, revealOwn } from "../reveal.ts";
import type { BuyPageServices } from "./buy-services.ts";
import { Delivered } from "./delivered.tsx";

interface BoughtPurchase {
  readonly purchase: Purchase;
  readonly sold: SoldProduct;
}

/** What became of a purchase by hand, and its PINs or token for whoever may see them. */
export function boughtPages(routes: Routes<ModeVisit>, services: BuyPageServices): void {
  routes.page("/buy/bought/:reference", {
    capability: "buy",
    async show(visit) {
      const bought = await findBought(services, visit);
      if (bought === null) return notBoughtPage(visit);
      return boughtPage(services, visit, bought, await revealOwn(services, visit, bought));
    },
  });

  routes.form("/buy/bought/:reference", {
    capability: "reveal",
    async send(visit) {
      const bought = await findBought(services, visit);
      if (bought === null) return notBoughtPage(visit);
      return boughtPage(services, visit, bought, await reveal(services, visit, bought.purchase));
    },
    refused: (visit) => notBoughtPage(visit),
    doneAt: (visit) => modePath(visit, `buy/bought/${encodeURIComponent(referenceIn(visit))}`),
  });
}

function referenceIn({ request }: ModeVisit): string {
  return (request.params as { readonly reference: string }).reference;
}

async function findBought(services: BuyPageServices, visit: ModeVisit): Promise<BoughtPurchase | null> {
  const reference = parseStoredReference(referenceIn(visit));
  if (reference === null) return null;
  const purchase = await services.findByReference({ wallet: visit.wallet, reference });
  if (purchase === null) return null;
  return { purchase, sold: soldProductOf(await services.catalogue.current(), purchase) };
}

function notBoughtPage(visit: ModeVisit): PageAnswer {
  const title = "Nothing bought so far";
  return page(
    title,
    <>
      <PageHead title={title} />
      <Sheet>
        <Empty
          title="No purchase has this reference"
          action={<ButtonLink href={modePath(visit, "buy")}>Buy</ButtonLink>}
        >
          If you pressed the button a moment ago, load this page again before you buy anew.
        </Empty>
      </Sheet>
    </>,
    { status: 404 },
  );
}

/** `revealed` is what was handed over, where somebody asked for it; null: it stays hidden. */
function boughtPage(
  services: BuyPageServices,
  visit: ModeVisit,
  { purchase, sold }: BoughtPurchase,
  revealed: JsonObject | null,
): PageAnswer {
  const { product, category } = sold;
  const transaction = modePath(visit, `transactions/${encodeURIComponent(purchase.reference)}`);
  const result = (
    <div id="bought">
      <Sheet title="Result" note={statusOf(purchase)}>
        <p>{messageOf(purchase, product)}</p>
        <BoughtFacts services={services} purchase={purchase} />
        {visit.request.headers["x-fragment"] !== undefined && purchase.status === "successful" ? (
          <ButtonLink href={visit.request.url}>See what was delivered</ButtonLink>
        ) : null}
      </Sheet>
    </div>
  );
  return page(
    product.name,
    <>
      <PageHead title={product.name}>
        <code>{purchase.reference}</code>
      </PageHead>
      {purchase.status === "pending" ? <Live tableId="bought">{result}</Live> : result}
      <Handed {...{ services, visit, purchase, sold, revealed }} />
      <Buttons>
        <ButtonLink href={modePath(visit, `buy/${category.slug}?product=${product.id}`)} kind="main">
          Buy another
        </ButtonLink>
        <ButtonLink href={transaction}>What happened, step by step</ButtonLink>
      </Buttons>
    </>,
  );
}

function BoughtFacts({ services, purchase }: { readonly services: BuyPageServices; readonly purchase: Purchase }) {
  const deducted = totalDeductedOf(purchase);
  const format = momentFormat(services.timeZone);
  return (
    <Facts
      facts={[
        ...(purchase.customerRef === null ? [] : [{ name: "For", value: <code>{purchase.customerRef}</code> }]),
        { name: "Amount", value: <Money amount={amountOf(purchase)} /> },
        ...(purchase.fee > 0n ? [{ name: "Fee", value: <Money amount={purchase.fee} isSigned /> }] : []),
        ...(discountOf(purchase) > 0n
          ? [{ name: "Discount", value: <Money amount={-discountOf(purchase)} isSigned /> }]
          : []),
        { name: "You paid", value: <Money amount={deducted} /> },
        { name: "Balance after", value: <Money amount={subtract(purchase.balanceBefore, deducted)} /> },
        { name: "Bought", value: <Moment at={purchase.purchasedAt} format={format} style="full" /> },
      ]}
    />
  );
}

/** What was handed over: hidden where it is worth money, until somebody who may asks for it. */
function Handed(props: {
  readonly services: BuyPageServices;
  readonly visit: ModeVisit;
  readonly purchase: Purchase;
  readonly sold: SoldProduct;
  readonly revealed: JsonObject | null;
}) {
  const { services, visit, purchase, sold, revealed } = props;
  const { secrets } = sold.category;
  if (purchase.status !== "successful") return null;
  if (revealed !== null) return <Delivered fulfilment={revealed} secrets={secrets} />;
  if (secrets.length === 0) {
    const open = openFulfilment(services.secretBox, purchase);
    return open === null ? null : <Delivered fulfilment={open} secrets={[]} />;
  }
  if (!may(visit.member.role, "reveal")) return null;
  return (
    <Sheet title="What was delivered">
      <p>Anyone who reads it can use it. We log who views it.</p>
      <VisitForm
        visit={visit}
        action={modePath(visit, `buy/bought/${encodeURIComponent(purchase.reference)}`)}
        submit="Show it"
        kind="plain"
      />
    </Sheet>
  );
}
