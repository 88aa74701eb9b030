import type { Clock, Instant } from "../kernel/clock.ts";

/**
 * Counts how often a supplier said that it never received an attempt. Once proves nothing: the request may be under way,
 * or a process that was stopped just before it sent may wake up. Only the second time, a quiet period after the first,
 * does.
 */
export interface Sightings {
  /** Whether this is the second time, long enough after the first. */
  isProof(supplierReference: string): boolean;
  /** It answered something else: what it said before does not count. */
  forget(supplierReference: string): void;
}

/** Two minutes: several times a vend's deadline and the lease of a worker. */
export const quietMs = 120_000;
/** Who comes beyond waits until others are done: were one of them forgotten instead, nobody would ever see its second. */
const rememberedMax = 10_000;
/** Longer than any pause between two questions: whoever was not asked about since then has ended otherwise. */
const forgottenMs = 1_800_000;

interface Sighting {
  readonly firstAt: Instant;
  readonly lastAt: Instant;
}

/** Remembers in memory: after a restart a supplier is asked twice again. */
export function openSightings(clock: Clock): Sightings {
  /** Least recently seen first. */
  const seen = new Map<string, Sighting>();

  function makeRoom(now: Instant): boolean {
    for (const [supplierReference, { lastAt }] of seen) {
      if (seen.size < rememberedMax || now - lastAt < forgottenMs) break;
      seen.delete(supplierReference);
    }
    return seen.size < rememberedMax;
  }

  return {
    isProof(supplierReference) {
      const now = clock.now();
      const known = seen.get(supplierReference);
      if (known === undefined && !makeRoom(now)) return false;
      const firstAt = known?.firstAt ?? now;
      seen.delete(supplierReference);
      if (now - firstAt >= quietMs) return true;
      seen.set(supplierReference, { firstAt, lastAt: now });
      return false;
    },
    forget: (supplierReference) => void seen.delete(supplierReference),
  };
}
