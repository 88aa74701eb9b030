import type { Clock, Instant } from "../../kernel/clock.ts";
import type { ApiKeyId } from "../../kernel/ids.ts";
import type { Address } from "../../platform/address.ts";
import type { Queryable } from "../../platform/database/database.ts";
import { insertKeyUses, type KeyUse } from "./key-queries.ts";

/** When and from where each key was last used. */
export interface KeyUses {
  /** Called with every request that is let in; `addressOf` is asked once a second and key at most. */
  note(keyId: ApiKeyId, addressOf: () => Address | null): void;
  /** Writes what was noted since the last time, all keys in one statement. What fails is written the next time. */
  flush(): Promise<void>;
}

/** A finer time is nobody's need, and this is asked of every request. */
const recordedAgainAfterMs = 1_000;
/** Keys that one statement writes; the others are written with the next one. */
const keysMax = 10_000;

/**
 * Remembers uses until they are written, beside the requests: a request never waits for it, and a crash loses the last
 * ten seconds.
 */
export function openKeyUses({ database, clock }: { database: Queryable; clock: Clock }): KeyUses {
  let recorded = new Map<ApiKeyId, KeyUse>();

  return {
    note(keyId, addressOf) {
      const now = clock.now();
      const last = recorded.get(keyId);
      if (last === undefined ? recorded.size >= keysMax : isRecent(last.usedAt, now)) return;
      recorded.set(keyId, { keyId, usedAt: now, address: addressOf()?.toString() ?? null });
    },
    async flush() {
      if (recorded.size === 0) return;
      const uses = recorded;
      recorded = new Map();
      try {
        await insertKeyUses(database, [...uses.values()]);
      } catch (error) {
        // Uses that were noted meanwhile are later.
        for (const [keyId, use] of recorded) uses.set(keyId, use);
        recorded = uses;
        throw error;
      }
    },
  };
}

function isRecent(usedAt: Instant, now: Instant): boolean {
  // A clock that was put back says nothing about the age.
  return now >= usedAt && now - usedAt < recordedAgainAfterMs;
}
