import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../../src/platform/database/database.ts";
import type { StubRecord } from "../../../tests/support/suppliers/stub-dialect.ts";
import { type Chance, openChance } from "../chance.ts";
import type { OrderBook } from "../order-book.ts";
import type { Callbacks } from "./callbacks.ts";
import { conductOf, questionsOf } from "./conduct.ts";
import { fillShelves, orderOf, prefer } from "./enter.ts";
import type { Mood, Stand } from "./stands.ts";

/** What was done to suppliers, how often. */
export interface ConductorFigures {
  readonly turns: Record<string, number>;
  reversed: number;
  files: number;
}

export interface Conductor {
  readonly figures: ConductorFigures;
  /** What suppliers took back after it was vended, by stand and reference there. */
  readonly reversed: readonly { readonly stand: Stand; readonly reference: string }[];
  /** Begins nothing new; resolves when all suppliers are well again. */
  stop(): Promise<void>;
}

interface ConductorOptions {
  readonly database: Database;
  readonly stands: readonly Stand[];
  readonly book: OrderBook;
  readonly callbacks: Callbacks;
  readonly seed: number;
  /** How long one supplier is in trouble, and how long it is well afterwards. */
  readonly turnMs: number;
}

const troubles: readonly Mood[] = ["gone", "slow", "lying", "poor", "noisy"];
/** Vouchers in a file: fewer than are sold until the next one. */
const piecesEach = 40;
const filledShare = 0.4;
/** How often people and our own stock come first. */
const ownFirstShare = 0.15;
const slowMs = 6_000;
const reversedShare = 0.6;
/** What is taken back was vended so long ago that we know it, mostly. */
const agedMs = 3_000;

/** Takes one supplier after the other, each with every trouble in turn, and lets it recover. Begins at once. */
export function openConductor(options: ConductorOptions): Conductor {
  const { database, stands, book, callbacks, seed, turnMs } = options;
  const chance = openChance(seed, "conductor");
  const figures: ConductorFigures = { turns: {}, reversed: 0, files: 0 };
  const reversed: { stand: Stand; reference: string }[] = [];
  const abort = new AbortController();
  for (const stand of stands) {
    const conduct = conductOf(stand, openChance(seed, `conduct ${stand.name}`), book);
    stand.stub.slowMs = slowMs;
    stand.stub.questions = questionsOf(stand, openChance(seed, `questions ${stand.name}`));
    stand.stub.conduct = (calls) => {
      // Once the request is in its book.
      setImmediate(() => callbacks.callAbout(stand, calls.reference));
      return conduct(calls);
    };
  }

  const wait = (ms: number) => delay(ms, undefined, { signal: abort.signal }).catch(() => {});

  async function conductAll(): Promise<void> {
    while (!abort.signal.aborted) {
      for (const [stand, mood] of drawRound(stands, chance)) {
        if (abort.signal.aborted) return;
        const isFilled = chance.next() < filledShare;
        const order = drawOrder(stands, stand, chance);
        // PostgreSQL may be away: then it stays as it was.
        if (isFilled) await fillShelves(database, ++figures.files, piecesEach).catch(() => {});
        await prefer(database, stands, order).catch(() => {});
        await wait(turnMs * 0.2);
        await trouble(stand, mood);
        reverseLater(drawVended(stand, chance), stand);
        await wait(turnMs * 0.4);
      }
    }
  }

  async function trouble(stand: Stand, mood: Mood): Promise<void> {
    figures.turns[mood] = (figures.turns[mood] ?? 0) + 1;
    stand.mood = mood;
    stand.stub.inquiries = mood === "lying" ? "broken" : "answered";
    if (mood === "gone") stand.stub.leave();
    await wait(turnMs);
    if (mood === "gone") await stand.stub.comeBack();
    stand.stub.inquiries = "answered";
    stand.mood = "well";
  }

  function reverseLater(record: StubRecord | null, stand: Stand): void {
    if (record === null) return;
    setTimeout(() => {
      record.state = "reversed";
      figures.reversed += 1;
      reversed.push({ stand, reference: record.reference });
      void callbacks.callUntilReceived(stand, record.reference, "declined");
    }, agedMs);
  }

  const conducting = conductAll();
  return {
    figures,
    reversed,
    async stop() {
      abort.abort();
      await conducting;
      await delay(agedMs);
    },
  };
}

/** What the supplier takes back of all that it vended; null where it takes nothing back, or nobody would hear of it. */
function drawVended({ under, stub }: Stand, chance: Chance): StubRecord | null {
  // A call that says only the supplier's own name is heard as long as the purchase is pending.
  const isReceived = under.callbacks !== null && under.callbacks.saysOnlyTheirs !== true;
  if (!under.saysReversed || !isReceived || chance.next() > reversedShare) return null;
  const vended = [...stub.records.values()].filter(({ state, trap }) => state === "vended" && trap === null);
  return vended[Math.floor(vended.length * 0.9)] ?? null;
}

/** The one that is in trouble comes first, mostly, and the others by chance. */
function drawOrder(stands: readonly Stand[], troubled: Stand, chance: Chance): readonly string[] {
  const others = orderOf(stands).filter((name) => name !== troubled.name && name !== "manual");
  const shuffled = chance.shuffled(others);
  return chance.next() < ownFirstShare
    ? ["manual", "voucher-stock", troubled.name, ...shuffled]
    : [troubled.name, ...shuffled, "manual"];
}

/** Every supplier with every trouble, in an order by chance. */
function drawRound(stands: readonly Stand[], chance: Chance): [Stand, Mood][] {
  return chance.shuffled(stands.flatMap((stand) => troubles.map((mood): [Stand, Mood] => [stand, mood])));
}
