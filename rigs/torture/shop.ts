import { setTimeout as delay } from "node:timers/promises";
import type { Received } from "../base/client.ts";
import type { AnsweredPurchase, Answers, ReceivedOrder } from "./answers.ts";
import { type Chance, chosenBy, openChance, type Weighed } from "./chance.ts";
import type { Ground } from "./ground.ts";
import { type Merchant, topUp } from "./merchants.ts";
import type { Order, OrderBook } from "./order-book.ts";
import { type MerchantClient, openMerchantClient } from "./service-process.ts";

/** How many were sent, by what came back. */
export interface ShopCounts {
  readonly answered: Record<string, number>;
  /** No answer. */
  lost: number;
  /** Sent again and again, and never answered. */
  givenUp: number;
  /** Never bought, as nobody told whose number it is. */
  unverified: number;
  requests: number;
}

/** The load: 200 merchants that buy, and send again what was not answered. */
export interface Shop {
  readonly counts: ShopCounts;
  /** While it is calm, a request that is not answered is nobody's fault but the service's. */
  beCalm(isCalm: boolean): void;
  /** Begins nothing new; resolves when all that was begun is answered or given up. */
  stop(): Promise<void>;
}

interface ShopOptions {
  readonly ground: Ground;
  readonly merchants: readonly Merchant[];
  readonly answers: Answers;
  readonly seed: number;
  readonly requestsPerSecond: number;
  /** What is bought. */
  readonly orders: OrderBook;
}

/** What everybody in the shop needs. */
interface Counter extends ShopOptions {
  /** Decides what is bought. */
  readonly chance: Chance;
  /** Decides everything else. */
  readonly way: Chance;
  readonly client: MerchantClient;
  readonly counts: ShopCounts;
  readonly recent: Order[];
  isCalm: boolean;
  isOpen: boolean;
}

type Kind = "single" | "bulk" | "duplicate" | "both at once" | "mismatched" | "requery";

const kinds: readonly Weighed<Kind>[] = [
  { weight: 70, value: "single" },
  { weight: 10, value: "bulk" },
  { weight: 5, value: "duplicate" },
  { weight: 5, value: "both at once" },
  { weight: 2, value: "mismatched" },
  { weight: 8, value: "requery" },
];

const underWayMax = 300;
const recentMax = 400;
const giveUpMs = 120_000;
const verificationsMax = 5;
const topUpEveryMs = 500;

export function openShop(options: ShopOptions): Shop {
  const { seed } = options;
  const chance = openChance(seed, "orders");
  const counter: Counter = {
    ...options,
    chance,
    way: openChance(seed, "ways"),
    client: openMerchantClient(),
    counts: { answered: {}, lost: 0, givenUp: 0, unverified: 0, requests: 0 },
    recent: [],
    isCalm: false,
    isOpen: true,
  };
  const underWay = new Set<Promise<void>>();
  const opened = Promise.all([sell(counter, underWay), topUpNowAndThen(counter)]);
  let stopped: Promise<void> | undefined;
  const stop = async () => {
    counter.isOpen = false;
    await opened;
    while (underWay.size > 0) await Promise.race(underWay);
    await counter.client.close();
  };
  return {
    counts: counter.counts,
    beCalm: (wish) => {
      counter.isCalm = wish;
    },
    stop() {
      stopped ??= stop();
      return stopped;
    },
  };
}

/** At an even pace, however long answers take. */
async function sell(counter: Counter, underWay: Set<Promise<void>>): Promise<void> {
  const { counts } = counter;
  const startedAt = performance.now();
  while (counter.isOpen) {
    const due = ((performance.now() - startedAt) / 1_000) * counter.requestsPerSecond;
    while (counts.requests < due) {
      counts.requests += 1;
      const work = begin(counter, underWay.size < underWayMax).finally(() => underWay.delete(work));
      underWay.add(work);
    }
    await delay(10);
  }
}

async function topUpNowAndThen(counter: Counter): Promise<void> {
  const { ground, merchants, way } = counter;
  const short = merchants.filter((merchant) => merchant.isShort);
  while (counter.isOpen) {
    await topUp(ground.postgres.database, way.pick(short)).catch(() => {}); // PostgreSQL is away
    await delay(topUpEveryMs);
  }
}

