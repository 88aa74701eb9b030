import type { RouteRow } from "../../../domain/suppliers/queries.ts";
import {
  arrangeRoutes,
  type ProductRoutes,
  readProductRoutes,
} from "../../../domain/suppliers/routing/arrange-routes.ts";
import { explainRoutes } from "../../../domain/suppliers/routing/explain-routes.ts";
import { openFindLoss } from "../../../domain/suppliers/routing/limits.ts";
import { type RouteOrder, routeOrders } from "../../../domain/suppliers/routing/route.ts";
import { routeOf } from "../../../domain/suppliers/routing/route-table.ts";
import { leastAmounts } from "../../../domain/suppliers/routing/sample-sale.ts";
import { refuse } from "../../../kernel/problems.ts";
import { type Answer, goTo, type PageAnswer, page } from "../../kit/answer.tsx";
import { type Form as SentForm, type Typed, typedForm, wrong } from "../../kit/form.ts";
import { Flash } from "../../kit/parts/form.tsx";
import { ButtonLink } from "../../kit/parts/layout.tsx";
import { spoken } from "../../kit/parts/text.tsx";
import type { StaffRoutes, StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";
import { type ArrangedRoute, Losses, RouteSheet } from "./route-sheet.tsx";
import { factsOf, OffOffer, productAt, productRoutesPath, routesPath } from "./words.tsx";

const here = `${routesPath}/:product`;

/** One product's routes: who is asked first, who comes next, with what share, and whether each can sell now. */
export function productRoutePages(routes: StaffRoutes, services: OperatorServices): void {
  const show = (visit: StaffVisit, typed: Typed) => productPage(services, visit, typed);
  const doneAt = (visit: StaffVisit) => `${routesPath}/${visit.param("product")}`;
  routes.page(here, { capability: "see_suppliers", show });
  const change = { capability: "change_suppliers", doneAt, show } as const;
  routes.form(here, { ...change, send: (visit, form) => save(services, visit, form) });
  // Without JavaScript: the same page with two rows in another order. Nothing is saved.
  routes.form(`${here}/arrange`, {
    ...change,
    isHarmless: true,
    send: (visit, form) => show(visit, typedForm(form, null)),
  });
}

async function save(services: OperatorServices, visit: StaffVisit, form: SentForm): Promise<Answer> {
  const product = await productAt(services, visit);
  const by = routeOrders.find((order) => order === form.text("by"));
  if (by === undefined) throw wrong("by", "Choose how a supplier is chosen.");
  const suppliers = form.all("supplier");
  const faulty = suppliers.filter((supplier) => weightIn(form, supplier) === null).map((name) => `weight-${name}`);
  if (faulty.length > 0) {
    const errors = Object.fromEntries(faulty.map((field) => [field, ["A whole number from 0 to 100."]]));
    throw refuse("VALIDATION_ERROR", { errors });
  }
  const routes = suppliers.map((supplier) => ({
    ...{ supplier, weight: weightIn(form, supplier) ?? 0, enabled: form.has(`on-${supplier}`) },
  }));
  const isReordered = suppliers.join(" ") !== form.text("drawn");
  const details = { product: product.id, by, isReordered, routes };
  const order = { productId: product.id, seen: form.text("seen"), by, isReordered, routes };
  await arrangeRoutes(changing(services, visit, "console routes arrange", details), order);
  return goTo(productRoutesPath(product), "Saved. New sales go by these routes within a second.");
}

function weightIn(form: SentForm, supplier: string): number | null {
  const text = form.text(`weight-${supplier}`);
  return /^(0|[1-9][0-9]?|100)$/.test(text) ? Number(text) : null;
}

async function productPage(services: OperatorServices, visit: StaffVisit, typed: Typed): Promise<PageAnswer> {
  const { reads } = services;
  const product = await productAt(services, visit);
  const catalogue = await services.catalogue.current();
  // What a change is compared with is read where changes are made.
  const stored = await readProductRoutes(services.database, product.id);
  const facts = await factsOf(services, [product.id]);
  const explanation = explainRoutes(facts, { product, amounts: leastAmounts(product, catalogue), purchase: null });
  const findLoss = await openFindLoss(reads, [product.id], catalogue);
  const drawn = inOrder(
    stored.rows,
    explanation.routes.map(({ route, cost }) => [route.supplier, cost] as const),
  );
  const suppliers = drawn.map(({ supplier }) => supplier);
  const order = orderOf(typed.form, suppliers);
  const rows = order.flatMap((supplier): ArrangedRoute[] => {
    const row = drawn.find((each) => each.supplier === supplier);
    const explained = explanation.routes.find(({ route }) => route.supplier === supplier);
    return row === undefined || explained === undefined ? [] : [{ row, explained }];
  });
  const by = typed.form.has("by") ? (typed.value("by") as RouteOrder) : stored.by;
  const isStale = typed.form.has("seen") && typed.value("seen") !== stored.version;
  const form = { action: productRoutesPath(product), seen: stored.version, drawn: suppliers };
  return page(
    {
      title: product.name,
      crumbs: [["Routes", routesPath]],
      note: `${product.biller.name}, ${spoken(product.biller.category)}, product ${product.id}`,
      actions: (
        <>
          <ButtonLink href={`${productRoutesPath(product)}/explain`}>Explain a sale</ButtonLink>
          {visit.may("change_suppliers") ? (
            <ButtonLink href={`${productRoutesPath(product)}/add`}>Add route</ButtonLink>
          ) : null}
        </>
      ),
    },
    <>
      {isStale && typed.refusal === null ? (
        <Flash kind="waiting">
          Someone else changed these routes. What is stored now stands beside what you typed.
        </Flash>
      ) : null}
      <OffOffer product={product} />
      <Losses losses={stored.rows.filter(({ enabled }) => enabled).flatMap((row) => findLoss(routeOf(row)) ?? [])} />
      <RouteSheet
        {...{ rows, by, storedBy: stored.by, form, typed, isStale }}
        mayChange={visit.may("change_suppliers")}
      />
    </>,
  );
}

/** As routing takes them: by priority, and of one priority the cheaper first. */
function inOrder(
  rows: ProductRoutes["rows"],
  costs: readonly (readonly [supplier: string, cost: bigint | null])[],
): readonly RouteRow[] {
  const costOf = new Map(costs);
  const unknown = 2n ** 62n;
  return rows.toSorted((one, other) => {
    const [a, b] = [one, other].map(({ supplier }) => costOf.get(supplier) ?? unknown) as [bigint, bigint];
    return one.priority - other.priority || (a < b ? -1 : a > b ? 1 : one.supplier < other.supplier ? -1 : 1);
  });
}

/** The order that was sent, with the row that a button moved; routes that came in meanwhile stand last. */
function orderOf(form: SentForm, drawn: readonly string[]): readonly string[] {
  const order = form.all("supplier").filter((supplier) => drawn.includes(supplier));
  const [direction, moved = ""] = form.text("move").split(" ");
  const at = order.indexOf(moved);
  const to = direction === "up" ? at - 1 : at + 1;
  if (at !== -1 && order[to] !== undefined) [order[at], order[to]] = [order[to], moved];
  return [...new Set([...order, ...drawn])];
}
