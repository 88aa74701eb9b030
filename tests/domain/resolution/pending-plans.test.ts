import { afterEach, beforeEach, expect, test } from "vitest";
import { insertPurchases, type NewPurchase } from "../../../src/domain/purchases/queries.ts";
import { updateSettled } from "../../../src/domain/purchases/settle-queries.ts";
import { claimPendingDue, updatePendingDue } from "../../../src/domain/resolution/requery/pending-queries.ts";
import { updateRerouted } from "../../../src/domain/resolution/reroute/reroute-queries.ts";
import { kobo } from "../../../src/kernel/money.ts";
import { type OpenDatabase, openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { type FreshDatabase, freshDatabase } from "../../support/database.ts";
import { rowsRead, vacuumWhole } from "../../support/rows-read.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

let fresh: FreshDatabase;
let database: OpenDatabase;
const merchants = 40;
const each = 100;
const day = "2026-11-20";

beforeEach(async () => {
  fresh = await freshDatabase();
  // One connection, as counts are each connection's own until it hands them in.
  const pool = openPool({ connectionString: fresh.url, connectionsMax: 1, applicationName: "test", plans: "batched" });
  database = openDatabase(pool);
  for (let merchant = 1; merchant <= merchants; merchant++) {
    await fundedWallet(database, walletKey(merchant), 10_000_000_000n);
    await insertPurchases(database, pendingOf(merchant, "first"), day);
  }
  // The last page stays: vacuum can't shorten the table, and remembers that its pages hold nothing.
  await fresh.pool.query("delete from inflight where ctid <> (select max(ctid) from inflight)");
  await vacuumWhole(fresh.pool, "inflight");
});
afterEach(async () => {
  await database.close();
  await fresh.drop();
});

function pendingOf(merchant: number, name: string): NewPurchase[] {
  const wallet = walletKey(merchant);
  return Array.from({ length: each }, (_, i) => newPurchase(wallet, `${name}-${i}`, { dueSeconds: 0 }));
}

const inflightRead = (act: () => Promise<unknown>) => rowsRead(database, "inflight", act);

test.each([
  ["vacuum found none", null],
  // Without a new analysis: all are one group's for the planner, as the single row was that the last one saw.
  ["vacuum alone found all of them", "vacuum inflight"],
])("nothing that ends, moves or claims pending purchases reads all of them, though %s", async (_, vacuum) => {
  const pending: NewPurchase[] = [];
  for (let merchant = 1; merchant <= merchants; merchant++) {
    const made = pendingOf(merchant, "second");
    await insertPurchases(database, made, day);
    pending.push(...made.slice(0, 2));
  }
  if (vacuum !== null) await fresh.pool.query(vacuum);
  const known = pending.map(({ terms: { wallet, id, reference } }) => ({
    wallet,
    id,
    reference,
    epoch: 0,
    attempt: 1,
  }));
  const answer = { supplierReference: "1", evidence: "declined", providerReference: null };
  const settled = known.slice(0, 40).map((one) => ({
    ...one,
    ...answer,
    status: "failed" as const,
    errorCode: "SUPPLIER_DECLINED",
    fulfilment: null,
    bulkReference: null,
    completedAt: Date.now(),
    events: [],
    codes: [],
  }));
  const next = { supplier: "other", supplierCode: "X", cost: kobo(1n), foreignCost: null, routeReason: "next" };
  const read = {
    settle: await inflightRead(() => updateSettled(database, settled)),
    reroute: await inflightRead(() =>
      updateRerouted(
        database,
        known.slice(40, 60).map((one) => ({ ...one, ...answer, ...next, step: "reroute" as const, dueSeconds: 60 })),
      ),
    ),
    rescheduleRequery: await inflightRead(() =>
      updatePendingDue(
        database,
        known.slice(60).map((one) => ({ ...one, ...answer, step: "requery" as const, dueSeconds: 60, received: null })),
      ),
    ),
    claim: await inflightRead(() =>
      claimPendingDue(database, {
        groups: Array.from({ length: 64 }, (_, group) => group),
        perGroup: 2,
        limit: 64,
        leaseSeconds: 60,
      }),
    ),
  };
  expect(Math.max(...Object.values(read)), JSON.stringify(read)).toBeLessThan((merchants * each) / 4);
});
