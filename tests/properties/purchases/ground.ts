import { openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { freshDatabase } from "../../support/database.ts";
import type { Parts } from "./process.ts";
import type { Ground } from "./world.ts";

export interface OwnGround extends Ground {
  close(): Promise<void>;
}

/** A database of its own. `statements` run in it first; `plant` replaces parts of every process. */
export async function openGround(
  options: { readonly statements?: readonly string[]; readonly plant?: (parts: Parts) => Parts } = {},
): Promise<OwnGround> {
  const fresh = await freshDatabase();
  const { statements = [], ...faults } = options;
  for (const statement of statements) await fresh.pool.query(statement);
  const open = () =>
    openDatabase(
      openPool({ connectionString: fresh.url, connectionsMax: 4, applicationName: "model test", plans: "batched" }),
    );
  const [database, neighbour] = [open(), open()];
  return {
    ...faults,
    pool: fresh.pool,
    database,
    neighbour,
    merchantsUsed: 0,
    processesStarted: 0,
    close: async () => {
      await Promise.all([database.close(), neighbour.close()]);
      await fresh.drop();
    },
  };
}
