import { askBalance, type BalanceTeller, claimBalanceTurns } from "../../domain/routing/balances.ts";
import type { Routing } from "../../domain/routing/routing.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../../platform/work-loop.ts";

/** How often a supplier is asked, by all processes together. */
const everySeconds = 300;
/** How often a process looks whether somebody is due. */
const pollMs = 15_000;
/** Suppliers asked at one time: one that is slow keeps no other waiting. */
const concurrencyMax = 8;

/**
 * Asks each enabled supplier every five minutes what is left of our money there, until stopped. One process has the turn;
 * no transaction is open while it waits for the answer.
 */
export function startAskingBalances(options: {
  readonly services: { readonly database: Database; readonly routing: Pick<Routing, "connectors"> };
  readonly log: Logger;
  readonly everySeconds?: number;
  readonly pollMs?: number;
}): WorkLoop {
  const { services, log } = options;
  const { database, routing } = services;
  const seconds = options.everySeconds ?? everySeconds;
  return startWorkLoop<BalanceTeller>({
    claim: async (limit) => claimBalanceTurns(database, await routing.connectors(), { everySeconds: seconds, limit }),
    async act(connector) {
      const { balance, evidence } = await askBalance(database, connector);
      if (balance === null) log.warn({ event: "supplier.balance_untold", supplier: connector.name, evidence });
    },
    concurrencyMax,
    pollMs: options.pollMs ?? pollMs,
    onError: (error) => log.error({ event: "supplier.balance_failed", error: String(error) }),
  });
}
