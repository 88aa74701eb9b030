import type { Chance } from "./chance.ts";
import type { Merchant } from "./merchants.ts";

/** One request that a merchant sends until it is answered. */
export interface Order {
  readonly merchant: Merchant;
  readonly reference: string;
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
  /** The references of a bulk order's lines; null for a single purchase. */
  readonly lines: readonly string[] | null;
  /** The number is verified before; the purchase then names that verification. */
  readonly verify?: { readonly path: string; readonly body: Readonly<Record<string, unknown>> };
}

/** Makes orders by chance. Each number is bought for once. */
export interface OrderBook {
  single(): Order;
  bulk(): Order;
  /** An order under the same reference for something else. */
  mismatched(order: Order): Order;
  anyMerchant(): Merchant;
}

const linesMax = 25;
/** So many merchants get a third of all orders: their wallets are what processes meet at. */
const busyMerchants = 5;
const busyShare = 0.33;
/** MTN's. What it sells there, as the starting catalogue has it. */
const prefix = "0803";
const dataPlan = 1002;
/** What is never sold for, as it is refused: numbers, and an amount. */
const otherNumbersFrom = 9_000_000;
const otherAmount = "51.00";

export function openOrderBook(chance: Chance, merchants: readonly Merchant[]): OrderBook {
  let numbers = 0;
  let otherNumbers = 0;
  const numberOf = (count: number) => `${prefix}${String(count).padStart(7, "0")}`;
  const nextNumber = () => {
    numbers += 1;
    return numberOf(numbers);
  };
  const anyMerchant = () =>
    chance.next() < busyShare ? chance.pick(merchants.slice(0, busyMerchants)) : chance.pick(merchants);
  const amount = () => `${chance.whole(50, 900)}.00`;
  return {
    anyMerchant,
    single() {
      const phone = nextNumber();
      const reference = `single-${phone}`;
      const merchant = anyMerchant();
      if (chance.next() < 0.4) {
        const body = { reference, product_id: dataPlan, phone };
        return { merchant, reference, path: "/data/purchase", body, lines: null };
      }
      const body = { reference, network: "MTN", phone, amount: amount() };
      return { merchant, reference, path: "/airtime/purchase", body, lines: null };
    },
    bulk() {
      const items = Array.from({ length: chance.whole(2, linesMax) }, () => {
        const phone = nextNumber();
        return { reference: `line-${phone}`, network: "MTN", phone, amount: amount() };
      });
      const reference = `bulk-${items[0]?.phone}`;
      const body = { reference, items };
      const lines = items.map((item) => item.reference);
      return { merchant: anyMerchant(), reference, path: "/airtime/bulk", body, lines };
    },
    mismatched(order) {
      const { reference, path } = order;
      // How many there are depends on what was answered: they take nothing of what makes the other orders.
      otherNumbers += 1;
      const phone = numberOf(otherNumbersFrom + otherNumbers);
      const body = path.startsWith("/data")
        ? { reference, product_id: dataPlan, phone }
        : { reference, network: "MTN", phone, amount: otherAmount };
      return { ...order, body };
    },
  };
}
