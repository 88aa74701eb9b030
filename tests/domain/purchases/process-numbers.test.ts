import { expect, test } from "vitest";
import { openPurchaseIds } from "../../../src/domain/purchases/deployment/deployment-numbers.ts";
import { StartError } from "../../../src/kernel/start-error.ts";
import { closing } from "../../support/closing.ts";
import { ownDatabase } from "../../support/merchants.ts";

const { fresh, database } = closing(await ownDatabase({ connectionsMax: 2 }));

const now = Date.UTC(2026, 10, 29);
const open = () =>
  openPurchaseIds({ database, clock: { now: () => now }, randomness: (count) => Buffer.alloc(count, 7) });
const processOf = (id: bigint) => Number((id >> 12n) & 1_023n);

test("a process keeps its number while others start and end again and again, and then too where it was away", async () => {
  // Forty of all, so that they come round soon.
  await fresh.pool.query("update process_claims set claimed_until = 'infinity' where number >= 40");
  const own = await open();
  const number = processOf(own.mintPurchaseId());
  const pass = (interval: string) =>
    fresh.pool.query(
      "update process_claims set claimed_until = claimed_until - $1::interval where number < 40 and claimed_until > now()",
      [interval],
    );
  const others = new Set<number>();
  for (let start = 0; start < 80; start++) {
    if (start % 10 === 9) {
      await own.keepProcessNumber();
      await pass("10 minutes");
    }
    others.add(processOf((await open()).mintPurchaseId()));
  }
  expect(others.has(number)).toBe(false);
  await own.keepProcessNumber();
  expect(processOf(own.mintPurchaseId())).toBe(number);

  await fresh.pool.query("update process_claims set claimed_until = '-infinity' where number = $1", [number]);
  const successor = await open();
  expect(processOf(successor.mintPurchaseId())).toBe(number);
  await own.keepProcessNumber();
  expect(processOf(own.mintPurchaseId())).not.toBe(number);
});

test("where all numbers are held, a process does not start, and says why", async () => {
  await fresh.pool.query("update process_claims set claimed_until = now() + interval '1 minute'");
  await expect(open()).rejects.toThrow(StartError);
});
