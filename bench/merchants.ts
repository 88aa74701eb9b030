import { randomBytes } from "node:crypto";
import { createMerchants } from "../src/domain/onboarding/create-merchants.ts";
import { kobo } from "../src/kernel/money.ts";
import type { Database } from "../src/platform/database/database.ts";
import { type Frame, getFrames, postFrames } from "./load.ts";

const spreadMerchants = 1_000;
/** Ten billion naira. */
const plenty = kobo(1_000_000_000_000n);
const merchantApi = "/api/v1/merchant";

/** Sandbox keys with wallets that no run can empty. */
export interface Buyers {
  /** One of each of a thousand merchants. */
  readonly spread: readonly string[];
  /** The one of a single merchant. */
  readonly hot: readonly string[];
}

export async function createBuyers(database: Database): Promise<Buyers> {
  const keys: string[] = [];
  await createMerchants(
    { database, clock: { now: () => Date.now() }, randomness: randomBytes },
    {
      name: "Bench",
      email: "bench@example.com",
      count: spreadMerchants + 1,
      approved: false,
      credit: null,
      testCredit: plenty,
      createdBy: "bench",
    },
    (merchants) => keys.push(...merchants.map(({ testKey }) => testKey)),
  );
  return { spread: keys.slice(0, spreadMerchants), hot: keys.slice(spreadMerchants) };
}

/** One merchant's keys of both modes. */
export interface LiveBuyer {
  readonly liveKey: string;
  readonly testKey: string;
}

const liftLimits = {
  name: "update_bench_tiers",
  text: "update merchants set limit_tier = 3",
};

/** A thousand merchants that may buy for real: with money, and with the widest limits there are. */
export async function createLiveBuyers(database: Database): Promise<LiveBuyer[]> {
  const buyers: LiveBuyer[] = [];
  await createMerchants(
    { database, clock: { now: () => Date.now() }, randomness: randomBytes },
    {
      name: "Bench",
      email: "bench@example.com",
      count: spreadMerchants,
      approved: true,
      credit: plenty,
      testCredit: plenty,
      createdBy: "bench",
    },
    (merchants) => {
      for (const { liveKey, testKey } of merchants) if (liveKey !== null) buyers.push({ liveKey, testKey });
    },
  );
  await database.query(liftLimits);
  return buyers;
}

/** What every purchase buys: the first data plan on sale, for a number with which the sandbox succeeds at once. */
export interface Basket {
  readonly product_id: number;
  readonly phone: string;
}

/** Asks the API, as a merchant would. */
export async function chooseBasket(port: number, key: string): Promise<Basket> {
  const { billers } = (await read(port, key, "/billers?category=data")) as { billers: { slug: string }[] };
  const { products } = (await read(port, key, `/billers/${billers[0]?.slug}/products`)) as {
    products: { product_id: number; available: boolean }[];
  };
  const product = products.find(({ available }) => available);
  if (product === undefined) throw new Error("there is no data plan on sale");
  return { product_id: product.product_id, phone: "08031234567" };
}

async function read(port: number, key: string, path: string): Promise<unknown> {
  const answer = await fetch(`http://127.0.0.1:${port}${merchantApi}${path}`, {
    headers: { authorization: `Bearer ${key}`, connection: "close" },
  });
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return answer.json();
}

export function purchaseFrames(keys: readonly string[], basket: Basket, prefix: string): Frame[] {
  return postFrames({ path: `${merchantApi}/data/purchase`, keys, body: { ...basket }, prefix });
}

export function requeryFrames(keys: readonly string[]): Frame[] {
  return getFrames({ path: `${merchantApi}/transactions/`, keys });
}
