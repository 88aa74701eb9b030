import { randomInt } from "node:crypto";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { WalletKey } from "../../../../src/kernel/ids.ts";
import { type FreshDatabase, stockedDatabase } from "../../../support/database.ts";
import { fundedWallet, walletKey } from "../../../support/wallet.ts";
import { readAll, type Seller, startSeller } from "./process.ts";

const purchases = 400;

let fresh: FreshDatabase;
let sellers: readonly Seller[];

beforeAll(async () => {
  fresh = await stockedDatabase();
  // Some commits take long, so that later ends are seen before them.
  sellers = Array.from({ length: 4 }, () => startSeller(fresh, () => (randomInt(4) === 0 ? randomInt(60) : 0)));
});
afterAll(async () => {
  await Promise.all(sellers.map((seller) => seller.close()));
  await fresh.drop();
});

const anySeller = () => sellers[randomInt(sellers.length)] as Seller;

async function sellAll(wallet: WalletKey): Promise<string[]> {
  const references = Array.from({ length: purchases }, (_, nth) => `order-${nth}`);
  await Promise.all(
    references.map(async (reference) => {
      await sleep(randomInt(1_500));
      const purchase = await anySeller().buy(wallet, reference);
      await sleep(randomInt(10) === 0 ? randomInt(1_000) : randomInt(20));
      await anySeller().end(purchase, randomInt(5) === 0 ? "failed" : "successful");
    }),
  );
  return references.sort();
}

test("who polls while several processes end purchases misses none, gets none twice, and sees what all others see", async () => {
  const wallet = await fundedWallet((sellers[0] as Seller).database, walletKey(1), 1_000_000_000n);
  const progress = { isSold: false };
  /** A client that keeps the last id that it saw, and asks any process. */
  const poll = async (entriesMax: number) => {
    const seen: string[] = [];
    let after: string | null = null;
    for (let rounds = 0; rounds < 10_000; rounds++) {
      const isLast = progress.isSold;
      const read = await readAll(anySeller(), wallet, { after, limit: 1 + randomInt(30), entriesMax });
      seen.push(...read.references);
      after = read.after;
      if (isLast) return seen;
      await sleep(randomInt(15));
    }
    throw new Error("the purchases were never all sold");
  };
  const polls = [poll(3), poll(20), poll(5_000)];
  const sold = await sellAll(wallet).finally(() => {
    progress.isSold = true;
  });
  const seen = await Promise.all(polls);
  const { references: inTheEnd } = await readAll(anySeller(), wallet);
  for (const each of seen) expect(each.toSorted()).toEqual(sold);
  for (const each of seen) expect(each).toEqual(inTheEnd);
});
