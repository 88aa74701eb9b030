import type { Conduct, Play, Requested, StubAnswer, Trap } from "../../../tests/support/suppliers/stub-dialect.ts";
import { type Chance, chosenBy, type Weighed } from "../chance.ts";
import type { OrderBook } from "../order-book.ts";
import { type Mood, type Stand, wareRequested } from "./stands.ts";

/** What a supplier may do with a request: a play of every stub, or something besides. */
type Manner = Play | "trap" | "late" | "out of money";

/** How often each comes, by the supplier's mood. */
const manners: Readonly<Record<Mood, readonly Weighed<Manner>[]>> = {
  well: [
    { weight: 84, value: "vended" },
    { weight: 6, value: "declined" },
    { weight: 3, value: "pending_then_vended" },
    { weight: 2, value: "pending_then_declined" },
    { weight: 1, value: "vended_answer_dropped" },
    { weight: 1, value: "error_after_vending" },
    { weight: 1, value: "undocumented_code" },
    { weight: 0.5, value: "late" },
    { weight: 3, value: "trap" },
  ],
  lying: [
    { weight: 20, value: "vended" },
    { weight: 5, value: "declined" },
    { weight: 15, value: "error_after_vending" },
    { weight: 12, value: "garbage" },
    { weight: 10, value: "undocumented_code" },
    { weight: 8, value: "vended_answer_dropped" },
    { weight: 3, value: "duplicate_reference" },
    { weight: 3, value: "endless_answer" },
    { weight: 2, value: "dripping_answer" },
    { weight: 3, value: "never_received" },
    { weight: 4, value: "late" },
    { weight: 25, value: "trap" },
  ],
  slow: [
    { weight: 40, value: "slow" },
    { weight: 10, value: "late" },
    { weight: 20, value: "pending_then_vended" },
    { weight: 10, value: "pending_then_declined" },
    { weight: 30, value: "vended" },
  ],
  poor: [
    { weight: 85, value: "out of money" },
    { weight: 15, value: "vended" },
  ],
  // It is not there to be asked; what arrives at the last moment is not answered.
  gone: [{ weight: 1, value: "vended_answer_dropped" }],
  noisy: [
    { weight: 60, value: "vended" },
    { weight: 10, value: "declined" },
    { weight: 20, value: "pending_then_vended" },
    { weight: 10, value: "pending_then_declined" },
  ],
};

/** Decides by chance what becomes of each request to a supplier. */
export function conductOf(stand: Stand, chance: Chance, book: OrderBook): (calls: Requested) => Conduct {
  return (calls) => {
    const manner = chosenBy(manners[stand.mood], chance.next());
    const lateMs = chance.whole(4_000, 14_000);
    const drawn = chance.next();
    switch (manner) {
      case "trap": {
        const trap = drawTrap(stand, calls, { book, share: drawn });
        return { play: "vended", trap };
      }
      case "late":
        return { play: "vended", trap: null, lateMs };
      case "out of money":
        return poor(stand.under.stub.outOfMoney);
      default:
        return { play: manner, trap: null };
    }
  };
}

/** What becomes of questions about what was sent before: most are answered, and truthfully. */
export function questionsOf(stand: Stand, chance: Chance): () => "answered" | "broken" | "dropped" {
  return () => {
    const troubledShare = stand.mood === "lying" || stand.mood === "slow" ? 0.4 : 0.05;
    const drawn = chance.next();
    if (drawn >= troubledShare) return "answered";
    return drawn < troubledShare / 2 ? "broken" : "dropped";
  };
}

function poor(refused: StubAnswer | undefined): Conduct {
  return refused === undefined ? { play: "declined", trap: null } : { refused };
}

/** One of the supplier's own, of those that are for what is bought. */
function drawTrap(
  stand: Stand,
  calls: Requested,
  { book, share }: { readonly book: OrderBook; readonly share: number },
): Trap | null {
  const wishes: readonly string[] = wareRequested(stand, calls, book)?.wishes ?? [];
  const fitting = Object.values(stand.under.stub.traps ?? {}).filter(({ wish }) =>
    wishes.includes(wish ?? stand.under.usual),
  );
  return fitting[Math.floor(share * fitting.length)] ?? null;
}
