import { categorySlugs } from "../../../categories/category-slugs.ts";
import { isOnOffer, type Product } from "../../../categories/product/product.ts";
import type { CatalogueSnapshot } from "../../../domain/catalogue/snapshot.ts";
import { listRoutedProducts, routesForFile } from "../../../domain/suppliers/route-lists/export-list.ts";
import type { RouteFacts } from "../../../domain/suppliers/routing/explain-routes.ts";
import { type Explanation, explainRoutes, listUnserved } from "../../../domain/suppliers/routing/explain-routes.ts";
import { leastAmounts } from "../../../domain/suppliers/routing/sample-sale.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { list } from "../../kit/list.tsx";
import { choiceFilter, findFilter, type ListQuery } from "../../kit/list-page.tsx";
import { optionsOf } from "../../kit/offer-filters.ts";
import { Alerts } from "../../kit/parts/data.tsx";
import { ButtonLink, Empty, Sheet } from "../../kit/parts/layout.tsx";
import { countText, grouped, Status, spoken } from "../../kit/parts/text.tsx";
import { ProductName } from "../../kit/sale.tsx";
import type { StaffRoutes } from "../access.ts";
import { CostText } from "../prices/price-words.tsx";
import type { OperatorServices } from "../services.ts";
import { factsOf, orderNames, productRoutesPath, reasonText, routesPath } from "./words.tsx";

const here = routesPath;
/** Routes of a product that a list shows; its page has all. */
const routesShown = 4;

/** All products with the suppliers that serve them, in the order in which they would be asked, and as a file. */
export function routeListPages(routes: StaffRoutes, services: OperatorServices): void {
  const { reads } = services;
  list(routes, {
    at: here,
    may: "see_suppliers",
    title: "Routes",
    filters: async () => filtersOf(await factsOf(services, [])),
    async read({ query, values, page, skip, limit }) {
      const [catalogue, known] = await Promise.all([services.catalogue.current(), factsOf(services, [])]);
      const isFirst = !query.isFiltered && page === 1;
      const unserved = isFirst || values.state !== null ? await listUnserved(reads, known) : new Set<ProductId>();
      const matched = await matching(services, values, catalogue);
      const found = matched.filter(({ id }) => values.state === null || unserved.has(id));
      const shown = found.slice(skip, skip + limit);
      const facts = await factsOf(
        services,
        shown.map(({ id }) => id),
      );
      const rows = shown.map((product): Row => {
        const amounts = leastAmounts(product, catalogue);
        return { product, explanation: explainRoutes(facts, { product, amounts, purchase: null }) };
      });
      const hasUnserved = unserved.size > 0 && values.state === null;
      return { rows, total: found.length, lines: null, over: hasUnserved ? <Unserved count={unserved.size} /> : null };
    },
    href: ({ product }) => productRoutesPath(product),
    csv: {
      ...{ from: services, may: "see_suppliers", at: `${here}/routes.csv` },
      // Of one supplier alone, as they are imported again.
      what: ({ values: { supplier } }) => (supplier === null ? "routes" : `routes-${supplier}`),
      async pieces({ values }) {
        const [catalogue, known] = await Promise.all([services.catalogue.current(), factsOf(services, [])]);
        const unserved = values.state === null ? null : await listUnserved(reads, known);
        const matched = await matching(services, values, catalogue);
        const found = matched.filter(({ id }) => unserved?.has(id) ?? true);
        const products = new Map<ProductId, Product>(found.map((product) => [product.id, product]));
        return routesForFile(reads, products, values.supplier);
      },
    },
    note: "Which supplier sells what, and who comes next",
    caption: "Routes, by product",
    columns: ({ lead, sub, extra, more, status }) => [
      lead("Product", ({ product }) => <ProductName product={product} />),
      extra("Number", ({ product }) => <code>{product.id}</code>),
      extra("Category", ({ product }) => spoken(product.biller.category)),
      more("Suppliers", ({ explanation }) => <Ways explanation={explanation} />),
      sub("Choice", ({ explanation: { by } }) => orderNames[by]),
      status("State", stateOf),
    ],
    actions: (visit) => (visit.may("change_suppliers") ? <ImportLink supplier={visit.query.get("supplier")} /> : null),
    empty: <Empty title="No products yet">Products appear here with the suppliers that serve them.</Empty>,
    noneFits: { title: "No products match these filters", text: "Try fewer words, or clear a filter." },
  });
}

function ImportLink({ supplier }: { readonly supplier: string | undefined }) {
  return (
    <ButtonLink href={supplier ? `${here}/import?supplier=${supplier}` : `${here}/import`}>Import routes</ButtonLink>
  );
}

function Unserved({ count }: { readonly count: number }) {
  return (
    <Sheet isPadded={false}>
      <Alerts
        alerts={[
          {
            title: `${countText(count, "product")} on offer can’t be sold now`,
            text: " No supplier is left for them: merchants are refused.",
            href: `${here}?state=unserved`,
            action: "See products",
          },
        ]}
      />
    </Sheet>
  );
}

function filtersOf({ table }: RouteFacts) {
  return {
    find: findFilter("Product, its number, or a supplier’s code"),
    category: choiceFilter("Category", categorySlugs),
    supplier: choiceFilter("Supplier", optionsOf(table.suppliers.map(({ name }) => name))),
    state: choiceFilter("State", [{ value: "unserved", label: "Can’t sell now" }]),
  };
}

type RouteValues = ListQuery<ReturnType<typeof filtersOf>>["values"];

interface Row {
  readonly product: Product;
  readonly explanation: Explanation;
}

/** Products of the filters, by category, biller and name. */
async function matching(
  { reads }: OperatorServices,
  { find, category, supplier }: RouteValues,
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
