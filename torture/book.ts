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
export async function readBook<Line>(file: string, take: (line: Line) => void): Promise<void> {
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
  /** The purchase's or the bulk order's id; null where the event has none. */
  readonly subject: string | null;
}
