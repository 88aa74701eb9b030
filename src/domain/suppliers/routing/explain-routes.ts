import type { Product } from "../../../categories/product/product.ts";
import type { Clock, WallTime } from "../../../kernel/clock.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import { formatHundredths, formatNaira, type Kobo, kobo, subtract } from "../../../kernel/money.ts";
import { arrayOf, type Queryable } from "../../../platform/database/database.ts";
import { grouped } from "../../catalogue/snapshot.ts";
import { priceText } from "../price-lists/difference-row.ts";
import { listUnservedProducts, type RouteRow } from "../queries.ts";
import { listLevels } from "../vouchers/level-queries.ts";
import { levelsOn } from "../vouchers/stock.ts";
import { listStoredBreakers, saidWithinSeconds } from "./breaker.ts";
import { chooseRoute, type PurchaseName } from "./choose-route.ts";
import type { OpenBreaker } from "./count-queries.ts";
import { isBelowFloor, isPastCap, passedLimit, type Standing, type SupplierLimits } from "./limits.ts";
import {
  type Amounts,
  costCeiling,
  isReckonable,
  type RouteOrder,
  type Supplier,
  type SupplierRoute,
} from "./route.ts";
import { readStandings } from "./route-counts.ts";
import { type RouteTable, readRoutesOf, routeOf } from "./route-table.ts";

/** A product's route, as a purchase would find it. */
export interface ExplainedRoute {
  readonly route: SupplierRoute;
  /** In whole sentences' words, why it is chosen, comes later or is left out. */
  readonly why: string;
  /** No purchase of so much would go there now, first or later. */
  readonly isLeftOut: boolean;
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
  readonly clock: Clock;
  readonly wallTime: WallTime;
  /** Why this program cannot speak to the supplier; null where it can. */
  readonly complaintAbout: (supplier: Supplier) => string | null | Promise<string | null>;
}

/** All that the choice of some products' routes depends on. */
export interface RouteFacts {
  readonly table: RouteTable;
  /** Routes that are off too, by priority. */
  readonly routesOf: (productId: ProductId) => readonly RouteRow[];
  /** Why this program cannot speak to suppliers, by their names. */
  readonly complaints: ReadonlyMap<string, string | null>;
  /** Products of which our own stock has nothing left. */
  readonly soldOut: ReadonlySet<number>;
  readonly breakers: readonly OpenBreaker[];
  readonly standingOf: (supplier: string) => Standing;
}

/**
 * Reads what the processes of the service have stored. Their memory is not seen: what they sent within the last second,
 * and breakers that opened in it.
 */
export async function readRouteFacts(services: ExplainServices, productIds: readonly ProductId[]): Promise<RouteFacts> {
  const { database, clock, wallTime, complaintAbout } = services;
  const { table, rows } = await readRoutesOf(database, productIds);
  const hasStock = table.suppliers.some(({ connector }) => connector === ownStock);
  const today = wallTime.dayOf(clock.now()).date;
  const levels = hasStock ? await listLevels(database, levelsOn(today)) : [];
  const byProduct = grouped(rows, ({ productId }) => productId);
  const complaints = table.suppliers.map(async (each) => [each.name, await complaintAbout(each)] as const);
  return {
    table,
    routesOf: (productId) => byProduct.get(productId) ?? [],
    complaints: new Map(await Promise.all(complaints)),
    soldOut: new Set(levels.filter(({ left }) => left === 0).map(({ productId }) => productId)),
    breakers: await listStoredBreakers(database),
    standingOf: await readStandings(services),
  };
}

const ownStock = "voucher-stock";

/** How much of a product is bought, and under which name; null: nobody's purchase. */
interface Explained {
  readonly product: Product;
  readonly amounts: Amounts;
  readonly purchase: PurchaseName | null;
}

/** Explains what routing would do with a purchase, by the same function that chooses. */
export function explainRoutes(facts: RouteFacts, requested: Explained): Explanation {
  const { product } = requested;
  const found = facts.routesOf(product.id).map((row) => findAbout(facts, row));
  const by = facts.table.orderOf(product.id);
  const open = facts.breakers.filter(({ category }) => category === product.biller.category);
  return { by, routes: inOrder(found, { ...requested, by, open: new Set(open.map(({ supplier }) => supplier)) }) };
}

/** The suppliers that get no sale of any product now, whatever it costs. */
function suppliersAway({ table, complaints, standingOf }: RouteFacts): readonly string[] {
  return table.suppliers
    .filter(({ name, state }) => {
      if (state !== "enabled" || complaints.get(name)) return true;
      return passedLimit(table.limitsOf(name) ?? noLimits, standingOf(name), aKobo) !== null;
    })
    .map(({ name }) => name);
}

const aKobo = kobo(1n);

/** The products on offer that nobody would sell now, whatever they cost. */
export async function listUnserved(database: Queryable, facts: RouteFacts): Promise<ReadonlySet<ProductId>> {
  const values = [arrayOf(suppliersAway(facts)), arrayOf([...facts.soldOut]), saidWithinSeconds];
  const rows = await database.query<{ id: ProductId }>(listUnservedProducts, values);
  return new Set(rows.map(({ id }) => id));
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

function findAbout(facts: RouteFacts, row: RouteRow): Found {
  const route = routeOf(row);
  const standing = facts.standingOf(route.supplier);
  const limits = facts.table.limitsOf(route.supplier) ?? noLimits;
  return { route, obstacle: obstacleOf(facts, { row, route }), limits, standing };
}

function obstacleOf(
  { table, complaints, soldOut }: RouteFacts,
  { row, route }: { readonly row: RouteRow; readonly route: SupplierRoute },
): string | null {
  if (!row.enabled) return "the route is off";
  const supplier = table.findSupplier(row.supplier);
  if (supplier?.state !== "enabled") return "the supplier is disabled";
  if (!isReckonable(route)) return `no fx-rate says what ${row.costCurrency} is in naira`;
  const complaint = complaints.get(row.supplier) ?? null;
  if (complaint !== null) return `no connector: ${complaint}`;
  const isSoldOut = supplier.connector === ownStock && soldOut.has(row.productId);
  return isSoldOut ? "nothing is left of it in our own stock" : null;
}

interface RouteQuery extends Explained {
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
    explained.push({ route, why, isLeftOut: false, place, cost: choice.cost, weights });
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
  return { route, why: `left out: ${why}`, isLeftOut: true, place: null, cost, weights: null };
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
