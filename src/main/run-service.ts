import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics } from "prom-client";
import { buildConsole } from "../console/build-console.ts";
import { makeLogInLink } from "../domain/members/log-in-link.ts";
import { listMerchants } from "../domain/merchants/queries.ts";
import { buildProbes } from "../http/open-http.ts";
import type { MerchantId } from "../kernel/ids.ts";
import { StartError } from "../kernel/start-error.ts";
import { holdDirectory } from "../platform/data-directory/data-directory.ts";
import { failureToSetUp } from "../platform/database/reach-database.ts";
import { serviceAddress, startEmbeddedPostgres } from "../platform/embedded-postgres/embedded-postgres.ts";
import { type LogFormat, type Logger, openLog, openWideLog, type WideLog } from "../platform/telemetry/log.ts";
import { bufferedOutput, logOutput } from "../platform/telemetry/log-output.ts";
import { buildHttp, forConsole } from "./build-http.ts";
import type { Config } from "./configuration/config.ts";
import { exposureWarning, readTlsFiles, serviceSecretBox } from "./configuration/encryption-keys.ts";
import { type DatabaseAddresses, prepareDatabase } from "./prepare-database.ts";
import { openConfiguredServices } from "./services/connector-services.ts";
import { connectionsFor } from "./services/database-services.ts";
import type { Services } from "./services/services.ts";
import { consoleWelcome, createDemoMerchant, keepConsoleAddress, welcomeText, workersWelcome } from "./welcome.ts";

const clock = { now: () => Date.now() };
const monotonicMs = () => performance.now();

/**
 * A step of the stop that takes longer is left behind: what it had not finished is in the database, and comes due
 * again. Five steps, of which only one ever takes its time, stay within the ten seconds that are promised.
 */
const stepSecondsMax = 4;

/** To the embedded PostgreSQL, beside the pool's: operator's commands, a backup, PostgreSQL's own reserve. */
const otherConnections = 80;

/** How long a kept connection may bring one more request when the service stops. */
const drainMs = 500;

/** A running service. */
export interface Service {
  readonly log: Logger;
  readonly baseUrl: string;
  readonly welcome: string;
  /** Resolves when the database is lost for good. */
  readonly lost: Promise<Error>;
  /** Answers what is in flight, finishes its work, stops the database. Within ten seconds. */
  stop(): Promise<void>;
}

/** What a start needs besides its configuration. */
export interface StartOptions {
  /** The folder of the migrations. */
  readonly migrations: string;
  /** Called before the first worker begins or the first request is taken: from then on only `stop` ends it in order. */
  readonly onBegin?: () => void;
}

/** Starts database, migrations, catalogue, workers and API, as the configuration's role asks. @throws StartError */
export async function runService(config: Config, { migrations, onBegin }: StartOptions): Promise<Service> {
  const { log, wide, flush } = openLogs(config);
  const tls = await readTlsFiles(config);
  const warning = exposureWarning(config);
  if (warning !== null) log.warn({ event: "http.exposed", host: config.host }, warning);
  const undo: (() => Promise<void>)[] = [async () => flush()];
  const stop = async () => {
    for (const step of undo.splice(0).reverse()) await withinSeconds(stepSecondsMax, step());
  };
  try {
    const server = await openServer(config, log, undo);
    await prepareDatabase(server, migrations, log, connectionsFor(config.databasePool));
    const secretBox = await serviceSecretBox(config, log);
    const { connectionString } = server;
    const connectionsMax = config.databasePool;
    const given = { connectionString, connectionsMax, secretBox, clock, log, wide, undo };
    const services = await openConfiguredServices(config, given);
    collectDefaultMetrics({ register: services.metrics.registry });
    onBegin?.();
    undo.push(services.startWatching());
    const { role } = config;
    if (role === "all" || role === "worker") undo.push(services.startWorkers());
    const isWorker = role === "worker";
    const { metricsReaders, publicUrl } = config;
    const wayIn = config.isConsoleOn ? { canSignUp: config.signUp !== "closed" } : null;
    const http = { ...services, metricsReaders, publicUrl, tls, wayIn, isApiServed: role !== "console" };
    const app = isWorker ? buildProbes(http) : await buildHttp(http);
    if (!isWorker && config.isConsoleOn) {
      const { tryIt, documents } = forConsole(app, services);
      await buildConsole(app, { ...http, tryIt, documents, timeZone: config.timeZone });
    }
    const baseUrl = await listen(app, config, undo);
    if (isWorker) return { log, baseUrl, welcome: workersWelcome(baseUrl), lost: server.lost, stop };
    const consoleUrl = config.isConsoleOn ? (publicUrl ?? baseUrl) : null;
    if (consoleUrl !== null) undo.push(await keepConsoleAddress(config.dataDirectory, consoleUrl));
    const welcome = await welcomeTo(services, { baseUrl, consoleUrl }, config);
    return { log, baseUrl, welcome, lost: server.lost, stop };
  } catch (error) {
    await stop().catch((second: unknown) => log.error({ event: "service.stop_failed", error: String(second) }));
    throw failureToSetUp(error, config.databaseUrl ?? config.dataDirectory);
  }
}

