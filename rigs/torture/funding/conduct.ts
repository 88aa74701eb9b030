import type { Fate } from "../../../tests/support/payments/payment-stub.ts";
import { type Chance, chosenBy, type Weighed } from "../chance.ts";
import type { Bank } from "./banks.ts";

/** What becomes of a question while its provider is well: mostly an answer. */
const fates: readonly Weighed<Fate>[] = [
  { weight: 93, value: "answered" },
  { weight: 3, value: "missing" },
  { weight: 3, value: "broken" },
  { weight: 0.5, value: "ignored" },
];

const outageEveryMs = 20_000;
const outageMs = 6_000;

/** Lets providers answer late, wrongly and not at all, and each be away now and then. */
export function beDifficult(banks: readonly Bank[], chance: Chance): void {
  for (const [index, { stub }] of banks.entries()) {
    const startedAt = performance.now() + index * (outageEveryMs / banks.length);
    stub.conduct = () => {
      const afterMs = chance.whole(5, 300);
      const fate = chosenBy(fates, chance.next());
      const isAway = (performance.now() - startedAt + outageEveryMs) % outageEveryMs < outageMs;
      return isAway ? { fate: "broken", afterMs } : { fate, afterMs };
    };
  }
}

export function beWell(banks: readonly Bank[]): void {
  for (const { stub } of banks) stub.conduct = null;
}
