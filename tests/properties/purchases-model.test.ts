import { randomInt } from "node:crypto";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { checkLedger } from "../../src/domain/wallet/reconcile.ts";
import { checkPurchases } from "./purchases/check-purchases.ts";
import { type OwnGround, openGround } from "./purchases/ground.ts";

// MODEL_RUNS: how many histories (each up to 60 events); MODEL_SEED: the seed of a run to repeat.
const runs = Number(process.env.MODEL_RUNS ?? 80);
const seed = Number(process.env.MODEL_SEED ?? randomInt(2 ** 31));
const timeMaxMs = process.env.MODEL_RUNS === undefined ? 15_000 : 3_600_000;

let ground: OwnGround;

beforeAll(async () => {
  ground = await openGround();
});

afterAll(() => ground.close());

test(
  "whatever happens in whatever order, the books say what a plain model of them says",
  async () => {
    process.stdout.write(`model test: MODEL_SEED=${seed} MODEL_RUNS=${runs}\n`);
    const details = await checkPurchases(ground, { seed, runs, timeMaxMs, shrink: true });
    if (details.failed) throw new Error(fc.defaultReportMessage(details), { cause: details.errorInstance });
    process.stdout.write(`model test: ${details.numRuns} histories\n`);
    // However slow the machine is: a few histories of some thirty events each, or it has shown nothing.
    expect(details.numRuns).toBeGreaterThanOrEqual(Math.min(runs, 5));
    const broken = (await checkLedger(ground.database)).filter((check) => check.broken.length > 0);
    expect(broken).toEqual([]);
  },
  timeMaxMs + 60_000,
);
