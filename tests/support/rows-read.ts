import type { Database } from "../../src/platform/database/database.ts";

const handIn = { name: "hand_in_counts", text: "select pg_stat_force_next_flush()" };

/**
 * How many rows of the table are read by its indexes, whichever, while `act` runs on the database. It must have one
 * connection: counts are each connection's own until it hands them in.
 */
export async function rowsRead(database: Database, table: string, act: () => Promise<unknown>): Promise<number> {
  const before = await readSoFar(database, table);
  await act();
  return (await readSoFar(database, table)) - before;
}

async function readSoFar(database: Database, table: string): Promise<number> {
  await database.query(handIn);
  const text = "select sum(idx_tup_read)::float8 as rows from pg_stat_user_indexes where relname = $1";
  const [row] = await database.query<{ rows: number }>({ name: "count_rows_read", text }, [table]);
  return row!.rows;
}
