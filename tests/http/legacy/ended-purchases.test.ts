import { describe, expect, test } from "vitest";
import type { PurchaseKey } from "../../../src/domain/buying/legacy-queries.ts";
import type { Purchase } from "../../../src/domain/purchases/purchase.ts";
import { heldMetrics, openEndedPurchases } from "../../../src/http/legacy/ended-purchases.ts";
import { openMetrics } from "../../../src/platform/telemetry/metrics.ts";

const never = new Promise<void>(() => {});
const pending = (id: number) =>
  ({ wallet: { bucket: 1, merchantId: 1, mode: "live" }, id: BigInt(id), status: "pending" }) as unknown as Purchase;
const ended = (id: number) => ({ ...pending(id), status: "successful" }) as Purchase;

function open(listEnded: (keys: readonly PurchaseKey[]) => Promise<readonly Purchase[]>) {
  const errors: unknown[] = [];
  const metrics = openMetrics(heldMetrics);
  const onError = (error: unknown) => errors.push(error);
  const ends = openEndedPurchases({ listEnded, pollMs: 20, metrics, onError });
  return { ends, errors, waiting: async () => (await metrics.text()).trimEnd().split("\n").at(-1) };
}

test("an end in this process is told without a look at the database", async () => {
  const { ends, waiting } = open(() => new Promise(() => {}));
  const both = [ends.awaitEnd(pending(1), never), ends.awaitEnd(pending(1), never)];
  const other = ends.awaitEnd(pending(2), never);
  expect(await waiting()).toBe("dispense_legacy_held_answers 3");
  ends.ended(ended(1));
  expect(await Promise.all(both)).toEqual([ended(1), ended(1)]);
  expect(await waiting()).toBe("dispense_legacy_held_answers 1");
  ends.ended(ended(2));
  expect((await other).status).toBe("successful");
});

describe("an end in another process", () => {
  test("is found by one statement for all who wait, in bounded pieces, and by none once nobody waits", async () => {
    const looks: number[] = [];
    const { ends } = open(async (keys) => {
      looks.push(keys.length);
      return looks.length < 4 ? [] : keys.map(({ id }) => ended(Number(id)));
    });
    const all = Array.from({ length: 700 }, (_, index) => ends.awaitEnd(pending(index + 1), never));
    const again = ends.awaitEnd(pending(1), never);
    for (const { status } of await Promise.all([...all, again])) expect(status).toBe("successful");
    await ends.idle();
    const count = looks.length;
    expect(new Set(looks)).toEqual(new Set([500, 200]));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(looks).toHaveLength(count);
  });

  test("is found after a database that was away", async () => {
    let looks = 0;
    const { ends, errors } = open(() => {
      looks += 1;
      return looks === 1 ? Promise.reject(new Error("away")) : Promise.resolve([ended(7)]);
    });
    expect((await ends.awaitEnd(pending(7), never)).status).toBe("successful");
    expect(errors).toHaveLength(1);
  });
});

test("who has waited long enough is told what was known", async () => {
  const { ends, waiting } = open(() => Promise.resolve([]));
  expect((await ends.awaitEnd(pending(1), Promise.resolve())).status).toBe("pending");
  expect(await waiting()).toBe("dispense_legacy_held_answers 0");
});

test("beyond a bound nobody waits any more", async () => {
  const { ends } = open(() => new Promise(() => {}));
  const held = Array.from({ length: 5_000 }, (_, index) => ends.awaitEnd(pending(index + 1), never));
  expect((await ends.awaitEnd(pending(9_999), never)).status).toBe("pending");
  for (let id = 1; id <= 5_000; id++) ends.ended(ended(id));
  await Promise.all(held);
});
