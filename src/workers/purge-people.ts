import { purgeLetters } from "../domain/letters/letters.ts";
import { purgeInvitations } from "../domain/memberships/invitations.ts";
import { purgePeople } from "../domain/people/purge.ts";
import type { Clock } from "../kernel/clock.ts";
import type { Database } from "../platform/database/database.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { startWorkLoop, type WorkLoop } from "../platform/work-loop.ts";

/** What has ended lets nobody in: it is only in the way. */
const pollMs = 600_000;
/** Rows of one statement. */
const limit = 1_000;

type Purge = () => Promise<number>;

/** Deletes ended sessions, tokens and invitations, attempts that count no more, and old letters, until stopped. */
export function startPurgingPeople({
  services,
  log,
}: {
  readonly services: { readonly database: Database; readonly clock: Clock };
  readonly log: Logger;
}): WorkLoop {
  const purges: readonly Purge[] = [
    () => purgePeople(services, limit),
    () => purgeInvitations(services, limit),
    () => purgeLetters(services, limit),
  ];
  return startWorkLoop<number>({
    async claim() {
      let purged = 0;
      for (const purge of purges) purged += await purge();
      return purged === 0 ? [] : [purged];
    },
    async act(rows) {
      log.info({ event: "people.purged", rows });
    },
    // The loop looks again at once while there is more.
    concurrencyMax: 1,
    pollMs,
    onError: (error) => log.error({ event: "people.purge_failed", error: String(error) }),
  });
}
