import pg from "pg";
import { expect, test } from "vitest";
import { openAccept } from "../../src/domain/purchases/accept.ts";
import { findPurchasesByReference } from "../../src/domain/purchases/queries.ts";
import { wallTime } from "../../src/kernel/clock.ts";
import type { Reference } from "../../src/kernel/ids.ts";
import { type Database, openDatabase, openPool } from "../../src/platform/database/database.ts";
import { closing } from "../support/closing.ts";
import { startOwnPostgres } from "../support/own-postgres.ts";
import { fundedWallet, newPurchase, walletKey } from "../support/wallet.ts";

const postgres = closing(await startOwnPostgres({ migrated: true }));
// An operator's server may not wait for its disk by default; and here its log is not written by the way either.
await postgres.pool.query("alter system set synchronous_commit = off");
await postgres.pool.query("alter system set wal_writer_delay = '10s'");
await postgres.restart();
const ourPool = () =>
  openPool({ connectionString: postgres.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
const wallet = await withDatabase(ourPool, (database) => fundedWallet(database, walletKey(1), 1_000_000n));

test("an acknowledged purchase survives the kill of PostgreSQL, whatever the server does by default", async () => {
  expect(await isThereAfterKill("waited-for", ourPool)).toBe(true);
});

test("the same kill takes an acknowledged purchase away where commits do not wait: it would be noticed", async () => {
  expect(await isThereAfterKill("not-waited-for", defaultPool)).toBe(false);
});

const defaultPool = () => new pg.Pool({ connectionString: postgres.url, max: 1 }).on("error", () => {});

async function withDatabase<T>(open: () => pg.Pool, use: (database: Database) => Promise<T>): Promise<T> {
  const database = openDatabase(open());
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

async function isThereAfterKill(reference: string, open: () => pg.Pool): Promise<boolean> {
  await withDatabase(open, async (database) => {
    const accept = openAccept({ database, clock: { now: () => Date.now() }, wallTime: wallTime("Africa/Lagos") });
    expect((await accept(newPurchase(wallet, reference))).kind).toBe("accepted");
    await postgres.kill();
  });
  await postgres.restart();
  const [found] = await withDatabase(ourPool, (database) =>
    findPurchasesByReference(database, [{ wallet, reference: reference as Reference }]),
  );
  return found != null;
}
