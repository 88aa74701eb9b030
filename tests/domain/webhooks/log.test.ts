import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { listEndpointsForUpdate } from "../../../src/domain/webhooks/endpoints/queries.ts";
import { type DeliveryId, eventNames } from "../../../src/domain/webhooks/events/event.ts";
import type { NewAttempt } from "../../../src/domain/webhooks/log/attempt.ts";
import { type LogFilter, listLog } from "../../../src/domain/webhooks/log/log.ts";
import { type WalletKey, walletIdOf } from "../../../src/kernel/ids.ts";
import { modes } from "../../../src/kernel/mode.ts";
import { type Database, openDatabase, openPool } from "../../../src/platform/database/database.ts";
import { closing } from "../../support/closing.ts";
import { freshDatabase } from "../../support/database.ts";
import { walletKey } from "../../support/wallet.ts";
import { insertAttempts } from "../../support/webhooks.ts";

const open = (connectionsMax: number) =>
  openDatabase(openPool({ connectionString: fresh.url, connectionsMax, applicationName: "test", plans: "ordinary" }));

const fresh = closing(await freshDatabase());
const database = closing(open(10));

let merchants = 100;
/** A merchant's log in sandbox. */
async function newLog(): Promise<WalletKey> {
  merchants += 1;
  const wallet = walletKey(merchants, "test");
  await database.transaction((tx) => listEndpointsForUpdate(tx, wallet));
  return wallet;
}

function attemptFor(wallet: WalletKey, given: Partial<NewAttempt> = {}): NewAttempt {
  return {
    wallet,
    endpointNumber: 1,
    deliveryId: randomUUID() as DeliveryId,
    attempt: 1,
    event: "transaction.successful",
    url: "https://example.com/",
    urlVersion: 1,
    successful: true,
    httpStatus: 200,
    durationMs: 5,
    error: null,
    errorDetail: null,
    responseBody: "",
    ...given,
  };
}

const anything = {
  successful: null,
  event: null,
  reference: null,
  deliveryId: null,
  endpointNumber: null,
  maxId: null,
};

/** Numbers without gaps, and counts that counting confirms: no row that breaks either. */
async function broken(): Promise<unknown[]> {
  const { rows } = await fresh.pool.query(
    `select l.wallet_id, l.last_id, count(a.id) as attempts, max(a.id) as last
       from webhook_logs l
       left join webhook_attempts a using (wallet_id)
      group by l.wallet_id
     having l.last_id <> count(a.id) or l.last_id <> coalesce(max(a.id), 0)
      union all
     select coalesce(c.wallet_id, a.wallet_id), c.attempts, a.attempts, null
       from webhook_attempt_counts c
       full join (
              select wallet_id, event, successful, count(*) as attempts
                from webhook_attempts
               group by wallet_id, event, successful
            ) a using (wallet_id, event, successful)
      where c.attempts is distinct from a.attempts`,
  );
  return rows;
}

describe("attempts", () => {
  test("are numbered from 1 for each merchant and mode, in the order of the batch", async () => {
    const [one, other] = [await newLog(), await newLog()];
    const live = { ...one, mode: "live" as const };
    const batch = [one, other, one, live, one, other].map((wallet) => attemptFor(wallet));
    expect(await insertAttempts(database, batch)).toEqual([1n, 1n, 2n, 1n, 3n, 2n]);
    expect(await insertAttempts(database, [attemptFor(other), attemptFor(one)])).toEqual([3n, 4n]);
    expect(await broken()).toEqual([]);
  });

  test("logged by many at once leave no gap, no repetition and exact counts, and nobody waits for ever", async () => {
    const wallets = [await newLog(), await newLog(), await newLog()].flatMap((wallet) =>
      modes.map((mode) => ({ ...wallet, mode })),
    );
    const batches = Array.from({ length: 60 }, (_, batch) =>
      Array.from({ length: 20 }, (_, index) => {
        // Every batch names the wallets in another order: taken as named, their locks would meet crosswise.
        const wallet = wallets[(batch * 7 + index * (1 + (batch % 5))) % wallets.length] as WalletKey;
        const failed = (batch + index) % 3 === 0;
        return attemptFor(wallet, {
          event: eventNames[(batch + index) % eventNames.length]!,
          ...(failed ? { successful: false, httpStatus: 503 } : {}),
        });
      }),
    );
    const ids = await Promise.all(batches.map((batch) => insertAttempts(database, batch)));
    expect(ids.flat()).toHaveLength(1_200);
    expect(await broken()).toEqual([]);
  });

  test("take what the specification's record can hold, and no more", async () => {
    const wallet = await newLog();
    const refused: readonly Partial<NewAttempt>[] = [
      { responseBody: "x".repeat(501) },
      { httpStatus: 500 },
      { error: "timeout" },
      { successful: false, httpStatus: null },
      { successful: false, httpStatus: null, error: "bored" as never },
      { attempt: 0 },
      { durationMs: -1 },
    ];
    for (const given of refused) await expect(insertAttempts(database, [attemptFor(wallet, given)])).rejects.toThrow();
    const strange = 'NULL {"\\ Ọlá ✓ 🔑\n'.padEnd(499, "é");
    await insertAttempts(database, [attemptFor(wallet, { responseBody: strange, url: 'https://example.com/{"}\\' })]);
    const { attempts } = await listLog(database, wallet, anything, { page: 1, perPage: 20 });
    expect(attempts[0]).toMatchObject({ responseBody: strange, url: 'https://example.com/{"}\\', payload: null });
  });
});

