import type { OperatorServices } from "../../console/operator/services.ts";
import type { Clock } from "../../kernel/clock.ts";
import { type Database, forReaders, openDatabase, openPool } from "../../platform/database/database.ts";
import { type OpenReading, openReadingStandby } from "../../platform/database/reading-standby.ts";
import { asSetting } from "../../platform/database/service-role.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { Config } from "../configuration/config.ts";

export type Readings = OperatorServices["readings"];

/**
 * All that may be read up to a minute old: the company's reports, its days that are over and its files of sales. Balances,
 * requeries and whatever the API answers are no such reading.
 */
function allBy(open: OpenReading): Readings {
  return { reports: open, closedDays: open, salesFile: open };
}

export function readingsAtPrimary(primary: Database): Readings {
  const present = { reads: forReaders(primary), asOf: null };
  return allBy(async () => present);
}

/** Readers of a company are few. */
const connectionsMax = 4;

/** At the standby of READ_DATABASE_URL, where there is one, while it may be read. @throws StartError for a wrong address */
export async function openReadings(given: {
  readonly config: Pick<Config, "readDatabaseUrl">;
  readonly primary: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly undo: (() => Promise<void>)[];
}): Promise<Readings> {
  const { primary, clock, log, undo } = given;
  const { readDatabaseUrl: connectionString } = given.config;
  if (connectionString === null) return readingsAtPrimary(primary);
  const how = { connectionsMax, applicationName: "dispense reports", plans: "ordinary", isReadOnly: true } as const;
  const standby = await asSetting("READ_DATABASE_URL", async () =>
    openDatabase(openPool({ connectionString, ...how })),
  );
  undo.push(() => standby.close());
  const open = openReadingStandby({
    ...{ primary, standby, clock },
    onChange(reason) {
      if (reason === null) log.info({ event: "standby.read" });
      else log.warn({ event: "standby.passed_by", reason });
    },
  });
  return allBy(open);
}
