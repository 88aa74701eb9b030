import { beforeEach, expect, test } from "vitest";
import { systemClock } from "../../../rigs/base/merchants.ts";
import { insertPurchases } from "../../../src/domain/purchases/queries.ts";
import {
  claimCallbackQuestions,
  deleteCallbackQuestion,
  insertCallback,
  updateQuestionDue,
} from "../../../src/domain/resolution/callbacks/callback-queries.ts";
import { openAskAbout, questionLeaseSeconds } from "../../../src/domain/resolution/callbacks/receive-callback.ts";
import { openLog } from "../../../src/platform/telemetry/log.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";
import { fundedWallet, newPurchase, walletKey } from "../../support/wallet.ts";

const { fresh, database } = closing(await ownDatabase());
const wallet = await fundedWallet(database, walletKey(7), 1_000_000n);
const purchase = newPurchase(wallet, "called-about");
await insertPurchases(database, [purchase], "2026-11-20");
/** An attempt that was made: nothing is kept about others. */
const about = { id: purchase.terms.id, attempt: 1 };
beforeEach(async () => {
  await fresh.pool.query("truncate supplier_callbacks, callback_questions");
});

async function count(from: string): Promise<number> {
  const { rows } = await fresh.pool.query<{ n: number }>(`select count(*)::integer as n from ${from}`);
  return rows[0]?.n ?? 0;
}

test("a new word while its question is asked is a question anew: what was asked before neither ends it nor puts it off", async () => {
  const word = { supplier: "first", supplierReference: "TXN01ARZ3NDEKTSV4RRFFQ69G5FAV-1", evidence: "{}" };
  const receive = (status: string, providerReference: string | null) =>
    insertCallback(database, { ...word, status, providerReference }, about, questionLeaseSeconds);
  const calls = (await receive("delivered", "THEIRS-7"))!;
  await updateQuestionDue(database, calls, 300);
  await fresh.pool.query("update callback_questions set tries = 9, received_at = now() - interval '23 hours'");
  const anew = (await receive("reversed", null))!;
  expect(anew).toMatchObject({ providerReference: "THEIRS-7", tries: 1 });
  expect(systemClock.now() - anew.receivedAt).toBeLessThan(60_000);
  await updateQuestionDue(database, calls, 9_000);
  await deleteCallbackQuestion(database, calls);
  const soon = "callback_questions where due_at between now() and now() + interval '90 seconds'";
  expect(await count(soon)).toBe(1);
  expect(await receive("reversed", null), "no news").toBeNull();
  await deleteCallbackQuestion(database, anew);
  expect(await count("callback_questions")).toBe(0);
});

test("of two workers that claim questions at one time each gets others, and one that is leased nobody gets", async () => {
  for (let i = 0; i < 20; i++) {
    const supplierReference = `TXN01ARZ3NDEKTSV4RRFFQ69G${String(i).padStart(4, "0")}-1`;
    const word = { supplier: i < 10 ? "first" : "second", supplierReference, status: "news", evidence: "{}" };
    await insertCallback(database, { ...word, providerReference: null }, about, 0);
  }
  const claim = (exceptOf: readonly string[], limit: number) =>
    claimCallbackQuestions(database, { exceptOf, limit, leaseSeconds: questionLeaseSeconds });
  expect((await claim(["first"], 4)).map(({ supplier }) => supplier)).toEqual(Array(4).fill("second"));
  const claims = (await Promise.all([claim([], 12), claim([], 12)])).flat();
  expect(new Set(claims.map(({ supplierReference }) => supplierReference)).size).toBe(16);
  expect(claims).toHaveLength(16);
  expect(new Set(claims.map(({ epoch, tries }) => `${epoch} ${tries}`))).toEqual(new Set(["1 2"]));
  expect(await claim([], 12)).toEqual([]);
});

test.each([
  ["still_unknown", true],
  ["not_sent_yet", true],
  ["asked", false],
  ["agrees", false],
  ["late_reversal", false],
  ["not_ours", false],
] as const)(
  "a question whose asking came to %s stays: %s, and is asked again after 5 s first of all",
  async (result, stays) => {
    const word = { supplier: "first", supplierReference: "TXN01ARZ3NDEKTSV4RRFFQ69G5FAV-1", evidence: "{}" };
    const question = await insertCallback(database, { ...word, status: "news", providerReference: null }, about, 90);
    await openAskAbout({
      database,
      clock: systemClock,
      requery: async () => result,
      log: openLog({ level: "silent" }),
    })(question!);
    const due = "round(extract(epoch from due_at - now()))::int as due from callback_questions";
    expect((await fresh.pool.query(`select ${due}`)).rows).toEqual(stays ? [{ due: 5 }] : []);
  },
);
