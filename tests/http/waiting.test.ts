import { EventEmitter } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyReply } from "fastify";
import { describe, expect, test } from "vitest";
import type { Bought } from "../../src/domain/purchases/buying/buy.ts";
import type { PurchaseKey } from "../../src/domain/purchases/buying/legacy-queries.ts";
import type { Purchase } from "../../src/domain/purchases/purchase.ts";
import { openWaiting, waitingMetrics } from "../../src/http/waiting.ts";
import { openMetrics } from "../../src/platform/telemetry/metrics.ts";

const pending = (id: number) =>
  ({
    wallet: { merchantId: 1, mode: "live" },
    id: BigInt(id),
    status: "pending",
    supplier: "acme",
  }) as unknown as Purchase;
const ended = (id: number) => ({ ...pending(id), status: "successful" }) as Purchase;
const bought = (purchase: Purchase) => ({ purchase, replayed: false }) as unknown as Bought;

/** A reply whose client hangs up by `raw.emit("close")`. */
function openReply() {
  const headers: Record<string, string> = {};
  const raw = new EventEmitter();
  const header = (name: string, value: string) => Object.assign(headers, { [name]: value });
  const reply = { raw, request: { raw: { socket: {} } }, header } as unknown as FastifyReply;
  return { reply, raw, headers };
}

function open(listEnded: (keys: readonly PurchaseKey[]) => Promise<readonly Purchase[]>) {
  const errors: unknown[] = [];
  const metrics = openMetrics(waitingMetrics);
  const onError = (error: unknown) => errors.push(error);
  const waiting = openWaiting({ listEnded, pollMs: 20, holdMs: 60_000, metrics, onError });
  const hold = async (id: number, { reply } = openReply()) =>
    (await waiting.holding(reply, async () => bought(pending(id)))).purchase;
  const kept = async () => Number((await metrics.text()).trimEnd().split(" ").at(-1));
  return { waiting, hold, errors, held: kept };
}

const noLook = () => new Promise<never>(() => {});

describe("a held answer", () => {
  test("of a purchase that ends in this process goes out without a look at the database", async () => {
    const { waiting, hold, held: kept } = open(noLook);
    const both = [hold(1), hold(1)];
    const other = hold(2);
    await expect.poll(kept).toBe(3);
    waiting.ended(ended(1));
    expect(await Promise.all(both)).toEqual([ended(1), ended(1)]);
    expect(await kept()).toBe(1);
    waiting.ended(ended(2));
    expect((await other).status).toBe("successful");
  });

  test("of one that ends in another process: one statement for all who wait, and none once nobody does", async () => {
    const looks: number[] = [];
    const { waiting, hold } = open(async (keys) => {
      looks.push(keys.length);
      return looks.length < 4 ? [] : keys.map(({ id }) => ended(Number(id)));
    });
    const all = Array.from({ length: 700 }, (_, index) => hold(index + 1));
    for (const { status } of await Promise.all([...all, hold(1)])) expect(status).toBe("successful");
    await waiting.idle();
    expect(looks).toEqual([701, 701, 701, 701]);
    await delay(100);
    expect(looks).toHaveLength(4);
  });

  test("goes out after a database that was away", async () => {
    let looks = 0;
    const { hold, errors } = open(() => {
      looks += 1;
      return looks === 1 ? Promise.reject(new Error("away")) : Promise.resolve([ended(7)]);
    });
    expect((await hold(7)).status).toBe("successful");
    expect(errors).toHaveLength(1);
  });

  test("is held no longer once its client is gone", async () => {
    const { hold, held: kept } = open(() => Promise.resolve([]));
    const client = openReply();
    const answer = hold(1, client);
    await expect.poll(kept).toBe(1);
    client.raw.emit("close");
    expect((await answer).status).toBe("pending");
    expect(await kept()).toBe(0);
  });

  test("beyond a bound is not held", async () => {
    const { waiting, hold, held: kept } = open(noLook);
    const all = Array.from({ length: 5_000 }, (_, index) => hold(index + 1));
    await expect.poll(kept).toBe(5_000);
    expect((await hold(9_999)).status).toBe("pending");
    for (let id = 1; id <= 5_000; id++) waiting.ended(ended(id));
    await Promise.all(all);
  });
});

describe("when the service stops", () => {
  test("an outcome that is being stored as part of the answer is waited for", async () => {
    const { waiting } = open(noLook);
    const { reply, headers } = openReply();
    let answer: (bought: Bought) => void = () => {};
    const buying = waiting.buying(reply, (watch) => {
      watch.onAccepted?.(bought(pending(1)));
      expect(watch.isAwaited?.()).toBe(true);
      return new Promise((resolve) => {
        answer = resolve;
      });
    });
    waiting.stop();
    await delay(2_600);
    answer(bought(ended(1)));
    expect((await buying).purchase.status).toBe("successful");
    expect(headers).toEqual({ connection: "close" });
  });

  test("a purchase is answered as charged, its outcome is no part of the answer, and its failure is reported", async () => {
    const { waiting, errors } = open(noLook);
    const { reply } = openReply();
    let fail: (error: Error) => void = () => {};
    let isAwaited: (() => boolean) | undefined;
    const buying = waiting.buying(reply, (watch) => {
      watch.onAccepted?.(bought(pending(1)));
      isAwaited = watch.isAwaited;
      return new Promise((_resolve, reject) => {
        fail = reject;
      });
    });
    waiting.stop();
    expect((await buying).purchase.status).toBe("pending");
    expect(isAwaited?.()).toBe(false);
    fail(new Error("the supplier's line broke"));
    await expect.poll(() => errors).toHaveLength(1);
  });

  test("a question that changes nothing is refused, a purchase that fails before it is charged says why", async () => {
    const { waiting } = open(noLook);
    const asking = waiting.asking(openReply().reply, noLook, () => new Error("stopping"));
    const buying = waiting.buying(openReply().reply, () => Promise.reject(new Error("refused")));
    waiting.stop();
    await expect(buying).rejects.toThrow("refused");
    await expect(asking).rejects.toThrow("stopping");
  });
});
