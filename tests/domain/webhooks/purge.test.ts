import { afterAll, beforeAll, expect, test } from "vitest";
import { listLog } from "../../../src/domain/webhooks/log/log.ts";
import { purgeLogs } from "../../../src/domain/webhooks/log/recover.ts";
import type { WalletKey } from "../../../src/kernel/ids.ts";
import type { Database } from "../../../src/platform/database/database.ts";
import type { FreshDatabase } from "../../support/database.ts";
import { setEndpoint } from "../../support/endpoints.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { walletKey } from "../../support/wallet.ts";
import { enqueueEvent, logAttempt } from "../../support/webhooks.ts";

let fresh: FreshDatabase;
let database: Database;
let drop: () => Promise<void>;
beforeAll(async () => {
  ({ fresh, database, drop } = await ownDatabase());
});
afterAll(() => drop());

test("attempts older than the days kept go with their bodies, and the totals stay exact", async () => {
  const wallet = walletKey(5);
  await setEndpoint(database, wallet, "https://example.com/hook");
  const old = await enqueueEvent(database, wallet, { reference: "old" });
  const stillDue = await enqueueEvent(database, wallet, { reference: "still-owed" });
  const young = await enqueueEvent(database, wallet, { reference: "young" });
  for (const id of [old, stillDue, young]) await logAttempt(database, wallet, id);
  await deleteDueSql(old, young);
  await fresh.pool.query(
    "update webhook_attempts set created_at = now() - interval '31 days' where delivery_id = any ($1)",
    [[old, stillDue]],
  );
  const clock = { now: () => Date.now() };
  expect(await purgeLogs({ database, clock }, 30)).toBe(2);
  expect(await purgeLogs({ database, clock }, 30)).toBe(0);
  const filter = {
    successful: null,
    event: null,
    reference: null,
    deliveryId: null,
    endpointNumber: null,
    maxId: null,
  };
  const { attempts, meta } = await listLog(database, wallet, filter, { page: 1, perPage: 20 });
  expect(attempts.map(({ deliveryId }) => deliveryId)).toEqual([young]);
  expect(meta.total).toBe(1);
  const totalUpTo = async (maxId: bigint) =>
    (await listLog(database, wallet, { ...filter, maxId }, { page: 1, perPage: 20 })).meta.total;
  expect([await totalUpTo(3n), await totalUpTo(2n), await totalUpTo(1n)]).toEqual([1, 0, 0]);
  expect(await withoutBody(wallet)).toEqual([old]);
});

test("bodies of deliveries that were dropped before their first attempt go after the days kept as well", async () => {
  const wallet = walletKey(6);
  await setEndpoint(database, wallet, "https://example.com/hook");
  const dropped = await enqueueEvent(database, wallet);
  const attempted = await enqueueEvent(database, wallet);
  await logAttempt(database, wallet, attempted);
  const stillDue = await enqueueEvent(database, wallet);
  await deleteDueSql(dropped, attempted);
  const inDays = (days: number) => ({ now: () => Date.now() + days * 86_400_000 });

  await purgeLogs({ database, clock: inDays(29) }, 30);
  expect(await withoutBody(wallet)).toEqual([]);

  // The attempt was made now, and is as young as the clock of its table says.
  await fresh.pool.query("update webhook_attempts set created_at = now() + interval '31 days'");
  await purgeLogs({ database, clock: inDays(31) }, 30);
  expect(await withoutBody(wallet)).toEqual([dropped]);

  await deleteDueSql(stillDue);
  await purgeLogs({ database, clock: inDays(31) }, 30);
  expect(await withoutBody(wallet)).toEqual([dropped, stillDue]);
});

test("logs that hold nothing old are looked at together, and left alone", async () => {
  const wallets = Array.from({ length: 20 }, (_, index) => walletKey(100 + index));
  for (const wallet of wallets) {
    await setEndpoint(database, wallet, "https://example.com/hook");
    const young = await enqueueEvent(database, wallet);
    await logAttempt(database, wallet, young);
    await deleteDueSql(young);
  }
  const purgedLogs: unknown[] = [];
  const watched: Database = {
    ...database,
    query: (statement, values) => {
      if (/^purge_/.test(statement.name)) purgedLogs.push(Math.abs(Number(values?.[0])));
      return database.query(statement, values);
    },
  };
  const clock = { now: () => Date.now() };
  await purgeLogs({ database: watched, clock }, 30);
  purgedLogs.length = 0;
  await purgeLogs({ database: watched, clock }, 30);
  expect(purgedLogs).toEqual([]);
  await fresh.pool.query(
    "update webhook_attempts set created_at = now() - interval '31 days' where abs(wallet_id) = 107",
  );
  expect(await purgeLogs({ database: watched, clock }, 30)).toBe(1);
  expect(new Set(purgedLogs)).toEqual(new Set([107]));
});

async function deleteDueSql(...ids: readonly string[]): Promise<void> {
  await fresh.pool.query("delete from webhook_outbox where delivery_id = any ($1)", [ids]);
}

async function withoutBody({ merchantId }: WalletKey): Promise<readonly string[]> {
  const { rows } = await fresh.pool.query<{ id: string }>(
    "select id from webhook_deliveries where abs(wallet_id) = $1 and body is null order by id",
    [merchantId],
  );
  return rows.map(({ id }) => id);
}
