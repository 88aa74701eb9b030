import type { Database } from "../../../src/platform/database/database.ts";

/** A connection that breaks, once, around a commit: before the statement reached the server, or after it was done. */
export interface Loss {
  readonly statement: "accept_purchases" | "settle_purchases" | "reroute_purchases";
  readonly when: "before" | "after";
}

export function losing(database: Database, loss: Loss | undefined): Database {
  if (loss === undefined) return database;
  let left = 1;
  return {
    ...database,
    async query<Row>(...call: Parameters<Database["query"]>): Promise<Row[]> {
      if (call[0].name !== loss.statement || left === 0) return database.query<Row>(...call);
      left -= 1;
      if (loss.when === "after") await database.query(...call);
      throw Object.assign(new Error("read ECONNRESET"), { code: "ECONNRESET" });
    },
  };
}

/** Counts what is under way, for what the program does in the background. */
export function counted(database: Database): { readonly database: Database; idle(): Promise<void> } {
  let underWay = 0;
  return {
    database: {
      ...database,
      async query<Row>(...call: Parameters<Database["query"]>): Promise<Row[]> {
        underWay += 1;
        try {
          return await database.query<Row>(...call);
        } finally {
          underWay -= 1;
        }
      },
    },
    async idle() {
      // A batcher sends in the turn after the call: one turn, then whatever is on its way.
      do await new Promise((resolve) => setImmediate(resolve));
      while (underWay > 0);
    },
  };
}
