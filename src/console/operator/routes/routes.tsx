import { Readable } from "node:stream";
import { categorySlugs } from "../../../categories/category-slugs.ts";
import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listRoutedProducts, routesForFile } from "../../../domain/suppliers/route-lists/export-list.ts";
import type { RouteFacts } from "../../../domain/suppliers/routing/explain-routes.ts";
import { type Explanation, explainRoutes, listUnserved } from "../../../domain/suppliers/routing/explain-routes.ts";
import { leastAmounts } from "../../../domain/suppliers/routing/sample-sale.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { byteOrderMark } from "../../../platform/csv.ts";
import { pacedPieces } from "../../../platform/pacing.ts";
import { csvAnswer, type FileAnswer, type PageAnswer } from "../../kit/answer.tsx";
import { choiceFilter, findFilter, listPage, readList, refuseUnread } from "../../kit/list-page.tsx";
import { Alerts } from "../../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import type { Column } from "../../kit/parts/list.tsx";
import { countText, grouped, Status, spoken } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { CostText } from "../prices/price-words.tsx";
import type { OperatorServices } from "../services.ts";
import { factsOf, orderNames, productRoutesPath, reasonText, routesPath } from "./words.tsx";

const here = routesPath;
const rowsPerPage = 50;
/** Routes of a product that a list shows; its page has all. */
const routesShown = 4;

/** All products with the suppliers that serve them, in the order in which they would be asked, and as a file. */
export function routeListPages(routes: StaffRoutes, services: OperatorServices): void {
  routes.page(here, { capability: "see_suppliers", show: (visit) => routesPage(services, visit) });
  routes.file(`${here}/routes.csv`, { capability: "see_suppliers", show: (visit) => routesFile(services, visit) });
}

function readQuery(visit: StaffVisit, { table }: RouteFacts) {
  const suppliers = table.suppliers.map(({ name }) => ({ value: name, label: name }));
  return readList(visit, here, {
    find: findFilter("Product, its number, or a supplier’s code"),
    category: choiceFilter("Category", categorySlugs),
    supplier: choiceFilter("Supplier", suppliers),
    state: choiceFilter("State", [{ value: "unserved", label: "Can’t sell now" }]),
  });
}

type Query = ReturnType<typeof readQuery>;

interface Row {
  readonly product: Product;
  readonly explanation: Explanation;
}

async function routesPage(services: OperatorServices, visit: StaffVisit): Promise<PageAnswer> {
  const { reads } = services;
  const [catalogue, known] = await Promise.all([services.catalogue.current(), factsOf(services, [])]);
  const query = readQuery(visit, known);
  const isFirst = !query.isFiltered && query.page === 1;
  const unserved = isFirst || query.values.state !== null ? await listUnserved(reads, known) : new Set<ProductId>();
  const found = (await matching(services, query, catalogue)).filter(
    ({ id }) => query.values.state === null || unserved.has(id),
  );
  const before = (query.page - 1) * rowsPerPage;
  const shown = found.slice(before, before + rowsPerPage);
  const ids = shown.map(({ id }) => id);
  const facts = await factsOf(services, ids);
  const rows = shown.map((product): Row => {
    const amounts = leastAmounts(product, catalogue);
    return { product, explanation: explainRoutes(facts, { product, amounts, purchase: null }) };
  });
  const { supplier, state } = query.values;
  return listPage(query, {
    title: "Routes",
    note: "Which supplier sells what, and who comes next",
    csv: found.length === 0 ? null : { path: `${here}/routes.csv`, count: null },
    actions: visit.may("change_suppliers") ? (
      <ButtonLink href={supplier === null ? `${here}/import` : `${here}/import?supplier=${supplier}`}>
        Import routes
      </ButtonLink>
    ) : null,
    over:
      unserved.size === 0 || state !== null ? null : (
        <Sheet isPadded={false}>
          <Alerts
            alerts={[
              {
                title: `${countText(unserved.size, "product")} on offer can’t be sold now`,
                text: " No supplier is left for them: merchants are refused.",
                href: `${here}?state=unserved`,
                action: "See products",
              },
            ]}
          />
        </Sheet>
      ),
    caption: "Routes, by product",
    columns,
    rows,
    href: ({ product }) => productRoutesPath(product),
    empty: <Empty title="No products yet">Products appear here with the suppliers that serve them.</Empty>,
    noneFits: { title: "No products match these filters", text: "Try fewer words, or clear a filter." },
    pages: { perPage: rowsPerPage, total: found.length },
  });
}

