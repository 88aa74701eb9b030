import { loadStartingCatalogue } from "../domain/catalogue/starting/starting-catalogue.ts";
import { checkSessions } from "../platform/database/check-sessions.ts";
import { openDatabase, openPool } from "../platform/database/database.ts";
import { migrate } from "../platform/database/migrate.ts";
import {
  checkConnections,
  failureToSetUp,
  type Needs,
  reachDatabase,
  sumOf,
} from "../platform/database/reach-database.ts";
import {
  asMigrations,
  type BothRoles,
  checkServiceRole,
  findServiceRole,
  grantRights,
  powerToRewrite,
  type Reached,
  warningOfOneRole,
} from "../platform/database/service-role.ts";
import type { Logger } from "../platform/telemetry/log.ts";

/** How to reach a database: as the role that serves, and as the one that migrates, where that is another one. */
export interface DatabaseAddresses {
  readonly connectionString: string;
  readonly migrationsConnectionString: string | null;
}

const applicationName = "dispense start";

interface MigrateOptions {
  readonly directory: string;
  readonly log: (message: string) => void;
}

/** What commands take at one time, such as an operator's, a check of the ledger and somebody's psql. */
const commandConnections = 10;

/**
 * Makes sure that the database answers and has connections for this many processes of the service, beside those that run,
 * with some to spare: for one more process, which takes the place of another before that ends, and for commands.
 * @throws StartError when no database answers, or it has too few connections
 */
export async function countConnections(
  { connectionString, migrationsConnectionString }: DatabaseAddresses,
  needsOfOne: Needs,
  processes: number,
): Promise<void> {
  const needs = Object.fromEntries(Object.entries(needsOfOne).map(([what, count]) => [what, count * processes]));
  const spare = { "replace a process": sumOf(needsOfOne), "run commands": commandConnections };
  const pool = openPool({ connectionString, connectionsMax: sumOf(needs), applicationName, plans: "ordinary" });
  try {
    const isSetUpByAnother = migrationsConnectionString !== null;
    await reachDatabase(pool, connectionString, { isSetUpByAnother, needs: { ...needs, ...spare } });
    await checkConnections(pool, connectionString, { needs, spare });
  } finally {
    await pool.end();
  }
}

/**
 * Migrates, gives the role that serves its rights, and loads the starting catalogue.
 * @returns how many files it applied
 * @throws StartError when no database answers, or it is not as the service needs it
 */
export async function prepareDatabase(addresses: DatabaseAddresses, migrations: string, log: Logger): Promise<number> {
  const { connectionString, migrationsConnectionString: other } = addresses;
  const progress = openProgress(log);
  const options = { directory: migrations, log: progress.log };
  const service = reached(connectionString);
  try {
    const unsafe = await reachDatabase(service.pool, connectionString, { isSetUpByAnother: other !== null });
    if (unsafe.length > 0) log.warn({ event: "database.not_durable", switchedOff: unsafe });
    await checkAllSessions(service);
    if (other === null) {
      await migrate({ pool: service.pool, ...options });
      const power = await powerToRewrite(service);
      if (power !== null) log.warn({ event: "database.one_role" }, warningOfOneRole(power));
    } else {
      await besideMigrating(other, (migrating) => migrateFor({ service, migrating }, options));
    }
    await loadStartingCatalogue(openDatabase(service.pool));
    return progress.ready();
  } finally {
    await service.pool.end();
  }
}

/** Tells what takes long, and at the end how many files were applied. */
function openProgress(log: Logger): { log(message: string): void; ready(): number } {
  let files = 0;
  return {
    log(message) {
      const isApplied = message.startsWith("applied ");
      if (isApplied) files += 1;
      log[isApplied ? "debug" : "info"]({ event: "migrate", message });
    },
    ready() {
      const message = `the database is ready${files === 0 ? "" : `, after ${files} files of tables and functions`}`;
      log.info({ event: "database.ready", files, message });
      return files;
    },
  };
}

async function migrateFor(roles: BothRoles, options: MigrateOptions): Promise<void> {
  const { migrating } = roles;
  await asMigrations(async () => {
    await reachDatabase(migrating.pool, migrating.connectionString);
    await checkAllSessions(migrating);
  });
  const servedBy = await findServiceRole(roles);
  await asMigrations(() =>
    migrate({ pool: migrating.pool, servedBy, ...options }).catch((error: unknown) => {
      throw failureToSetUp(error, migrating.connectionString);
    }),
  );
  await checkServiceRole(roles);
}

/** Gives the role that serves its rights anew, as after a restore. Nothing where one role serves and migrates. */
export async function grantServiceRights(addresses: DatabaseAddresses): Promise<void> {
  const { connectionString, migrationsConnectionString: other } = addresses;
  if (other === null) return;
  const service = reached(connectionString);
  try {
    await besideMigrating(other, (migrating) => grantRights({ service, migrating }));
  } finally {
    await service.pool.end();
  }
}

async function besideMigrating(connectionString: string, work: (migrating: Reached) => Promise<void>): Promise<void> {
  const migrating = await asMigrations(async () => reached(connectionString));
  await work(migrating).finally(() => migrating.pool.end());
}

async function checkAllSessions({ pool, connectionString }: Reached): Promise<void> {
  const batched = openDatabase(openPool({ connectionString, connectionsMax: 2, applicationName, plans: "batched" }));
  await checkSessions({ connectionString, ordinary: openDatabase(pool), batched }).finally(() => batched.close());
}

function reached(connectionString: string): Reached {
  return {
    connectionString,
    pool: openPool({ connectionString, connectionsMax: 2, applicationName, plans: "ordinary" }),
  };
}
