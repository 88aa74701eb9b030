import fc from "fast-check";
import { expect } from "vitest";
import { buy } from "./buying.ts";
import { type Command, command, describeOrder, expectAnswer, orders, processNumbers, send } from "./command.ts";
import {
  type Answer,
  bought,
  charge,
  claimAll,
  endsWithCharge,
  hasNext,
  type Model,
  type ModelPurchase,
  type ModelWallet,
  receive,
  refusalOrReplay,
  reroute,
  resolveAll,
  sandboxVerdict,
  settle,
  type Verdict,
} from "./model.ts";
import { type CrashPoint, crashPoints } from "./process.ts";
import { claimEverything, nameOf, resolveEverything, type World } from "./world.ts";

/** A process dies while it is busy with an order; what it was about to do is left to the others. */
const crash = fc.tuple(orders, fc.constantFrom(...crashPoints)).map(([order, point]) =>
  command(`crash ${point} of buying (${describeOrder(order)})`, async (model, world) => {
    const answer = await send(world.startProcess({ crash: point }), world, order);
    const wallet = model.wallets[order.wallet]!;
    const other = refusalOrReplay(model, wallet, order);
    expectAnswer(answer, other ?? crashAt(point, wallet, charge(model, wallet, order)));
  }),
);

/** Follows a purchase from C1 on until its process dies, or gets past the point at which it would have. */
function crashAt(point: CrashPoint, wallet: ModelWallet, purchase: ModelPurchase): Answer {
  const isExample = wallet.mode === "test";
  if (endsWithCharge(wallet, purchase.sale)) settle(wallet, purchase, "successful");
  if (point === "after C1") return { kind: "crashed" };
  const verdict = isExample ? sandboxVerdict(purchase.sale) : vendUntil(point, purchase);
  if (verdict === null) return { kind: "crashed" };
  if (verdict === "unknown" || purchase.status !== "pending") return bought(purchase, false);
  if (point === "before C2") return { kind: "crashed" };
  settle(wallet, purchase, verdict);
  return point === "after C2" ? { kind: "crashed" } : bought(purchase, false);
}

/** Asks one supplier after the other; null where the process dies over it. */
function vendUntil(point: CrashPoint, purchase: ModelPurchase): Verdict | null {
  if (point === "before the request") return null;
  let verdict = receive(purchase);
  if (point === "after the request") return null;
  while (verdict === "failed") {
    if (point === "before the reroute") return null;
    if (!hasNext(purchase)) break;
    reroute(purchase, false);
    if (point === "after the reroute") return null;
    verdict = receive(purchase);
  }
  return verdict;
}

/** The connection breaks around a commit; the batch is sent again. Only the delay may show it. */
const loss = fc
  .tuple(
    orders,
    fc.constantFrom("accept_purchases" as const, "settle_purchases" as const, "reroute_purchases" as const),
    fc.constantFrom("before" as const, "after" as const),
  )
  .map(([order, statement, when]) =>
    command(`buy (${describeOrder(order)}), connection lost ${when} ${statement}`, async (model, world) => {
      const process = world.startProcess({ loss: { statement, when } });
      expectAnswer(await send(process, world, order), buy(model, order));
    }),
  );

/** C1 of a purchase that has long been accepted is sent once more, whatever became of it since. */
const resend = fc.tuple(orders, processNumbers).map(([{ wallet, reference }, process]) =>
  command(
    `C1 of wallet ${wallet}, reference ${reference} is sent again at process ${process}`,
    async (model, world) => {
      const known = model.wallets[wallet]!.purchases.get(reference);
      const purchase = world.accepted.get(nameOf(world.wallets[wallet]!, reference));
      if (known === undefined || purchase === undefined) return;
      const acceptance = await world.processes[process]!.accept(purchase);
      expect(acceptance).toMatchObject({
        kind: "accepted",
        purchase: { reference, number: known.number, balanceBefore: known.balanceBefore },
      });
    },
  ),
);

/**
 * The request stalls between C1 and its supplier until its lease is over, and another process asks what became of it:
 * never received, so the money goes back. When the request wakes up, it must not be sent any more.
 */
const stallBefore = orders.map((order) =>
  command(`stall before the request of buying (${describeOrder(order)})`, async (model, world) => {
    const answer = await send(
      world.startProcess({
        onAccepted: async () => {
          world.advance(61_000);
          await resolveEverything(world);
        },
      }),
      world,
      order,
    );
    const wallet = model.wallets[order.wallet]!;
    const other = refusalOrReplay(model, wallet, order);
    if (other !== null) return expectAnswer(answer, other);
    const purchase = charge(model, wallet, order);
    if (endsWithCharge(wallet, order.sale)) settle(wallet, purchase, "successful");
    resolveAll(model);
    // Its own C2, where it still comes to one, finds the door shut and answers what is stored.
    const seesTheEnd = wallet.mode === "test" && sandboxVerdict(order.sale) !== "unknown";
    expectAnswer(answer, bought(purchase, false, seesTheEnd ? purchase.status : "pending"));
  }),
);

/** The supplier's answer takes so long that another process claims the purchase and asks first. */
const stallDuring = orders.map((order) =>
  command(`stall during the request of buying (${describeOrder(order)})`, async (model, world) => {
    world.supplier.meanwhile = () => resolveEverything(world);
    const answer = await send(world.processes[1]!, world, order);
    const reached = world.supplier.meanwhile === null;
    world.supplier.meanwhile = null;
    const expected = stalledBuy(model, order);
    expectAnswer(answer, expected.answer);
    expect(reached, "the supplier was asked").toBe(expected.reached);
  }),
);

function stalledBuy(model: Model, order: Parameters<typeof buy>[1]): { answer: Answer; reached: boolean } {
  const wallet = model.wallets[order.wallet]!;
  if (wallet.mode === "test" || refusalOrReplay(model, wallet, order) !== null) {
    return { answer: buy(model, order), reached: false };
  }
  const purchase = charge(model, wallet, order);
  const verdict = receive(purchase);
  resolveAll(model);
  return { answer: bought(purchase, false, verdict === "unknown" ? "pending" : purchase.status), reached: true };
}

/** A worker takes every lease and dies. */
const claimAndDie = fc.constant(
  command("a worker claims everything that is due, and dies", async (model, world: World) => {
    await claimEverything(world);
    claimAll(model);
  }),
);

export const breaking: readonly fc.Arbitrary<Command>[] = [
  crash,
  crash,
  loss,
  resend,
  stallBefore,
  stallDuring,
  claimAndDie,
];
