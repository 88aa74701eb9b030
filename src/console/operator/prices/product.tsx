import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import { offerProduct, withdrawProduct } from "../../../domain/catalogue/changes/administration.ts";
import { renameProduct } from "../../../domain/catalogue/changes/present-product.ts";
import { type HistoryRow, listPriceHistory } from "../../../domain/catalogue/price-changes/price-history-queries.ts";
import { lineOf } from "../../../domain/catalogue/price-changes/price-lines.ts";
import { marginOf, scopesOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import { wholeNumber } from "../../../kernel/typed-text.ts";
import { type PageAnswer, page } from "../../kit/answer.tsx";
import { optional, text, whole } from "../../kit/field-kinds.tsx";
import { fields } from "../../kit/fields.ts";
import { deedIn, type Typed } from "../../kit/form.ts";
import { Facts } from "../../kit/parts/data.tsx";
import { Columns, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { type Column, TableSheet } from "../../kit/parts/list.tsx";
import { Moment, Status } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changeAlone } from "../approvals/change.ts";
import type { OperatorServices } from "../services.ts";
import { makerName } from "./change-tables.tsx";
import type { PriceTable } from "./price-query.ts";
import {
  CostText,
  changesPath,
  MarginText,
  offerState,
  PriceText,
  pricesPath,
  productPath,
  scopeName,
} from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

const historyMax = 100;

/** One product: what each pays, how its prices came about, and whether it is on sale. */
export function productPages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  const forms = formsOf(read);
  const show = async (visit: StaffVisit, typed: Typed) =>
    productPage(services, visit, { typed, forms, table: await read() });
  routes.page(`${pricesPath}/products/:id`, { capability: "see_prices", show });
  forms.names.addTo(routes, services, show);
  forms.sale.addTo(routes, services, show);
}

/** @throws Refusal PRODUCT_NOT_FOUND */
function productIn(visit: StaffVisit, { catalogue }: PriceTable): Product {
  const product = catalogue.findProduct((wholeNumber(visit.param("id")) ?? 0) as ProductId);
  if (product === null) throw refuse("PRODUCT_NOT_FOUND");
  return product;
}

type Forms = ReturnType<typeof formsOf>;

const deeds = ["on", "off"] as const;
const nameHint = "What is sold stays the same: for something else, add a product.";
const numberHint = "1 to 999. It stays with this product for good.";
const otherHint = "The number of another product. Merchants get it with the refusal.";
const otherUnread = "Write a product’s number, such as 1002, or nothing.";

/** What is changed about a product, whose names and state are in memory. */
function formsOf(read: ReadTable) {
  const ofProduct = {
    may: "change_prices",
    doneAt: ({ param }: StaffVisit) => `${pricesPath}/products/${param("id")}`,
    find: async (_services: OperatorServices, visit: StaffVisit) => productIn(visit, await read()),
  } as const;
  return {
    names: changeAlone({
      ...ofProduct,
      at: `${pricesPath}/products/:id/names`,
      fields: fields({
        name: text("Name", { hint: nameHint, lengthMax: 150 }),
        legacy_plan: optional(whole("Number for older clients", [1, 999], { hint: numberHint })),
      }),
      // A number that is there isn’t asked for: it stays.
      stored: ({ name }) => ({ name, legacy_plan: null }),
      looks: ({ biller, legacyPlanId }) => ({
        submit: "Save",
        more: { legacy_plan: { isLeftOut: biller.category !== "data" || legacyPlanId !== null } },
      }),
      command: "console product names",
      details: ({ found: { id }, values: { name, legacy_plan } }) => ({
        ...{ product: id, name, ...(legacy_plan === null ? {} : { legacyPlan: legacy_plan }) },
      }),
      async run({ database }, { found: { id }, values: { name, legacy_plan } }) {
        await renameProduct(database, id, { name, ...(legacy_plan === null ? {} : { legacyPlan: legacy_plan }) });
        return `Saved: ${name}.`;
      },
    }),
    sale: changeAlone({
      ...ofProduct,
      at: `${pricesPath}/products/:id/sale`,
      fields: fields({
        replaced_by: optional(whole("What to buy instead", [1, 2 ** 31 - 1], { hint: otherHint, unread: otherUnread })),
      }),
      check: (_values, _found, _services, form) => deedIn(form, deeds),
      looks: ({ available }) =>
        available
          ? { submit: "Take product off sale", kind: "danger", hidden: { do: "off" } }
          : { submit: "Put product on sale", hidden: { do: "on" }, more: { replaced_by: { isLeftOut: true } } },
      command: "console product off-sale",
      commandOf: ({ form }) => `console product ${deedIn(form, deeds)}-sale`,
      details: ({ found: { id }, values: { replaced_by } }) => ({
        ...{ product: id, ...(replaced_by === null ? {} : { replaced_by }) },
      }),
      async run({ database }, { found: { id, name }, values: { replaced_by }, form }) {
        const isOn = deedIn(form, deeds) === "on";
        await (isOn ? offerProduct(database, id) : withdrawProduct(database, id, replaced_by as ProductId | null));
        return `${name} is ${isOn ? "on" : "off"} sale.`;
      },
    }),
  };
}

async function productPage(
  { reads }: OperatorServices,
  visit: StaffVisit,
  { typed, forms, table }: { readonly typed: Typed; readonly forms: Forms; readonly table: PriceTable },
): Promise<PageAnswer> {
  const product = productIn(visit, table);
  const history = await listPriceHistory(reads, product.id, historyMax);
  const { id, name, code, biller, replacedBy } = product;
  return page(
    {
      title: name,
      state: offerState.status(isOnOffer(product) ? "on" : "off"),
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
        href={({ changeId }) => (changeId === null ? changesPath : `${changesPath}/${changeId}`)}
        columns={historyColumns}
        empty={<Empty title="No change yet">Its prices are those it came with.</Empty>}
      />
      {visit.may("change_prices") ? (
        <Columns>
          <Sheet title="What merchants read">{forms.names.draw(visit, typed, product)}</Sheet>
          <Sheet title="Sale">{forms.sale.draw(visit, typed, product)}</Sheet>
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
    cell: ({ isScheduled }) => (isScheduled ? <Status kind="waiting">scheduled</Status> : null),
  },
];
