import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../platform/database/database.ts";
import type { Series } from "../platform/telemetry/metrics.ts";
import { findTurnFigures, isOurTurn, storeTurnFigures } from "../platform/work-loop.ts";
import type { Job, Reporting } from "./watch.ts";

/** A look may come a little early. */
const earlySeconds = 1;
/** What nobody has told yet, as at a first start, is asked for again after a moment. */
const triesMax = 8;
const tryAgainMs = 250;

/**
 * For figures that the database tells, which are the same in every process: one process at a time looks, whichever has the
 * turn, and all tell what it found. What it found no more is told no more.
 */
export function forAll<Services extends Reporting & { readonly database: Database }>(
  watch: Job<Services>,
): Job<Services> {
  const { name, everyMs } = watch;
  const turn = `figures ${name}`;
  return {
    ...watch,
    open(services) {
      const { database, metrics } = services;
      let found: Series[] = [];
      const set = (metric: string, value: number, labels = {}) => void found.push({ name: metric, value, labels });
      const look = watch.open({ ...services, metrics: { ...metrics, set } });
      return async (): Promise<undefined> => {
        if (await isOurTurn(database, turn, everyMs / 1_000 - earlySeconds)) {
          found = [];
          await look();
          await storeTurnFigures(database, turn, found);
        }
        for (let tries = 0; tries < triesMax; tries++) {
          const figures = await findTurnFigures<Series[]>(database, turn);
          if (figures === null) await delay(tryAgainMs);
          else return void metrics.replace(turn, figures);
        }
      };
    },
  };
}
