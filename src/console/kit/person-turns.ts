import { setTimeout as delay } from "node:timers/promises";
import { refuse } from "../../kernel/problems.ts";

/** Waits for a person's turn. @returns what ends it @throws Refusal RATE_LIMITED where too much of theirs waits already */
export type AwaitTurn = (personId: number) => Promise<() => void>;

/** Of the time, so much goes to one person's pages once they ask for one after the other. */
const usualShare = 0.1;
/** Pages that took so long together come at once: whoever clicks never waits. */
const atOnceMs = 600;
/** However long a page took, the next one begins after this. */
const restMsMax = 2_000;
const waitingMax = 20;
/** Of whom nothing is under way, so many are remembered. */
const personsMax = 10_000;

interface Person {
  waiting: number;
  /** When the last one that came ends. */
  last: Promise<void>;
  /** The moment by which all that was done has had its share of the time. */
  paidAtMs: number;
}

/**
 * One page at a time for each person in this process, with rests once they ask for page after page: reading it keeps the
 * database busy and drawing it the process, and six tabs that reload must not be what everybody else waits for.
 */
export function openPersonTurns(monotonicMs: () => number, share = usualShare): AwaitTurn {
  const persons = new Map<number, Person>();

  function personAt(id: number): Person {
    if (persons.size >= personsMax) forget(persons, monotonicMs());
    const person = persons.get(id) ?? { waiting: 0, last: Promise.resolve(), paidAtMs: 0 };
    persons.set(id, person);
    return person;
  }

  return async (personId) => {
    const person = personAt(personId);
    if (person.waiting >= waitingMax) {
      const message = "You opened many pages at once. Wait a moment, then try again.";
      throw refuse("RATE_LIMITED", { message, retryAfterSeconds: 2 });
    }
    const before = person.last;
    let end = () => {};
    person.last = new Promise((resolve) => {
      end = resolve;
    });
    person.waiting += 1;
    await before;
    const restMs = person.paidAtMs - monotonicMs() - atOnceMs / share;
    if (restMs > 0) await delay(Math.min(restMs, restMsMax));
    const startedMs = monotonicMs();
    let hasEnded = false;
    return () => {
      if (hasEnded) return;
      hasEnded = true;
      person.waiting -= 1;
      person.paidAtMs = Math.max(person.paidAtMs, startedMs) + (monotonicMs() - startedMs) / share;
      end();
    };
  };
}

/** Forgets persons of whom nothing is under way and who have had their share begin anew. */
function forget(persons: Map<number, Person>, now: number): void {
  for (const [id, { waiting, paidAtMs }] of persons) if (waiting === 0 && paidAtMs <= now) persons.delete(id);
}
