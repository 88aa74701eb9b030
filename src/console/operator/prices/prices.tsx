import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import type { PriceScope } from "../../../domain/catalogue/pricing.ts";
import { isBelowCost, marginOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import { priceRecords } from "../../../domain/suppliers/selling-prices/price-file.ts";
import { writeCsv } from "../../../platform/csv.ts";
import { columnsOf } from "../../kit/columns.tsx";
import type { Typed } from "../../kit/form.ts";
import { list } from "../../kit/list.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped } from "../../kit/parts/text.tsx";
import type { StaffRoutes } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { BulkForm, picked } from "./bulk-form.tsx";
import { sendDraft } from "./drafts.ts";
import { EditForm, PriceCell } from "./edit-cells.tsx";
import { findProducts, type PriceTable, priceFilters, scopeKey, scopesShown } from "./price-query.ts";
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

const column = columnsOf<Product>();

/** What do merchants pay, what does it cost us, and what is below cost? Prices are typed in their place, or changed together. */
export function pricePages(routes: StaffRoutes, services: OperatorServices, readTable: ReadTable): void {
  const show = list(routes, {
    at: pricesPath,
    may: "see_prices",
    title: "Prices",
    filters: async (visit) => priceFilters(visit, await readTable()),
    // A form has at most two hundred fields: a box and four prices for each.
    perPage: 30,
    async read({ visit, query, values, typed, page, skip, limit }) {
      const table = await readTable();
      const found = findProducts({ values }, table);
      const isEditor = visit.may("change_prices");
      const action = query.href({ page: String(page) }, `${pricesPath}/preview`);
      return {
        rows: found.slice(skip, skip + limit),
        total: found.length,
        note: `${grouped(found.length)} of ${grouped(table.catalogue.products.length)} products. What merchants pay for one, without fees`,
        above: isEditor && found.length > 0 ? <BulkForm {...{ action, typed, table }} count={found.length} /> : null,
        isEdited: isEditor,
        around: isEditor ? (content) => <EditForm action={action}>{content}</EditForm> : undefined,
        columns: [
          ...(isEditor ? [picked.column(boxOf, typed)] : []),
          ...usualColumns(table),
          ...scopesShown(query, table).map((scope) => priceColumn(scope, { table, typed, isEditor })),
          {
            title: "Margin, base",
            place: "amount",
            cell: (product: Product) => <MarginText margin={marginAtBase(table, product)} />,
          },
        ],
      };
    },
    href: productPath,
    csv: {
      ...{ from: services, may: "see_prices", at: `${pricesPath}/prices.csv`, what: "prices" },
      // The whole of the filter: the catalogue is in memory, and so is this.
      async *pieces({ values }) {
        const table = await readTable();
        yield writeCsv(priceRecords(table, findProducts({ values }, table)));
      },
    },
    caption: "Prices by product and tier",
    actions: (visit) => <Ways isEditor={visit.may("change_prices")} />,
    empty: (
      <Empty title="No products yet" icon="tag">
        Products come with the catalogue, and you add others here.
      </Empty>
    ),
    noneFits: { title: "No products match", text: "Try fewer words, or clear a filter." },
  });
  routes.form(`${pricesPath}/preview`, {
    capability: "change_prices",
    doneAt: () => pricesPath,
    show,
    send: async (visit, form) => sendDraft(services, visit, { form, table: await readTable() }),
  });
}

function boxOf({ id, name }: Product) {
  return { value: id, label: name };
}

function Ways({ isEditor }: { readonly isEditor: boolean }) {
  return (
    <>
      <ButtonLink href={changesPath}>Changes</ButtonLink>
      <ButtonLink href={`${pricesPath}/rates`}>Exchange rates</ButtonLink>
      <ButtonLink href={`${pricesPath}/billers`}>Billers</ButtonLink>
      {isEditor ? <ButtonLink href={`${pricesPath}/upload`}>Upload CSV</ButtonLink> : null}
      {isEditor ? <ButtonLink href={`${pricesPath}/products/new`}>New product</ButtonLink> : null}
    </>
  );
}

function usualColumns(table: PriceTable): readonly Column<Product>[] {
  return [
    column.lead("Product", (product) => (
      <>
        {product.name}
        {isOnOffer(product) ? null : offerState.status("off")}
      </>
    )),
    column.extra("Number", ({ id }) => <code>{id}</code>),
    column.end("Cost", (product) => {
      const margin = marginAtBase(table, product);
      return margin === null ? (
        "no supplier"
      ) : (
        <>
          <CostText cost={margin.route.cost} />
          <small>{margin.route.supplier}</small>
        </>
      );
    }),
  ];
}

interface Shown {
  readonly table: PriceTable;
  readonly typed: Typed;
  readonly isEditor: boolean;
}

function priceColumn(scope: PriceScope, { table, typed, isEditor }: Shown): Column<Product> {
  return column.end(scopeName(scope), (product) => {
    const own = table.catalogue.ownPrice(product.id, scope);
    const base = table.catalogue.ownPrice(product.id, { of: "everyone" });
    const isLoss = own !== null && isBelowCost(product, own, table.routes.routesOf(product.id));
    if (isEditor) return <PriceCell key={scopeKey(scope)} {...{ product, scope, own, base, isLoss, typed }} />;
    if (own === null) return <span class="quiet">base price</span>;
    return isLoss ? (
      <b class="ink-bad">
        <PriceText price={own} />
        <small>below cost</small>
      </b>
    ) : (
      <PriceText price={own} />
    );
  });
}

function marginAtBase({ catalogue, routes }: PriceTable, product: Product) {
  const base = catalogue.ownPrice(product.id, { of: "everyone" });
  return base === null ? null : marginOf(product, base, routes.routesOf(product.id));
}
