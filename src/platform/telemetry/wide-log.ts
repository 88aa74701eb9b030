import type { Logger } from "./log.ts";

/** Lines of a second that are written whatever the share: all of them, in all but the busiest deployments. */
export const wholeLinesPerSecond = 100;

/**
 * Where one wide line goes for each purchase, vend, delivery attempt and operator's command: all that is known of it, in
 * one place. Beyond the first hundred of a second a share is written; the lines of what went wrong are all written.
 */
export interface WideLog {
  /** Whether the next line is written: to be asked before it is put together. */
  takes(isTrouble: boolean): boolean;
  write(line: WideLine): void;
}

/**
 * Numbers of ours, labels and durations. Never a customer's number, a merchant's reference (some merchants write a phone
 * number there), a key, a URL, a supplier's words or what was delivered.
 */
export interface WideLine {
  readonly event: string;
  readonly [fact: string]: string | number | boolean | null;
}

/** `share`: of the lines without trouble beyond the first hundred of a second, from 0 to 1. `chance`: in [0, 1). */
export function openWideLog(options: {
  readonly log: Pick<Logger, "info" | "isLevelEnabled">;
  readonly share: number;
  readonly chance: () => number;
  readonly monotonicMs: () => number;
}): WideLog {
  const { log, share, chance, monotonicMs } = options;
  const isOn = log.isLevelEnabled("info");
  let second = Number.NEGATIVE_INFINITY;
  let written = 0;

  function isOfTheFirst(): boolean {
    const now = Math.floor(monotonicMs() / 1_000);
    if (now !== second) {
      second = now;
      written = 0;
    }
    written += 1;
    return written <= wholeLinesPerSecond;
  }

  return {
    takes: (isTrouble) => isOn && (isTrouble || share === 1 || isOfTheFirst() || chance() < share),
    write: (line) => log.info(line),
  };
}
