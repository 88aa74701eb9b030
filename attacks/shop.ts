import { connectTo } from "../bench/database.ts";
import type { Driver } from "../bench/driver.ts";
import { numbersMax, type Outcome } from "../bench/load.ts";
import { type Basket, type Buyers, chooseBasket, createBuyers, purchaseFrames } from "../bench/merchants.ts";
import { type Service, startService } from "../bench/service.ts";
import type { Database } from "../src/platform/database/database.ts";
import { atMost, type Figure, type Ground, mustBe, told } from "./attack.ts";

/** A service with a thousand merchants who do no harm (`buyers.spread`), and one who does (`attacker`). */
export interface Shop {
  readonly service: Service;
  readonly database: Database;
  readonly buyers: Buyers;
  readonly attacker: string;
  readonly basket: Basket;
}

/** An empty setting counts as none. */
const usualLimits = { RATE_LIMIT_PER_MINUTE: "", BULK_LINES_PER_MINUTE: "", BULK_BYTES_PER_MINUTE: "" };

/** Starts the service as a new user has it, with the rate limit as it is specified. */
export async function openShop(
  { folder, undo, progress }: Ground,
  environment: Readonly<Record<string, string>> = {},
): Promise<Shop> {
  progress("starting the service");
  const service = await startService(folder, { ...usualLimits, ...environment });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const buyers = await createBuyers(database);
  const [attacker] = buyers.hot;
  if (attacker === undefined) throw new Error("there is nobody to attack with");
  const basket = await chooseBasket(service.port, attacker);
  return { service, database, buyers, attacker, basket };
}

export interface Answer {
  /** 0 where there was none. */
  readonly status: number;
  readonly text: string;
  readonly ms: number;
}

const answerMsMax = 60_000;

/** Sends a body as it is to a path of the merchant API, and waits for the answer. Never throws: no answer is a finding. */
export async function post(service: Service, key: string, path: string, body: string): Promise<Answer> {
  const startedMs = performance.now();
  try {
    const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/merchant${path}`, {
      method: "POST",
      headers: { authorization: `Bearer ${key}`, "content-type": "application/json" },
      body,
      signal: AbortSignal.timeout(answerMsMax),
    });
    const text = await answer.text();
    return { status: answer.status, text, ms: performance.now() - startedMs };
  } catch (error) {
    return { status: 0, text: String(error), ms: performance.now() - startedMs };
  }
}

/** How long others wait for the balance, asked every 20 ms on a connection of its own, until it is stopped. */
export function watchOthers({ service, buyers }: Shop): { stop(): Promise<OthersWait> } {
  const stopping = new AbortController();
  const waits: number[] = [];
  let failures = 0;
  const asking = (async () => {
    for (let n = 0; !stopping.signal.aborted; n++) {
      const startedMs = performance.now();
      try {
        const answer = await fetch(`http://127.0.0.1:${service.port}/api/v1/merchant/wallet/balance`, {
          headers: { authorization: `Bearer ${buyers.spread[n % buyers.spread.length]}` },
          signal: AbortSignal.timeout(answerMsMax),
        });
        await answer.text();
        if (answer.status !== 200) failures += 1;
      } catch {
        failures += 1;
      }
      waits.push(performance.now() - startedMs);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  })();
  return {
    async stop() {
      stopping.abort();
      await asking;
      waits.sort((one, other) => one - other);
      const p99Ms = waits[Math.floor(waits.length * 0.99)] ?? 0;
      return { asked: waits.length, failures, p99Ms, maxMs: waits.at(-1) ?? 0 };
    },
  };
}

export interface OthersWait {
  readonly asked: number;
  readonly failures: number;
  readonly p99Ms: number;
  readonly maxMs: number;
}

const purchasesPerSecond = 50;
/** Below this a p99 is noise of the machine. */
const leastP99Ms = 25;

export interface Served {
  readonly purchases: Outcome;
  readonly balanceP99Ms: number;
  readonly balanceMaxMs: number;
  readonly failures: number;
}

/** Others look at their balances and buy, at an even pace. */
export async function serveOthers(
  shop: Shop,
  driver: Driver,
  load: { prefix: string; seconds: number },
): Promise<Served> {
  const others = watchOthers(shop);
  const purchases = await driver.drive({
    ...load,
    port: shop.service.port,
    frames: purchaseFrames(shop.buyers.spread, shop.basket, load.prefix),
    numbers: numbersMax,
    expectedStatus: 201,
    connections: 16,
    perSecond: purchasesPerSecond,
  });
  const { p99Ms, maxMs, failures } = await others.stop();
  return { purchases, balanceP99Ms: p99Ms, balanceMaxMs: maxMs, failures };
}

/** What others noticed beside an attack: twice as long as alone, and nothing refused. */
export function comparedOthers(alone: Served, beside: Served): readonly Figure[] {
  const bound = (aloneMs: number) => Math.max(2 * aloneMs, leastP99Ms);
  const longest = `${Math.round(alone.balanceMaxMs)}, ${Math.round(beside.balanceMaxMs)} ms`;
  return [
    told("balance p99, alone", `${alone.balanceP99Ms.toFixed(1)} ms`),
    atMost("balance p99, beside", beside.balanceP99Ms, bound(alone.balanceP99Ms), " ms"),
    told("balance longest, alone and beside", longest),
    told("purchase p99, alone", `${alone.purchases.p99Ms.toFixed(1)} ms`),
    atMost("purchase p99, beside", beside.purchases.p99Ms, bound(alone.purchases.p99Ms), " ms"),
    mustBe("others: requests refused or lost", beside.failures + beside.purchases.errors, 0),
  ];
}