describe("a page", () => {
  /** Rows that statements read from indexes; of one connection, which tells what it has read when it is asked to. */
  async function rowsRead(alone: Database): Promise<number> {
    await alone.query({ name: "flush", text: "select pg_stat_force_next_flush()" });
    const [row] = await alone.query<{ read: bigint }>({
      name: "read",
      text: `select sum(idx_tup_read + idx_tup_fetch)::bigint as read
               from pg_stat_user_indexes
              where relname in ('webhook_attempts_first', 'webhook_deliveries_first', 'webhook_outbox', 'purchases')`,
    });
    return Number(row?.read);
  }

  test("reads little more than it shows, however long the log; of all or of one reference also before the first analyze", async () => {
    const wallet = await newLog();
    await fresh.pool.query("alter table webhook_attempts_first set (autovacuum_enabled = off)");
    await fresh.pool.query("alter table webhook_deliveries_first set (autovacuum_enabled = off)");
    await fresh.pool.query(
      `insert into webhook_deliveries (wallet_id, id, event, reference, subject_id, body)
       select $1, (left(first_delivery_id(now())::text, 13) || right(gen_random_uuid()::text, 23))::uuid, 'transaction.successful', 'order-' || n, n, '{}'
         from generate_series(1, 4000) as n`,
      [walletIdOf(wallet)],
    );
    await fresh.pool.query(
      `insert into purchases (wallet_id, id, reference, number, fingerprint, channel, status, product_id,
                              quantity, unit_amount, face_amount, fee, total, balance_before, limit_day, purchased_at,
                              completed_at, delivery_id)
       select $1, d.subject_id, d.reference, d.subject_id, gen_random_uuid(), 'api', 'successful', 1002, 1,
              100, 100, 0, 100, 100, current_date, now(), now(), d.id
         from webhook_deliveries d
        where d.wallet_id = $1`,
      [walletIdOf(wallet)],
    );
    const { rows } = await fresh.pool.query("select id from webhook_deliveries where abs(wallet_id) = $1", [
      wallet.merchantId,
    ]);
    await insertAttempts(
      database,
      rows.map(({ id }, index) =>
        attemptFor(wallet, { deliveryId: id, ...(index % 100 === 7 ? { successful: false, httpStatus: 500 } : {}) }),
      ),
    );
    const alone = open(1);
    const expectLittle = async (filter: LogFilter, page = 1) => {
      const before = await rowsRead(alone);
      const { attempts } = await listLog(alone, wallet, filter, { page, perPage: 20 });
      expect(attempts).toHaveLength(filter.event === "webhook.test" ? 0 : filter.reference === null ? 20 : 1);
      expect((await rowsRead(alone)) - before, JSON.stringify(filter)).toBeLessThan(400);
    };
    await expectLittle(anything);
    await expectLittle(anything, 200);
    await expectLittle({ ...anything, reference: "order-2000" });
    await fresh.pool.query("analyze");
    await expectLittle(anything);
    await expectLittle({ ...anything, successful: false });
    await expectLittle({ ...anything, event: "transaction.successful", successful: true });
    await expectLittle({ ...anything, event: "webhook.test" });
    await expectLittle({ ...anything, reference: "order-2000" });
    await alone.close();
  });
});
