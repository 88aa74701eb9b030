import { simulatedFindings, simulatedFulfilment } from "../../categories/fulfilment/simulated.ts";
import type { Catalogue } from "../../domain/catalogue/catalogue.ts";
import { openReroute, type Reroute } from "../../domain/resolution/reroute/reroute.ts";
import {
  type BreakerNews,
  type Breakers,
  measuredRouter,
  openBreakers,
} from "../../domain/suppliers/routing/breaker.ts";
import { openRouteCounts, type RouteCounts } from "../../domain/suppliers/routing/route-counts.ts";
import { costAt, openRouteTable, type RememberedRoutes } from "../../domain/suppliers/routing/route-table.ts";
import {
  type OpenConnector,
  openRouting,
  type Routing,
  type SoldOut,
  withBreakers,
} from "../../domain/suppliers/routing/routing.ts";
import { type EmptyShelves, openEmptyShelves, openStock } from "../../domain/suppliers/vouchers/stock.ts";
import type { Clock, WallTime } from "../../kernel/clock.ts";
import type { TransactionIds } from "../../kernel/ids.ts";
import type { RevisionWatch } from "../../platform/revisions.ts";
import type { SecretBox } from "../../platform/sealing/secret-box.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Metric, Metrics } from "../../platform/telemetry/metrics.ts";
import { openRouter, type Router } from "../../providers/router.ts";
import { simulator } from "../../providers/simulator.ts";
import { voucherStock } from "../../providers/voucher-stock/connector.ts";
import type { Databases } from "./database-services.ts";

/** The suppliers that can be asked to vend, and how one of them is chosen. */
export interface SupplierServices {
  readonly router: Router;
  readonly routing: Routing;
  /** Suppliers and routes in memory. */
  readonly routes: RememberedRoutes;
  readonly reroute: Reroute;
  readonly emptyShelves: EmptyShelves;
  readonly routeCounts: RouteCounts;
  readonly breakers: Breakers;
  /** What has something to write before the connections close. */
  readonly writers: { idle(): Promise<void> };
}

const monotonicMs = () => performance.now();

/** What was sent before this process began counts for the caps of its first purchase: it is read here. */
export async function openSuppliers(options: {
  readonly databases: Pick<Databases, "ordinary" | "batched">;
  readonly watch: RevisionWatch;
  readonly catalogue: Catalogue;
  readonly clock: Clock;
  readonly wallTime: WallTime;
  readonly transactionIds: TransactionIds;
  readonly secretBox: SecretBox;
  readonly openConnector: OpenConnector;
  readonly metrics: Metrics;
  readonly log: Logger;
}): Promise<SupplierServices> {
  const { watch, catalogue, clock, wallTime, transactionIds, secretBox, metrics, log } = options;
  const { ordinary: database, batched } = options.databases;
  const emptyShelves = openEmptyShelves();
  const stock = openStock({ database: batched, clock, wallTime, secretBox, emptyShelves });
  const openConnector = withOwnStock(stock, options.openConnector);
  const breakers = openBreakers({ clock, publish: logBreakers({ metrics, log }) });
  const routes = openRouteTable({ database, watch });
  const counts = openRouteCounts({ database, clock, wallTime, costOf: costBy(routes) });
  await counts.flush();
  const routing = openRouting({ routes, breakers, openConnector, soldOut: soldOutOf(emptyShelves), counts });
  const productsOf = async (slug: string) =>
    (await catalogue.current()).products.filter(({ biller }) => biller.slug === slug);
  const sandboxConnector = simulator(simulatedFulfilment(wallTime, productsOf), simulatedFindings(wallTime));
  const asking = openRouter({ simulator: sandboxConnector, connectorOf: routing.connectorOf });
  const reroute = openReroute({ database: batched, catalogue, routing, transactionIds });
  return {
    router: withBreakers(measuredRouter(asking, { metrics, monotonicMs, counts }), breakers),
    routing,
    routes,
    reroute,
    emptyShelves,
    routeCounts: counts,
    breakers,
    writers: { idle: async () => void (await Promise.all([reroute.idle(), counts.idle()])) },
  };
}

/** By the routes in memory: whoever sends has looked at them just before. */
function costBy(routes: RememberedRoutes): Parameters<typeof openRouteCounts>[0]["costOf"] {
  return (supplier, bought) => {
    const table = routes.peek();
    return table === null ? bought.faceAmount : costAt(table, supplier, bought);
  };
}

function soldOutOf(emptyShelves: EmptyShelves): SoldOut {
  return {
    has: ({ connector }, productId) => connector === ownStock && emptyShelves.has(productId),
    get version() {
      return emptyShelves.version;
    },
  };
}

const ownStock = "voucher-stock";

export const breakerMetrics: readonly Metric[] = [
  {
    name: "dispense_supplier_breaker_open",
    kind: "gauge",
    labels: ["supplier", "category"],
    help: "1 while this process sends a supplier no new purchase of a category, or tries one out.",
  },
];

function logBreakers({ metrics, log }: { readonly metrics: Metrics; readonly log: Logger }) {
  return (news: BreakerNews) => {
    const { event, supplier, category } = news;
    if (event === "supplier.breaker_closed") log.info(news);
    else log.warn(news);
    if (event === "supplier.silent") return;
    metrics.set("dispense_supplier_breaker_open", event === "supplier.breaker_opened" ? 1 : 0, { supplier, category });
  };
}

/** The one connector whose supplier is this database. */
function withOwnStock(stock: Parameters<typeof voucherStock>[1], open: OpenConnector): OpenConnector {
  return (supplier) => (supplier.connector === ownStock ? voucherStock(supplier.name, stock) : open(supplier));
}
