import { expect, test } from "vitest";
import { openLockedWallets } from "../../../src/domain/wallet/locked-wallets.ts";
import { rest } from "../../../src/platform/pacing.ts";

const isPassedBy = (result: string) => result === "retry";

test("a locked wallet is tried less and less often, however many calls come for it meanwhile, and each is carried out", async () => {
  const lockedMs = 800;
  const startedAt = performance.now();
  const tries: number[] = [];
  const { sendPast, idle } = openLockedWallets(5_000);
  const send = async () => {
    const at = performance.now() - startedAt;
    if (at > lockedMs) return "done";
    tries.push(at);
    return "retry";
  };
  const calls: Promise<string>[] = [];
  while (performance.now() - startedAt < lockedMs) {
    calls.push(sendPast("mer_1", send, isPassedBy));
    await rest(5);
  }
  expect(new Set(await Promise.all(calls))).toEqual(new Set(["done"]));
  await idle();
  // Calls that waited for one pause go together.
  const rounds = tries.filter((at, index) => at - (tries[index - 1] ?? Number.NEGATIVE_INFINITY) > 5);
  expect(calls.length).toBeGreaterThan(40);
  expect(rounds.length).toBeLessThan(25);
});

test("a call gives up once its wallet was locked for too long, and one for another wallet does not wait", async () => {
  const { sendPast } = openLockedWallets(50);
  const locked = sendPast("mer_1", async () => "retry", isPassedBy);
  expect(await Promise.race([locked, sendPast("mer_2", async () => "done", isPassedBy)])).toBe("done");
  expect(await locked).toBe("retry");
});
