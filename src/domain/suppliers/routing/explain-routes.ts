import type { Product } from "../../../categories/product/product.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { formatHundredths, formatNaira, type Kobo, subtract } from "../../../kernel/money.ts";
import { aboutField, refuse } from "../../../kernel/problems.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import { priceText } from "../price-lists/difference-row.ts";
import { listKnownProducts, listSupplierRoutes, type RouteRow } from "../queries.ts";
import { listStoredBreakers } from "./breaker.ts";
import { chooseRoute, type PurchaseName } from "./choose-route.ts";
import { isBelowFloor, isPastCap, passedLimit, type Standing, type SupplierLimits } from "./limits.ts";
import {
  type Amounts,
  costCeiling,
  type EnteredRoute,
  isReckonable,
  type RouteOrder,
  type Supplier,
  type SupplierRoute,
} from "./route.ts";
import type { RouteCounts } from "./route-counts.ts";
import { type RouteTable, readRouteTable, routeOf } from "./route-table.ts";

/** A product's route, as a purchase would find it. */
export interface ExplainedRoute {
  readonly route: SupplierRoute;
  /** In whole sentences' words, why it is chosen, comes later or is left out. */
  readonly why: string;
  /** 1 is asked first, 2 after its decline. Null where it is left out, or weights decide and no purchase was named. */
  readonly place: number | null;
  /** For the whole; null where it cannot be reckoned. */
  readonly cost: Kobo | null;
  /** The weights of the routes that are not left out; null unless weights decide, and for one that is left out. */
  readonly weights: number | null;
}

export interface Explanation {
  readonly by: RouteOrder;
  /** In the order in which they would be asked, those that are left out last. */
  readonly routes: readonly ExplainedRoute[];
}

interface ExplainServices {
  readonly database: Queryable;
  readonly counts: Pick<RouteCounts, "flush" | "standingOf">;
  /** Why this program cannot speak to the supplier; null where it can. */
  readonly complaintAbout: (supplier: Supplier) => string | null;
  readonly isSoldOut: (supplier: Supplier) => boolean;
}

/**
 * Explains what routing would do with a purchase, by the same function that chooses and by what the processes of the
 * service have stored. Their memory is not seen: what they sent within the last second, and breakers that opened in it.
 */
export async function explainRoutes(
  services: ExplainServices,
  requested: { readonly product: Product; readonly amounts: Amounts; readonly purchase: PurchaseName | null },
): Promise<Explanation> {
  const { database, counts } = services;
  const { product } = requested;
  const table = await readRouteTable(database);
  const rows = await database.query<RouteRow>(listSupplierRoutes);
  await counts.flush();
  const open = (await listStoredBreakers(database)).filter(({ category }) => category === product.biller.category);
  const found = rows.filter((row) => row.productId === product.id).map((row) => findAbout(services, table, row));
  const by = table.orderOf(product.id);
  return { by, routes: inOrder(found, { ...requested, by, open: new Set(open.map(({ supplier }) => supplier)) }) };
}

/** All that is known of a route but for its breaker. */
interface Found {
  readonly route: SupplierRoute;
  /** What leaves it out of every purchase; null for nothing. */
  readonly obstacle: string | null;
  readonly limits: SupplierLimits;
  readonly standing: Standing;
}

const noLimits: SupplierLimits = { dayCost: null, dayPurchases: null, balanceFloor: null };

function findAbout(services: ExplainServices, table: RouteTable, row: RouteRow): Found {
  const route = routeOf(row);
  const supplier = table.findSupplier(route.supplier);
  const standing = services.counts.standingOf(route.supplier);
  const limits = table.limitsOf(route.supplier) ?? noLimits;
  return { route, obstacle: obstacleOf(services, supplier, { row, route }), limits, standing };
}

function obstacleOf(
  { complaintAbout, isSoldOut }: ExplainServices,
  supplier: Supplier | null,
  { row, route }: { readonly row: RouteRow; readonly route: SupplierRoute },
): string | null {
  if (!row.enabled) return "the route is off";
  if (supplier?.state !== "enabled") return "the supplier is disabled";
  if (!isReckonable(route)) return `no fx-rate says what ${row.costCurrency} is in naira`;
  const complaint = complaintAbout(supplier);
  if (complaint !== null) return `no connector: ${complaint}`;
  return isSoldOut(supplier) ? "nothing is left of it in our own stock" : null;
}

interface RouteQuery {
  readonly product: Product;
  readonly amounts: Amounts;
  readonly purchase: PurchaseName | null;
  readonly by: RouteOrder;
  readonly open: ReadonlySet<string>;
}

function inOrder(found: readonly Found[], requested: RouteQuery): ExplainedRoute[] {
  const { amounts, by, open } = requested;
  const usable = found.filter(({ obstacle }) => obstacle === null);
  const named = new Map(usable.map((each) => [each.route.supplier, each]));
  const limitOf = (supplier: string, cost: Kobo) => {
    const { limits, standing } = named.get(supplier) as Found;
    return passedLimit(limits, standing, cost);
  };
  const admits = (supplier: string) => !open.has(supplier);
  const explained: ExplainedRoute[] = [];
  const left = new Set(
    usable.filter(
      ({ route }) => admits(route.supplier) && limitOf(route.supplier, costCeiling(route.cost, amounts)) === null,
    ),
  );
  const weights = by === "weight" ? [...left].reduce((sum, { route }) => sum + route.weight, 0) : null;
  const tried = new Set<string>();
  // As many times as there are routes, each decline leading to the next.
  for (const _ of usable) {
    const purchase = requested.purchase ?? nobodysPurchase;
    const routes = usable.map(({ route }) => route);
    const choice = chooseRoute({ routes, by, amounts, purchase, tried, admits, limitOf });
    if (choice.kind !== "chosen") break;
    const { route } = named.get(choice.supplier) as Found;
    const place = by === "weight" && requested.purchase === null ? null : tried.size + 1;
    const why = whyChosen(choice.reason, { route, place, weights });
    explained.push({ route, why, place, cost: choice.cost, weights });
    tried.add(choice.supplier);
  }
  const rest = found.filter(({ route }) => !tried.has(route.supplier));
  return [...explained, ...rest.map((each) => leftOut(each, requested))];
}

