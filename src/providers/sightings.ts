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
/** The oldest is forgotten beyond, and begins anew: that costs minutes, and proves nothing too early. */
const rememberedMax = 10_000;

/** Remembers in memory: after a restart a supplier is asked twice again. */
export function openSightings(clock: Clock): Sightings {
  const firstSeen = new Map<string, Instant>();
  return {
    isProof(supplierReference) {
      const first = firstSeen.get(supplierReference);
      if (first !== undefined) return clock.now() - first >= quietMs;
      const [oldest] = firstSeen.keys();
      if (firstSeen.size >= rememberedMax && oldest !== undefined) firstSeen.delete(oldest);
      firstSeen.set(supplierReference, clock.now());
      return false;
    },
    forget: (supplierReference) => void firstSeen.delete(supplierReference),
  };
}
