import { expect, test } from "vitest";
import { airtime } from "../../../../src/categories/airtime.ts";
import type { Bought, Buy, BuyCommand } from "../../../../src/domain/purchases/buying/buy.ts";
import { openBuyGuarded, openGuard } from "../../../../src/domain/purchases/buying/guard.ts";
import { claimGuardedPurchases } from "../../../../src/domain/purchases/buying/guard-queries.ts";
import { fingerprintOf } from "../../../../src/domain/purchases/fingerprint.ts";
import { nothingSent } from "../../../../src/domain/purchases/purchase.ts";
import { parseReference } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { Refusal } from "../../../../src/kernel/problems.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import { startApp } from "../../../support/app.ts";
import { closing } from "../../../support/closing.ts";
import { walletKey } from "../../../support/wallet.ts";

const wallet = walletKey(7, "test");

// What the guard promises is in journeys/duplicate-guard.test.ts; here is what happens between two of its statements.
const app = closing(await startApp());

function commandFor(name: string, amount: number): BuyCommand {
  const reference = parseReference(name);
  if (reference === null) throw new Error(`${name} is no reference`);
  const requested = airtime.read({ network: "MTN", phone: "08031234567", amount } as never);
  const principal = { ...wallet, keyId: 1, priceTier: 1, limits: null, duplicateGuardSeconds: 60 };
  const request = { reference, requested, expectedPrice: null, verificationId: null, sent: nothingSent };
  return { principal: principal as BuyCommand["principal"], channel: "api", category: airtime, request };
}

/** The guard over a database with which something happens before every statement of these names. */
function guardedWith(before: Readonly<Record<string, () => Promise<unknown>>>): Buy {
  const { database, catalogue, findByReference } = app.services;
  const query: Database["query"] = async (statement, values) => {
    await before[statement.name]?.();
    return database.query(statement, values);
  };
  const pending = { purchase: { status: "pending" }, replayed: false } as Bought;
  const guard = openGuard({ ...database, query });
  return openBuyGuarded({ buy: async () => pending, guard, catalogue, findByReference });
}

async function outcomeOf(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return "bought";
  return error instanceof Refusal ? [error.code, error.detail.meta] : error;
}

test("a place that an earlier version took for a product, a number and an amount still holds", async () => {
  const amount = kobo(30_000n).toString();
  const fingerprint = fingerprintOf("airtime", { product_id: 2001, customer: "08031234567", amount });
  const { reference } = commandFor("earlier", 300).request;
  const earlier = { wallet, fingerprint, reference, windowSeconds: 60 };
  expect(await claimGuardedPurchases(app.services.database, [earlier])).toEqual([true]);
  const meta = { original_reference: "earlier" };
  expect(await outcomeOf(guardedWith({})(commandFor("later", 300)))).toEqual(["DUPLICATE_TRANSACTION", meta]);
});

const giveFree = () => app.fresh.pool.query("delete from guarded_purchases");

test("a place that comes free between the failed claim and the look is taken by whoever looked", async () => {
  const steady = guardedWith({});
  expect(await outcomeOf(steady(commandFor("first", 100)))).toBe("bought");
  const late = guardedWith({ find_guarded_purchase: giveFree });
  expect(await outcomeOf(late(commandFor("second", 100)))).toBe("bought");
  const meta = { original_reference: "second" };
  expect(await outcomeOf(steady(commandFor("third", 100)))).toEqual(["DUPLICATE_TRANSACTION", meta]);
});

test("a place that is taken at every claim and free at every look ends in a refusal that bought nothing", async () => {
  const steady = guardedWith({});
  let rivals = 0;
  const unlucky = guardedWith({
    claim_guarded_purchases: () => {
      rivals += 1;
      return steady(commandFor(`rival-${rivals}`, 200));
    },
    find_guarded_purchase: giveFree,
  });
  expect(await outcomeOf(unlucky(commandFor("unlucky", 200)))).toEqual(["MAINTENANCE", undefined]);
  expect(rivals).toBeGreaterThan(1);
  expect(await outcomeOf(steady(commandFor("next", 200)))).toBe("bought");
});
