import { closeSync, createReadStream, openSync, writeSync } from "node:fs";
import { createInterface } from "node:readline";

/** Only ever added to. What a program did is written before anybody is told. */
export interface Book<Line> {
  write(line: Line): void;
  close(): void;
}

export function openBook<Line>(file: string): Book<Line> {
  const descriptor = openSync(file, "a");
  return {
    write: (line) => void writeSync(descriptor, `${JSON.stringify(line)}\n`),
    close: () => closeSync(descriptor),
  };
}

/** Line by line: a book of an hour has some hundred thousand. */
async function readBook<Line>(file: string, take: (line: Line) => void): Promise<void> {
  for await (const text of createInterface({ input: createReadStream(file, "utf8") })) {
    if (text !== "") take(JSON.parse(text) as Line);
  }
}

/** What a supplier did. */
export interface SupplierLine {
  /** Our name for the attempt. */
  readonly reference: string;
  readonly did: "vended" | "declined";
  readonly number: string;
  /** In naira, as it was asked; null where the product says it. */
  readonly amount: string | null;
}

/** What arrived at an endpoint. */
export interface SinkLine {
  readonly endpoint: string;
  /** The delivery's id, the same in each try. */
  readonly id: string;
  readonly event: string;
  /** The purchase's, the bulk order's or the payment's id; null where the event has none. */
  readonly subject: string | null;
}

/** What the suppliers' books say of one purchase, all attempts together. */
export interface Deeds {
  vends: number;
  declines: number;
  /** The amount of the last vend, in naira; null where the product fixes it. */
  amount: string | null;
  number: string;
}

export interface SupplierTruth {
  /** By our transaction id. */
  readonly deeds: ReadonlyMap<string, Deeds>;
  readonly vendedTwice: readonly string[];
  readonly vends: number;
}

/** Reads the books of all suppliers. */
export async function readSuppliers(files: readonly string[]): Promise<SupplierTruth> {
  const deeds = new Map<string, Deeds>();
  const vendsOf = new Map<string, number>();
  let vends = 0;
  for (const file of files) {
    await readBook<SupplierLine>(file, ({ reference, did, number, amount }) => {
      const id = reference.slice(0, reference.lastIndexOf("-"));
      const known = deeds.get(id) ?? { vends: 0, declines: 0, amount: null, number };
      deeds.set(id, known);
      if (did === "declined") known.declines += 1;
      else {
        vends += 1;
        known.vends += 1;
        known.amount = amount;
        vendsOf.set(reference, (vendsOf.get(reference) ?? 0) + 1);
      }
    });
  }
  const vendedTwice = [...vendsOf].flatMap(([reference, times]) =>
    times > 1 ? [`${reference} was vended ${times} times`] : [],
  );
  return { deeds, vendedTwice, vends };
}

/** What arrived at the sink: for each endpoint, event and subject the ids of its deliveries, repeats left out. */
export type SinkTruth = ReadonlyMap<string, ReadonlySet<string>>;

export function sinkKey(endpoint: string, event: string, subject: string): string {
  return `${endpoint} ${event} ${subject}`;
}

export async function readSink(file: string): Promise<SinkTruth> {
  const arrived = new Map<string, Set<string>>();
  await readBook<SinkLine>(file, ({ endpoint, id, event, subject }) => {
    if (subject === null) return;
    const key = sinkKey(endpoint, event, subject);
    const ids = arrived.get(key);
    if (ids === undefined) arrived.set(key, new Set([id]));
    else ids.add(id);
  });
  return arrived;
}
