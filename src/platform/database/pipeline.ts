import type pg from "pg";
import { connectBeside, siblingClient } from "./connection-config.ts";

/** A connection on which a query does not wait for the answers to those before it. */
export interface Pipeline {
  /** Resolves when it is connected, and connects where it is not. @throws what connecting says */
  hold(): Promise<unknown>;
  query(query: pg.QueryConfig): Promise<pg.QueryResult>;
  /** Has the connection end once its queries are answered: the next query makes another one. */
  renew(): void;
  /** Resolves when every query is answered and the connection is closed. */
  close(): Promise<void>;
}

/**
 * The next query then lies at the server when it has done with the one before, so that it never waits until we have read
 * an answer. The server carries them out in the order of their calls, each in a transaction of its own. Connects with the
 * first query, and again with the next one when the connection was lost; those under way then fail as `isConnectionLost`
 * knows it.
 *
 * @param onLost hears of every loss
 * @param onMissing throws what a query fails with that finds no connection
 */
export function openPipeline(
  config: pg.PoolConfig,
  onLost: (error: Error) => void,
  onMissing: (error: unknown) => never,
): Pipeline {
  let current: Promise<pg.Client> | undefined;

  function connect(): Promise<pg.Client> {
    const client = siblingClient(config, { pipeline: true });
    const connected = connectBeside(config, client);
    // A lost connection may tell so twice.
    client.on("error", (error) => {
      if (current === connected) onLost(error);
      forget(connected);
    });
    connected.catch(() => forget(connected));
    return connected;
  }

  function forget(connected: Promise<pg.Client>): void {
    if (current === connected) current = undefined;
  }

  function hold(): Promise<pg.Client> {
    current ??= connect();
    return current;
  }

  return {
    hold,
    async query(query) {
      const client = await hold().catch(onMissing);
      return client.query(query);
    },
    renew() {
      void current?.then(
        (client) => client.end(),
        () => {},
      );
      current = undefined;
    },
    async close() {
      const client = await current?.catch(() => undefined);
      await client?.end();
    },
  };
}