/** Products of the filters, by category, biller and name. */
async function matching(
  { reads }: OperatorServices,
  { values: { find, category, supplier } }: Query,
  catalogue: CatalogueSnapshot,
): Promise<readonly Product[]> {
  const served = supplier === null ? null : await listRoutedProducts(reads, { supplier });
  const coded = find === null ? null : await listRoutedProducts(reads, { code: find });
  const words = (find ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const isFound = ({ id, code, name, biller }: Product) => {
    const text = `${id} ${code} ${biller.name} ${name}`.toLowerCase();
    return coded?.has(id) === true || words.every((word) => text.includes(word));
  };
  return inOrder(catalogue).filter(
    (product) =>
      (category === null || product.biller.category === category) &&
      (served === null || served.has(product.id)) &&
      (find === null || isFound(product)),
  );
}

const ordered = new WeakMap<CatalogueSnapshot, readonly Product[]>();

/** Sorted once for each revision of the catalogue: twenty thousand take some 30 ms. */
function inOrder(catalogue: CatalogueSnapshot): readonly Product[] {
  const known = ordered.get(catalogue);
  if (known !== undefined) return known;
  const products = catalogue.products
    .map((product) => ({ product, key: `${product.biller.category}\n${product.biller.name}\n${product.name}` }))
    .sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : one.product.id - other.product.id))
    .map(({ product }) => product);
  ordered.set(catalogue, products);
  return products;
}

const columns: readonly Column<Row>[] = [
  {
    title: "Product",
    cell: ({ product }) => <ProductName product={product} />,
    place: "lead",
  },
  { title: "Number", cell: ({ product }) => <code>{product.id}</code>, place: "sub", isExtra: true },
  { title: "Category", cell: ({ product }) => spoken(product.biller.category), place: "sub", isExtra: true },
  { title: "Suppliers", cell: ({ explanation }) => <Ways explanation={explanation} />, place: "more" },
  { title: "Choice", cell: ({ explanation: { by } }) => orderNames[by], place: "sub" },
  { title: "State", cell: stateOf, place: "state" },
];

/** Suppliers as they would be asked, each with its cost, and why it is left out. */
function Ways({ explanation: { by, routes } }: { readonly explanation: Explanation }) {
  if (routes.length === 0) return <span class="quiet">No route</span>;
  return (
    <ol>
      {routes.slice(0, routesShown).map(({ route, isLeftOut, place, why }) => (
        <li key={route.supplier} class={isLeftOut ? "quiet" : undefined}>
          {place === null ? "" : `${place}. `}
          {route.supplier} <CostText cost={route.cost} />
          {by === "weight" && !isLeftOut ? `, weight ${route.weight}` : ""}
          {isLeftOut ? <small>{reasonText(why)}</small> : null}
        </li>
      ))}
      {routes.length > routesShown ? <li class="quiet">{`and ${grouped(routes.length - routesShown)} more`}</li> : null}
    </ol>
  );
}

function stateOf({ product, explanation: { routes } }: Row) {
  if (!isOnOffer(product)) return <Status kind="quiet">Off offer</Status>;
  const usable = routes.filter(({ isLeftOut }) => !isLeftOut).length;
  if (usable === 0) return <Status kind="bad">Can’t sell</Status>;
  return usable === routes.length ? (
    <Status kind="good">Sells</Status>
  ) : (
    <Status kind="waiting">{`Sells, ${routes.length - usable} left out`}</Status>
  );
}

/** The list's routes, for a spreadsheet; of one supplier alone, as they are imported again. */
async function routesFile(services: OperatorServices, visit: StaffVisit): Promise<FileAnswer> {
  const { reads } = services;
  const catalogue = await services.catalogue.current();
  const known = await factsOf(services, []);
  const query = readQuery(visit, known);
  refuseUnread(query);
  const { supplier, state } = query.values;
  const unserved = state === null ? null : await listUnserved(reads, known);
  const found = (await matching(services, query, catalogue)).filter(({ id }) => unserved?.has(id) ?? true);
  const products = new Map<ProductId, Product>(found.map((product) => [product.id, product]));
  async function* content() {
    yield byteOrderMark;
    yield* pacedPieces(routesForFile(reads, products, supplier));
  }
  const name = supplier === null ? "routes.csv" : `routes-${supplier}.csv`;
  return csvAnswer(name, Readable.from(content()));
}
