import { once } from "node:events";
import type { Server } from "node:http";
import { Server as NetServer } from "node:net";
import { setTimeout as delay } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { collectDefaultMetrics } from "prom-client";
import { buildConsole } from "../console/build-console.ts";
import { makeLogInLink } from "../domain/members/log-in-link.ts";
import { readSignUpPolicy } from "../domain/members/sign-up.ts";
import { listMerchants } from "../domain/merchants/queries.ts";
import { firstOperatorLink } from "../domain/staff/staff.ts";
import { buildProbes } from "../http/open-http.ts";
import type { MerchantId } from "../kernel/ids.ts";
import { StartError } from "../kernel/start-error.ts";
import type { Logger } from "../platform/telemetry/log.ts";
import { buildHttp, forConsole } from "./build-http.ts";
import type { Config } from "./configuration/config.ts";
import type { Child } from "./processes/child.ts";
import { openConfiguredServices } from "./services/connector-services.ts";
import type { Services } from "./services/services.ts";
import { orUndo, type Setup, setUp, setUpBeside } from "./set-up.ts";
import {
  consoleWelcome,
  createDemoMerchant,
  keepConsoleAddress,
  shortWelcome,
  welcomeText,
  workersWelcome,
} from "./welcome.ts";

const clock = { now: () => Date.now() };

/** How long a kept connection may bring one more request when the service stops. */
const drainMs = 500;
/** Behind a proxy: it looks at /readyz every two seconds, and sends nothing more then. */
const proxiedDrainMs = 3_000;

/** A running service. */
export interface Service {
  readonly log: Logger;
  readonly baseUrl: string;
  readonly welcome: string;
  /** Resolves when the database is lost for good. */
  readonly lost: Promise<Error>;
  /** Answers what is in flight, finishes its work, stops the database. Within ten seconds. */
  stop(): Promise<void>;
  /** Replaces its processes one after the other. Absent where there is one alone. */
  readonly roll?: () => Promise<void>;
}

/** What a start needs besides its configuration. */
export interface StartOptions {
  /** The folder of the migrations. */
  readonly migrations: string;
  /** Called before the first worker begins or the first request is taken: from then on only `stop` ends it in order. */
  readonly onBegin?: () => void;
}

/**
 * Starts database, migrations, catalogue, workers and API, as the configuration's role asks. A child of `runProcesses`
 * finds a database that is ready, and serves beside the others. @throws StartError
 */
export async function runService(config: Config, options: StartOptions, child?: Child): Promise<Service> {
  const setup = await (child === undefined ? setUp(config, options.migrations) : setUpBeside(config, child));
  return orUndo(config, setup, async () => {
    const { log, wide, undo, secretBox, connectionString } = setup;
    const connectionsMax = config.databasePool;
    const given = { connectionString, connectionsMax, secretBox, clock, log, wide, undo };
    const services = await openConfiguredServices(config, given);
    collectDefaultMetrics({ register: services.metrics.registry });
    child?.answerForMetrics(services.metrics);
    options.onBegin?.();
    // All connections, so that the next process of the deployment counts them.
    await services.hold();
    undo.push(services.startWatching());
    const { role } = config;
    const isWorker = role === "worker";
    if (isWorker || role === "all") undo.push(services.startWorkers());
    const ending = { log, lost: setup.lost, stop: setup.stop };
    if (isWorker && child !== undefined) return { ...ending, baseUrl: "", welcome: "" };
    const metrics = { ...services.metrics, ...child?.metricsOfAll };
    const app = await buildApp(config, { ...services, metrics }, setup);
    const baseUrl = await listen(app, config, undo);
    if (isWorker) return { ...ending, baseUrl, welcome: workersWelcome(baseUrl) };
    const consoleUrl = config.isConsoleOn ? (config.publicUrl ?? baseUrl) : null;
    if (consoleUrl !== null) undo.push(await keepConsoleAddress(config.dataDirectory, consoleUrl));
    const isFirst = child === undefined || child.welcomes;
    if (!isFirst) return { ...ending, baseUrl, welcome: "" };
    // It serves already: what a person reads at the start is no reason to end where the database is busy or away.
    const welcome = await welcomeTo(services, { baseUrl, consoleUrl }, config).catch((error: unknown) => {
      log.warn({ event: "welcome.not_read", error: String(error) });
      return shortWelcome(baseUrl);
    });
    return { ...ending, baseUrl, welcome };
  });
}

/** What a process answers: the API and the consoles, or health and metrics alone. */
async function buildApp(config: Config, services: Services, { tls }: Pick<Setup, "tls">): Promise<FastifyInstance> {
  const { metricsReaders, publicUrl, role } = config;
  const wayIn = config.isConsoleOn
    ? { canSignUp: async () => (await readSignUpPolicy(services.people)) !== "closed" }
    : null;
  const http = { ...services, metricsReaders, publicUrl, tls, wayIn, isApiServed: role !== "console" };
  if (role === "worker") return buildProbes(http);
  const app = await buildHttp(http);
  if (config.isConsoleOn) {
    // A standby that can't be read is said at the start, and not when a report is wanted.
    void services.readings.reports();
    const { tryIt, documents } = forConsole(app, services);
    const { timeZone, creditAloneMax, supplierOrigins } = config;
    await buildConsole(app, { ...http, tryIt, documents, timeZone, creditAloneMax, supplierOrigins });
  }
  return app;
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
  const firstOperator = consoleUrl === null ? null : await firstOperatorLink(services.people, consoleUrl);
  const reference = `first-${clock.now()}`;
  return welcomeText({ baseUrl, sandboxKey, merchantId, dataPlan, dashboard, firstOperator, reference, config });
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

async function listen(
  app: FastifyInstance,
  config: Pick<Config, "host" | "port" | "trustedProxies">,
  undo: (() => Promise<void>)[],
): Promise<string> {
  app.addHook("preClose", () => drain(app.server, config.trustedProxies.length > 0 ? proxiedDrainMs : drainMs));
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
async function drain(server: Server, patienceMs: number): Promise<void> {
  const closed = once(server, "close");
  NetServer.prototype.close.call(server);
  await Promise.race([closed, delay(patienceMs, undefined, { ref: false })]);
  // Again and again: a connection is idle once its answer is out.
  const idle = setInterval(() => server.closeIdleConnections(), 100);
  await closed.finally(() => clearInterval(idle));
}
