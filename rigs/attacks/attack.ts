import { rounded } from "../base/figures.ts";
import type { Undo } from "../base/scratch-folder.ts";

/** Something that a hostile client, receiver or supplier does, on a service of its own. */
export interface Attack {
  /** What `npm run attacks -- NAME` takes. */
  readonly name: string;
  /** One sentence: what it does, and what must not come of it. */
  readonly does: string;
  /** Longer than it ever takes: past it the attack counts as broken. */
  readonly secondsMax: number;
  /** Starts what it needs, attacks, measures. What it pushes to `undo` is undone, whatever happens. */
  run(ground: Ground): Promise<readonly Figure[]>;
}

export interface Ground {
  /** Empty, on the project's disk, gone afterwards. */
  readonly folder: string;
  readonly undo: Undo;
  /** Tells who waits what is being done. */
  readonly progress: (text: string) => void;
}

/** One thing that was measured. */
export interface Figure {
  readonly what: string;
  readonly measured: string;
  /** What it must be; null where it is only told. */
  readonly bound: string | null;
  readonly holds: boolean;
}

/** A figure that nothing is asked of. */
export function measure(what: string, measured: string | number): Figure {
  return { what, measured: String(measured), bound: null, holds: true };
}

/** A figure that may be at most so much. */
export function atMost(what: string, measured: number, max: number, unit = ""): Figure {
  return { what, measured: `${rounded(measured)}${unit}`, bound: `≤ ${rounded(max)}${unit}`, holds: measured <= max };
}

/** A figure that must be at least so much. */
export function atLeast(what: string, measured: number, min: number, unit = ""): Figure {
  return { what, measured: `${rounded(measured)}${unit}`, bound: `≥ ${rounded(min)}${unit}`, holds: measured >= min };
}

/** Something that is, or is not, as it has to be. */
export function mustBe(what: string, measured: string | number, expected: string | number): Figure {
  return { what, measured: String(measured), bound: String(expected), holds: measured === expected };
}
