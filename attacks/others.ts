import { numbersMax } from "../rig/load.ts";
import { purchaseFrames } from "../rig/merchants.ts";
import type { Shop } from "../rig/shop.ts";
import { atMost, type Figure, type Ground, measure, mustBe } from "./attack.ts";
import { watchOthers } from "./shop.ts";

const purchasesPerSecond = 50;
const leastP99Ms = 25;

/** What others notice of an attack that goes on until it is told to stop: how long they wait, without it and beside it. */
export async function besideOthers<Result>(
  { progress }: Ground,
  shop: Shop,
  { seconds, attack }: { readonly seconds: number; readonly attack: (signal: AbortSignal) => Promise<Result> },
): Promise<{ readonly result: Result; readonly figures: readonly Figure[] }> {
  /** Others look at their balances and buy, at an even pace. */
  async function serve(prefix: string, forSeconds: number) {
    const others = watchOthers(shop);
    const purchases = await shop.driver.drive({
      prefix,
      seconds: forSeconds,
      port: shop.service.port,
      frames: purchaseFrames(shop.spread, shop.basket, prefix),
      numbers: numbersMax,
      expectedStatus: 201,
      connections: 16,
      perSecond: purchasesPerSecond,
    });
    return { purchases, balance: await others.stop() };
  }
  progress("warming up");
  await serve("warm-", 5);
  progress(`${seconds} s without the attacker`);
  const alone = await serve("alone-", seconds);
  progress(`${seconds} s beside it`);
  const stopping = new AbortController();
  const attacking = attack(stopping.signal);
  const beside = await serve("beside-", seconds);
  stopping.abort();
  const result = await attacking;
  const bound = (aloneMs: number) => Math.max(2 * aloneMs, leastP99Ms);
  return {
    result,
    figures: [
      measure("balance p99, alone", `${alone.balance.p99Ms.toFixed(1)} ms`),
      atMost("balance p99, beside", beside.balance.p99Ms, bound(alone.balance.p99Ms), " ms"),
      measure(
        "balance longest, alone and beside",
        `${Math.round(alone.balance.maxMs)}, ${Math.round(beside.balance.maxMs)} ms`,
      ),
      measure("purchase p99, alone", `${alone.purchases.p99Ms.toFixed(1)} ms`),
      atMost("purchase p99, beside", beside.purchases.p99Ms, bound(alone.purchases.p99Ms), " ms"),
      mustBe("others: requests refused or lost", beside.balance.failures + beside.purchases.errors, 0),
    ],
  };
}
