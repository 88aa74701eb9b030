import { dayMs, type Instant } from "../../kernel/clock.ts";
import { add, type Kobo, zeroKobo } from "../../kernel/money.ts";
import type { Question } from "../dialect.ts";
import type { Transfer } from "./contract.ts";
import type { PaymentDialect } from "./dialect.ts";
import { listBytesMax, type Talk } from "./talk.ts";

/** Refunds that were read to their end. */
export interface ReadRefunds {
  /** What they gave back of each transfer that they name; null where an amount can't be read. Null: not all were read. */
  readonly sums: ReadonlyMap<string, Kobo | null> | null;
  readonly evidence: string;
}

/**
 * Reads refunds to their end or the talk's deadline: one that was not reached may be of any transfer. One that a newer one
 * moves to the next page meanwhile is told twice, and counts once.
 */
export async function readRefunds(
  { read }: Pick<PaymentDialect["refunds"], "read">,
  talk: Talk,
  askFor: (page: number) => Question,
): Promise<ReadRefunds> {
  const sums = new Map<string, Kobo | null>();
  const ids = new Set<string | null>();
  for (let page: number | null = 1; page !== null; ) {
    const { readable } = await talk.ask(askFor(page), listBytesMax);
    const found: ReturnType<typeof read> = readable === null || readable.status >= 400 ? null : read(readable, page);
    if (found === null) return { sums: null, evidence: talk.evidence() };
    for (const { id, name, ...stated } of found.refunds) {
      if (name === null || (id !== null && ids.has(id))) continue;
      ids.add(id);
      const amount = id === null ? null : stated.amount;
      const sum = sumOf(name, sums);
      sums.set(name, sum === null || amount === null ? null : add(sum, amount));
    }
    page = found.nextPage;
  }
  return { sums, evidence: talk.evidence() };
}

/**
 * What of a transfer went back in all. Where no refund names it, it is what the transfer itself shows: a dispute that was
 * lost. Null where it is not told, or makes no sense.
 */
export function takenBackOf(transfer: Transfer, name: string | null, { sums }: ReadRefunds): Kobo | null {
  if (sums === null || name === null) return null;
  const sum = sumOf(name, sums);
  if (sum === null || sum > transfer.amount) return null;
  return sum > zeroKobo ? sum : transfer.takenBack;
}

/** Nothing where no refund names it; null where an amount can't be read. */
function sumOf(name: string, sums: ReadonlyMap<string, Kobo | null>): Kobo | null {
  const sum = sums.get(name);
  return sum === undefined ? zeroKobo : sum;
}

/** Reads the refunds since a transfer was paid. */
export type RefundsSince = (paidAt: Instant) => Promise<ReadRefunds>;

/**
 * Refunds that can't be asked about by transfer: those who ask about transfers of one day while an earlier reading is under
 * way share the next one. A reading that began before a question is no answer to it.
 * @param readSince never throws
 */
export function shareByDay(readSince: RefundsSince): RefundsSince {
  const underWay = new Map<number, Promise<ReadRefunds>>();
  const next = new Map<number, Promise<ReadRefunds>>();

  function start(day: number): Promise<ReadRefunds> {
    next.delete(day);
    const reading = readSince(day * dayMs).finally(() => underWay.delete(day));
    underWay.set(day, reading);
    return reading;
  }

  return (paidAt) => {
    const day = Math.floor(paidAt / dayMs);
    const earlier = underWay.get(day);
    if (earlier === undefined) return start(day);
    const shared = next.get(day) ?? earlier.then(() => start(day));
    next.set(day, shared);
    return shared;
  };
}
