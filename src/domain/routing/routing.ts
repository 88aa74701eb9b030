import type { Mode } from "../../kernel/mode.ts";
import type { Connector, VendOutcome, VendRequest } from "../../providers/contract.ts";
import type { ConnectorOf, Router } from "../../providers/router.ts";
import type { Product } from "../categories/product.ts";
import type { Breakers } from "./breaker.ts";
import { chooseRoute, type RouteChoice } from "./choose-route.ts";
import type { Amounts, Supplier } from "./route.ts";
import type { RememberedRoutes, RouteTable } from "./route-table.ts";

/** Makes a supplier's connector; null where the program has none of that name, or cannot open its credentials. */
export type OpenConnector = (supplier: Supplier) => Connector | null;

export interface Routing {
  /** The route of a live purchase's next attempt. From memory. `tried`: suppliers that have declined it. */
  choose(product: Product, amounts: Amounts, tried: ReadonlySet<string>): RouteChoice | Promise<RouteChoice>;
  /** Whom to ask about these products, in this order: the simulator in sandbox, live those who serve them. */
  suppliersOf(mode: Mode, products: readonly Product[]): Promise<readonly Asked[]>;
  /** Which products could be sent to somebody now: all of them in sandbox. */
  reach(mode: Mode): Promise<Reach>;
  readonly connectorOf: ConnectorOf;
}

export interface Asked {
  /** Null is the simulator. */
  readonly supplier: string | null;
  /** What it calls the first of the products that it serves. */
  readonly supplierCode: string | null;
}

const simulatorAlone: readonly Asked[] = [{ supplier: null, supplierCode: null }];

/** What can be sold at this moment. */
export interface Reach {
  /** Equal as long as the answers are: what was made for one can be shown for the other. */
  readonly key: string;
  isServed(product: Product): boolean;
}

const everything: Reach = { key: "", isServed: () => true };

export function openRouting(options: {
  readonly routes: RememberedRoutes;
  readonly breakers: Breakers;
  readonly openConnector: OpenConnector;
}): Routing {
  const { routes, breakers } = options;
  const connectorOfRow = rememberConnectors(options.openConnector);
  const load = async () => routes.peek() ?? (await routes.load());
  const versionOf = rememberVersions();

  /** Of suppliers that a connector exists for. */
  const usable = (table: RouteTable, product: Product) =>
    table.routesOf(product.id).filter(({ supplier }) => {
      const row = table.findSupplier(supplier);
      return row !== null && connectorOfRow(row) !== null;
    });

  const chooseFrom = (table: RouteTable, product: Product, amounts: Amounts, tried: ReadonlySet<string>) =>
    chooseRoute({
      routes: usable(table, product),
      by: table.orderOf(product.id),
      amounts,
      tried,
      admits: (supplier) => breakers.admits(supplier, product.biller.category),
    });

  const connectorFrom = (table: RouteTable, supplier: string) => {
    const row = table.findSupplier(supplier);
    return row === null ? null : connectorOfRow(row);
  };

  return {
    // These two are asked for every purchase, and wait only where the table has to be read.
    choose(product, amounts, tried) {
      const table = routes.peek();
      if (table !== null) return chooseFrom(table, product, amounts, tried);
      return routes.load().then((loaded) => chooseFrom(loaded, product, amounts, tried));
    },
    connectorOf(supplier) {
      const table = routes.peek();
      if (table !== null) return connectorFrom(table, supplier);
      return routes.load().then((loaded) => connectorFrom(loaded, supplier));
    },
    async suppliersOf(mode, products) {
      if (mode === "test") return simulatorAlone;
      const table = await load();
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
      const table = await load();
      const open = breakers.open();
      const away = new Set(open);
      const isServed = (product: Product) =>
        usable(table, product).some(({ supplier }) => !away.has(`${supplier} ${product.biller.category}`));
      return {
        key: `${versionOf(table)} ${open.join(",")}`,
        isServed,
      };
    },
  };
}

/** A router whose vends teach the breakers. Asking what became of one does not pass here: no breaker keeps it back. */
export function teaching(router: Router, breakers: Breakers): Router {
  return {
    ...router,
    async vend(supplier: string | null, request: VendRequest): Promise<VendOutcome> {
      if (supplier === null) return router.vend(supplier, request);
      breakers.began(supplier, request.category);
      const outcome = await router.vend(supplier, request);
      breakers.ended(supplier, request.category, outcome);
      return outcome;
    },
  };
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
