import { randomInt } from "node:crypto";
import { expect, test } from "vitest";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { closing } from "../support/closing.ts";
import { checkPurchases, faultOf } from "./purchases/check-purchases.ts";
import { openGround } from "./purchases/ground.ts";

// MODEL_RUNS: how many histories (each up to 60 events); MODEL_SEED: the seed of a run to repeat.
const runs = Number(process.env.MODEL_RUNS ?? 80);
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));
const timeMaxMs = process.env.MODEL_RUNS === undefined ? 15_000 : 3_600_000;

const ground = closing(await openGround());

test(
  "whatever happens in whatever order, the books say what a plain model of them says",
  async () => {
    process.stdout.write(`model test: MODEL_SEED=${seed} MODEL_RUNS=${runs}\n`);
    const details = await checkPurchases(ground, { seed, runs, timeMaxMs, shrink: true });
    process.stdout.write(`model test: ${details.numRuns} of ${runs} histories ran\n`);
    const fault = faultOf(details);
    if (fault !== null) throw new Error(fault, { cause: details.errorInstance });
    const broken = (await checkLedger(ground.database)).filter((check) => check.broken.length > 0);
    expect(broken).toEqual([]);
  },
  timeMaxMs + 60_000,
);

test("a busy machine that ran one history passes, and one that ran none fails", async () => {
  const ran = { failed: false, interrupted: true, numRuns: 1 };
  expect(faultOf(ran as never)).toBeNull();
  const none = "not one history came to its end in the time there was";
  expect(faultOf({ ...ran, failed: true, numRuns: 0 } as never)).toBe(none);
  expect(faultOf(await checkPurchases(ground, { seed, runs, timeMaxMs: 0, shrink: true }))).toBe(none);
});
