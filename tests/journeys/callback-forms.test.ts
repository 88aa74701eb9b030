import { beforeEach, expect, test } from "vitest";
import { readAddressedCallback } from "../../src/providers/addressed-callback.ts";
import type { Connector, VendOutcome } from "../../src/providers/contract.ts";
import { textAt } from "../../src/providers/reply.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier, vended } from "../support/fake-supplier.ts";

// A supplier that calls back in every way that suppliers do. It is asked each time, and its answer decides.

const secret = "c2VjcmV0LW9mLXRoZS1hZGRyZXNz";
const supplier = openFakeSupplier("caller");
const caller: Connector = {
  ...supplier,
  callbacks: {
    received: { ok: true },
    read: (message) =>
      readAddressedCallback(message, secret, (fields) => ({
        supplierReference: textAt(fields, "ours"),
        providerReference: textAt(fields, "theirs"),
        status: textAt(fields, "status") ?? "",
      })),
  },
};

const app = closing(await startApp({ suppliers: [caller] }));
beforeEach(() => {
  supplier.calls.length = 0;
});

/** A purchase that its supplier has accepted under a name of its own, and not decided. */
async function pendingPurchase(reference: string, theirs: string): Promise<string> {
  const open: VendOutcome = { kind: "unknown", evidence: "accepted", providerReference: theirs };
  supplier.answer = open;
  const body = { reference, product_id: 1002, phone: "08031234567" };
  const { body: purchase } = await app.call(app.merchant.liveKey ?? "", "/data/purchase", { body });
  expect(purchase.status).toBe("pending");
  supplier.answer = vended;
  supplier.calls.length = 0;
  return purchase.transaction_id;
}

async function statusOf(reference: string): Promise<string> {
  await app.services.receiveCallback.idle();
  return (await app.call(app.merchant.liveKey ?? "", `/transactions/${reference}`)).body.status;
}

const address = (query = "") => `${app.url}/supplier-callbacks/caller/${secret}${query}`;

test("a callback by GET, with everything in the query, has the supplier asked", async () => {
  const id = await pendingPurchase("by-get", "T-1");
  const answer = await fetch(address(`?${new URLSearchParams({ ours: `${id}-1`, status: "done" })}`));
  expect([answer.status, await answer.json()]).toEqual([200, { ok: true }]);
  expect(await statusOf("by-get")).toBe("successful");
});

test("a callback as a form has the supplier asked", async () => {
  const id = await pendingPurchase("by-form", "T-2");
  const body = new URLSearchParams({ ours: `${id}-1`, status: "done" });
  expect((await fetch(address(), { method: "POST", body })).status).toBe(200);
  expect(await statusOf("by-form")).toBe("successful");
});

test("a callback that says only the supplier's own reference finds the pending attempt of that name", async () => {
  await pendingPurchase("by-their-name", "T-3");
  const body = JSON.stringify({ theirs: "T-3", status: "done" });
  expect((await fetch(address(), { method: "POST", body })).status).toBe(200);
  expect(await statusOf("by-their-name")).toBe("successful");
});

test.each([
  ["a name of no pending attempt", { theirs: "T-404", status: "done" }],
  ["no name at all", { status: "done" }],
  ["nothing", {}],
])("a callback with %s is taken, and nobody is asked", async (_what, fields) => {
  expect((await fetch(address(), { method: "POST", body: new URLSearchParams(fields) })).status).toBe(200);
  await app.services.receiveCallback.idle();
  expect(supplier.calls).toEqual([]);
});

test("a name that two pending attempts have decides nothing", async () => {
  await pendingPurchase("twin-1", "T-5");
  await pendingPurchase("twin-2", "T-5");
  await fetch(address(`?${new URLSearchParams({ theirs: "T-5", status: "done" })}`));
  expect([await statusOf("twin-1"), await statusOf("twin-2")]).toEqual(["pending", "pending"]);
  expect(supplier.calls).toEqual([]);
});

test("a GET with another secret is told nothing", async () => {
  const id = await pendingPurchase("forged", "T-6");
  const url = address(`?${new URLSearchParams({ ours: `${id}-1`, status: "done" })}`).replace(secret, `${secret}x`);
  expect((await fetch(url)).status).toBe(404);
  expect(await statusOf("forged")).toBe("pending");
});

test.each(["caller", "nobody"])("a look at the address of %s is answered alike, and nobody is asked", async (name) => {
  const answer = await fetch(`${app.url}/supplier-callbacks/${name}`, { method: "HEAD" });
  expect([answer.status, await answer.text()]).toEqual([200, ""]);
  expect(supplier.calls).toEqual([]);
});
