import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { answerLater, openFakeSupplier, vended } from "../support/fake-supplier.ts";

// A client that hung up never read the response: its retry is answered "pending", and then it waits for an event.

const supplier = openFakeSupplier();

const app = closing(await startApp({ suppliers: [supplier] }));
const body = { url: "https://merchant.example/hook" };
await app.call(app.merchant.liveKey, "/webhook", { method: "PUT", body });

const order = (reference: string) => ({ product_id: 1002, phone: "08031234567", reference });

async function eventsOf(reference: string): Promise<string[]> {
  const { rows } = await app.fresh.pool.query<{ event: string }>(
    "select event from webhook_deliveries where reference = $1",
    [reference],
  );
  return rows.map(({ event }) => event);
}

const statusOf = async (reference: string) =>
  (await app.call(app.merchant.liveKey, `/transactions/${reference}`)).body.status;

test.each([
  ["a request whose client hung up", "gone", ["transaction.successful"]],
  ["a request whose client waited", "there", []],
] as const)("%s leads to an event only where nobody read the end", async (_, reference, events) => {
  supplier.calls.length = 0;
  const answer = answerLater(supplier);
  const hangUp = new AbortController();
  const bought = fetch(`${app.url}/api/v1/merchant/data/purchase`, {
    method: "POST",
    headers: { authorization: `Bearer ${app.merchant.liveKey}`, "content-type": "application/json" },
    body: JSON.stringify(order(reference)),
    signal: hangUp.signal,
  }).then(
    ({ status }) => status,
    () => "hung up",
  );
  await expect.poll(() => supplier.calls.length).toBe(1);
  if (reference === "gone") hangUp.abort();
  const retry = await app.call(app.merchant.liveKey, "/data/purchase", { body: order(reference) });
  expect(retry).toMatchObject({ status: 202, body: { status: "pending" } });
  answer(vended);
  expect(await bought).toBe(reference === "gone" ? "hung up" : 201);
  await expect.poll(() => statusOf(reference)).toBe("successful");
  expect(await eventsOf(reference)).toEqual(events);
});
