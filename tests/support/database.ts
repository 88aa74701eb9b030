import { randomBytes } from "node:crypto";
import path from "node:path";
import pg from "pg";
import { giveRights } from "../../src/platform/database/service-role.ts";

export const serverVariable = "DISPENSE_TESTS_SERVER";
export const templateVariable = "DISPENSE_TESTS_TEMPLATE";
/** The other template: the same with the starting catalogue in it. */
export const stockedTemplateVariable = "DISPENSE_TESTS_STOCKED_TEMPLATE";
/** The role that the service has in tests, on whichever server they run. */
export const testServiceRole = "dispense_service";
export const migrationsDirectory = path.resolve(import.meta.dirname, "../../migrations");

/** A database of one's own with every migration applied. */
export interface FreshDatabase {
  /** As the service's role: what the service does, and an operator, does with its rights. */
  readonly url: string;
  /** As the role that owns everything, as the pool is: it migrates, and plants what the service could not do. */
  readonly ownerUrl: string;
  readonly pool: pg.Pool;
  /** Closes the pool and deletes the database, whoever is still connected to it. */
  drop(): Promise<void>;
}

/** Clones the run's migrated template (some 25 ms). The caller drops it, as a rule in `afterAll`. */
export function freshDatabase(): Promise<FreshDatabase> {
  return cloneOf(fromEnvironment(templateVariable));
}

/** One that sells the starting catalogue. */
export function stockedDatabase(): Promise<FreshDatabase> {
  return cloneOf(fromEnvironment(stockedTemplateVariable));
}

/** A copy of a database, as a backup that was restored beside it. Connections to the original are lost. */
export async function copyOf({ pool }: FreshDatabase): Promise<FreshDatabase> {
  const name = (await pool.query("select current_database() as name")).rows[0].name as string;
  await administrate(
    fromEnvironment(serverVariable),
    `select pg_terminate_backend(pid) from pg_stat_activity where datname = '${name}'`,
  );
  return cloneOf(name);
}

async function cloneOf(template: string): Promise<FreshDatabase> {
  const server = fromEnvironment(serverVariable);
  const name = `test_${randomBytes(6).toString("hex")}`;
  // Copying files takes a third of the server's work that copying through its buffers does.
  await administrate(server, `create database ${name} template ${template} strategy file_copy`);
  const ownerUrl = databaseUrl(server, name);
  const pool = new pg.Pool({ connectionString: ownerUrl, max: 10 });
  pool.on("error", () => {}); // an idle connection was cut; the next query says so where it matters
  let dropped: Promise<void> | undefined;
  return {
    url: asServiceRole(ownerUrl),
    ownerUrl,
    pool,
    drop: () => {
      dropped ??= pool.end().then(() => administrate(server, `drop database if exists ${name} with (force)`));
      return dropped;
    },
  };
}

/** Two runs may share the server of TEST_DATABASE_URL. */
export function templateName(): string {
  return `dispense_template_${randomBytes(6).toString("hex")}`;
}

/** The same server, another database. */
export function databaseUrl(server: string, database: string): string {
  return server.replace(/^([a-z]+:\/\/[^/?]*)(\/[^?]*)?/, `$1/${database}`);
}

/** The same database for the service's role. Its password is its name, where a server asks for one. */
export function asServiceRole(ownerUrl: string): string {
  return ownerUrl.replace(/^([a-z]+:\/\/)(?:[^/?]*@)?/, `$1${testServiceRole}:${testServiceRole}@`);
}

/** Makes the service's role where the server does not have it yet. Two runs may share one server. */
export const makeServiceRole = `
  do $$
  begin
    create role ${testServiceRole} login;
  exception
    when duplicate_object or unique_violation then null;
  end
  $$;
  alter role ${testServiceRole} password '${testServiceRole}'`;

/** As a start does after it migrated: for tables that a test makes anew. */
export async function grantServiceRights({ pool }: FreshDatabase): Promise<void> {
  await giveRights(pool, testServiceRole);
}

const administrators = new Map<string, pg.Pool>();

/** Runs one statement, on a connection that stays open for the next one: to open one is a third of making a database. */
export async function administrate(server: string, statement: string): Promise<void> {
  let administrator = administrators.get(server);
  if (administrator === undefined) {
    administrator = new pg.Pool({ connectionString: server, max: 1, allowExitOnIdle: true });
    administrator.on("error", () => {}); // the server stopped; the next statement opens another one
    administrators.set(server, administrator);
  }
  await administrator.query(statement);
}

function fromEnvironment(name: string): string {
  const value = process.env[name];
  if (value === undefined) throw new Error(`${name} is not set: run this with vitest, whose global setup sets it.`);
  return value;
}
