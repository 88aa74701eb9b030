import type { IconName } from "../../kit/parts/icon.tsx";
import type { StatusKind } from "../../kit/parts/text.tsx";

/** Something to be done, worst first. */
export interface Risk {
  readonly icon: IconName;
  readonly title: string;
  readonly detail: string;
  /** What it counts; null for a role that may not look there. */
  readonly href: string | null;
  readonly sinceMs?: number | null;
  readonly amount?: bigint;
  readonly act: readonly [word: string, kind: StatusKind];
}

export const namedMax = 3;

export function sinceOf(at: number | null, now: number): number | null {
  return at === null ? null : now - at;
}
