import { setTimeout as delay } from "node:timers/promises";
import { attemptDeadlineMs } from "../src/domain/delivery/deliver.ts";
import { readCounters, writeCheckpoint } from "./database.ts";
import { familyCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import { residentMegabytes } from "./process-memory.ts";
import { countLogged, dropPending, enqueueEvent, oweBacklog } from "./webhook-load.ts";
import { blackHoles, figuresOf, merchants, type WebhookRig, type WebhookSample } from "./webhook-rig.ts";

const waitSecondsMax = 120;
/** After it, no attempt at a black hole is under way. */
const holesGoneMs = attemptDeadlineMs + 2_000;

/** The merchants that get an event with the n-th counted delivery: a healthy one, and sometimes a black hole first. */
export type MerchantsOf = (index: number) => readonly number[];

export const alone: MerchantsOf = (index) => [(index % merchants) + 1];
export const besideHoles: MerchantsOf = (index) =>
  index % 9 === 0 ? [merchants + 1 + ((index / 9) % blackHoles), ...alone(index)] : alone(index);

/** What is owed at one moment, until the last of it is logged. */
export async function drain(rig: WebhookRig, count: number, merchantOf: MerchantsOf): Promise<WebhookSample> {
  const before = await begin(rig);
  await oweBacklog(rig.database, count, merchantOf);
  // Writing them down is not what is measured; the first are under way by then.
  const owed = await begin(rig);
  await untilLogged(rig, before.successful + count);
  return end(rig, owed, count - (owed.successful - before.successful));
}

export interface SteadyLoad {
  /** Deliveries that count. */
  readonly rate: number;
  readonly seconds: number;
  readonly merchantOf: MerchantsOf;
}

/** So many a second, in small commits. */
export async function steady(rig: WebhookRig, load: SteadyLoad): Promise<WebhookSample> {
  const before = await begin(rig);
  const count = await oweSteadily(rig, load);
  await untilLogged(rig, before.successful + count);
  return end(rig, before, count);
}

/** Merchant 1 owes everything at one moment, the others go on as usual. The latencies are the others'. */
export async function dump(
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
export async function oweSteadily(
  { database }: WebhookRig,
  { rate, seconds, merchantOf }: SteadyLoad,
): Promise<number> {
  const startedMs = performance.now();
  let owed = 0;
  for (let nowMs = startedMs; nowMs < startedMs + seconds * 1_000; nowMs = performance.now()) {
    const due = Math.floor(((nowMs - startedMs) * rate) / 1_000) - owed;
    const from = owed;
    if (due > 0)
      await enqueueEvent(database, Array.from({ length: due }, (_, index) => merchantOf(from + index)).flat());
    owed += due;
    await delay(10);
  }
  return owed;
}

/** Forgets what is still owed, and waits until nothing is under way. */
export async function comeToRest({ database }: WebhookRig): Promise<void> {
  await dropPending(database);
  await delay(holesGoneMs);
}

type Before = Awaited<ReturnType<typeof begin>>;

export async function begin(rig: WebhookRig) {
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

export async function end(rig: WebhookRig, before: Before, count: number, whose: "all" | "others" = "all") {
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
