import { type Chance, chosenBy, openChance, shareOf, type Weighed } from "./chance.ts";

/** How a request to vend goes. Times are counted from its arrival. */
export interface VendConduct {
  /** What it comes to; null: nothing, as if it had never arrived. */
  readonly end: "vended" | "declined" | null;
  /** The reason of a decline. A wrong number would be declined by another supplier as well. */
  readonly code: "PROVIDER_DECLINED" | "RECIPIENT_INVALID";
  /** When that is written into the book. */
  readonly bookedAfterMs: number;
  readonly answer: "whole" | "dropped" | "garbage" | "twice" | "processing";
  /** When the answer, or the end of the connection, goes out: after the end is booked, or before. */
  readonly answeredAfterMs: number;
  readonly callsBack: boolean;
}

type Manner = (chance: Chance) => Pick<VendConduct, "end" | "answer" | "bookedAfterMs" | "answeredAfterMs">;

const quick = (chance: Chance) => ({ bookedAfterMs: chance.whole(2, 60), answeredAfterMs: 0 });
const slow = (chance: Chance) => ({ bookedAfterMs: chance.whole(300, 4_000), answeredAfterMs: 0 });
/** The connection ends first: whoever asks meanwhile is told that nothing arrived. */
const later = (chance: Chance) => ({
  bookedAfterMs: chance.whole(6_000, 14_000),
  answeredAfterMs: chance.whole(1, 50),
});

const manners: readonly Weighed<Manner>[] = [
  { weight: 58, value: (chance) => ({ end: "vended", answer: "whole", ...quick(chance) }) },
  { weight: 9, value: (chance) => ({ end: "declined", answer: "whole", ...quick(chance) }) },
  { weight: 7, value: (chance) => ({ end: "vended", answer: "whole", ...slow(chance) }) },
  { weight: 10, value: (chance) => ({ end: "declined", answer: "whole", ...slow(chance) }) },
  { weight: 4, value: (chance) => ({ end: "vended", answer: "dropped", ...quick(chance) }) },
  { weight: 1, value: (chance) => ({ end: "declined", answer: "dropped", ...quick(chance) }) },
  { weight: 2, value: (chance) => ({ end: "vended", answer: "dropped", ...later(chance) }) },
  { weight: 1, value: (chance) => ({ end: "declined", answer: "dropped", ...later(chance) }) },
  { weight: 0.5, value: (chance) => ({ end: null, answer: "dropped", ...quick(chance) }) },
  { weight: 2, value: (chance) => ({ end: "vended", answer: "garbage", ...quick(chance) }) },
  { weight: 1.5, value: (chance) => ({ end: "vended", answer: "twice", ...quick(chance) }) },
  { weight: 2, value: (chance) => ({ end: "vended", answer: "processing", ...later(chance) }) },
  { weight: 1, value: (chance) => ({ end: "declined", answer: "processing", ...later(chance) }) },
];

/** Another supplier has declined it: who sent it on takes long, so that whoever believes to have it still comes in between. */
const secondManners: readonly Weighed<Manner>[] = [
  { weight: 20, value: (chance) => ({ end: "vended", answer: "whole", ...quick(chance) }) },
  { weight: 50, value: (chance) => ({ end: "vended", answer: "whole", ...slow(chance) }) },
  { weight: 10, value: (chance) => ({ end: "declined", answer: "whole", ...slow(chance) }) },
  { weight: 20, value: (chance) => ({ end: "vended", answer: "dropped", ...quick(chance) }) },
];

/** Each number is bought for once, so that number and attempt name a request whatever its id. */
export function vendConduct(seed: number, supplier: string, calls: { number: string; attempt: string }): VendConduct {
  const text = `${supplier} ${calls.number} ${calls.attempt}`;
  const chance = openChance(seed, `vend ${text}`);
  const code = chance.next() < 0.65 ? "PROVIDER_DECLINED" : "RECIPIENT_INVALID";
  const manner = chosenBy(calls.attempt === "-1" ? manners : secondManners, shareOf(seed, text));
  return { ...manner(chance), code, callsBack: chance.next() < 0.3 };
}

/** How a question about an earlier request goes. */
export type AskConduct = "true" | "error" | "dropped" | "slow";

const askManners: readonly Weighed<AskConduct>[] = [
  { weight: 80, value: "true" },
  { weight: 8, value: "error" },
  { weight: 5, value: "dropped" },
  { weight: 7, value: "slow" },
];

export function askConduct(seed: number, calls: { reference: string; times: number }): AskConduct {
  return chosenBy(askManners, shareOf(seed, `ask ${calls.reference} ${calls.times}`));
}

/** What a supplier is told at its start. */
export interface SupplierSettings {
  readonly name: string;
  readonly seed: number;
  /** The file of its book. */
  readonly book: string;
  /** Where it calls when something has ended there. */
  readonly callbacks: readonly string[];
}

/** What its calls are signed with. */
export const callbackSecret = `whsec_${Buffer.alloc(24, 7).toString("base64")}`;
