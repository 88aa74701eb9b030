import type pg from "pg";
import { expect, vi } from "vitest";
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

/**
 * Vacuums and analyses a table until nothing dead is left in it: what another snapshot may still see, such as that of
 * autovacuum's own analysis, outlasts the first.
 */
export async function vacuumWhole(pool: pg.Pool, table: string): Promise<void> {
  const dead = "select n_dead_tup::int as dead from pg_stat_user_tables where relname = $1";
  await vi.waitFor(
    async () => {
      await pool.query(`vacuum (analyze) ${table}`);
      expect((await pool.query(dead, [table])).rows).toEqual([{ dead: 0 }]);
    },
    { timeout: 20_000, interval: 100 },
  );
}
