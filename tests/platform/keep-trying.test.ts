import { describe, expect, test } from "vitest";
import { NotSent } from "../../src/platform/database/database-errors.ts";
import { keepTrying, retryOnConnectionLoss } from "../../src/platform/keep-trying.ts";

const pauseMs = 5;
/** Fails so often, then answers. */
function failing(times: number) {
  let calls = 0;
  const act = async () => {
    calls += 1;
    if (calls <= times) throw new Error(`failure ${calls}`);
    return `answer after ${calls} calls`;
  };
  return { act, calls: () => calls };
}

describe("what is kept trying", () => {
  test("answers at once where it succeeds at once", async () => {
    const { act, calls } = failing(0);
    expect(await keepTrying(act, { mayPass: () => true, pauseMs: 60_000 })).toBe("answer after 1 calls");
    expect(calls()).toBe(1);
  });

  test("is tried until it succeeds, with a pause after each failure", async () => {
    const { act } = failing(3);
    const since = performance.now();
    expect(await keepTrying(act, { mayPass: () => true, pauseMs })).toBe("answer after 4 calls");
    expect(performance.now() - since).toBeGreaterThanOrEqual(3 * (pauseMs - 1));
  });

  test("fails at once with what would come again", async () => {
    const { act, calls } = failing(3);
    const mayPass = (error: unknown) => (error as Error).message !== "failure 2";
    await expect(keepTrying(act, { mayPass, pauseMs })).rejects.toThrow("failure 2");
    expect(calls()).toBe(2);
  });

  test("is given up, without another try, where nobody waits any longer after the pause", async () => {
    const { act, calls } = failing(3);
    let looks = 0;
    await expect(keepTrying(act, { mayPass: () => ++looks < 2, pauseMs })).rejects.toThrow("failure 1");
    expect(calls()).toBe(1);
  });
});

describe("what finds no connection", () => {
  const lost = new Error("Connection terminated unexpectedly");
  const notSent = new NotSent("no connection");
  /** Fails with these, one after the other, and with the last again and again. */
  const failingWith = (...errors: readonly Error[]) => {
    let tries = 0;
    return () => Promise.reject(errors[Math.min(tries++, errors.length - 1)]);
  };

  test("fails soon, as certainly not sent", async () => {
    const since = performance.now();
    await expect(retryOnConnectionLoss(failingWith(notSent), 60_000, 300)).rejects.toBe(notSent);
    expect(performance.now() - since).toBeLessThan(5_000);
  });

  test("after a loss says nothing of that one: it is open to the end, for as long as a loss is tried", async () => {
    const since = performance.now();
    await expect(retryOnConnectionLoss(failingWith(notSent, lost, notSent), 900, 300)).rejects.toBe(lost);
    expect(performance.now() - since).toBeGreaterThan(850);
  });
});
