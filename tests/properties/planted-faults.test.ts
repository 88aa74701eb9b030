import { describe, expect, test } from "vitest";
import { checkPurchases } from "./purchases/check-purchases.ts";
import { faults, faultyFunction } from "./purchases/faults.ts";
import { type OwnGround, openGround } from "./purchases/ground.ts";

// A fixed seed: what is shown is that the histories reach each fault, not that they may. The races among them depend on
// timing all the same, so there are several times as many histories as the slowest fault ever needed.
const histories = { seed: 20_261_120, timeMaxMs: 40_000, shrink: false };
const timeoutMs = 60_000;

describe("the model test turns red when", () => {
  test.each(faults)(
    "this is planted: $name",
    async (fault) => {
      const { plant } = fault;
      const ground = await openGround({
        statements: await faultyFunction(fault),
        ...(plant === undefined ? {} : { plant }),
      });
      expect(await isRed(ground, 60)).toBe(true);
    },
    timeoutMs,
  );
});

test(
  "the model test stays green over the same histories when nothing is planted",
  async () => {
    expect(await isRed(await openGround(), 12)).toBe(false);
  },
  timeoutMs,
);

async function isRed(ground: OwnGround, runs: number): Promise<boolean> {
  try {
    return (await checkPurchases(ground, { ...histories, runs })).failed;
  } finally {
    await ground.close();
  }
}
