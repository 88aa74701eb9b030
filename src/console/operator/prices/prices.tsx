import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import type { PriceScope } from "../../../domain/catalogue/pricing.ts";
import { isBelowCost, marginOf } from "../../../domain/suppliers/selling-prices/margin.ts";
import { priceRecords } from "../../../domain/suppliers/selling-prices/price-file.ts";
import { byteOrderMark, writeCsv } from "../../../platform/csv.ts";
import { csvAnswer, type FileAnswer, type PageAnswer } from "../../kit/answer.tsx";
import type { Typed } from "../../kit/form.ts";
import { listPage, refuseUnread } from "../../kit/list-page.tsx";
import { ButtonLink, Empty } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { grouped, Status } from "../../kit/parts/text.tsx";
import { pickColumn } from "../../kit/pick-column.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import type { OperatorServices } from "../services.ts";
import { BulkForm, bulkFormId } from "./bulk-form.tsx";
import { sendDraft } from "./drafts.ts";
import { EditForm, PriceCell } from "./edit-cells.tsx";
import { findProducts, type PriceTable, readPriceQuery, scopeKey, scopesShown } from "./price-query.ts";
import { CostText, changesPath, MarginText, PriceText, pricesPath, productPath, scopeName } from "./price-words.tsx";
import type { ReadTable } from "./table.ts";

/** A form has at most two hundred fields: a box and four prices for each. */
const rowsPerPage = 30;

/** What do merchants pay, what does it cost us, and what is below cost? Prices are typed in their place, or changed together. */
export function pricePages(routes: StaffRoutes, services: OperatorServices, read: ReadTable): void {
  const show = async (visit: StaffVisit, typed: Typed) => pricesPage(await read(), visit, typed);
  routes.page(pricesPath, { capability: "see_prices", show });
  routes.file(`${pricesPath}/prices.csv`, {
    capability: "see_prices",
    show: async (visit) => pricesFile(await read(), visit),
  });
  routes.form(`${pricesPath}/preview`, {
    capability: "change_prices",
    doneAt: () => pricesPath,
    show,
    send: async (visit, form) => sendDraft(services, visit, { form, table: await read() }),
  });
}

function pricesPage(table: PriceTable, visit: StaffVisit, typed: Typed): PageAnswer {
  const requested = readPriceQuery(visit, table);
  const found = findProducts(requested, table);
  const lastPage = Math.max(1, Math.ceil(found.length / rowsPerPage));
  const query = { ...requested, page: Math.min(lastPage, requested.page) };
  const before = (query.page - 1) * rowsPerPage;
  const rows = found.slice(before, before + rowsPerPage);
  const isEditor = visit.may("change_prices");
  const action = query.href({ page: String(query.page) }, `${pricesPath}/preview`);
  const all = table.catalogue.products.length;
  const picked = new Set(typed.form.all("pick"));
  const pick = pickColumn(({ id, name }: Product) => {
    return { name: "pick", value: id, form: bulkFormId, isPicked: picked.has(String(id)), label: name };
  });
  return listPage(query, {
    title: "Prices",
    note: `${grouped(found.length)} of ${grouped(all)} products. What merchants pay for one, without fees`,
    csv: found.length === 0 ? null : { path: `${pricesPath}/prices.csv`, count: found.length },
    actions: (
      <>
        <ButtonLink href={changesPath}>Changes</ButtonLink>
        <ButtonLink href={`${pricesPath}/rates`}>Exchange rates</ButtonLink>
        <ButtonLink href={`${pricesPath}/billers`}>Billers</ButtonLink>
        {isEditor ? <ButtonLink href={`${pricesPath}/upload`}>Upload CSV</ButtonLink> : null}
        {isEditor ? <ButtonLink href={`${pricesPath}/products/new`}>New product</ButtonLink> : null}
      </>
    ),
    above: isEditor && found.length > 0 ? <BulkForm {...{ action, typed, table }} count={found.length} /> : null,
    caption: "Prices by product and tier",
    isEdited: isEditor,
    around: isEditor ? (content) => <EditForm action={action}>{content}</EditForm> : undefined,
    rows,
    href: productPath,
    columns: [
      ...(isEditor ? [pick] : []),
      ...usualColumns(table),
      ...scopesShown(query, table).map((scope) => priceColumn(scope, { table, typed, isEditor })),
      {
        title: "Margin, base",
        place: "amount",
        cell: (product) => <MarginText margin={marginAtBase(table, product)} />,
      },
    ],
    empty: (
      <Empty title="No products yet" icon="tag">
        Products come with the catalogue, and you add others here.
      </Empty>
    ),
    noneFits: { title: "No products match", text: "Try fewer words, or clear a filter." },
    pages: { perPage: rowsPerPage, total: found.length },
  });
}

function usualColumns(table: PriceTable): readonly Column<Product>[] {
  return [
    {
      title: "Product",
      place: "lead",
      cell: (product) => (
        <>
          {product.name}
          {isOnOffer(product) ? null : <Status kind="stop">off sale</Status>}
        </>
      ),
    },
    { title: "Number", place: "sub", isExtra: true, cell: ({ id }) => <code>{id}</code> },
    {
      title: "Cost",
      align: "end",
      cell: (product) => {
        const margin = marginAtBase(table, product);
        return margin === null ? (
          "no supplier"
        ) : (
          <>
            <CostText cost={margin.route.cost} />
            <small>{margin.route.supplier}</small>
          </>
        );
      },
    },
  ];
}

interface Shown {
  readonly table: PriceTable;
  readonly typed: Typed;
  readonly isEditor: boolean;
}

function priceColumn(scope: PriceScope, { table, typed, isEditor }: Shown): Column<Product> {
  return {
    title: scopeName(scope),
    align: "end",
    cell: (product) => {
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
    },
  };
}

function marginAtBase({ catalogue, routes }: PriceTable, product: Product) {
  const base = catalogue.ownPrice(product.id, { of: "everyone" });
  return base === null ? null : marginOf(product, base, routes.routesOf(product.id));
}

/** The whole of the filter: the catalogue is in memory, and so is this. */
function pricesFile(table: PriceTable, visit: StaffVisit): FileAnswer {
  const query = readPriceQuery(visit, table);
  refuseUnread(query);
  const content = byteOrderMark + writeCsv(priceRecords(table, findProducts(query, table)));
  return csvAnswer("prices.csv", content);
}
