import { expect, test } from "vitest";
import { giveGoodwill } from "../../../src/domain/resolution/goodwill.ts";
import { recordLateResult } from "../../../src/domain/resolution/late-result.ts";
import { checkLedger } from "../../../src/domain/wallet/reconcile.ts";
import { parseReference } from "../../../src/kernel/ids.ts";
import { startApp } from "../../support/app.ts";
import { closing } from "../../support/closing.ts";
import { declined, openFakeSupplier, vended } from "../../support/fake-supplier.ts";
import { testSecretBox } from "../../support/webhooks.ts";

const supplier = openFakeSupplier();
const app = closing(await startApp({ suppliers: [supplier] }));
const { database } = app.services;
const reason = "The customer got it late.";

async function sold(reference: string, answer = vended as typeof supplier.answer) {
  supplier.answer = answer;
  const body = { product_id: 1002, phone: "08031234567", reference };
  await app.call(app.merchant.liveKey, "/data/purchase", { body });
  const wallet = { merchantId: app.merchant.id, mode: "live" } as const;
  const stored = parseReference(reference);
  const purchase = stored === null ? null : await app.services.findByReference({ wallet, reference: stored });
  if (purchase === null) throw new Error("nothing was bought");
  return purchase;
}

async function balance(): Promise<string> {
  return (await app.call(app.merchant.liveKey, "/wallet/balance")).body.balance;
}

async function broken(): Promise<string[]> {
  return (await checkLedger(database)).filter(({ broken: rows }) => rows.length > 0).map(({ invariant }) => invariant);
}

test("a delivered sale is given back once, whoever tries at once, and stays delivered", async () => {
  const before = await balance();
  const purchase = await sold("given");
  const tries = await Promise.allSettled([1, 2, 3].map(() => giveGoodwill(database, purchase, { reason })));
  expect(tries.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  expect(await balance()).toBe(before);
  expect(await sold("given")).toMatchObject({ status: "successful", refundedAt: null });
  expect(await broken()).toEqual([]);
  const { body } = await app.call(app.merchant.liveKey, "/wallet/statement?per_page=100");
  expect(body.entries.at(-1)).toMatchObject({ kind: "adjustment", reference: "given" });
  expect(body.entries.at(-1).description).toMatch(/^Goodwill: /);
});

test("a sale that failed, or that waits for its supplier, has nothing to give back", async () => {
  const failed = await sold("failed", declined);
  await expect(giveGoodwill(database, failed, { reason })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await broken()).toEqual([]);
});

test("what was given back as goodwill is not refunded again when its supplier takes the goods back, nor the other way round", async () => {
  const before = await balance();
  const services = { ...app.services, log: app.services.log, secretBox: testSecretBox } as never;
  const takenBack = (purchase: Awaited<ReturnType<typeof sold>>) =>
    recordLateResult(
      services,
      purchase,
      { attempt: 1, supplier: supplier.name, verdict: "vended" },
      {
        verdict: { kind: "declined", errorCode: "RECIPIENT_BARRED", evidence: "gone", reversed: true } as never,
        source: "callback",
      },
    );
  const goodwillFirst = await sold("goodwill-first");
  await giveGoodwill(database, goodwillFirst, { reason });
  expect(await takenBack(goodwillFirst)).toBe("late_reversal");
  const reversedFirst = await sold("reversed-first");
  expect(await takenBack(reversedFirst)).toBe("late_reversal");
  const again = await sold("reversed-first");
  await expect(giveGoodwill(database, again, { reason })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await balance()).toBe(before);
  expect(await broken()).toEqual([]);
});
