import { setTimeout as delay } from "node:timers/promises";
import { Agent } from "undici";
import type { ProductId } from "../../src/kernel/ids.ts";
import type { Database } from "../../src/platform/database/database.ts";
import { call, type Received } from "../base/client.ts";
import { chooseBasket, enterSupplier, liftAllLimits, newMerchant, plenty } from "../base/merchants.ts";
import { type Server, startServer } from "../base/service.ts";
import type { Stage } from "./stage.ts";
import { until } from "./stage.ts";

/** Everything that a merchant does in a day, all at once: live and sandbox, single and in bulk, lists beside, a webhook of each end. */
export interface Trade {
  readonly merchantId: number;
  readonly liveKey: string;
  /** What was called since the last look, by kind. */
  look(): Seen;
  /** What was acknowledged by its reference, and as what; sold in bulk as the order's lines. */
  readonly acknowledged: ReadonlyMap<string, Status>;
  readonly suppliers: readonly Server[];
  readonly receiver: Server;
  /** Begins nothing new; resolves when all that was begun is answered. */
  end(): Promise<void>;
}

export type Status = "successful" | "pending" | "failed";

export interface Seen {
  readonly sold: number;
  readonly refunded: number;
  readonly longestMs: Readonly<Record<Kind, number>>;
  /** Answers other than those that were expected, in words, with how often each came and how long it took. */
  readonly others: Readonly<Record<string, { count: number; longestMs: number }>>;
  /** The longest time without a sale, in seconds. */
  readonly pauseSeconds: number;
}

type Kind = "live" | "sandbox" | "bulk" | "lists";

/** How many do it at a time. */
const clients: Readonly<Record<Kind, number>> = { live: 4, sandbox: 2, bulk: 1, lists: 1 };
const linesOfOrder = 25;
const againMs = 100;
const patienceMs = 60_000;

/** The near supplier declines what ends in 1 or 2, the far one, which is asked then, what ends in 2. */
const declinedAt = { near: "12", far: "2" };
const livePhones = phones(["0001", "0002"]);
/** The sandbox's own numbers: declined at once, and pending for a while. */
const sandboxPhones = phones(["0002", "0003"]);

/** Ten numbers: eight that are vended, and these. */
function phones(special: readonly string[]): readonly string[] {
  const usual = Array.from({ length: 8 }, (_, index) => `080312${index}5560`);
  return [...usual, ...special.map((ending) => `0803123${ending}`)];
}

/** Starts two suppliers and the receiver of the webhooks, and makes the merchant. The service may call them. */
export async function openTradePlaces(stage: Stage) {
  const start = async (name: string, file: string) => {
    const server = await startServer(file, stage.folder, { name });
    stage.after(server.stop);
    return server;
  };
  const near = await start("near", "rigs/bench/live-supplier.ts");
  const far = await start("far", "rigs/bench/live-supplier.ts");
  const receiver = await start("receiver", "rigs/base/receiver.ts");
  for (const [server, endings] of [
    [near, declinedAt.near],
    [far, declinedAt.far],
  ] as const) {
    await fetch(`${server.url}/decline/${endings}`, { headers: { connection: "close" } });
  }
  const environment = { SUPPLIER_ORIGINS: `${near.url},${far.url}`, WEBHOOK_ALLOW_PRIVATE: "true" };
  return { near, far, receiver, environment };
}

export type TradePlaces = Awaited<ReturnType<typeof openTradePlaces>>;

/** Trades without a pause, each purchase under a reference of its own, which is sent again until it is answered as expected. */
export async function openTrade(url: string, database: Database, places: TradePlaces): Promise<Trade> {
  const merchant = await newMerchant(database, { approved: true, credit: plenty, testCredit: plenty });
  await liftAllLimits(database);
  const shop = { url };
  const keys = { live: merchant.liveKey ?? "", sandbox: merchant.testKey };
  await until("the merchant is known", async () => (await call(shop, keys.live, "/wallet/balance")).status === 200);
  const webhook = { url: `${places.receiver.url}/hook/1`, notify: "all" };
  const saved = await call(shop, keys.live, "/webhook", { method: "PUT", body: webhook });
  if (saved.status !== 200) throw new Error(`the webhook was refused: ${JSON.stringify(saved.body)}`);
  const { product_id } = await chooseBasket(shop, keys.sandbox);
  for (const [index, name] of (["near", "far"] as const).entries()) {
    await enterSupplier(database, {
      name,
      connector: "legacy-script",
      settings: { base_url: places[name].url, network_ids: { MTN: "1", GLO: "2", "9MOBILE": "3", AIRTEL: "4" } },
      credentials: { token: "66f2e5c39ac8640f13cd888f161385b12f7e5e92" },
      products: [{ id: product_id as ProductId, code: "6" }],
      priority: index + 1,
    });
  }
  const book = openBook();
  const dispatcher = new Agent({ connections: 64 });
  const trader: Trader = { shop, keys, product_id, book, dispatcher, isOpen: true };
  const running = Object.entries(clients).flatMap(([kind, count]) =>
    Array.from({ length: count }, (_, number) => traders[kind as Kind](trader, number)),
  );
  return {
    merchantId: Number(merchant.id),
    liveKey: keys.live,
    look: book.look,
    acknowledged: book.acknowledged,
    suppliers: [places.near, places.far],
    receiver: places.receiver,
    async end() {
      trader.isOpen = false;
      await Promise.all(running);
      await dispatcher.close();
    },
  };
}

