import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { attemptDeadlineMs } from "../src/domain/webhooks/deliver.ts";
import { connectTo, postgresVersion, readCounters, writeCheckpoint } from "./database.ts";
import { describeCommit, describeMachine } from "./machine.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import { residentMegabytes } from "./process-memory.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { startService, startWebhookReceiver } from "./service.ts";
import { measureBaseline } from "./webhook-graphile.ts";
import { countLogged, createEndpoints, encryptionKey, forgetOwed, owe, oweBacklog } from "./webhook-load.ts";
import { openPurchasePhases } from "./webhook-purchases.ts";
import { renderWebhooks, saveWebhooks, type WebhookResult } from "./webhook-report.ts";
import {
  blackHoles,
  figuresOf,
  merchants,
  type WebhookOptions,
  type WebhookRig,
  type WebhookSample,
} from "./webhook-rig.ts";

const projectRoot = path.dirname(import.meta.dirname);
const waitSecondsMax = 120;
/** After it, no attempt at a black hole is under way. */
const holesGoneMs = attemptDeadlineMs + 2_000;
/** Of the backlog that merchant 1 owes at one moment, as many are owed by others in each second beside it. */
const besideDump = 500;

export async function benchWebhooks(options: WebhookOptions): Promise<void> {
  const progress = (text: string) => void process.stderr.write(text);
  const result = await inScratchFolder((folder, undo) => measureAll(options, folder, undo, progress));
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderWebhooks(result)}`);
  if (options.save === true) progress(`Written to ${saveWebhooks(result)}.\n`);
}

async function measureAll(
  options: WebhookOptions,
  folder: string,
  undo: Undo,
  progress: (text: string) => void,
): Promise<WebhookResult> {
  progress("starting the service\n");
  const service = await startService(folder, {
    WEBHOOK_ALLOW_PRIVATE: "true",
    ENCRYPTION_KEY: encryptionKey.toString("base64"),
    LOG_LEVEL: "error",
  });
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const receiver = await startWebhookReceiver(folder);
  undo.push(receiver.stop);
  const machine = describeMachine(folder, await postgresVersion(database));
  const rig: WebhookRig = { folder, service, receiver, database, options, progress };
  const samples = await measurePhases(rig, undo);
  return {
    benchmark: "webhooks",
    date: new Date().toISOString(),
    commit: describeCommit(projectRoot),
    machine,
    events: options.events,
    samples,
  };
}

async function measurePhases(rig: WebhookRig, undo: Undo): Promise<Record<string, WebhookSample[]>> {
  const { events, seconds, rounds } = rig.options;
  const samples: Record<string, WebhookSample[]> = {};
  const step = async (name: string, measure: () => Promise<WebhookSample>) => {
    rig.progress(`${name} `);
    const sample = await measure();
    samples[name] = [...(samples[name] ?? []), sample];
    rig.progress(`${Math.round(sample.perSecond)}/s, p99 ${sample.p99Ms ?? "–"} ms\n`);
    return sample;
  };
  await createEndpoints(rig.database, merchants + blackHoles, rig.receiver.port, (id) => id > merchants);
  const { perSecond } = await drain(rig, Math.ceil(events / 2), alone);
  const rate = Math.floor(perSecond / 2);
  // In turns, so that what else the machine does hits all alike.
  for (let round = 1; round <= rounds; round++) {
    rig.progress(`round ${round}\n`);
    await step("backlog", () => drain(rig, events, alone));
    await step("half load", () => steady(rig, { rate, seconds, merchantOf: alone }));
    await step("backlog, black holes beside", () => drain(rig, events, besideHoles));
    await step("half load, black holes beside", () => steady(rig, { rate, seconds, merchantOf: besideHoles }));
    await forgetOwed(rig.database);
    await delay(holesGoneMs);
    await step("one merchant's dump", () => dump(rig, { rate: besideDump, seconds }));
  }
  await step("graphile-worker", () => measureBaseline(rig, undo));
  const { withoutEvents, withEvents } = await openPurchasePhases(rig, undo);
  for (let round = 1; round <= rounds; round++) {
    await step("purchases", withoutEvents);
    await step("purchases, an event each", withEvents);
  }
  return samples;
}

/** Whose events the n-th delivery that counts brings: one healthy merchant's, and sometimes a black hole's first. */
type MerchantsOf = (index: number) => readonly number[];

const alone: MerchantsOf = (index) => [(index % merchants) + 1];
const besideHoles: MerchantsOf = (index) =>
  index % 9 === 0 ? [merchants + 1 + ((index / 9) % blackHoles), ...alone(index)] : alone(index);

/** What is owed at one moment, until the last of it is logged. */
async function drain(rig: WebhookRig, count: number, merchantOf: MerchantsOf): Promise<WebhookSample> {
  const before = await begin(rig);
  await oweBacklog(rig.database, count, merchantOf);
  // Writing them down is not what is measured; the first are under way by then.
  const owed = await begin(rig);
  await untilLogged(rig, before.successful + count);
  return end(rig, owed, count - (owed.successful - before.successful));
}

interface SteadyLoad {
  /** Deliveries that count. */
  readonly rate: number;
  readonly seconds: number;
  readonly merchantOf: MerchantsOf;
}

/** So many a second, in small commits. */
async function steady(rig: WebhookRig, load: SteadyLoad): Promise<WebhookSample> {
  const before = await begin(rig);
  const count = await oweSteadily(rig, load);
  await untilLogged(rig, before.successful + count);
  return end(rig, before, count);
}

/** Merchant 1 owes everything at one moment, the others go on as usual. The latencies are the others'. */
async function dump(
  rig: WebhookRig,
  { rate, seconds }: { readonly rate: number; readonly seconds: number },
): Promise<WebhookSample> {
  const { database, options } = rig;
  const before = await begin(rig);
  await oweBacklog(database, options.events, () => [1]);
  const owed = await begin(rig);
  const count = await oweSteadily(rig, { rate, seconds, merchantOf: (index) => [(index % (merchants - 1)) + 2] });
  const left = before.successful + options.events + count;
  await untilLogged(rig, left);
  return end(rig, owed, left - owed.successful, "others");
}

/** @returns how many of those that count */
async function oweSteadily({ database }: WebhookRig, { rate, seconds, merchantOf }: SteadyLoad): Promise<number> {
  const startedMs = performance.now();
  let owed = 0;
  for (let nowMs = startedMs; nowMs < startedMs + seconds * 1_000; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startedMs) * rate) / 1_000) - owed;
    const from = owed;
    if (due > 0) await owe(database, Array.from({ length: due }, (_, index) => merchantOf(from + index)).flat());
    owed += due;
    await delay(10);
  }
  return owed;
}

type Before = Awaited<ReturnType<typeof begin>>;

async function begin(rig: WebhookRig) {
  await figuresOf(rig);
  await writeCheckpoint(rig.database);
  return {
    ...(await readCounters(rig.database)),
    successful: (await countLogged(rig.database)).successful,
    serverCpu: processCpuSeconds(rig.service.pid),
    postgresCpu: familyCpuSeconds(rig.service.postgresPid),
    megabytes: residentMegabytes(rig.service.pid),
    atMs: performance.now(),
  };
}

async function end(rig: WebhookRig, before: Before, count: number, whose: "all" | "others" = "all") {
  const seconds = (performance.now() - before.atMs) / 1_000;
  const counters = await readCounters(rig.database);
  const figures = await figuresOf(rig);
  const each = (total: number) => total / Math.max(1, count);
  return {
    perSecond: count / seconds,
    p50Ms: whose === "all" ? figures.p50Ms : figures.othersP50Ms,
    p99Ms: whose === "all" ? figures.p99Ms : figures.othersP99Ms,
    commits: each(counters.commits - before.commits),
    walBytes: each(counters.walBytes - before.walBytes),
    serverMicros: each((processCpuSeconds(rig.service.pid) - before.serverCpu) * 1e6),
    postgresMicros: each((familyCpuSeconds(rig.service.postgresPid) - before.postgresCpu) * 1e6),
    megabytes: [before.megabytes, residentMegabytes(rig.service.pid)] as const,
    duplicates: figures.duplicates,
  };
}

async function untilLogged(rig: WebhookRig, successful: number): Promise<void> {
  const deadline = performance.now() + waitSecondsMax * 1_000;
  while (performance.now() < deadline) {
    if ((await countLogged(rig.database)).successful >= successful) return;
    await delay(20);
  }
  throw new Error("the deliveries were not all logged in two minutes");
}
