import type { Logger } from "./log.ts";

/**
 * Where one wide line goes for each purchase, vend, delivery attempt and operator's command: all that is known of it, in
 * one place. Lines are sampled; those of what went wrong are all written.
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

/** `share`: of the lines without trouble, from 0 to 1. `chance`: in [0, 1). */
export function openWideLog(options: {
  readonly log: Pick<Logger, "info" | "isLevelEnabled">;
  readonly share: number;
  readonly chance: () => number;
}): WideLog {
  const { log, share, chance } = options;
  const isOn = log.isLevelEnabled("info");
  return {
    takes: (isTrouble) => isOn && (isTrouble || share === 1 || chance() < share),
    write: (line) => log.info(line),
  };
}
