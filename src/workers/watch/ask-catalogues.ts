import type { Loss } from "../../domain/routing/losses.ts";
import type { Routing } from "../../domain/routing/routing.ts";
import {
  askDifferences,
  type CatalogueTeller,
  claimCatalogueTurns,
  countKinds,
} from "../../domain/routing/supplier-catalogue/ask-differences.ts";
import type { Comparison } from "../../domain/routing/supplier-catalogue/compare.ts";
import { formatNaira } from "../../kernel/money.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../../platform/work-loop.ts";

/** How often a supplier is asked for its list, by all processes together. */
const everySeconds = 86_400;
/** After a list that was not told, or whose process ended meanwhile. Longer than any list takes. */
const retrySeconds = 3_600;
/** How often a process looks whether somebody is due. */
const pollMs = 60_000;
/** A list may have 16 MB. */
const concurrencyMax = 2;
/** Losses that are named one by one; all of them are counted. */
const namedMax = 20;

/**
 * Asks each enabled supplier that has a list for it once a day, until stopped, and says in the log what differs from our
 * routes, and which costs passed a price. One process has the turn; no transaction is open while it waits. Changes no
 * route: what is accepted, an operator says.
 */
export function startAskingCatalogues(options: {
  readonly services: { readonly database: Database; readonly routing: Pick<Routing, "connectors"> };
  readonly log: Logger;
  readonly everySeconds?: number;
  readonly retrySeconds?: number;
  readonly pollMs?: number;
}): WorkLoop {
  const { services, log } = options;
  const { database, routing } = services;
  const turns = {
    everySeconds: options.everySeconds ?? everySeconds,
    retrySeconds: options.retrySeconds ?? retrySeconds,
  };
  return startWorkLoop<CatalogueTeller>({
    claim: async (limit) => claimCatalogueTurns(database, await routing.connectors(), { ...turns, limit }),
    async act(connector) {
      const supplier = connector.name;
      const asked = await askDifferences(database, connector);
      if (asked.kind === "compared") tell(log, supplier, asked.comparison);
      else log.warn({ event: "supplier.catalogue_untold", supplier, evidence: asked.evidence });
    },
    concurrencyMax,
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "supplier.catalogue_failed", error: String(error) }),
  });
}

function tell(log: Logger, supplier: string, { differences, listed, shrunk, unclear }: Comparison): void {
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
  for (const loss of losses.slice(0, namedMax)) tellLoss(log, loss);
}

function tellLoss(log: Logger, { product, supplier, cost, price, quantity }: Loss): void {
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
