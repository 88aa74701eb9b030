import type { Product } from "../../../categories/product/product.ts";
import { quote } from "../../../domain/catalogue/pricing.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findMerchant } from "../../../domain/merchants/queries.ts";
import { type ExplainedRoute, explainRoutes } from "../../../domain/suppliers/routing/explain-routes.ts";
import { sampleSale } from "../../../domain/suppliers/routing/sample-sale.ts";
import { type Kobo, notAnAmount, readAmount, subtract } from "../../../kernel/money.ts";
import { Refusal } from "../../../kernel/problems.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { columnsOf } from "../../kit/columns.tsx";
import { formOf, type Form as SentForm, type Typed, typedForm, wrong } from "../../kit/form.ts";
import { TextField } from "../../kit/parts/fields.tsx";
import { Button, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { TableSheet } from "../../kit/parts/list.tsx";
import { Money, moneyText, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { factsOf, LeftOut, OffOffer, orderNames, productAt, productRoutesPath, routesPath } from "./words.tsx";

const column = columnsOf<ExplainedRoute>();

/** Which supplier would sell a product to a merchant now, which next, and why not the others. Nothing is sold. */
export function explainPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(`${routesPath}/:product/explain`, {
    capability: "see_suppliers",
    show: (visit) => explainPage(services, visit),
  });
}

interface Explained {
  readonly summary: string;
  readonly total: Kobo;
  readonly routes: readonly ExplainedRoute[];
}

async function explainPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const product = await productAt(services, visit);
  const form = formOf(visit.query);
  const found = form.text("merchant") === "" ? null : await explain(services, product, form).catch(refusalOf);
  const refusal = found instanceof Refusal ? found : null;
  const typed = typedForm(form, refusal);
  return page(
    {
      title: "Explain a sale",
      note: `${product.name}: which supplier would sell it now`,
      crumbs: [["Routes", routesPath] as const, [product.name, productRoutesPath(product)] as const],
      ...{ problem: typed.whole, status: refusal === null ? 200 : 400 },
    },
    <>
      {found === null || found instanceof Refusal ? null : <Result product={product} {...found} />}
      <Sheet title="The sale" note="Nothing is sold">
        <Question product={product} typed={typed} />
      </Sheet>
      <p class="hint">
        By what all processes stored in the last seconds. A breaker that opened within the last second isn’t seen yet.
      </p>
    </>,
  );
}

function refusalOf(error: unknown): Refusal {
  if (error instanceof Refusal) return error;
  throw error;
}

/** @throws Refusal VALIDATION_ERROR at the fields */
async function explain(services: OperatorServices, product: Product, form: SentForm): Promise<Explained> {
  const { reads, catalogue } = services;
  const id = parseMerchantId(form.text("merchant"));
  const merchant = id === null ? null : await findMerchant(reads, id);
  if (merchant === null) throw wrong("merchant", "No merchant has this ID. Write it as mer_17.");
  const [typedAmount, typedQuantity] = [form.text("amount"), form.text("quantity")];
  const amount = typedAmount === "" ? undefined : readAmount(typedAmount);
  if (amount === null) throw wrong("amount", notAnAmount(typedAmount));
  if (!/^[0-9]{0,6}$/.test(typedQuantity)) throw wrong("quantity", "Type a whole number.");
  const quantity = typedQuantity === "" ? undefined : Number(typedQuantity);
  const current = await catalogue.current();
  const buyer = { merchantId: merchant.id, priceTier: merchant.price_tier };
  const bought = quote(product, current.priceOf(product, buyer), sampleSale(product, { amount, quantity }));
  const reference = form.text("reference");
  const { by, routes } = explainRoutes(await factsOf(services, [product.id]), {
    product,
    amounts: bought,
    purchase: reference === "" ? null : { merchantId: merchant.id, reference },
  });
  const whom = `${merchant.name} (${formatMerchantId(merchant.id)})`;
  return { summary: `${whom} pays ${moneyText(bought.total)}. ${orderNames[by]}.`, total: bought.total, routes };
}

function Result({ product, summary, total, routes }: Explained & { readonly product: Product }) {
  return (
    <>
      <OffOffer product={product} />
      <TableSheet
        title={summary}
        caption="Suppliers, the first first"
        rows={routes}
        columns={[
          { title: "Place", cell: ({ place }) => (place === null ? "–" : String(place)), place: "pick" },
          column.lead("Supplier", ({ route }) => route.supplier),
          column.more("Why", ({ why }) => why.charAt(0).toUpperCase() + why.slice(1)),
          { title: "Cost", cell: ({ cost }) => (cost === null ? "–" : <Money amount={cost} />), place: "amount" },
          column.end("Margin", ({ cost }) => (cost === null ? "–" : <Money amount={subtract(total, cost)} isSigned />)),
          column.status("State", ({ isLeftOut, place, why }) =>
            isLeftOut ? (
              <LeftOut why={why} />
            ) : (
              <Status kind={place === 1 ? "good" : "quiet"}>{place === 1 ? "Sells it" : "Next"}</Status>
            ),
          ),
        ]}
        empty={<Empty title="No supplier sells this product">Add a route. Until then sales are refused.</Empty>}
      />
    </>
  );
}

function Question({ product, typed }: { readonly product: Product; readonly typed: Typed }) {
  return (
    <form class="form" method="get" action={`${productRoutesPath(product)}/explain`}>
      <TextField
        {...typed.field("merchant")}
        label="Merchant"
        hint="Its ID, such as mer_17. Its price decides the margin."
      />
      {product.amountType === "fixed" ? null : (
        <TextField
          {...typed.field("amount")}
          label={`Amount in ${product.faceCurrency}`}
          hint="Leave empty for the least that is sold."
          keys="decimal"
          isRequired={false}
        />
      )}
      {product.maxQuantity === 1 ? null : (
        <TextField {...typed.field("quantity")} label="Quantity" keys="numeric" isRequired={false} />
      )}
      <TextField
        {...typed.field("reference")}
        label="The merchant’s reference"
        hint="A choice by weight falls by it, the same each time."
        lengthMax={100}
        isRequired={false}
      />
      <div class="buttons">
        <Button kind="main">Explain sale</Button>
      </div>
    </form>
  );
}