/** One wish by chance. The row of chances goes on the same where nobody has room for it. */
function begin(counter: Counter, hasRoom: boolean): Promise<void> {
  const { chance, orders, recent } = counter;
  const kind = chosenBy(kinds, chance.next());
  const order = kind === "bulk" ? orders.bulk() : orders.single();
  if (!hasRoom) return Promise.resolve();
  if (kind === "both at once") return sendNew(counter, order, 2);
  const singles = recent.filter(({ lines }) => lines === null);
  const earlier = counter.way.pick(recent.length === 0 ? [order] : recent);
  const single = counter.way.pick(singles.length === 0 ? [order] : singles);
  if (kind === "duplicate" && earlier !== order) return send(counter, earlier).then(() => {});
  if (kind === "mismatched" && single !== order) return sendMismatched(counter, single);
  if (kind === "requery" && single !== order) return requery(counter, single);
  return sendNew(counter, order, 1);
}

/** Sends an order that nobody has sent before, by so many at once: refused is what each of them was refused at once. */
async function sendNew(counter: Counter, wish: Order, senders: number): Promise<void> {
  const order = await verified(counter, wish);
  if (order === null) return;
  const refused = await Promise.all(Array.from({ length: senders }, () => send(counter, order)));
  const reasons = refused.filter((reason) => reason !== null);
  if (reasons.length < senders) return;
  counter.answers.receiveRefusal(order.merchant.id, order.reference, reasons.join(", "));
}

/** The order with its verification, where it needs one; null where nobody could tell for so long that the customer left. */
async function verified(counter: Counter, order: Order): Promise<Order | null> {
  const { verify, merchant, reference } = order;
  if (verify === undefined) return order;
  for (let attempt = 1; attempt <= verificationsMax; attempt++) {
    const { status, body } = await ask(counter, { merchant, reference, ...verify });
    const id: unknown = body?.verification_id;
    if (status === 200 && typeof id === "string") return { ...order, body: { ...order.body, verification_id: id } };
    await delay(500 + counter.way.next() * 1_000);
  }
  counter.counts.unverified += 1;
  return null;
}

/** Sends an order until it is answered, from process to process. @returns the first answer where that refused it, else null */
async function send(counter: Counter, order: Order): Promise<string | null> {
  const { answers, way, counts } = counter;
  const startedAt = performance.now();
  for (let attempt = 1; performance.now() - startedAt < giveUpMs; attempt++) {
    const received = await ask(counter, order);
    const { status, body } = received;
    if (isReported(received)) {
      receive(counter, order, body);
      return null;
    }
    if (status === 409) {
      answers.complain(`${order.reference} was refused as ${body?.code}`);
      return null;
    }
    if (status >= 400 && status < 500 && status !== 429) {
      return attempt === 1 ? `${status} ${body?.code}, ${body?.message}` : null;
    }
    await delay(300 + way.next() * Math.min(attempt, 3) * 1_000);
  }
  counts.givenUp += 1;
  return null;
}

function receive({ answers, recent }: Counter, order: Order, body: AnsweredPurchase & ReceivedOrder): void {
  const { merchant, reference, lines } = order;
  if (lines === null) answers.receive(merchant.id, reference, body, "an answer");
  else answers.receiveOrder(merchant.id, reference, body, lines);
  if (recent.push(order) > recentMax) recent.shift();
}

/** Its reference names another purchase. */
async function sendMismatched(counter: Counter, original: Order): Promise<void> {
  const received = await ask(counter, counter.orders.mismatched(original));
  if (isReported(received)) counter.answers.complain(`${original.reference} was taken for another wish`);
}

async function requery(counter: Counter, { merchant, reference }: Order): Promise<void> {
  const { answers } = counter;
  const { status, body } = await ask(counter, { merchant, reference, path: `/transactions/${reference}` });
  if (status === 200) answers.receive(merchant.id, reference, body, "a requery");
  if (status === 404) answers.complain(`${reference} was acknowledged and is not found`);
}

async function ask(
  counter: Counter,
  { merchant, reference, path, body }: Pick<Order, "merchant" | "reference" | "path"> & Partial<Pick<Order, "body">>,
): Promise<Received> {
  const { client, way, ground, counts, answers } = counter;
  const received = await client.ask(way.pick(ground.apis), merchant.key, path, body);
  const { status } = received;
  const code = received.body?.code ?? "";
  if (status === 0) counts.lost += 1;
  else {
    const name = status < 400 || code === "" ? String(status) : `${status} ${code}`;
    counts.answered[name] = (counts.answered[name] ?? 0) + 1;
  }
  if (counter.isCalm && (status === 0 || status >= 500)) {
    answers.complain(`${reference} was answered ${status} ${code} while all was well`);
  }
  return received;
}

/** Whether it tells a purchase or an order: new, pending, failed or known. */
function isReported({ status, body }: Received): boolean {
  return [200, 201, 202, 422].includes(status) && (body?.transaction_id ?? body?.bulk_id) !== undefined;
}
