import { expect, test } from "vitest";
import { airtime } from "../../../../src/categories/airtime.ts";
import type { Buy } from "../../../../src/domain/purchases/buying/buy.ts";
import { openBuyUnnamed, openGuard, type UnnamedCommand } from "../../../../src/domain/purchases/buying/guard.ts";
import {
  claimGuardedPurchases,
  deleteGuardedPurchase,
  type GuardedPurchase,
} from "../../../../src/domain/purchases/buying/guard-queries.ts";
import { nothingSent } from "../../../../src/domain/purchases/purchase.ts";
import type { Reference } from "../../../../src/kernel/ids.ts";
import { type ProblemCode, Refusal, refuse } from "../../../../src/kernel/problems.ts";
import { Overloaded } from "../../../../src/platform/database/batcher.ts";
import type { Database } from "../../../../src/platform/database/database.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";
import { walletKey } from "../../../support/wallet.ts";

let references = 0;

const { database } = closing(await ownDatabase());
function mintReference(): Reference {
  references += 1;
  return `made-${references}` as Reference;
}

const windowSeconds = 30;
const wallet = walletKey(7, "test");

function commandFor(amount: number): UnnamedCommand {
  const requested = airtime.read({ network: "MTN", phone: "08031234567", amount } as never);
  const principal = { ...wallet, keyId: 1, priceTier: 1, limits: null } as UnnamedCommand["principal"];
  const request = { requested, expectedPrice: null, verificationId: null, sent: nothingSent };
  return { principal, channel: "legacy", category: airtime, request };
}

const bought = {} as Awaited<ReturnType<Buy>>;

async function codeOf(work: Promise<unknown>): Promise<ProblemCode | string> {
  const error = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof Refusal) return error.code;
  return error === null ? "bought" : String(error);
}

test("what buys is told the reference that was made, a new one each time", async () => {
  const reply: string[] = [];
  const buy: Buy = async ({ request }) => {
    reply.push(request.reference);
    return bought;
  };
  const buyUnnamed = openBuyUnnamed({ buy, guard: openGuard(database), mintReference });
  await Promise.all([buyUnnamed(commandFor(100)), buyUnnamed(commandFor(101))]);
  expect(new Set(reply).size).toBe(2);
  for (const reference of reply) expect(reference).toMatch(/^made-/);
});

test("a fault holds the request, as nobody knows what became of it", async () => {
  let calls = 0;
  const buy: Buy = async () => {
    calls += 1;
    throw new Error("the connection broke");
  };
  const buyUnnamed = openBuyUnnamed({ buy, guard: openGuard(database), mintReference });
  expect(await codeOf(buyUnnamed(commandFor(200)))).toBe("Error: the connection broke");
  expect(await codeOf(buyUnnamed(commandFor(200)))).toBe("DUPLICATE_TRANSACTION");
  expect(calls).toBe(1);
});

test("a refusal gives it free; while it is being refused, the same waits for nobody and is told so", async () => {
  let refuseNow = (): void => {};
  const buy: Buy = () =>
    new Promise((_resolve, reject) => {
      refuseNow = () => reject(refuse("INSUFFICIENT_BALANCE"));
    });
  const buyUnnamed = openBuyUnnamed({ buy, guard: openGuard(database), mintReference });
  const refused = codeOf(buyUnnamed(commandFor(300)));
  await expect.poll(() => codeOf(buyUnnamed(commandFor(300)))).toBe("DUPLICATE_TRANSACTION");
  refuseNow();
  expect(await refused).toBe("INSUFFICIENT_BALANCE");
  const works = openBuyUnnamed({ buy: async () => bought, guard: openGuard(database), mintReference });
  expect(await codeOf(works(commandFor(300)))).toBe("bought");
});

test("too many waiting for the database mean that nothing was bought", async () => {
  const full = { ...database, query: () => Promise.reject(new Overloaded("full")) } as Database;
  const buyUnnamed = openBuyUnnamed({ buy: async () => bought, guard: openGuard(full), mintReference });
  expect(await codeOf(buyUnnamed(commandFor(400)))).toBe("MAINTENANCE");
});

test("a claim whose answer was lost is sent again, and what it took is its own", async () => {
  let isLost = false;
  const losing: Database = {
    ...database,
    async query(statement, values) {
      const rows = await database.query<never>(statement, values);
      if (isLost || !statement.name.startsWith("claim_guarded")) return rows;
      isLost = true;
      throw Object.assign(new Error("Connection terminated unexpectedly"), { code: "ECONNRESET" });
    },
  };
  const buyUnnamed = openBuyUnnamed({ buy: async () => bought, guard: openGuard(losing), mintReference });
  expect(await codeOf(buyUnnamed(commandFor(500)))).toBe("bought");
  expect([isLost, await codeOf(buyUnnamed(commandFor(500)))]).toEqual([true, "DUPLICATE_TRANSACTION"]);
});

test("nobody gives free what somebody else holds by now", async () => {
  const fingerprint = "00000000-0000-0000-0000-000000000003";
  const [late, now] = [mintReference(), mintReference()].map((reference) => ({ wallet, fingerprint, reference }));
  if (late === undefined || now === undefined) throw new Error("two were made");
  const claim = (purchase: GuardedPurchase, seconds = windowSeconds) =>
    claimGuardedPurchases(database, [{ ...purchase, windowSeconds: seconds }]);
  expect(await claim(late, 0)).toEqual([true]);
  expect(await claim(now)).toEqual([true]);
  await deleteGuardedPurchase(database, late);
  expect(await claim(late)).toEqual([false]);
  await deleteGuardedPurchase(database, now);
  expect(await claim(late)).toEqual([true]);
});
