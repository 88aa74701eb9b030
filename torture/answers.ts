import type { MerchantId } from "../src/kernel/ids.ts";

/** What a merchant was told of a purchase, by its answer, a requery or a list. */
export interface ToldPurchase {
  readonly status: "pending" | "successful" | "failed";
  readonly transaction_id: string;
  readonly amount: string;
  readonly balance_before: string;
  readonly balance_after: string;
  readonly total_deducted: string;
}

/** What it was told of a bulk order. */
export interface ToldOrder {
  readonly bulk_id: string;
  readonly total: number;
  readonly amount: string;
  readonly balance_before: string;
}

export interface Acknowledged {
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly told: ToldPurchase;
}

export interface AcknowledgedOrder {
  readonly merchantId: MerchantId;
  readonly reference: string;
  readonly told: ToldOrder;
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
  hear(merchantId: MerchantId, reference: string, told: ToldPurchase, where: string): void;
  hearOrder(merchantId: MerchantId, reference: string, told: ToldOrder, lines: readonly string[]): void;
  /** Nothing was created, charged or used up, and nobody asked before or beside. `because`: what was answered. */
  hearRefusal(merchantId: MerchantId, reference: string, because: string): void;
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
    hear(merchantId, reference, { status, ...told }, where) {
      const key = `${merchantId} ${reference}`;
      const heard = {
        status,
        transaction_id: told.transaction_id,
        amount: told.amount,
        balance_before: told.balance_before,
        balance_after: told.balance_after,
        total_deducted: told.total_deducted,
      };
      const before = purchases.get(key);
      const difference = before === undefined ? null : differenceOf(before.told, heard);
      if (difference !== null)
        complain(`${where} tells ${reference} of merchant ${merchantId} otherwise: ${difference}`);
      // An answer that was long under way may tell what was so before.
      if (before === undefined || before.told.status === "pending") {
        purchases.set(key, { merchantId, reference, told: heard });
      }
    },
    hearOrder(merchantId, reference, { bulk_id, total, amount, balance_before }, lines) {
      const key = `${merchantId} ${reference}`;
      const told = { bulk_id, total, amount, balance_before };
      const before = orders.get(key);
      if (before !== undefined && JSON.stringify(before.told) !== JSON.stringify(told)) {
        complain(`bulk order ${reference} was ${JSON.stringify(before.told)} and is ${JSON.stringify(told)}`);
      }
      orders.set(key, { merchantId, reference, told, lines });
    },
    hearRefusal: (merchantId, reference, because) =>
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
export function differenceOf(one: ToldPurchase, other: ToldPurchase): string | null {
  const isSame =
    one.transaction_id === other.transaction_id &&
    one.amount === other.amount &&
    one.balance_before === other.balance_before &&
    (one.status === other.status
      ? one.balance_after === other.balance_after && one.total_deducted === other.total_deducted
      : one.status === "pending" || other.status === "pending");
  return isSame ? null : `${JSON.stringify(one)} and ${JSON.stringify(other)}`;
}
