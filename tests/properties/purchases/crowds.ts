import fc from "fast-check";
import { expect } from "vitest";
import { buy, buyNew } from "./buying.ts";
import { type Command, command, expectAnswer, type Order, send, suffixNumbers, walletNumbers } from "./command.ts";
import {
  type Answer,
  bought,
  exceedsDay,
  type Model,
  type ModelWallet,
  refusalOrReplay,
  refused,
  resolveAll,
} from "./model.ts";
import { onSale, totalOf } from "./sale.ts";
import { behindLock, resolveEverything, type World } from "./world.ts";

/** Many orders of one wallet that arrive together, under references of their own. */
interface Crowd {
  readonly sent: readonly Order[];
  /** All at one process, so that they share its batches, or at both, or at both while the wallet is locked. */
  readonly where: (typeof places)[number];
}

const places = ["at one process", "at both processes", "at both processes, behind a lock"] as const;

interface Sent {
  readonly order: Order;
  readonly answer: Answer;
}

const size = { minLength: 2, maxLength: 8, size: "max" } as const;

function crowds(payers: fc.Arbitrary<number>, ends: fc.Arbitrary<string>): fc.Arbitrary<Crowd> {
  // Mostly dear goods: a few of them exhaust a wallet or a day.
  const item = fc.tuple(fc.nat({ max: 99 }), fc.constantFrom(0, 1, 2, 3, 3, 3, 3), ends);
  return fc.tuple(payers, fc.array(item, size), fc.constantFrom(...places)).map(([wallet, items, where]) => ({
    sent: [...new Map(items.map((each) => [each[0], each])).values()].map(([number, goods, suffix]) => ({
      wallet,
      reference: `crowd-${number}`,
      sale: { goods, suffix },
    })),
    where,
  }));
}

function describeCrowd({ sent, where }: Crowd): string {
  const items = sent.map(({ reference, sale }) => `${reference} ${onSale[sale.goods]!.name} …${sale.suffix}`);
  return `from wallet ${sent[0]!.wallet} ${where}: ${items.join(", ")}`;
}

/** Sends all at once. @returns those whose answer depends on their neighbours; the others are checked */
async function sendCrowd(model: Model, world: World, { sent, where }: Crowd): Promise<Sent[]> {
  const certain = sent.map((order) => certainAnswer(refusalOrReplay(model, model.wallets[order.wallet]!, order)));
  const processes = where === "at one process" ? world.processes.slice(0, 1) : world.processes;
  const sendAll = () => Promise.all(sent.map((order, i) => send(processes[i % processes.length]!, world, order)));
  const wallet = world.wallets[sent[0]!.wallet]!;
  const answers = await (where === places[2] ? behindLock(world, wallet, sendAll) : sendAll());
  return sent.flatMap((order, i) => {
    if (certain[i] == null) return [{ order, answer: answers[i]! }];
    expectAnswer(answers[i]!, certain[i]);
    return [];
  });
}

function certainAnswer(answer: Answer | null): Answer | null {
  if (answer?.kind !== "refused") return answer;
  return ["INSUFFICIENT_BALANCE", "DAILY_LIMIT_EXCEEDED"].includes(answer.code) ? null : answer;
}

/** Nothing is refunded in between: some order of events must explain every answer. */
const rush = crowds(fc.constantFrom(0, 0, 0, 1, 2, 3), fc.constant("0001")).map((crowd) =>
  command(`rush ${describeCrowd(crowd)}`, async (model, world) => {
    const wallet = model.wallets[crowd.sent[0]!.wallet]!;
    const open = await sendCrowd(model, world, crowd);
    for (const { order, answer } of accepted(open)) {
      expect(refusalOrReplay(model, wallet, order), `room for ${order.reference}`).toBeNull();
      expectAnswer(answer, bought(buyNew(model, wallet, order), false));
    }
    // A refused one must not fit even into what is left at the end.
    for (const { order, answer } of open) {
      if (answer.kind !== "bought") expectRefusal(answer, model, wallet, totalOf(order.sale));
    }
  }),
);

/** Refunds run into charges: the order of events is adopted, and the ledger's chain of entries has to bear it out. */
const crush = crowds(walletNumbers, suffixNumbers).map((crowd) =>
  command(`crush ${describeCrowd(crowd)}`, async (model, world) => {
    const wallet = model.wallets[crowd.sent[0]!.wallet]!;
    const open = await sendCrowd(model, world, crowd);
    // At worst all the others were charged before a refused one, and not refunded yet.
    const worst = { ...wallet, purchases: new Map(wallet.purchases) };
    const needed = open.reduce((sum, { order }) => sum + totalOf(order.sale), 0n);
    for (const { answer } of open) if (answer.kind !== "bought") expectRefusal(answer, model, worst, needed);
    for (const { order, answer } of accepted(open)) {
      const purchase = buyNew(model, wallet, order);
      purchase.number = answer.number;
      purchase.balanceBefore = answer.balanceBefore;
      expectAnswer(answer, bought(purchase, false));
    }
  }),
);

/** Some purchases that the supplier will turn out to have declined, given back by both workers behind a lock. */
const refunds = fc.tuple(walletNumbers, fc.nat({ max: 99 })).map(([wallet, first]) =>
  command(`four purchases from crowd-${first} on are refunded to wallet ${wallet} at once`, async (model, world) => {
    for (let number = first; number < first + 4; number++) {
      const order: Order = { wallet, reference: `crowd-${number}`, sale: { goods: 0, suffix: "0004" } };
      expectAnswer(await send(world.processes[0]!, world, order), buy(model, order));
    }
    await world.quiet();
    // The first supplier's no leads on to the next one, whose no is the end.
    for (let round = 0; round < 2; round++) {
      await behindLock(world, world.wallets[wallet]!, () => resolveEverything(world));
      resolveAll(model);
    }
  }),
);

function accepted(open: readonly Sent[]) {
  const all = open.flatMap(({ order, answer }) => (answer.kind === "bought" ? [{ order, answer }] : []));
  return all.sort((a, b) => Number(a.answer.number - b.answer.number));
}

function expectRefusal(answer: Answer, model: Model, wallet: ModelWallet, needed: bigint): void {
  const reasons = [
    ...(needed > wallet.balance ? [refused("INSUFFICIENT_BALANCE")] : []),
    ...(exceedsDay(model, wallet, needed) ? [refused("DAILY_LIMIT_EXCEEDED")] : []),
  ];
  expect(reasons, "reasons to refuse").toContainEqual(answer);
}

export const crowding: readonly fc.Arbitrary<Command>[] = [rush, rush, crush, refunds];
