import fc from "fast-check";
import { expect } from "vitest";
import { breaking } from "./breaking.ts";
import { buying } from "./buying.ts";
import type { Command } from "./command.ts";
import { crowding } from "./crowds.ts";
import { ending } from "./ending.ts";
import { type Model, openModel, resolveAll } from "./model.ts";
import { compare, type Ground, openWorld, reconcile, resolveEverything, type World, wallets } from "./world.ts";

export interface CheckOptions {
  readonly seed: number;
  readonly runs: number;
  /** No new run is begun after this long. */
  readonly timeMaxMs: number;
  /** Look for the shortest history that fails; else stop at the first. */
  readonly shrink: boolean;
}

/** Lives through histories chosen by the seed, in the model and in the world, and says whether both agreed throughout. */
export function checkPurchases(ground: Ground, options: CheckOptions): Promise<fc.RunDetails<[Iterable<Command>]>> {
  const histories = fc.commands([...buying, ...crowding, ...breaking, ...ending], { maxCommands: 60, size: "max" });
  const property = fc.asyncProperty(histories, async (commands) => {
    const world = await openWorld(ground);
    const model = openModel(wallets);
    await fc.asyncModelRun(() => ({ model, real: world }), commands);
    await end(model, world);
  });
  return fc.check(property, {
    seed: options.seed,
    numRuns: options.runs,
    interruptAfterTimeLimit: options.timeMaxMs,
    endOnFailure: !options.shrink,
  });
}

/** What is wrong with a check; null where nothing is. However few histories a busy machine ran, they agreed or did not. */
export function faultOf(details: fc.RunDetails<[Iterable<Command>]>): string | null {
  const { failed, interrupted, numRuns } = details;
  if (numRuns === 0 && (interrupted || !failed)) return "not one history came to its end in the time there was";
  return failed ? (fc.defaultReportMessage(details) ?? "it failed") : null;
}

/** Everything comes to its end; then the books are closed. */
async function end(model: Model, world: World): Promise<void> {
  const isPending = () => model.wallets.some((wallet) => [...wallet.purchases.values()].some(pending));
  for (let round = 0; round < 8 && isPending(); round++) {
    await resolveEverything(world);
    resolveAll(model);
    await world.quiet();
    await compare(model, world);
  }
  expect(isPending(), "everything ends").toBe(false);
  await reconcile(world);
}

function pending(purchase: { readonly status: string }): boolean {
  return purchase.status === "pending";
}
