import { expect, test } from "vitest";
import { loadStartingCatalogue } from "../../src/domain/catalogue/starting/starting-catalogue.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { freshDatabase } from "../support/database.ts";
import { sampleOf } from "../support/sample-purchases.ts";
import { expectPurchase, expectRequery } from "../support/wire-expectations.ts";

const fresh = closing(await freshDatabase());

test("pending purchases resolve although the service was down when their time came", async () => {
  const first = await startApp({ database: fresh, sandboxPendingSeconds: 1 });
  await loadStartingCatalogue(first.services.database);
  const { testKey: key } = first.merchant;
  const { path, body, numbered } = sampleOf("electricity");
  const sent = { reference: "0003", ...body, ...numbered("0003") };
  const success = await first.call(key, path, { body: sent });
  expectPurchase(success, "electricity", { status: "pending" });
  const refund = await first.call(key, path, { body: { ...sent, reference: "0004", ...numbered("0004") } });
  expectPurchase(refund, "electricity", { status: "pending" });
  await first.close();

  // No process works while the time comes; the row alone knows.
  const due = () => fresh.pool.query("select 1 from inflight where due_at <= now()");
  await expect.poll(async () => (await due()).rowCount).toBe(2);

  const second = await startApp({ database: fresh, sandboxPendingSeconds: 1, workers: true });
  const ask = (reference: string) => second.call(key, `/transactions/${reference}`);
  for (const [reference, status] of [
    ["0003", "successful"],
    ["0004", "failed"],
  ] as const) {
    await expect.poll(async () => (await ask(reference)).body.status).toBe(status);
    expectRequery(await ask(reference), status);
  }
  const replayed = await second.call(key, path, { body: sent });
  expectPurchase(replayed, "electricity", { status: "successful", replayed: true });
  expect(replayed.body.token).toMatch(/^[0-9]{20}$/);
  expect(replayed.body.transaction_id).toBe(success.body.transaction_id);
  expect((await second.call(key, "/wallet/balance")).body.balance).toBe(success.body.balance_after);
  await second.close();
});
