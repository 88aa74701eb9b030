import { expect, test } from "vitest";
import { type Answer, startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, silent, vended } from "../support/fake-supplier.ts";
import { callLegacy, postLegacy } from "../support/legacy-endpoint.ts";

// A client of the legacy endpoints hears "processing" and asks by the id until it hears how it ended.
const supplier = openFakeSupplier();

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1, suppliers: [supplier] }));

const purchases = [
  ["/api/data", { network: 1, mobile_number: "08031230003", plan: 2 }],
  ["/api/topup", { network: 1, mobile_number: "08031230003", amount: 100 }],
] as const;

async function ended(path: string, id: number, key: string): Promise<Answer> {
  const ask = () => callLegacy(app, key, `${path}/${id}/`);
  await expect.poll(async () => (await ask()).body.Status, { timeout: 20_000, interval: 50 }).not.toBe("processing");
  return ask();
}

test.each(purchases)("%s: processing becomes successful, and nothing else changes", async (path, fields) => {
  const { testKey } = await app.createMerchant();
  const pending = await postLegacy(app, testKey, path, fields);
  expect([pending.status, pending.body.Status]).toEqual([200, "processing"]);
  const answer = await ended(path, pending.body.id, testKey);
  const message = expect.stringMatching(/: successful\.$/);
  const reply = { Status: "successful", status: "success", api_response: message, message };
  expect([answer.status, answer.body]).toEqual([200, { ...pending.body, ...reply }]);
});

test.each(purchases)("%s: processing becomes failed, and the money is back", async (path, fields) => {
  const { testKey } = await app.createMerchant();
  const ident = "failing";
  const pending = await postLegacy(app, testKey, path, { ...fields, mobile_number: "08031230004", ident });
  expect(pending.body.Status).toBe("processing");
  const { status, body } = await ended(path, pending.body.id, testKey);
  expect(status).toBe(400);
  expect(body).toMatchObject({ Status: "failed", balance_before: "100000.00", balance_after: "100000.00" });
  expect((await callLegacy(app, testKey, "/api/user")).body.user.wallet_balance).toBe("100000.00");

  // The same ident tells the same, and does not buy again.
  const again = await postLegacy(app, testKey, path, { ...fields, mobile_number: "08031230004", ident });
  expect([again.status, again.body]).toEqual([400, body]);
});

test("live: a supplier's late yes is told by the id", async () => {
  const key = app.merchant.liveKey ?? "";
  supplier.answer = silent;
  const [path, fields] = purchases[0];
  const pending = await postLegacy(app, key, path, fields);
  expect(pending.body.Status).toBe("processing");
  supplier.answer = vended;
  const advance = "update inflight set due_at = now() where step = 'requery'";
  await expect.poll(async () => (await app.fresh.pool.query(advance)).rowCount).toBe(1);
  expect((await ended(path, pending.body.id, key)).body.Status).toBe("successful");
});
