import type { MerchantId } from "../../src/kernel/ids.ts";
import type { Ground } from "./ground.ts";
import type { Merchant } from "./merchants.ts";
import { openMerchantClient } from "./service-process.ts";

/** What a merchant was told of a purchase, by its answer, a requery or a list. */
export interface AnsweredPurchase {
  readonly status: "pending" | "successful" | "failed";
  readonly transaction_id: string;
  readonly amount: string;
  readonly balance_before: string;
  readonly balance_after: string;
  readonly total_deducted: string;
}

/** What it was told of a bulk order. */
export interface ReceivedOrder {
  readonly bulk_id: string;
  readonly total: number;
  readonly amount: string;
  readonly balance_before: string;
}

export interface Acknowledged {
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly reply: AnsweredPurchase;
}

export interface AcknowledgedOrder {
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly reply: ReceivedOrder;
  readonly lines: readonly string[];
}

export interface Refused {
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly because: string;
}

/** Everything that was ever acknowledged, and what was said otherwise later. */
export interface Answers {
  /** Remembers what was told, and compares it with what was told before. */
  receive(merchantId: MerchantId, reference: string, reply: AnsweredPurchase, where: string): void;
  receiveOrder(merchantId: MerchantId, reference: string, reply: ReceivedOrder, lines: readonly string[]): void;
  /** Nothing was created, charged or used up, and nobody asked before or beside. `because`: what was answered. */
  receiveRefusal(merchantId: MerchantId, reference: string, because: string): void;
  complain(text: string): void;
  purchases(): IterableIterator<Acknowledged>;
  orders(): IterableIterator<AcknowledgedOrder>;
  refused(): IterableIterator<Refused>;
  count(): number;
  /** What must never have been said. */
  readonly violations: readonly string[];
}

/** More of one kind say nothing new. */
const violationsMax = 1_000;

export function openAnswers(): Answers {
  const purchases = new Map<string, Acknowledged>();
  const orders = new Map<string, AcknowledgedOrder>();
  const refused = new Map<string, Refused>();
  const violations: string[] = [];
  const complain = (text: string) => {
    if (violations.length < violationsMax) violations.push(text);
  };
  return {
    receive(merchantId, reference, { status, ...reply }, where) {
      const key = `${merchantId} ${reference}`;
      const received = {
        status,
        transaction_id: reply.transaction_id,
        amount: reply.amount,
        balance_before: reply.balance_before,
        balance_after: reply.balance_after,
        total_deducted: reply.total_deducted,
      };
      const before = purchases.get(key);
      const difference = before === undefined ? null : differenceOf(before.reply, received);
      if (difference !== null)
        complain(`${where} tells ${reference} of merchant ${merchantId} otherwise: ${difference}`);
      // An answer that was long under way may tell what was so before.
      if (before === undefined || before.reply.status === "pending") {
        purchases.set(key, { merchantId, reference, reply: received });
      }
    },
    receiveOrder(merchantId, reference, { bulk_id, total, amount, balance_before }, lines) {
      const key = `${merchantId} ${reference}`;
      const reply = { bulk_id, total, amount, balance_before };
      const before = orders.get(key);
      if (before !== undefined && JSON.stringify(before.reply) !== JSON.stringify(reply)) {
        complain(`bulk order ${reference} was ${JSON.stringify(before.reply)} and is ${JSON.stringify(reply)}`);
      }
      orders.set(key, { merchantId, reference, reply, lines });
    },
    receiveRefusal: (merchantId, reference, because) =>
      void refused.set(`${merchantId} ${reference}`, { merchantId, reference, because }),
    complain,
    purchases: () => purchases.values(),
    orders: () => orders.values(),
    refused: () => refused.values(),
    count: () => purchases.size,
    violations,
  };
}

/** What of two answers about one purchase cannot both be true; null where both can. Either may be the older one. */
export function differenceOf(one: AnsweredPurchase, other: AnsweredPurchase): string | null {
  const isSame =
    one.transaction_id === other.transaction_id &&
    one.amount === other.amount &&
    one.balance_before === other.balance_before &&
    (one.status === other.status
      ? one.balance_after === other.balance_after && one.total_deducted === other.total_deducted
      : one.status === "pending" || other.status === "pending");
  return isSame ? null : `${JSON.stringify(one)} and ${JSON.stringify(other)}`;
}

/** A purchase as its merchant's list shows it. */
export interface Listed extends AnsweredPurchase {
  readonly reference: string;
  /** On how many lines. */
  times: number;
}

const perPage = 100;
const pagesMax = 10_000;

/** Every page of every merchant's list, by transaction id. */
export async function listAll(ground: Ground, merchants: readonly Merchant[]): Promise<Map<string, Listed>> {
  const client = openMerchantClient();
  const listed = new Map<string, Listed>();
  try {
    for (const { key } of merchants) await listOne({ ground, key, client, listed });
  } finally {
    await client.close();
  }
  return listed;
}

async function listOne(options: {
  readonly ground: Ground;
  readonly key: string;
  readonly client: ReturnType<typeof openMerchantClient>;
  readonly listed: Map<string, Listed>;
}): Promise<void> {
  const { ground, key, client, listed } = options;
  const [api] = ground.apis;
  if (api === undefined) throw new Error("there is no API");
  for (let page = 1; page <= pagesMax; page++) {
    const { status, body } = await client.ask(api, key, `/transactions?page=${page}&per_page=${perPage}`);
    if (status !== 200) throw new Error(`a list answered ${status} ${JSON.stringify(body)}`);
    const rows = body.transactions as Listed[];
    for (const row of rows) {
      const before = listed.get(row.transaction_id);
      if (before === undefined) listed.set(row.transaction_id, { ...row, times: 1 });
      else before.times += 1;
    }
    if (rows.length < perPage) return;
  }
}
