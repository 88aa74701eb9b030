import { constants, setPriority } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { assert } from "../../src/kernel/assert.ts";
import { call } from "../base/client.ts";
import { type Driver, numbersMax, type Outcome, openDriver, sameFrame } from "../base/load.ts";
import { purchaseFrames } from "../base/merchants.ts";
import { openShop as openAnyShop, type Shop } from "../base/shop.ts";
import { atMost, type Figure, type Ground, measure, mustBe } from "./attack.ts";

/** An empty setting counts as none. */
const usualLimits = { RATE_LIMIT_PER_MINUTE: "", BULK_LINES_PER_MINUTE: "", BULK_BYTES_PER_MINUTE: "" };

/** A shop that is attacked, and who measures meanwhile how long others wait. */
export interface AttackedShop extends Shop {
  readonly watcher: Driver;
}

/**
 * Starts the service as a new user has it, with the rate limit as it is specified, a thousand merchants who do no harm
 * (`spread`), and one who does (`hot`). Afterwards this process is the attacker, who has machines of their own: it gives way
 * to the service and to those who measure, which are other processes.
 */
export async function openShop(
  ground: Ground,
  environment: Readonly<Record<string, string>> = {},
): Promise<AttackedShop> {
  const shop = await openAnyShop({ ...ground, environment: { ...usualLimits, ...environment } });
  const watcher = openDriver();
  ground.undo.push(watcher.close);
  setPriority(constants.priority.PRIORITY_LOW);
  return { ...shop, watcher };
}

/** Sends a body as it is to a path of the merchant API, as the one who does harm. No answer is a finding as well. */
export function post({ service, hot }: Shop, path: string, body: string) {
  return call(service, hot, path, { body });
}

const watchSecondsMax = 600;

/** Others ask for their balances 50 times a second, until it is stopped. Resolves once they are at it. */
export async function watchOthers({ service, spread, watcher }: AttackedShop): Promise<{ stop(): Promise<Outcome> }> {
  const watch = (seconds: number) =>
    watcher.drive({
      prefix: "watch-",
      seconds,
      port: service.port,
      frames: spread.map((key) => sameFrame("/api/v1/merchant/wallet/balance", `authorization: Bearer ${key}`)),
      numbers: numbersMax,
      expectedStatus: 200,
      connections: 4,
      perSecond: 50,
    });
  // The first time its process starts, which takes longer than some attacks.
  await watch(1);
  const watched = watch(watchSecondsMax);
  return {
    async stop() {
      watcher.stop();
      const outcome = await watched;
      assert(outcome.sent > 0, "others waited for something");
      return outcome;
    },
  };
}

const purchasesPerSecond = 50;
const leastP99Ms = 25;

/** What others notice of an attack that goes on until it is told to stop: how long they wait, without it and beside it. */
export async function besideOthers<Result>(
  { progress }: Ground,
  shop: AttackedShop,
  {
    seconds,
    attack,
    restSeconds = 0,
  }: {
    readonly seconds: number;
    readonly attack: (signal: AbortSignal) => Promise<Result>;
    /** Until what the attacker used up while warming up may be used again. */
    readonly restSeconds?: number;
  },
): Promise<{ readonly result: Result; readonly figures: readonly Figure[] }> {
  /** Others look at their balances and buy, at an even pace. */
  async function serve(prefix: string, forSeconds: number) {
    const others = await watchOthers(shop);
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
  // What a process does for the first time is compiled first: that is no attack.
  progress("warming up, with the attacker");
  const warming = new AbortController();
  const warmed = attack(warming.signal);
  await serve("warm-", 5);
  warming.abort();
  await warmed;
  await delay(restSeconds * 1_000);
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
      mustBe("others: requests refused or lost", beside.balance.errors + beside.purchases.errors, 0),
    ],
  };
}
