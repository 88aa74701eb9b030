import { closeSync, openSync, writeSync } from "node:fs";
import path from "node:path";

/** The clock of processes that were started with it: it goes like this machine's, and can be moved on. */
export interface MovedClock {
  /** What each of them needs: arguments of node, and environment. */
  readonly args: readonly string[];
  readonly environment: { readonly MOVED_CLOCK: string };
  aheadMs(): number;
  /** All of them are so much later at their next look. */
  move(ms: number): void;
  close(): void;
}

const digits = 16;

/** @param file is made, and gone over by them whenever they look at the clock */
export function openMovedClock(file: string): MovedClock {
  let aheadMs = 0;
  const descriptor = openSync(file, "w");
  const move = (ms: number) => {
    aheadMs += ms;
    writeSync(descriptor, String(aheadMs).padStart(digits), 0);
  };
  move(0);
  return {
    args: ["--import", path.join(import.meta.dirname, "moved-clock.mjs")],
    environment: { MOVED_CLOCK: file },
    aheadMs: () => aheadMs,
    move,
    close: () => closeSync(descriptor),
  };
}
