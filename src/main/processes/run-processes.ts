import cluster, { type Worker } from "node:cluster";
import { on, once } from "node:events";
import { realpathSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { collectDefaultMetrics } from "prom-client";
import { StartError } from "../../kernel/start-error.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import { type Figures, type Metric, type Metrics, openMetrics } from "../../platform/telemetry/metrics.ts";
import type { Config } from "../configuration/config.ts";
import type { Service, StartOptions } from "../run-service.ts";
import { orUndo, setUp } from "../set-up.ts";
import { aliveEveryMs, type ChildGiven, childVariable, type FromChild, type ToChild } from "./child.ts";

/** A child that stops is given as long as a service; what is left then is ended by force. */
const stopMsMax = 10_500;
/** A child that lived for so long was well: its next death is answered at once. */
const wellMs = 10_000;
const firstPauseMs = 100;
const longestPauseMs = 5_000;
/** A child that says nothing for so many seconds stands still, with all that was asked of it: it is replaced. */
const silentSecondsMax = 20;
/** A child that gives none for so long is left out of the figures. */
const figuresMsMax = 1_000;

const restarts = "dispense_process_restarts_total";

/** The parent's own metrics. */
export const processMetrics: readonly Metric[] = [
  {
    name: restarts,
    kind: "counter",
    help: "Processes that ended unasked and were started again, by name.",
    labels: ["process"],
  },
];

/** A process of the service, started anew whenever it ends unasked. */
interface ProcessSlot {
  readonly name: string;
  readonly role: "api" | "worker";
  worker: Worker | undefined;
}

/**
 * The service in several processes: `API_PROCESSES` that answer, and with the role `all` one for the workers. They share
 * the port by Node's cluster. This process is their parent: it holds the data directory and the embedded PostgreSQL.
 * @throws StartError
 */
export async function runProcesses(config: Config, { migrations, onBegin }: StartOptions): Promise<Service> {
  const slots = slotsFor(config);
  const setup = await setUp(config, migrations, slots.length);
  const { log, connectionString, lost, undo } = setup;
  return orUndo(config, setup, async () => {
    const children = openChildren({ slots, log, connectionString });
    undo.push(children.stop);
    onBegin?.();
    const { baseUrl, welcome } = await children.start();
    const stop = async () => {
      await children.stop();
      await setup.stop();
    };
    return { log, lost, baseUrl, welcome, stop, roll: children.roll };
  });
}

function slotsFor({ apiProcesses, role }: Config): ProcessSlot[] {
  const answering = Array.from({ length: apiProcesses }, (_, index) => `api ${index + 1}`);
  const slots: ProcessSlot[] = answering.map((name) => ({ name, role: "api", worker: undefined }));
  return role === "all" ? [...slots, { name: "worker", role: "worker", worker: undefined }] : slots;
}

type Ready = Extract<FromChild, { readonly type: "ready" }>;

/** The processes, and what is shared by those who look after them. */
interface ProcessGroup {
  readonly slots: readonly ProcessSlot[];
  readonly log: Logger;
  readonly connectionString: string;
  readonly metrics: Metrics;
  stopping: boolean;
}

/** The bundle that runs here, without building it again; by a link where it was started so, which may lead to a newer one. */
function programOf(): { readonly exec: string; readonly cwd?: string } {
  const [, given = ""] = process.argv;
  const isLinked = given !== import.meta.filename && realpathSync(given) === import.meta.filename;
  return isLinked ? { exec: given, cwd: path.dirname(path.dirname(given)) } : { exec: import.meta.filename };
}

function openChildren(given: Pick<ProcessGroup, "slots" | "log" | "connectionString">) {
  const group: ProcessGroup = { ...given, metrics: openMetrics(processMetrics), stopping: false };
  collectDefaultMetrics({ register: group.metrics.registry });
  const execArgv = [...process.execArgv, "--enable-source-maps"];
  cluster.setupPrimary({ ...programOf(), args: [], execArgv });
  const [first, ...others] = group.slots as [ProcessSlot, ...ProcessSlot[]];
  let rolling: Promise<void> | undefined;
  return {
    /** Starts the first process, whose port and settings are the others', and then the others. @throws StartError */
    async start(): Promise<Ready> {
      const ready = await begin(first, group, true);
      await Promise.all(others.map((slot) => begin(slot, group, false)));
      for (const slot of group.slots) void keep(slot, group);
      return ready;
    },
    /** Replaces the processes, each by a new one that serves before it stops. One that can't start ends it: the rest stays. */
    async roll(): Promise<void> {
      rolling ??= roll(group).finally(() => {
        rolling = undefined;
      });
      await rolling;
    },
    async stop(): Promise<void> {
      group.stopping = true;
      await Promise.all(Object.values(cluster.workers ?? {}).map((worker) => worker && end(worker)));
    },
  };
}

/** @returns what the process says once it serves. @throws Error with why it can't */
function begin(slot: ProcessSlot, group: ProcessGroup, welcomes: boolean): Promise<Ready> {
  const { worker, ready } = fork(slot, group, welcomes);
  slot.worker = worker;
  return ready;
}

function fork({ name, role }: ProcessSlot, group: ProcessGroup, welcomes: boolean) {
  const given: ChildGiven = { name, connectionString: group.connectionString, welcomes };
  const worker = cluster.fork({ ROLE: role, API_PROCESSES: "1", [childVariable]: JSON.stringify(given) });
  worker.on("error", () => {}); // a message to one that has just ended
  endWhenSilent(worker, name, group.log);
  const ready = new Promise<Ready>((resolve, reject) => {
    worker.on("message", (message: FromChild) => {
      if (message.type === "ready") resolve(message);
      if (message.type === "failed") reject(new StartError(message.sentence));
      if (message.type === "requests metrics") void sendFigures(worker, group);
    });
    worker.once("exit", (code, signal) => reject(new Error(`${name} ended (${signal ?? `code ${code}`})`)));
  });
  return { worker, ready };
}

/** Counted here turn by turn, so that a parent that stood still itself, as on a machine that slept, blames nobody for it. */
function endWhenSilent(worker: Worker, process: string, log: Logger): void {
  // Not before it has said something: a start may take long.
  let silentSeconds = Number.NEGATIVE_INFINITY;
  worker.on("message", () => {
    silentSeconds = 0;
  });
  const timer = setInterval(() => {
    silentSeconds += 1;
    if (silentSeconds !== silentSecondsMax) return;
    log.error({ event: "process.stands_still", process, pid: worker.process.pid, seconds: silentSecondsMax });
    worker.process.kill("SIGKILL");
  }, aliveEveryMs);
  worker.once("exit", () => clearInterval(timer));
}

async function roll(group: ProcessGroup): Promise<void> {
  const { log, slots } = group;
  for (const slot of slots) {
    if (group.stopping) return;
    const { name: process } = slot;
    const { worker, ready } = fork(slot, group, false);
    const refusal = await ready.then(
      () => null,
      ({ message }: Error) => message,
    );
    if (refusal !== null) {
      await end(worker);
      return log.error({ event: "process.not_replaced", process, error: refusal });
    }
    const before = slot.worker;
    slot.worker = worker;
    if (before !== undefined) await end(before);
    log.info({ event: "process.replaced", process });
  }
}

/** Starts a slot's process again, for as long as the service runs. */
async function keep(slot: ProcessSlot, group: ProcessGroup): Promise<void> {
  const { log, metrics } = group;
  const { name } = slot;
  let pauseMs = 0;
  while (!group.stopping) {
    const { worker } = slot;
    const since = performance.now();
    if (worker !== undefined && !worker.isDead()) await once(worker, "exit");
    if (group.stopping) return;
    if (slot.worker !== worker) continue; // it was replaced
    const { pid, exitCode, signalCode: signal } = worker?.process ?? {};
    log.error({ event: "process.ended", process: name, pid, exitCode, signal });
    metrics.count(restarts, { process: name });
    const wasWell = performance.now() - since > wellMs;
    pauseMs = wasWell ? 0 : Math.min(Math.max(firstPauseMs, pauseMs * 2), longestPauseMs);
    await delay(pauseMs);
    if (group.stopping) return;
    begin(slot, group, false).then(
      () => log.info({ event: "process.started", process: name }),
      ({ message }: Error) => log.error({ event: "process.not_started", process: name, error: message }),
    );
  }
}

async function sendFigures(worker: Worker, { slots, metrics }: ProcessGroup): Promise<void> {
  const found = await Promise.all([...slots.map(figuresOf), metrics.figures()]);
  const figures = found.filter((one) => one !== undefined);
  const message: ToChild = { type: "figures of all", figures };
  if (worker.isConnected()) worker.send(message);
}

async function end(worker: Worker): Promise<void> {
  if (worker.isDead()) return;
  const ended = once(worker, "exit");
  worker.process.kill("SIGTERM");
  const timer = setTimeout(() => worker.process.kill("SIGKILL"), stopMsMax);
  await ended.finally(() => clearTimeout(timer));
}

/** A child's figures; undefined where it gives none in time. */
async function figuresOf({ worker }: ProcessSlot): Promise<Figures | undefined> {
  if (worker === undefined || !worker.isConnected()) return undefined;
  const messages = on(worker, "message", { signal: AbortSignal.timeout(figuresMsMax) });
  worker.send({ type: "give figures" } satisfies ToChild);
  try {
    for await (const [message] of messages as AsyncIterable<[FromChild]>) {
      if (message.type === "figures") return message.figures;
    }
  } catch {
    // It has ended, or is busy for longer than that.
  }
  return undefined;
}
