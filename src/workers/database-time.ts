import type { Clock } from "../kernel/clock.ts";
import { openDatabaseClock } from "../platform/clock-skew.ts";
import type { Database } from "../platform/database/database.ts";
import { claimSteadyTurn, freeTurn } from "../platform/work-loop.ts";
import type { Job, Looked } from "./watch.ts";

interface Timed {
  readonly database: Database;
  readonly clock: Clock;
  readonly people?: { readonly clock: Clock };
}

/** Its looks go by the database's time. For what nobody may miss, whatever a process's clock shows: alerts and emails. */
export function byDatabaseTime<Services>(watch: Job<Services>): Job<Services & Timed> {
  return timed(watch, (_services, look) => look());
}

/** Longer than a look takes, the whole ledger's as well; after a crash in one, what it was at rests for as long. */
const lookSecondsMax = 3_600;
/** A look may come a little early. */
const earlySeconds = 5;

/**
 * For what deletes, closes or ends something because time has passed, which nobody can take back: a process at a time, by
 * the database's time. It rests while the process's clock shows another, and once where the database's has made a leap.
 */
export function withCare<Services>(watch: Job<Services>): Job<Services & Timed> {
  const { name, everyMs } = watch;
  return timed(watch, async ({ database }, look, isTrue) => {
    if (!isTrue || !(await claimSteadyTurn(database, name, lookSecondsMax))) return;
    let looked: Looked;
    try {
      looked = await look();
    } finally {
      await freeTurn(database, name, looked === "again" ? 0 : everyMs / 1_000 - earlySeconds);
    }
    return looked;
  });
}

type Look = () => Promise<Looked>;

function timed<Services>(
  watch: Job<Services>,
  carryOut: (services: Timed, look: Look, isTrue: boolean) => Promise<Looked>,
): Job<Services & Timed> {
  return {
    ...watch,
    open(services) {
      const clock = openDatabaseClock(services.database, services.clock, () => performance.now());
      const people = services.people === undefined ? {} : { people: { ...services.people, clock } };
      const look = watch.open({ ...services, clock, ...people });
      return async () => carryOut(services, look, await clock.read());
    },
  };
}
