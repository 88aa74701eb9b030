import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { openFakeSupplier } from "../support/fake-supplier.ts";
import { sampleOf, samplePurchases } from "../support/sample-purchases.ts";
import { expectProblem, expectPurchase } from "../support/wire-expectations.ts";

const app = closing(await startApp());
const liveKey = app.merchant.liveKey ?? "";

test.each(samplePurchases)("$category is refused, charges nothing and leaves the reference free", async (sample) => {
  const request = { body: { reference: sample.category, ...sample.body } };
  for (const _attempt of [1, 2]) {
    const answer = await app.call(liveKey, sample.path, request);
    expectProblem(answer, 503, "PRODUCT_UNAVAILABLE");
  }
  expect((await app.call(liveKey, "/wallet/balance")).body.balance).toBe("1000000.00");
  expectProblem(await app.call(liveKey, `/transactions/${sample.category}`), 404, "TRANSACTION_NOT_FOUND");
  expect((await app.call(liveKey, "/transactions")).body.meta.total).toBe(0);
});

test("a sandbox number is no way around it", async () => {
  const { path, body, numbered } = sampleOf("data");
  for (const suffix of ["0002", "0003", "0004"]) {
    const answer = await app.call(liveKey, path, { body: { reference: suffix, ...body, ...numbered(suffix) } });
    expectProblem(answer, 503, "PRODUCT_UNAVAILABLE");
  }
});

test("the same reference buys once a supplier is there, and numbers ending in 0002 are ordinary ones", async () => {
  const { path, body, numbered } = sampleOf("data");
  const request = { body: { reference: "0002", ...body, ...numbered("0002") } };
  expectProblem(await app.call(liveKey, path, request), 503, "PRODUCT_UNAVAILABLE");
  const supplied = await startApp({ database: app.fresh, suppliers: [openFakeSupplier()] });
  const bought = await supplied.call(liveKey, path, request);
  expectPurchase(bought, "data", { status: "successful", mode: "live" });
  await supplied.close();

  // And without it again, the reference still tells what it bought.
  const replayed = await app.call(liveKey, path, request);
  expectPurchase(replayed, "data", { status: "successful", mode: "live", replayed: true });
  expect(replayed.body).toEqual(bought.body);
});
