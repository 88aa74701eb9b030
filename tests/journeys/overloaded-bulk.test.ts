import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";

/** More than may wait while others are written (`ordersWaitingMax`). */
const sent = 60;

const app = closing(await startApp());

test("bulk orders that are too many to wait are refused with 503 and charge nothing, as purchases are", async () => {
  const { call, merchant, fresh } = app;
  const holder = await fresh.pool.connect();
  // The writer of the first order waits for this wallet, and the others for it.
  await holder.query("begin; select 1 from wallets for update");
  const place = (number: number) => {
    const body = { reference: `order-${number}`, product_id: 1001, phones: ["08031234567"] };
    return call(merchant.testKey, "/data/bulk", { body });
  };
  const answers = Promise.all(Array.from({ length: sent }, (_, number) => place(number)));
  const waiting = "select count(*)::integer as n from pg_stat_activity where wait_event_type = 'Lock'";
  await expect.poll(async () => (await fresh.pool.query(waiting)).rows[0].n).toBeGreaterThan(0);
  await new Promise((resolve) => setTimeout(resolve, 1_000));
  await holder.query("rollback");
  holder.release();
  const refused = (await answers).filter(({ status }) => status !== 201);
  expect(refused.length).toBeGreaterThan(0);
  for (const { status, headers, body } of refused) {
    expect(body).toMatchObject({ status: "error", code: "MAINTENANCE" });
    expect([status, headers.get("retry-after")]).toEqual([503, expect.stringMatching(/^[1-9][0-9]*$/)]);
  }
  const stored = await fresh.pool.query("select count(*)::integer as n from bulk_orders");
  expect(stored.rows).toEqual([{ n: sent - refused.length }]);
});
