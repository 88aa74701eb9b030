import type { Queryable } from "../platform/database/database.ts";
import { claimTurns } from "../platform/turns.ts";
import type { Connector } from "../providers/contract.ts";
import type { Looked } from "./watch.ts";

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
  return due.length === turn.limit ? "more" : undefined;
}
