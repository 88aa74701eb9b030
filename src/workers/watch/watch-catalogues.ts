import {
  askDifferences,
  catalogueTurn,
  countKinds,
  hasCatalogue,
  readFindings,
} from "../../domain/suppliers/price-lists/ask-differences.ts";
import type { ChangeKind, Comparison } from "../../domain/suppliers/price-lists/compare.ts";
import type { StoredFindings } from "../../domain/suppliers/price-lists/queries.ts";
import type { Loss } from "../../domain/suppliers/routing/limits.ts";
import type { Routing } from "../../domain/suppliers/routing/routing.ts";
import { formatNaira } from "../../kernel/money.ts";
import type { Database, Queryable } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { gauges, type Metric, type Metrics } from "../../platform/telemetry/metrics.ts";
import { claimTurns } from "../../platform/work-loop.ts";
import type { Connector } from "../../providers/contract.ts";
import type { Job, Looked, Reporting } from "../watch.ts";

/** After a list that was not told, or whose process ended meanwhile. Longer than any list takes. */
const retrySeconds = 3_600;
/** A list may have 16 MB. */
const atOnceMax = 2;
/** Losses that are named one by one; all of them are counted. */
const namedMax = 20;

/**
 * Each enabled supplier that has a list is asked for it once a day, by one process, which logs what differs from our routes,
 * and which costs passed a price. Changes no route: what is accepted, an operator says.
 */
export const catalogueAsking: Job<
  Pick<Reporting, "log"> & { readonly database: Database; readonly routing: Pick<Routing, "connectors"> }
> = {
  name: "supplier_catalogues",
  everyMs: 60_000,
  open:
    ({ database, routing, log }) =>
    async () => {
      const connectors = (await routing.connectors()).filter(hasCatalogue);
      const turn = { turnOf: catalogueTurn, seconds: retrySeconds, limit: atOnceMax };
      return askInTurn(database, connectors, turn, async (connector) => {
        const requested = await askDifferences(database, connector);
        if (requested.kind === "compared") report(log, connector.name, requested.comparison);
        else log.warn({ event: "supplier.catalogue_untold", supplier: connector.name, evidence: requested.evidence });
      });
    },
};

function report(log: Logger, supplier: string, { differences, listed, shrunk, unclear }: Comparison): void {
  if (differences.length === 0) return;
  const { loses_money, value_changed, gone, cost_changed, new: newProducts } = countKinds(differences);
  const line = {
    event: "supplier.catalogue_differs",
    supplier,
    listed,
    losesMoney: loses_money,
    valueChanged: value_changed,
    gone,
    costChanged: cost_changed,
    newProducts,
    unclear: unclear.length,
    ...(shrunk.length === 0 ? {} : { shrunk: shrunk.map(({ category }) => category).join(" ") }),
  };
  // Hardly anybody sells all that a supplier has: that it has more is nothing to act upon.
  if (newProducts === differences.length) log.info(line);
  else log.warn(line, `supplier catalogue ${supplier} shows what differs.`);
  const losses = differences.flatMap((found) => (found.kind === "loses_money" ? found.loss : []));
  for (const loss of losses.slice(0, namedMax)) logLoss(log, loss);
}

function logLoss(log: Logger, { product, supplier, cost, price, quantity }: Loss): void {
  log.error(
    {
      event: "supplier.cost_above_price",
      supplier,
      productId: product.id,
      quantity,
      cost: formatNaira(cost),
      price: formatNaira(price),
    },
    `Raise the price (set-price ${product.id}), or switch the route off with supplier catalogue ${supplier}.`,
  );
}

const metrics: readonly Metric[] = [
  ...gauges(["supplier", "change"], {
    dispense_supplier_catalogue_differences:
      "Differences of an enabled supplier's list from our routes when it told it last: loses_money, value_changed, gone, cost_changed, new.",
  }),
  ...gauges(["supplier"], {
    dispense_supplier_catalogue_age_seconds: "How long ago a supplier told its whole list; it is asked each day.",
  }),
];

/** What was found in suppliers' lists, whichever process asked. */
export const catalogueWatch: Job<Reporting & { readonly database: Database }> = {
  name: "catalogues",
  everyMs: 15_000,
  metrics,
  open:
    ({ database, metrics }) =>
    async () => {
      for (const findings of await readFindings(database)) measure(metrics, findings);
    },
};

function measure(metrics: Metrics, { supplier, state, ageSeconds, ...found }: StoredFindings): void {
  const counts: Readonly<Record<ChangeKind, number>> = {
    loses_money: found.losesMoney,
    value_changed: found.valueChanged,
    gone: found.gone,
    cost_changed: found.costChanged,
    new: found.newProducts,
  };
  for (const [change, count] of Object.entries(counts)) {
    const shown = state === "enabled" ? count : 0;
    metrics.set("dispense_supplier_catalogue_differences", shown, { supplier, change });
  }
  metrics.set("dispense_supplier_catalogue_age_seconds", ageSeconds, { supplier });
}

/**
 * Asks those of these suppliers whose turn is free, at most `limit` beside each other; no transaction is open meanwhile. A
 * process that ends before its supplier has answered loses one turn.
 * @throws what the first one failed with, when all are through
 */
export async function askInTurn<Kind extends Connector>(
  database: Queryable,
  connectors: readonly Kind[],
  turn: { readonly turnOf: (supplier: string) => string; readonly seconds: number; readonly limit: number },
  ask: (connector: Kind) => Promise<void>,
): Promise<Looked> {
  const claimed = await claimTurns(
    database,
    connectors.map(({ name }) => turn.turnOf(name)),
    turn,
  );
  const due = connectors.filter(({ name }) => claimed.has(turn.turnOf(name)));
  const results = await Promise.allSettled(due.map(ask));
  const failed = results.find((result) => result.status === "rejected");
  if (failed !== undefined) throw failed.reason;
  return due.length === turn.limit ? "again" : undefined;
}