/** Events go out at once and in order; wide lines, of which there are many, some at a time. */
function openLogs(config: Config): { readonly log: Logger; readonly wide: WideLog; flush(): void } {
  const output = logOutput(process.stdout.fd);
  const buffered = bufferedOutput(output);
  const how = { level: config.logLevel, format: logFormatOf(config, process.stdout) };
  const wideLines = openLog({ ...how, output: buffered, redacts: false });
  return {
    log: openLog({ ...how, output }),
    wide: openWideLog({ log: wideLines, share: config.logSample, chance: Math.random, monotonicMs }),
    flush: buffered.flush,
  };
}

/** As the settings say; unless they say, plain for a person at a terminal and JSON for everything that reads lines. */
export function logFormatOf(
  { logFormat }: Pick<Config, "logFormat">,
  output: { readonly isTTY?: boolean | undefined },
): LogFormat {
  return logFormat ?? (output.isTTY === true ? "plain" : "json");
}

/** The demo merchant comes last: its key is shown this once, and a start that fails before would have lost it. */
async function welcomeTo(
  services: Services,
  { baseUrl, consoleUrl }: { readonly baseUrl: string; readonly consoleUrl: string | null },
  config: Config,
): Promise<string> {
  if (config.role === "console") return consoleWelcome(consoleUrl ?? baseUrl);
  const sandboxKey = config.isProduction ? null : await createDemoMerchant(services.database, clock);
  const dataPlan = (await services.catalogue.current()).products.find(isTryOutPlan) ?? null;
  const [first] = await listMerchants(services.database, 0, 1);
  const merchantId = first?.id ?? null;
  const demoMerchant = sandboxKey === null ? null : merchantId;
  const dashboard = consoleUrl === null ? null : await dashboardOf(services, consoleUrl, demoMerchant);
  return welcomeText({ baseUrl, sandboxKey, merchantId, dataPlan, dashboard, reference: `first-${clock.now()}` });
}

/** Where the dashboard begins. For the demo merchant, whom nobody has a password of, a link that logs in. */
async function dashboardOf({ people }: Services, publicUrl: string, demoMerchant: MerchantId | null) {
  if (demoMerchant === null) return { url: `${publicUrl}/log-in`, logsIn: false };
  const { link } = await makeLogInLink(people, { merchantId: demoMerchant, publicUrl });
  return { url: link, logsIn: true };
}

function isTryOutPlan(product: {
  readonly available: boolean;
  readonly biller: { readonly category: string };
}): boolean {
  return product.available && product.biller.category === "data";
}

/** The operator's server where one is named, else our own in the data directory. */
async function openServer(
  config: Config,
  log: Logger,
  undo: (() => Promise<void>)[],
): Promise<DatabaseAddresses & { readonly lost: Promise<Error> }> {
  const { databaseUrl, migrationsDatabaseUrl: migrationsConnectionString } = config;
  if (databaseUrl !== null) {
    return { connectionString: databaseUrl, migrationsConnectionString, lost: new Promise(() => {}) };
  }
  const hold = await holdDirectory(config.dataDirectory);
  undo.push(() => hold.release());
  log.info({ event: "postgres", message: `starting PostgreSQL in ${config.dataDirectory}` });
  const postgres = await startEmbeddedPostgres({
    dataDirectory: config.dataDirectory,
    log: (message) => log.info({ event: "postgres", message }),
    settings: { max_connections: String(config.databasePool + otherConnections) },
  });
  undo.push(() => postgres.stop());
  const { connectionString } = postgres;
  return {
    connectionString: serviceAddress(connectionString),
    migrationsConnectionString: connectionString,
    lost: postgres.givenUp,
  };
}

async function listen(
  app: FastifyInstance,
  config: Pick<Config, "host" | "port">,
  undo: (() => Promise<void>)[],
): Promise<string> {
  app.addHook("preClose", () => drain(app.server));
  try {
    const address = await app.listen({ port: config.port, host: config.host });
    undo.push(() => app.close());
    return address;
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === "EADDRINUSE") {
      throw new StartError(`Port ${config.port} is in use: stop what listens there, or set PORT to another one.`);
    }
    if (code === "EACCES") throw new StartError(`Port ${config.port} needs more rights: set PORT to one above 1023.`);
    if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
      throw new StartError(`HOST ${config.host} is no address of this machine: set HOST to one, such as 127.0.0.1.`);
    }
    throw error;
  }
}

/**
 * Called when the stop has begun: from then on each answer says that its connection closes. Only the listening ends at
 * once (http's own `close` would also cut the connections that are between two requests, and a client that is just
 * sending its next one on such a connection would get a reset); idle connections are cut after the drain's time.
 * Resolves when the last answer is out.
 */
async function drain(server: Server): Promise<void> {
  const closed = once(server, "close");
  NetServer.prototype.close.call(server);
  await Promise.race([closed, delay(drainMs, undefined, { ref: false })]);
  // Again and again: a connection is idle once its answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await closed.finally(() => clearInterval(idle));
}

async function withinSeconds(seconds: number, step: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const patience = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1_000);
  });
  await Promise.race([step, patience]).finally(() => clearTimeout(timer));
}
