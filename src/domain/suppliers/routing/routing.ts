import type { Product } from "../../../categories/product/product.ts";
import type { VendRequest } from "../../../categories/supplier-request.ts";
import type { ProductId } from "../../../kernel/ids.ts";
import type { Mode } from "../../../kernel/mode.ts";
import { type Kobo, kobo } from "../../../kernel/money.ts";
import type { Connector, VendOutcome } from "../../../providers/contract.ts";
import type { ConnectorOf, Router } from "../../../providers/router.ts";
import { type Breakers, circuitName } from "./breaker.ts";
import { chooseRoute, type PurchaseName, type RouteChoice } from "./choose-route.ts";
import { type LimitName, passedLimit } from "./limits.ts";
import { type Amounts, costCeiling, type Supplier, type SupplierRoute } from "./route.ts";
import type { RouteCounts } from "./route-counts.ts";
import type { RememberedRoutes, RouteTable } from "./route-table.ts";

/** Makes a supplier's connector; null where the program has none of that name, or cannot open its credentials. */
export type OpenConnector = (supplier: Supplier) => Connector | null;

export interface Routing {
  /** The route of a live purchase's next attempt. From memory. */
  choose(product: Product, amounts: Amounts, attempt: NextAttempt): Promise<RouteChoice>;
  /** Whether a purchase of so much of the product may be sent to the supplier now. From memory. */
  admits(product: Product, supplier: string, amounts: Amounts): Promise<boolean>;
  /** The suppliers to ask about these products, in order: the simulator in sandbox, those that serve them in live. */
  suppliersOf(mode: Mode, products: readonly Product[]): Promise<readonly RouteQuery[]>;
  /** Which products could be sent to a supplier now: all of them in sandbox. */
  reach(mode: Mode): Promise<Reach>;
  readonly connectorOf: ConnectorOf;
  /** The connectors of all suppliers that are enabled and can be asked. */
  connectors(): Promise<readonly Connector[]>;
}

/** An attempt at a purchase that is to be sent to somebody. */
export interface NextAttempt extends PurchaseName {
  /** Suppliers that have declined the purchase. */
  readonly tried: ReadonlySet<string>;
}

interface RouteQuery {
  /** Null is the simulator. */
  readonly supplier: string | null;
  /** The supplier's code for the first of the products that it serves. */
  readonly supplierCode: string | null;
}

const simulatorAlone: readonly RouteQuery[] = [{ supplier: null, supplierCode: null }];

/** The products of which our own stock has nothing left. */
export interface SoldOut {
  has(supplier: Supplier, productId: ProductId): boolean;
  /** Changes whenever an answer may have changed. */
  readonly version: number;
}

/** What can be sold at this moment. */
export interface Reach {
  /** Equal keys mean equal answers: what was made for one can be shown for the other. */
  readonly key: string;
  isServed(product: Product): boolean;
}

const aKobo = kobo(1n);

const everything: Reach = { key: "", isServed: () => true };

