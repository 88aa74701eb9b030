import { expect, test } from "vitest";
import { type AnsweredPurchase, differenceOf, openAnswers } from "../../rigs/torture/answers.ts";
import { type Deeds, sinkKey } from "../../rigs/torture/book.ts";
import { openChance } from "../../rigs/torture/chance.ts";
import {
  answerChecks,
  type Check,
  type StoredPurchase,
  supplierChecks,
  webhookChecks,
} from "../../rigs/torture/verdict.ts";
import type { MerchantId, PurchaseId } from "../../src/kernel/ids.ts";
import { kobo } from "../../src/kernel/money.ts";

const merchantId = 1 as MerchantId;
const total = kobo(10_000n);

function stored(status: StoredPurchase["status"], name: string): [string, StoredPurchase] {
  const amounts = { total, unitAmount: total, faceAmount: total, quantity: 1, details: null };
  const facts = { merchantId, reference: name, ...amounts, number: "0803", category: "airtime" };
  return [`TXN-${name}`, { id: 1n as PurchaseId, transactionId: `TXN-${name}`, status, ...facts }];
}

function deeds(name: string, vends: number, change: Partial<Deeds> = {}): [string, Deeds] {
  return [`TXN-${name}`, { vends, declines: 0, amount: "100.00", number: "0803", ...change }];
}

const broken = (checks: readonly Check[]) =>
  checks.filter((check) => check.broken.length > 0).map((check) => check.promise);

const sound = {
  purchases: [stored("successful", "sold"), stored("failed", "given-back")],
  deeds: [deeds("sold", 1), deeds("given-back", 0)],
  moved: { debits: 20_000n, refunds: 10_000n },
  vendedTwice: [] as string[],
};

function judgedBooks(change: Partial<typeof sound>): string[] {
  const { purchases, deeds: deedList, moved, vendedTwice } = { ...sound, ...change };
  const truth = { deeds: new Map(deedList), vendedTwice, vends: 0 };
  return broken(supplierChecks(new Map(purchases), truth, moved));
}

test("books that agree break no promise", () => {
  expect(judgedBooks({})).toEqual([]);
});

test.each<[string, Partial<typeof sound>, string]>([
  [
    "a refund of what was vended",
    { deeds: [deeds("sold", 1), deeds("given-back", 1)] },
    "a failed purchase was never vended",
  ],
  ["a success that nobody vended", { deeds: [] }, "a successful purchase was vended exactly once"],
  ["two vends of one purchase", { deeds: [deeds("sold", 2)] }, "a successful purchase was vended exactly once"],
  ["one reference vended twice", { vendedTwice: ["TXN-sold-1"] }, "no supplier reference was vended twice"],
  [
    "a vend of what we don't know",
    { deeds: [...sound.deeds, deeds("lost", 1)] },
    "nothing was vended that is not in our books, or for another number or amount",
  ],
  [
    "a vend to another number",
    { deeds: [deeds("sold", 1, { number: "0805" })] },
    "nothing was vended that is not in our books, or for another number or amount",
  ],
  [
    "a vend of another amount",
    { deeds: [deeds("sold", 1, { amount: "200.00" })] },
    "nothing was vended that is not in our books, or for another number or amount",
  ],
  [
    "a refund that was not booked",
    { moved: { debits: 20_000n, refunds: 0n } },
    "debits less refunds are the value vended and pending",
  ],
  ["what never ended", { purchases: [...sound.purchases, stored("pending", "open")] }, "nothing is pending any more"],
])("%s is noticed", (_name, change, promise) => {
  expect(judgedBooks(change)).toContain(promise);
});

const reply: AnsweredPurchase = {
  status: "pending",
  transaction_id: "TXN-sold",
  amount: "100.00",
  balance_before: "500.00",
  balance_after: "400.00",
  total_deducted: "100.00",
};

test("of two answers one may be older, and nothing else may differ", () => {
  expect(differenceOf(reply, { ...reply, status: "successful" })).toBeNull();
  const failed = { ...reply, status: "failed", balance_after: "500.00", total_deducted: "0.00" } as const;
  expect(differenceOf(failed, reply)).toBeNull();
  expect(differenceOf(failed, { ...reply, status: "successful" })).not.toBeNull();
  expect(differenceOf(reply, { ...reply, transaction_id: "TXN-other" })).not.toBeNull();
  expect(differenceOf(reply, { ...reply, balance_before: "600.00" })).not.toBeNull();
  expect(differenceOf(reply, { ...reply, balance_after: "450.00" })).not.toBeNull();
});

test("what was acknowledged and is gone, refused and bought, or listed twice is noticed", () => {
  const answers = openAnswers();
  answers.receive(merchantId, "sold", reply, "an answer");
  answers.receive(merchantId, "gone", { ...reply, transaction_id: "TXN-gone" }, "an answer");
  answers.receiveRefusal(merchantId, "given-back", "402 INSUFFICIENT_BALANCE");
  answers.receiveOrder(merchantId, "order", { bulk_id: "BLK", total: 2, amount: "1.00", balance_before: "1.00" }, [
    "lost",
  ]);
  const listed = new Map([["TXN-sold", { ...reply, reference: "sold", times: 2 }]]);
  expect(broken(answerChecks(new Map(sound.purchases), answers, listed))).toEqual([
    "every acknowledged purchase is still there",
    "every line of an acknowledged bulk order is there",
    "what was refused was not bought",
    "the pages of all lists together tell each purchase once",
  ]);
});

test("an end that was told never, twice or otherwise is noticed", () => {
  const merchant = { id: merchantId, key: "", isShort: false, endpoints: ["/1/1", "/1/2"] } as never;
  const purchases = new Map([stored("successful", "sold")]);
  const orders = { orders: () => [][Symbol.iterator]() as never };
  const judged = (sink: [string, Set<string>][]) =>
    broken(webhookChecks(purchases, { merchants: [merchant], sink: new Map(sink), answers: orders }));
  const arrived = (endpoint: string, status: string, ids: string[]): [string, Set<string>] => [
    sinkKey(endpoint, `transaction.${status}`, "TXN-sold"),
    new Set(ids),
  ];
  const both = [arrived("/1/1", "successful", ["a"]), arrived("/1/2", "successful", ["b"])];
  expect(judged(both)).toEqual([]);
  expect(judged(both.slice(1))).toEqual(["each endpoint was told of each end once"]);
  expect(judged([arrived("/1/1", "successful", ["a", "c"]), both[1]!])).toEqual([
    "each endpoint was told of each end once",
  ]);
  expect(judged([...both, arrived("/1/1", "failed", ["d"])])).toEqual(["no endpoint was told of an end that is none"]);
});

test("a seed repeats its chances, and another one has others", () => {
  const draw = (seed: number) => {
    const chance = openChance(seed, "a test");
    return Array.from({ length: 20 }, () => chance.whole(1, 1_000));
  };
  expect(draw(1)).toEqual(draw(1));
  expect(draw(1)).not.toEqual(draw(2));
});
