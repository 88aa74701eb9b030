import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { systemClock } from "../../../../rigs/base/merchants.ts";
import {
  createMerchants,
  creditMerchant,
  type MerchantRequest,
} from "../../../../src/domain/members/new-merchants/create-merchants.ts";
import type { RegisteredMerchant } from "../../../../src/domain/merchants/registration.ts";
import { checkLedger } from "../../../../src/domain/wallet/reconcile.ts";
import type { MerchantId } from "../../../../src/kernel/ids.ts";
import { kobo } from "../../../../src/kernel/money.ts";
import { closing } from "../../../support/closing.ts";
import { ownDatabase } from "../../../support/merchants.ts";

const own = closing(await ownDatabase());

async function create(wish: Partial<MerchantRequest>): Promise<RegisteredMerchant[]> {
  const created: RegisteredMerchant[] = [];
  await createMerchants(
    { database: own.database, clock: systemClock, randomness: randomBytes },
    {
      name: "Load",
      email: "load@example.com",
      count: 1,
      approved: false,
      credit: null,
      testCredit: null,
      createdBy: "a test",
      ...wish,
    },
    (merchants) => created.push(...merchants),
  );
  return created;
}

async function balances(id: number): Promise<{ [mode: string]: string }> {
  const { rows } = await own.fresh.pool.query(
    "select case when wallet_id > 0 then 'live' else 'test' end as mode, balance::text from wallets where abs(wallet_id) = $1",
    [id],
  );
  return Object.fromEntries(rows.map((row) => [row.mode, row.balance]));
}

test("a thousand merchants with keys and booked wallets take seconds", async () => {
  const began = performance.now();
  const created = await create({ count: 1_000, approved: true, credit: kobo(5_000_000n), testCredit: kobo(100n) });
  expect(performance.now() - began).toBeLessThan(30_000);
  expect(new Set(created.flatMap(({ testKey, liveKey }) => [testKey, liveKey])).size).toBe(2_000);
  const last = created[999]?.id ?? 0;
  expect(await balances(last)).toEqual({ live: "5000000", test: "10000100" });
  const { rows } = await own.fresh.pool.query("select name from merchants where id = $1", [last]);
  expect(rows).toEqual([{ name: "Load 1000" }]);
  expect((await checkLedger(own.database)).filter(({ broken }) => broken.length > 0)).toEqual([]);
});

test("without approval there is no live key, and the live wallet is there and empty", async () => {
  const [merchant] = await create({});
  expect(merchant?.liveKey).toBe(null);
  expect(await balances(merchant?.id ?? 0)).toEqual({ live: "0", test: "10000000" });
});

test("a merchant whose name or address cannot be is refused before anything is written", async () => {
  const count = async () => (await own.fresh.pool.query("select count(*)::int as n from merchants")).rows[0].n;
  const before = await count();
  await expect(create({ name: " " })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  await expect(create({ email: "nobody" })).rejects.toMatchObject({ code: "VALIDATION_ERROR" });
  expect(await count()).toBe(before);
});

test("a credit is booked with its reason, and only to a merchant that exists", async () => {
  const [merchant] = await create({});
  const id = merchant?.id as MerchantId;
  const credit = { merchantId: id, mode: "test" as const, amount: kobo(12_345n), reason: "for a trial" };
  expect(await creditMerchant(own, credit)).toEqual({ balance: 10_012_345n });
  const { rows } = await own.fresh.pool.query(
    "select kind, amount::int, reason from ledger_entries where wallet_id = -$1::integer and seq > 1",
    [id],
  );
  expect(rows).toEqual([{ kind: "top_up", amount: 12_345, reason: "for a trial" }]);
  const nobody = creditMerchant(own, { ...credit, merchantId: 999_999 as MerchantId });
  await expect(nobody).rejects.toMatchObject({ code: "NOT_FOUND" });
  // It would go round bank references and the second person.
  await expect(creditMerchant(own, { ...credit, mode: "live" })).rejects.toThrow("credited under its bank reference");
});
