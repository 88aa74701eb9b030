import { type Chance, chosenBy } from "./chance.ts";
import type { Merchant } from "./merchants.ts";
import type { Ware } from "./suppliers/wares.ts";

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
  /** What was ordered under a merchant's reference. */
  wareOf(reference: string): Ware | undefined;
}

/** So many merchants get a third of all orders: their wallets are what processes meet at. */
const busyMerchants = 5;
const busyShare = 0.33;
/** What is never sold for, as it is refused. */
const otherCountsFrom = 9_000_000;

export function openOrderBook(
  chance: Chance,
  merchants: readonly Merchant[],
  { wares, linesMax }: { readonly wares: readonly Ware[]; readonly linesMax: number },
): OrderBook {
  const weighed = wares.map((ware) => ({ weight: ware.weight, value: ware }));
  const inBulk = wares.filter(({ category }) => category === "airtime" || category === "data");
  let count = 0;
  let otherCount = otherCountsFrom;
  const byReference = new Map<string, Ware>();

  /** Suppliers' stubs know no number that ends in 0009. */
  function next(): number {
    count += 1;
    if (count % 10_000 === 9) count += 1;
    return count;
  }

  function line(ware: Ware, reference: string, number: string) {
    byReference.set(reference, ware);
    return { reference, ...ware.body({ number, reference }, chance) };
  }

  const anyMerchant = () =>
    chance.next() < busyShare ? chance.pick(merchants.slice(0, busyMerchants)) : chance.pick(merchants);
  return {
    anyMerchant,
    wareOf: (reference) => byReference.get(reference),
    single() {
      const ware = chosenBy(weighed, chance.next());
      const at = next();
      const number = ware.numberOf(at);
      const { path, verify } = ware;
      const body = line(ware, referenceOf(at), number);
      const order = { merchant: anyMerchant(), reference: body.reference, path, body, lines: null };
      return verify === undefined ? order : { ...order, verify: { path: verify.path, body: verify.body(number) } };
    },
    bulk() {
      const ware = chance.pick(inBulk);
      const items = Array.from({ length: chance.whole(2, linesMax) }, () => {
        const at = next();
        return line(ware, referenceOf(at), ware.numberOf(at));
      });
      const reference = `all-of-${items[0]?.reference}`;
      const lines = items.map((item) => item.reference);
      const path = ware.path.replace("purchase", "bulk");
      return { merchant: anyMerchant(), reference, path, body: { reference, items }, lines };
    },
    mismatched(order) {
      const ware = byReference.get(order.reference);
      otherCount += 1;
      return ware === undefined ? order : { ...order, body: otherBody(ware, order, ware.numberOf(otherCount)) };
    },
  };
}

/** Eight letters and digits at least, so that no other text holds it by chance. */
function referenceOf(count: number): string {
  return `ware-${String(count).padStart(7, "0")}`;
}

/** The same for another number. What is drawn for it is nobody else's chance. */
function otherBody(ware: Ware, { reference, body }: Order, number: string) {
  const least: Chance = {
    next: () => 0,
    whole: (lowest) => lowest,
    pick: ([first]) => first as never,
    shuffled: (values) => [...values],
  };
  const { verification_id } = body;
  const verified = verification_id === undefined ? {} : { verification_id };
  return { reference, ...ware.body({ number, reference }, least), ...verified };
}
