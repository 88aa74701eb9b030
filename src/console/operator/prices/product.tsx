import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import { offerProduct, withdrawProduct } from "../../../domain/catalogue/changes/administration.ts";
import { renameProduct } from "../../../domain/catalogue/changes/present-product.ts";
import { lineOf } from "../../../domain/catalogue/price-changes/price-change.ts";
import { type HistoryRow, listPriceHistory } from "../../../domain/catalogue/price-changes/price-line-queries.ts";
import { marginOf, scopesOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { deedIn, type Form as SentForm, type Typed, wrong } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { TextField } from "../../kit/parts/fields.tsx";
import { Form } from "../../kit/parts/form.tsx";
import { Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import { refuseStale, seen } from "../../kit/stale.ts";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { makerName } from "./change-tables.tsx";
import type { PriceTable } from "./price-query.ts";
import { CostText, changesPath, MarginText, PriceText, pricesPath, productPath, scopeName } from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

const historyMax = 100;

/** One product: what each pays, how its prices came about, and whether it is on sale. */
export function productPages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  const path = `${pricesPath}/products/:id`;
  const show = async (visit: StaffVisit, typed: Typed) => productPage(services, visit, { typed, table: await read() });
  routes.page(path, { capability: "see_prices", show });
  const doneAt = (visit: StaffVisit) => `${pricesPath}/products/${visit.param("id")}`;
  const change = { capability: "change_prices", doneAt, show } as const;
  routes.form(`${path}/sale`, {
    ...change,
    send: async (visit, form) => changeSale(services, visit, { form, product: productIn(visit, await read()) }),
  });
  routes.form(`${path}/names`, {
    ...change,
    send: async (visit, form) => rename(services, visit, { form, product: productIn(visit, await read()) }),
  });
}

/** @throws Refusal PRODUCT_NOT_FOUND */
function productIn(visit: StaffVisit, { catalogue }: PriceTable): Product {
  const product = catalogue.findProduct((wholeNumber(visit.param("id")) ?? 0) as ProductId);
  if (product === null) throw refuse("PRODUCT_NOT_FOUND");
  return product;
}

async function changeSale(
  services: OperatorServices,
  visit: StaffVisit,
  { form, product }: { readonly form: SentForm; readonly product: Product },
): Promise<Answer> {
  const isOn = deedIn(form, ["on", "off"]) === "on";
  const typed = form.text("replaced_by");
  const replacedBy = wholeNumber(typed) as ProductId | null;
  if (typed !== "" && replacedBy === null) {
    throw wrong("replaced_by", "Write a product’s number, such as 1002, or nothing.");
  }
  const command = isOn ? "console product on-sale" : "console product off-sale";
  const details = { product: product.id, ...(replacedBy === null ? {} : { replaced_by: replacedBy }) };
  const database = changing(services, visit, command, details);
  if (isOn) await offerProduct(database, product.id);
  else await withdrawProduct(database, product.id, replacedBy);
  return goTo(productPath(product), isOn ? `${product.name} is on sale.` : `${product.name} is off sale.`);
}

async function rename(
  services: OperatorServices,
  visit: StaffVisit,
  { form, product }: { readonly form: SentForm; readonly product: Product },
): Promise<Answer> {
  const [name, number] = [form.text("name"), form.text("legacy_plan")];
  const legacyPlan = wholeNumber(number);
  if (number !== "" && legacyPlan === null) throw wrong("legacy_plan", "Enter a whole number from 1 to 999.");
  refuseStale(form, namesText(product));
  const names = { name, ...(legacyPlan === null ? {} : { legacyPlan }) };
  const database = changing(services, visit, "console product names", { product: product.id, ...names });
  await renameProduct(database, product.id, names);
  return goTo(productPath(product), `Saved: ${name}.`);
}

function namesText({ name, legacyPlanId }: Product): string {
  return [name, legacyPlanId].filter((part) => part !== null).join("; ");
}

async function productPage(
  { reads }: OperatorServices,
  visit: StaffVisit,
  { typed, table }: { readonly typed: Typed; readonly table: PriceTable },
): Promise<PageAnswer> {
  const product = productIn(visit, table);
  const history = await listPriceHistory(reads, product.id, historyMax);
  const { id, name, code, biller, available, replacedBy } = product;
  return page(
    {
      title: name,
      state: isOnOffer(product) ? <Status kind="good">on sale</Status> : <Status kind="stop">off sale</Status>,
      crumbs: [["Prices", pricesPath]],
    },
    <>
      <Sheet title="Product">
        <Facts
          facts={{
            Number: <code>{id}</code>,
            Code: <code>{code}</code>,
            Biller: `${biller.name}, ${biller.category}`,
            "Biller’s state": biller.status === "available" ? null : biller.status,
            "Replaced by": replacedBy === null ? null : <a href={productPath({ id: replacedBy })}>{replacedBy}</a>,
          }}
        />
      </Sheet>
      <PricesOf {...{ product, table }} />
      <TableSheet
        title="History"
        note="Changes of its prices, the newest first"
        caption="History of prices"
        rows={history}
        href={({ changeId }) => `${changesPath}/${changeId}`}
        columns={historyColumns}
        empty={<Empty title="No change yet">Its prices are those it came with.</Empty>}
      />
      {visit.may("change_prices") ? (
        <Columns>
          <NamesForm {...{ product, typed }} />
          <SaleForm {...{ product, typed }} isOn={available} />
        </Columns>
      ) : null}
    </>,
  );
}

function PricesOf({ product, table }: { readonly product: Product; readonly table: PriceTable }) {
  const routes = table.routes.routesOf(product.id);
  const rows = scopesOf(table.catalogue.pricedTiers).flatMap((scope) => {
    const price = table.catalogue.ownPrice(product.id, scope);
    return price === null ? [] : [{ scope, price, margin: marginOf(product, price, routes) }];
  });
  return (
    <TableSheet
      title="Prices"
      caption="Prices of this product"
      rows={rows}
      columns={[
        { title: "Price for", place: "lead", cell: ({ scope }) => scopeName(scope) },
        { title: "Price", place: "amount", cell: ({ price }) => <PriceText price={price} /> },
        {
          title: "Cheapest cost",
          align: "end",
          cell: ({ margin }) => (margin === null ? "no supplier" : <CostText cost={margin.route.cost} />),
        },
        { title: "Margin", align: "end", cell: ({ margin }) => <MarginText margin={margin} /> },
      ]}
    />
  );
}

const historyColumns: readonly Column<HistoryRow>[] = [
  { title: "When", place: "lead", cell: ({ at }) => <Moment at={at} /> },
  { title: "Price for", place: "sub", cell: (row) => scopeName(lineOf(row).scope) },
  { title: "Before", align: "end", cell: (row) => <PriceText price={lineOf(row).before} /> },
  { title: "After", place: "amount", cell: (row) => <PriceText price={lineOf(row).after} /> },
  { title: "By", place: "sub", cell: ({ madeBy }) => makerName(madeBy) },
  { title: "Reason", place: "sub", cell: ({ reason }) => reason },
  {
    title: "State",
    place: "state",
    cell: ({ state }) => (state === "scheduled" ? <Status kind="waiting">scheduled</Status> : null),
  },
];

function NamesForm({ product, typed }: Omit<SaleProps, "isOn">) {
  return (
    <Sheet title="What merchants read">
      <Form action={`${productPath(product)}/names`} submit="Save" hidden={seen(namesText(product))}>
        <TextField
          {...typed.field("name", product.name)}
          label="Name"
          hint="What is sold stays the same: for something else, add a product."
          lengthMax={150}
        />
        {product.biller.category === "data" && product.legacyPlanId === null ? (
          <TextField
            {...typed.field("legacy_plan")}
            label="Number for older clients"
            hint="1 to 999. It stays with this product for good."
            keys="numeric"
            isRequired={false}
          />
        ) : null}
      </Form>
    </Sheet>
  );
}

interface SaleProps {
  readonly product: Product;
  readonly typed: Typed;
  readonly isOn: boolean;
}

function SaleForm({ product, typed, isOn }: SaleProps) {
  const action = `${productPath(product)}/sale`;
  return (
    <Sheet title="Sale">
      {isOn ? (
        <Form action={action} submit="Take product off sale" kind="danger" hidden={{ do: "off" }}>
          <TextField
            {...typed.field("replaced_by")}
            label="What to buy instead"
            hint="The number of another product. Merchants get it with the refusal."
            keys="numeric"
            isRequired={false}
          />
        </Form>
      ) : (
        <Form action={action} submit="Put product on sale" hidden={{ do: "on" }} />
      )}
    </Sheet>
  );
}
