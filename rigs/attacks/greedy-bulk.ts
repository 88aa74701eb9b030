import type { Shop } from "../base/shop.ts";
import { type Attack, measure } from "./attack.ts";
import { besideOthers, openShop, post } from "./shop.ts";

const seconds = 30;
/** The key's 120 a minute. */
const betweenMs = 500;
const lines = 10_000;

export const greedyBulk: Attack = {
  name: "greedy-bulk",
  does: "one sandbox key sends the largest and worst bulk orders that its limits let it; others may hardly notice.",
  secondsMax: 300,
  async run(ground) {
    const shop = await openShop(ground);
    await post(shop, "/data/bulk", kinds.lines?.(shop, "warm") ?? "");
    const attack = (signal: AbortSignal) => sendOrders(shop, signal);
    const { result: statuses, figures } = await besideOthers(ground, shop, { seconds, attack });
    return [measure("attacker: answers by status", JSON.stringify(statuses)), ...figures];
  },
};

/** Two a second, of each kind in turn, whether or not the ones before are answered. */
async function sendOrders(shop: Shop, signal: AbortSignal): Promise<Record<string, number>> {
  const statuses: Record<string, number> = {};
  const makers = Object.values(kinds);
  const sent: Promise<void>[] = [];
  for (let n = 0; !signal.aborted; n++) {
    const body = makers[n % makers.length]?.(shop, `greedy-${n}`) ?? "";
    const counted = post(shop, "/data/bulk", body).then(({ status }) => {
      statuses[status] = (statuses[status] ?? 0) + 1;
    });
    sent.push(counted);
    await new Promise((resolve) => setTimeout(resolve, betweenMs));
  }
  await Promise.all(sent);
  return statuses;
}

type MakeBody = (shop: Shop, reference: string) => string;

const unread = (field: string): MakeBody => {
  return ({ basket }, reference) =>
    `{"reference":"${reference}","product_id":${basket.product_id},"phones":["${basket.phone}"],"unread":[${field}]}`;
};

/** What costs a service most: to place, to parse, to walk through, to refuse. */
const kinds: Readonly<Record<string, MakeBody>> = {
  lines: ({ basket }, reference) => {
    const items = Array.from({ length: lines }, (_, n) => ({
      ...basket,
      reference: `${reference}-${n}-${"x".repeat(60)}`,
    }));
    return JSON.stringify({ reference, items, note: "x".repeat(2_500_000) });
  },
  names: unread(Array.from({ length: 99_000 }, (_, n) => `{"${n.toString(36)}":1}`).join(",")),
  longNumbers: unread(`${"1,".repeat(100_000)}${"1e5,".repeat(90_000)}1`),
  escapes: unread(`${"{},".repeat(80_000)}"\\u0041"`),
  wrongPhones: ({ basket }, reference) =>
    JSON.stringify({ reference, product_id: basket.product_id, phones: Array.from({ length: lines }, () => "1") }),
};
