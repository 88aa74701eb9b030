import type { Verdict } from "./sales.ts";
import type { Stage } from "./stage.ts";

/** Something that will happen to every deployment one day, made to happen. */
export interface Rehearsal {
  readonly name: string;
  /** One sentence for a person. */
  readonly says: string;
  /** Debian's programs that it needs. */
  readonly programs: readonly string[];
  /** Why it can't be done here besides; null where it can. */
  readonly hindrance?: () => string | null;
  perform(stage: Stage): Promise<Performance>;
}

export interface Performance {
  /** A table, its head first. */
  readonly rows: readonly (readonly string[])[];
  readonly verdict: Verdict;
  /** What a person should know about the figures. */
  readonly notes?: readonly string[];
}