interface Trader {
  readonly shop: { readonly url: string };
  readonly keys: { readonly live: string; readonly sandbox: string };
  readonly product_id: number;
  readonly book: Book;
  readonly dispatcher: Agent;
  isOpen: boolean;
}

const traders: Readonly<Record<Kind, (trader: Trader, number: number) => Promise<void>>> = {
  live: (trader, number) => buy(trader, "live", number),
  sandbox: (trader, number) => buy(trader, "sandbox", number),
  bulk: orderInBulk,
  lists: readLists,
};

async function buy(trader: Trader, kind: "live" | "sandbox", number: number): Promise<void> {
  const { book, product_id } = trader;
  const numbers = kind === "live" ? livePhones : sandboxPhones;
  for (let turn = 0; trader.isOpen; turn++) {
    const reference = `rehearsal-${kind}-${number}-${turn}`;
    const body = { product_id, phone: numbers[turn % numbers.length], reference };
    const answer = await insist(trader, kind, { path: "/data/purchase", body, expected: [201, 202, 422] });
    if (answer !== null) book.acknowledge(reference, answer.body.status as Status);
  }
}

async function orderInBulk(trader: Trader): Promise<void> {
  const { product_id, book } = trader;
  for (let turn = 0; trader.isOpen; turn++) {
    const reference = `rehearsal-bulk-${turn}`;
    const items = Array.from({ length: linesOfOrder }, (_, line) => ({
      product_id,
      phone: livePhones[line % livePhones.length],
      reference: `${reference}-${line}`,
    }));
    const body = { reference, items };
    const placed = await insist(trader, "bulk", { path: "/data/bulk", body, expected: [200, 201, 202] });
    if (placed === null) return;
    for (const item of items) book.acknowledge(item.reference, "pending");
    for (let isDone = false; trader.isOpen && !isDone; ) {
      await delay(againMs);
      const seen = await insist(trader, "bulk", { path: `/bulk/${reference}`, expected: [200] });
      isDone = seen?.body.status === "completed";
    }
  }
}

const lists = [
  "/transactions?per_page=50",
  "/transactions?status=failed&per_page=50",
  "/transactions?status=pending&per_page=50",
  "/transactions?channel=bulk&per_page=20",
  `/transactions?phone=${livePhones[0]}&per_page=20`,
  "/transactions?from=2026-01-01&page=2&per_page=20",
  "/transactions/rehearsal-live-0-0",
  "/wallet/statement?per_page=50",
  "/wallet/balance",
  "/events?per_page=100",
  "/webhook/deliveries?per_page=20",
  "/webhook/deliveries?status=failed",
  "/bulk/rehearsal-bulk-0?status=failed",
  "/billers",
];

async function readLists(trader: Trader): Promise<void> {
  for (let turn = 0; trader.isOpen; turn++) {
    const path = lists[turn % lists.length] ?? "";
    // What was sold first may be asked for before it is.
    await insist(trader, "lists", { path, expected: turn < lists.length ? [200, 404] : [200] });
    await delay(againMs);
  }
}

/** Asks until it is answered as expected. Null where the trade ended before. */
async function insist(
  trader: Trader,
  kind: Kind,
  { path, body, expected }: { readonly path: string; readonly body?: object; readonly expected: readonly number[] },
): Promise<Received | null> {
  const { shop, keys, book, dispatcher } = trader;
  const key = kind === "sandbox" ? keys.sandbox : keys.live;
  const options = { dispatcher, msMax: patienceMs, ...(body === undefined ? {} : { body }) };
  for (let attempt = 0; trader.isOpen || attempt === 0; attempt++) {
    const answer = await call(shop, key, path, options);
    book.note(kind, answer, { path, isExpected: expected.includes(answer.status) });
    if (expected.includes(answer.status)) return answer;
    await delay(againMs);
  }
  return null;
}

interface Book extends Pick<Trade, "look" | "acknowledged"> {
  acknowledge(reference: string, status: Status): void;
  note(kind: Kind, answer: Received, requested: { readonly path: string; readonly isExpected: boolean }): void;
}

function openBook(): Book {
  const acknowledged = new Map<string, Status>();
  const nothing = () => ({ live: 0, sandbox: 0, bulk: 0, lists: 0 });
  let since = {
    sold: 0,
    refunded: 0,
    longestMs: nothing(),
    others: {} as Record<string, { count: number; longestMs: number }>,
  };
  let lastMs = performance.now();
  let pauseMs = 0;
  return {
    acknowledged,
    acknowledge(reference, status) {
      acknowledged.set(reference, status);
      if (status === "failed") since.refunded += 1;
      else since.sold += 1;
      pauseMs = Math.max(pauseMs, performance.now() - lastMs);
      lastMs = performance.now();
    },
    note(kind, { status, body, ms }, { path, isExpected }) {
      since.longestMs[kind] = Math.max(since.longestMs[kind], ms);
      if (isExpected) return;
      const code = typeof body?.code === "string" ? ` ${body.code}` : "";
      const of = kind === "lists" ? `lists ${path.replace(/\?.*/, "")}` : kind;
      const words = `${of}: ${status === 0 ? "no answer" : status}${code}`;
      const { count = 0, longestMs = 0 } = since.others[words] ?? {};
      since.others[words] = { count: count + 1, longestMs: Math.max(longestMs, ms) };
    },
    look() {
      const pauseSeconds = Math.max(pauseMs, performance.now() - lastMs) / 1_000;
      const seen = { ...since, pauseSeconds: Math.round(pauseSeconds * 10) / 10 };
      since = { sold: 0, refunded: 0, longestMs: nothing(), others: {} };
      pauseMs = 0;
      return seen;
    },
  };
}
