import { beforeEach, expect, test } from "vitest";
import { findWebhookOverdueSeconds } from "../../../../src/domain/webhooks/delivery/overdue-queries.ts";
import { openDatabase, openPool } from "../../../../src/platform/database/database.ts";
import { startApp } from "../../../support/app.ts";
import { closing } from "../../../support/closing.ts";
import { rowsRead } from "../../../support/rows-read.ts";
import { walletKey } from "../../../support/wallet.ts";
import { enqueueEvent, enqueueMany } from "../../../support/webhooks.ts";

const app = closing(await startApp({ madeUpDeliveries: true }));
beforeEach(() => app.fresh.pool.query("delete from webhook_outbox"));

let merchants = 0;
/** One delivery that has been due for so long, and nobody to send it. */
async function enqueueSince(seconds: number, lane: "event" | "manual" | "later" | "postponed" = "event") {
  merchants += 1;
  const wallet = walletKey(merchants);
  const id = await enqueueEvent(app.services.database, wallet);
  await app.fresh.pool.query(
    "update webhook_outbox set due_at = now() - make_interval(secs => $2), lane = $3 where delivery_id = $1",
    [id, seconds, lane],
  );
  return { wallet, id };
}

/** For how long the oldest delivery waits that somebody could send. */
async function overdue(): Promise<number> {
  return Math.round(await findWebhookOverdueSeconds(app.services.database));
}

test.each(["event", "manual", "later"] as const)(
  "the oldest delivery that is due tells how long it has waited (lane %s)",
  async (lane) => {
    await enqueueSince(30);
    await enqueueSince(100, lane);
    expect(await overdue()).toBe(100);
    await enqueueSince(130, lane);
    expect(await overdue()).toBe(130);
  },
);

test.each(["event", "manual"] as const)(
  "nothing is overdue while a worker that lives holds something of a merchant's line (lane %s)",
  async (lane) => {
    const { wallet, id } = await enqueueSince(500, lane);
    for (let i = 0; i < 3; i++) await enqueueEvent(app.services.database, wallet, { reference: `behind-${i}` });
    await app.fresh.pool.query("update webhook_outbox set lane = $1, due_at = now() - interval '500 seconds'", [lane]);
    const lease = "update webhook_outbox set leased_until = now() + make_interval(secs => $2) where delivery_id = $1";
    await app.fresh.pool.query(lease, [id, 60]);
    expect(await overdue()).toBe(0);
    await app.fresh.pool.query(lease, [id, -1]);
    expect(await overdue()).toBeGreaterThan(490);
  },
);

test("nothing is overdue while it waits for its own endpoint", async () => {
  await enqueueSince(500, "postponed");
  expect(await overdue()).toBe(0);
});

test("a backlog of retries that are not due yet is not read", async () => {
  const pool = openPool({
    connectionString: app.fresh.url,
    connectionsMax: 1,
    applicationName: "test",
    plans: "ordinary",
  });
  const alone = openDatabase(pool);
  const wallet = walletKey(40);
  await enqueueMany(alone, wallet, 3_000);
  await app.fresh.pool.query("update webhook_outbox set lane = 'later', due_at = now() + interval '1 hour'");
  await app.fresh.pool.query(
    "update webhook_outbox set due_at = now() - interval '100 seconds' where delivery_id = $1",
    [await enqueueEvent(alone, wallet)],
  );
  for (const when of ["vacuum", "vacuum (analyze)"]) {
    await app.fresh.pool.query(`${when} webhook_outbox`);
    let seconds = 0;
    const read = await rowsRead(alone, "webhook_outbox", async () => {
      seconds = await findWebhookOverdueSeconds(alone);
    });
    expect(Math.floor(seconds), when).toBe(100);
    expect(read, when).toBeLessThan(50);
  }
  await alone.close();
});
