import fc from "fast-check";
import { expect } from "vitest";
import {
  asBefore,
  type Command,
  command,
  describeOrder,
  expectAnswer,
  type Order,
  orders,
  processNumbers,
  send,
  suffixNumbers,
} from "./command.ts";
import {
  type Answer,
  bought,
  charge,
  type Model,
  type ModelPurchase,
  type ModelWallet,
  refusalOrReplay,
  refused,
  sameSale,
  settle,
  vendAll,
} from "./model.ts";

import { behindLock } from "./world.ts";

/** What a purchase that nothing disturbs does to the model. */
export function buy(model: Model, order: Order): Answer {
  const wallet = model.wallets[order.wallet]!;
  const other = refusalOrReplay(model, wallet, order);
  return other ?? bought(buyNew(model, wallet, order), false);
}

/** C1, the supplier, C2. */
export function buyNew(model: Model, wallet: ModelWallet, order: Order): ModelPurchase {
  const made = charge(model, wallet, order);
  settle(wallet, made, vendAll(wallet, made));
  return made;
}

/** New, other wishes under a known reference, too dear, beyond the day's limit: the order decides. */
const single = fc.tuple(orders, processNumbers).map(([order, process]) =>
  command(`buy (${describeOrder(order)}) at process ${process}`, async (model, world) => {
    expectAnswer(await send(world.processes[process]!, world, order), buy(model, order));
  }),
);

/** A client that heard nothing sends the same again. */
const again = fc.tuple(orders, processNumbers).map(([order, process]) =>
  command(`buy as before (else ${describeOrder(order)}) at process ${process}`, async (model, world) => {
    const same = asBefore(model, order);
    expectAnswer(await send(world.processes[process]!, world, same), buy(model, same));
  }),
);

/** The same order many times at once, at both processes, with a different one under the same reference among them. */
const duplicates = fc
  .tuple(orders, fc.integer({ min: 2, max: 6 }), fc.option(suffixNumbers), fc.boolean())
  .map(([given, times, otherSuffix, locked]) => {
    const lock = locked ? " behind a lock" : "";
    const description = `buy as before (else ${describeOrder(given)}) ${times} times${lock}, and …${otherSuffix}`;
    return command(description, async (model, world) => {
      const order = asBefore(model, given);
      const sent = Array.from({ length: times }, () => order);
      if (otherSuffix !== null) sent.splice(1, 0, { ...order, sale: { ...order.sale, suffix: otherSuffix } });
      const wallet = model.wallets[order.wallet]!;
      const known = refusalOrReplay(model, wallet, order);
      const sendAll = () => Promise.all(sent.map((each, i) => send(world.processes[i % 2]!, world, each)));
      const answers = await (locked ? behindLock(world, world.wallets[order.wallet]!, sendAll) : sendAll());
      if (known !== null) {
        for (const [i, answer] of answers.entries()) expectAnswer(answer, refusalOrReplay(model, wallet, sent[i]!)!);
        return;
      }
      const first = answers.findIndex((answer) => answer.kind === "bought" && !answer.replayed);
      expect(first, "one of them is new").toBeGreaterThanOrEqual(0);
      const winner = sent[first]!;
      const made = buyNew(model, wallet, winner);
      expectAnswer(answers.splice(first, 1)[0]!, bought(made, false));
      const losers = sent.filter((_, i) => i !== first);
      for (const [i, answer] of answers.entries()) {
        const replays = sameSale(losers[i]!.sale, winner.sale);
        const ends: Answer[] = [bought(made, true), bought(made, true, "pending")];
        // A duplicate may see the purchase before its end: pending then, else as it is now.
        expect(replays ? ends : [refused("REFERENCE_CONFLICT")]).toContainEqual(answer);
      }
    });
  });

export const buying: readonly fc.Arbitrary<Command>[] = [single, single, again, again, duplicates];
