import { expect, test } from "vitest";
import { withdrawProduct } from "../../src/domain/catalogue/changes/administration.ts";
import type { ProductId } from "../../src/kernel/ids.ts";
import { dueWorkWatch } from "../../src/workers/watch/measure-due-work.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startWatch } from "../support/watch.ts";

const app = closing(await startApp());

/** The figures by kind, as a collector reads them. */
function figures(text: string): Record<string, number> {
  const series = [...text.matchAll(/^dispense_due\{kind="(\w+)"\} (\d+)$/gm)];
  return Object.fromEntries(series.map(([, kind, figure]) => [kind, Number(figure)]));
}

const none = { callback_question: 0, bulk_completed: 0, low_balance: 0, catalogue_updated: 0 };

test("callbacks and announcements that wait for a worker are counted by kind, until they were dealt with", async () => {
  const { services, fresh, merchant } = app;
  const { database } = services;
  const { metrics, stop } = startWatch(dueWorkWatch, { database, log: { error: () => {} } as never });
  const due = async () => figures(await metrics.text());
  await expect.poll(due).toEqual(none);

  await fresh.pool.query(
    `insert into callback_questions (supplier, supplier_reference, due_at)
     values ('one', 'a', now()), ('one', 'b', now()), ('one', 'leased', now() + interval '1 hour')`,
  );
  await expect.poll(due).toEqual({ ...none, callback_question: 2 });

  const phone = "08031234567";
  const order = { reference: "order", product_id: 1002, phones: [phone] };
  expect((await app.call(merchant.testKey, "/data/bulk", { body: order })).status).toBe(201);
  await expect.poll(due).toEqual({ ...none, callback_question: 2, bulk_completed: 1 });

  await fresh.pool.query("update wallets set low_balance_threshold = balance where wallet_id < 0");
  const body = { reference: "below", product_id: 1002, phone };
  expect((await app.call(merchant.testKey, "/data/purchase", { body })).status).toBe(201);
  await expect.poll(due).toEqual({ ...none, callback_question: 2, bulk_completed: 1, low_balance: 1 });

  await withdrawProduct(services.database, 1003 as ProductId, null);
  await fresh.pool.query("update catalogue_changes set changed_at = now() - interval '10 s'"); // it has come to rest
  await expect.poll(due).toEqual({ callback_question: 2, bulk_completed: 1, low_balance: 1, catalogue_updated: 1 });

  await fresh.pool.query("delete from callback_questions");
  const stopWorkers = services.startWorkers();
  await expect.poll(due).toEqual(none);
  await stopWorkers();
  await stop();
});

test("every process that watches tells them at /metrics", async () => {
  const stop = app.services.startWatching();
  await expect.poll(async () => figures(await app.services.metrics.text())).toEqual(none);
  await stop();
});
