import { setTimeout as delay } from "node:timers/promises";
import { call } from "../base/client.ts";
import { percentile } from "../base/figures.ts";
import { numbersMax } from "../base/load.ts";
import { purchaseFrames } from "../base/merchants.ts";
import { openShop as openAnyShop, type Shop } from "../base/shop.ts";
import { atMost, type Figure, type Ground, measure, mustBe } from "./attack.ts";

/** An empty setting counts as none. */
const usualLimits = { RATE_LIMIT_PER_MINUTE: "", BULK_LINES_PER_MINUTE: "", BULK_BYTES_PER_MINUTE: "" };

/**
 * Starts the service as a new user has it, with the rate limit as it is specified, a thousand merchants who do no harm
 * (`spread`), and one who does (`hot`).
 */
export function openShop(ground: Ground, environment: Readonly<Record<string, string>> = {}): Promise<Shop> {
  return openAnyShop({ ...ground, environment: { ...usualLimits, ...environment } });
}

/** Sends a body as it is to a path of the merchant API, as the one who does harm. No answer is a finding as well. */
export function post({ service, hot }: Shop, path: string, body: string) {
  return call(service, hot, path, { body });
}

export interface OthersWait {
  readonly calls: number;
  readonly failures: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

/** How long others wait for the balance, asked every 20 ms on a connection of its own, until it is stopped. */
export function watchOthers({ service, spread }: Shop): { stop(): Promise<OthersWait> } {
  const stopping = new AbortController();
  const waits: number[] = [];
  let failures = 0;
  const asking = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const { status, ms } = await call(service, spread[n % spread.length] ?? "", "/wallet/balance");
      if (status !== 200) failures += 1;
      waits.push(ms);
      await delay(20);
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await asking;
      const sorted = Float64Array.from(waits).sort();
      const [p99Ms, maxMs] = [percentile(sorted, 0.99) ?? 0, percentile(sorted, 1) ?? 0];
      return { calls: waits.length, failures, p99Ms, maxMs };
    },
  };
}

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