export function openRouting(options: {
  readonly routes: RememberedRoutes;
  readonly breakers: Breakers;
  readonly openConnector: OpenConnector;
  readonly soldOut: SoldOut;
  readonly counts: Pick<RouteCounts, "standingOf">;
}): Routing {
  const { routes, breakers, soldOut, counts } = options;
  const openedOnce = rememberConnectors(options.openConnector);
  const connectorOfRow = (supplier: Supplier | null) => (supplier === null ? null : openedOnce(supplier));
  const versionOf = rememberVersions();

  /** The product's routes to suppliers that have a connector and may have some of it left. */
  const usable = (table: RouteTable, product: Product) =>
    table.routesOf(product.id).filter(({ supplier }) => {
      const row = table.findSupplier(supplier);
      return row !== null && connectorOfRow(row) !== null && !soldOut.has(row, product.id);
    });

  const limitOf = (table: RouteTable, supplier: string, cost: Kobo): LimitName | null => {
    const limits = table.limitsOf(supplier);
    return limits === null ? null : passedLimit(limits, counts.standingOf(supplier), cost);
  };

  return {
    async choose(product, amounts, attempt) {
      const table = await routes.current();
      return chooseRoute({
        routes: usable(table, product),
        by: table.orderOf(product.id),
        amounts,
        purchase: attempt,
        tried: attempt.tried,
        admits: (supplier) => breakers.admits(supplier, product.biller.category),
        limitOf: (supplier, cost) => limitOf(table, supplier, cost),
      });
    },
    async admits(product, name, amounts) {
      const table = await routes.current();
      const route = usable(table, product).find(({ supplier }) => supplier === name);
      if (route === undefined || !breakers.admits(name, product.biller.category)) return false;
      return limitOf(table, name, costCeiling(route.cost, amounts)) === null;
    },
    connectorOf: async (supplier) => connectorOfRow((await routes.current()).findSupplier(supplier)),
    async connectors() {
      const { suppliers } = await routes.current();
      const enabled = suppliers.filter(({ state }) => state === "enabled");
      return enabled.map(connectorOfRow).filter((connector) => connector !== null);
    },
    async suppliersOf(mode, products) {
      if (mode === "test") return simulatorAlone;
      const table = await routes.current();
      const codes = new Map<string, string>();
      for (const product of products) {
        for (const { supplier, supplierCode } of usable(table, product)) {
          if (!codes.has(supplier)) codes.set(supplier, supplierCode);
        }
      }
      return Array.from(codes, ([supplier, supplierCode]) => ({ supplier, supplierCode }));
    },
    async reach(mode) {
      if (mode === "test") return everything;
      const table = await routes.current();
      // A limit is reached for all where it leaves no room for a kobo.
      const limited = table.limited().filter((supplier) => limitOf(table, supplier, aKobo) !== null);
      const away = { open: breakers.open(), limited };
      const key = `${versionOf(table)} ${soldOut.version} ${away.open.join(",")} ${limited.join(",")}`;
      return { key, isServed: servedBut(away, (product) => usable(table, product)) };
    },
  };
}

/** Tells of a product whether a supplier serves it that none of this keeps away. */
function servedBut(
  away: { readonly open: readonly string[]; readonly limited: readonly string[] },
  routesOf: (product: Product) => readonly SupplierRoute[],
): Reach["isServed"] {
  const [open, limited] = [new Set(away.open), new Set(away.limited)];
  return (product) =>
    routesOf(product).some(
      ({ supplier }) => !limited.has(supplier) && !open.has(circuitName(supplier, product.biller.category)),
    );
}

/**
 * A router whose vends teach the breakers, and are kept back by them. What was chosen while its breaker was closed or half
 * open is not sent after that has changed. Asking what became of a purchase does not pass here: no breaker keeps it back.
 */
export function withBreakers(router: Router, breakers: Breakers): Router {
  return {
    ...router,
    async vend(supplier: string | null, request: VendRequest): Promise<VendOutcome> {
      if (supplier === null) return router.vend(supplier, request);
      const end = breakers.begin(supplier, request.category);
      if (end === null) return { ...notSentTo(supplier), notNow: true };
      let outcome: VendOutcome | null = null;
      try {
        outcome = await router.vend(supplier, request);
        return outcome;
      } finally {
        end(outcome);
      }
    },
  };
}

/** Not a byte has left: the next supplier may be asked. */
export function notSentTo(supplier: string | null): Extract<VendOutcome, { kind: "declined" }> {
  const evidence = `not sent: ${supplier} gets no such purchases at present`;
  return { kind: "declined", errorCode: "OPERATOR_UNAVAILABLE", evidence };
}

/** One connector a supplier, made again when its row says something else. */
function rememberConnectors(open: OpenConnector): OpenConnector {
  const made = new Map<string, { readonly from: string; readonly connector: Connector | null }>();
  const seen = new WeakMap<Supplier, Connector | null>();
  return (supplier) => {
    const known = seen.get(supplier);
    if (known !== undefined) return known;
    const from = JSON.stringify([supplier.connector, supplier.settings, supplier.credentials]);
    const before = made.get(supplier.name);
    const connector = before?.from === from ? before.connector : open(supplier);
    made.set(supplier.name, { from, connector });
    seen.set(supplier, connector);
    return connector;
  };
}

/** Numbers the tables that were seen. */
function rememberVersions(): (table: RouteTable) => number {
  let last: RouteTable | null = null;
  let version = 0;
  return (table) => {
    if (table !== last) version += 1;
    last = table;
    return version;
  };
}