const nobodysPurchase: PurchaseName = { merchantId: 0 as PurchaseName["merchantId"], reference: "" };

function whyChosen(
  reason: string,
  {
    route,
    place,
    weights,
  }: { readonly route: SupplierRoute; readonly place: number | null; readonly weights: number | null },
): string {
  if (place === null) return route.weight === 0 ? "stands in for the others" : `weight ${route.weight} of ${weights}`;
  return place === 1 ? `chosen: ${reason}` : `after a decline: ${reason}`;
}

function leftOut(found: Found, { amounts, open, product }: RouteQuery): ExplainedRoute {
  const { route, obstacle } = found;
  const cost = isReckonable(route) ? costCeiling(route.cost, amounts) : null;
  const why =
    obstacle ??
    (open.has(route.supplier)
      ? `its breaker for ${product.biller.category} is open in some process`
      : limitText(found, cost));
  return { route, why: `left out: ${why}`, place: null, cost, weights: null };
}

function limitText({ limits, standing }: Found, cost: Kobo | null): string {
  const texts: string[] = [];
  if (cost !== null && isPastCap(limits, standing, cost)) {
    const { dayCost, dayPurchases } = limits;
    if (dayCost !== null)
      texts.push(`${formatNaira(standing.cost)} of its cap of ${formatNaira(dayCost)} are sent today`);
    if (dayPurchases !== null)
      texts.push(`${standing.purchases} of its cap of ${dayPurchases} purchases are sent today`);
  }
  if (isBelowFloor(limits, standing)) {
    const [left, floor] = [standing.balance ?? 0n, limits.balanceFloor ?? 0n].map(formatHundredths);
    texts.push(`${left} should be left of our money, and its floor is ${floor}`);
  }
  return texts.join("; ");
}

/** A route as it is printed, beside what its buyer pays in all. */
export function explainedRow({ route, why, place, cost, weights }: ExplainedRoute, total: Kobo) {
  return {
    place,
    supplier: route.supplier,
    why,
    code: route.supplierCode,
    rate: priceText(route.cost),
    priority: route.priority,
    weight: route.weight,
    weights,
    cost: cost === null ? null : formatNaira(cost),
    price: formatNaira(total),
    margin: cost === null ? null : formatNaira(subtract(total, cost)),
  };
}

/** A route and the line of the list that it comes from. */
export type ListedRoute = EnteredRoute & { readonly line: number };

/** What is wrong with a line, as a sentence that names it. */
export interface LineFault {
  readonly line: number;
  readonly sentence: string;
}

/** Faults that are named one by one; all of them are counted. */
const namedMax = 100;

/** Finds the faulty lines: unknown products, products that come twice, and values that the table would refuse. */
export async function findLineFaults(db: Queryable, routes: readonly ListedRoute[]): Promise<LineFault[]> {
  const ids = arrayOf(routes.map(({ productId }) => productId));
  const known = new Set((await db.query<{ id: ProductId }>(listKnownProducts, [ids])).map(({ id }) => id));
  const lines = new Map<ProductId, number>();
  const faults: LineFault[] = [];
  for (const route of routes) {
    const { productId, line } = route;
    const before = lines.get(productId);
    if (before === undefined) lines.set(productId, line);
    else faults.push({ line, sentence: `Product ${productId} is in line ${before} and in line ${line}.` });
    const rules = [...(known.has(productId) ? [] : ["There is no such product."]), ...brokenRules(route)];
    if (rules.length > 0) faults.push({ line, sentence: `Line ${line}: ${rules.join(" ")}` });
  }
  return faults;
}

function* brokenRules({ supplierCode, cost }: ListedRoute): Generator<string> {
  if (supplierCode.length < 1 || supplierCode.length > 200) {
    yield aboutField("code", "Must have 1 to 200 characters.");
  }
  if (cost.kind === "percent" && cost.basisPoints === 0n) {
    yield aboutField("cost", "Must be above zero, and a share at most 100 %.");
  }
}

/** @throws Refusal VALIDATION_ERROR that names every fault, in the order of the lines; none where there is none */
export function refuseFaults(faults: readonly LineFault[]): void {
  const sentences = faults.toSorted((one, other) => one.line - other.line).map(({ sentence }) => sentence);
  if (sentences.length === 0) return;
  if (sentences.length === 1) throw refuse("VALIDATION_ERROR", { message: `${sentences[0]} No route was set.` });
  const named = sentences.slice(0, namedMax);
  const more = sentences.length - named.length;
  if (more > 0) named.push(`and ${more} more`);
  const message = [`No route was set: ${sentences.length} faults.`, ...named].join("\n  ");
  throw refuse("VALIDATION_ERROR", { message });
}
