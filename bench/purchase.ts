import type { Database } from "../src/platform/database/database.ts";
import { readCounters } from "./database.ts";
import type { Driver } from "./driver.ts";
import type { Frame, Load, Outcome } from "./load.ts";
import { numbersMax } from "./load.ts";
import { type Basket, type Buyers, purchaseFrames, requeryFrames } from "./merchants.ts";
import type { Pgbench } from "./pgbench.ts";
import { familyCpuSeconds, machineCpuSeconds, processCpuSeconds } from "./process-cpu.ts";
import type { Server, Service } from "./service.ts";

/** What it takes to measure one load. */
export interface Measuring {
  readonly driver: Driver;
  readonly service: Service;
  readonly database: Database;
  readonly pgbench: Pgbench | null;
  readonly seconds: number;
  /** Processes of the benchmark's own besides service, PostgreSQL and driver. */
  readonly helpers?: readonly Server[];
  /** Hears of each step. */
  readonly progress: (text: string) => void;
}

/** Everything that runs while the benchmark measures. */
export interface Rig extends Measuring {
  readonly hello: Server;
  readonly buyers: Buyers;
  readonly basket: Basket;
  readonly connections: number;
}

/** What is measured in each round, in this order. */
export const phases = ["hello", "tpcb", "spread", "few", "hot", "replay", "requery"] as const;
export type Phase = (typeof phases)[number];

export const fewConnections = 16;

/** One phase of one round. Null is what cannot be told, or means nothing in this phase. */
export interface Sample {
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number | null;
  readonly maxMs: number | null;
  readonly errors: number;
  readonly commitsPerSecond: number | null;
  /** Requests answered per commit. */
  readonly batchSize: number | null;
  /** Per request answered, as is the processor time of each of the three. */
  readonly walBytes: number | null;
  readonly serverMicros: number | null;
  readonly postgresMicros: number | null;
  readonly driverMicros: number | null;
  /** How many cores programs took that have nothing to do with the benchmark. */
  readonly foreignCores: number | null;
}

export type Round = Readonly<Partial<Record<Phase, Sample>>>;

/** What a load did that a sound service does not do, in words. */
export type Complaint = string;

/** Unmeasured: compiles the service's code, loads keys and prices, fills caches. */
export async function warmUp(rig: Rig): Promise<void> {
  const prefix = "warm-";
  const load = { connections: rig.connections, prefix, numbers: numbersMax };
  const purchases = purchaseFrames(rig.buyers.spread, rig.basket, prefix);
  await rig.driver.drive({ ...load, port: rig.service.port, frames: purchases, expectedStatus: 201, seconds: 4 });
  const numbers = 5_000;
  const requeries = requeryFrames(rig.buyers.spread);
  const port = rig.service.port;
  await rig.driver.drive({ ...load, port, numbers, frames: requeries, expectedStatus: 200, seconds: 1 });
  await rig.driver.drive({ ...load, port, numbers, frames: purchases, expectedStatus: 201, seconds: 1 });
  await rig.driver.drive({ ...load, ...helloLoad(rig, prefix), seconds: 1 });
  await settled();
}

/** Measures every phase once. Adds to `complaints` what must not happen. */
export async function measureRound(rig: Rig, round: number, complaints: Complaint[]): Promise<Round> {
  const samples: Partial<Record<Phase, Sample>> = {};
  const step = async (phase: Phase, measure: () => Promise<Sample | undefined>) => {
    rig.progress(`round ${round}: ${phase} `);
    const sample = await measure();
    if (sample !== undefined) samples[phase] = sample;
    rig.progress(sample === undefined ? "not measured\n" : `${Math.round(sample.perSecond)}/s\n`);
  };
  const { buyers, basket, connections } = rig;
  const spread = `r${round}-spread-`;
  const buy = (keys: readonly string[], prefix: string, count: number): Part =>
    toService(rig, { frames: purchaseFrames(keys, basket, prefix), prefix, connections: count });
  let stored = 1;

  await step("hello", () => measureHello(rig, round));
  await step("tpcb", () => measureTpcb(rig));
  await step("spread", async () => {
    const measured = await measurePurchases(rig, buy(buyers.spread, spread, connections), complaints);
    stored = Math.max(1, measured.outcome.sent);
    return measured.sample;
  });
  await step("few", async () => {
    const part = buy(buyers.spread, `r${round}-few-`, fewConnections);
    return (await measurePurchases(rig, part, complaints)).sample;
  });
  await step("hot", async () => {
    const part = buy(buyers.hot, `r${round}-hot-`, connections);
    return (await measurePurchases(rig, part, complaints)).sample;
  });
  await step("replay", () => {
    const part = { ...buy(buyers.spread, spread, connections), numbers: stored };
    return measureWithoutPurchases(rig, part, complaints);
  });
  await step("requery", async () => {
    const frames = requeryFrames(buyers.spread);
    const part = { ...toService(rig, { frames, prefix: spread, connections }), numbers: stored, expectedStatus: 200 };
    return { ...(await measureWithoutPurchases(rig, part, complaints)), ...withoutCommits };
  });
  return samples;
}

/** What little is committed meanwhile is the service's housekeeping. */
const withoutCommits = { commitsPerSecond: null, batchSize: null, walBytes: null };

export type Part = Omit<Load, "seconds">;

function toService(
  rig: Rig,
  part: { readonly frames: readonly Frame[]; readonly prefix: string; readonly connections: number },
): Part {
  return { ...part, port: rig.service.port, numbers: numbersMax, expectedStatus: 201 };
}

/** The same request as a purchase, but for its path. */
function helloLoad(rig: Rig, prefix: string): Part {
  const frames = purchaseFrames(rig.buyers.spread, rig.basket, prefix).map(({ before, after }) => ({
    before: before.replace(/^POST \S+/, "POST /hello"),
    after,
  }));
  return { ...toService(rig, { frames, prefix, connections: rig.connections }), port: rig.hello.port };
}

export interface Measured {
  readonly sample: Sample;
  readonly outcome: Outcome;
  /** Purchases that are stored now and were not before. */
  readonly purchases: number;
}

/** Drives one load for the rig's seconds and counts what it took. */
export async function measure(rig: Measuring, part: Part, server: Server): Promise<Measured> {
  const before = await reading(rig, server);
  const outcome = await rig.driver.drive({ ...part, seconds: rig.seconds });
  await settled();
  const after = await reading(rig, server);
  const { answered, errors, seconds, p50Ms, p99Ms, maxMs } = outcome;
  const commits = after.commits - before.commits;
  const serverCpu = after.serverCpu - before.serverCpu;
  const postgresCpu = after.postgresCpu - before.postgresCpu;
  const ours = serverCpu + postgresCpu + outcome.driverCpuSeconds + after.ownCpu - before.ownCpu;
  const micros = (cpuSeconds: number) => (cpuSeconds * 1_000_000) / Math.max(1, answered);
  const sample = {
    perSecond: answered / seconds,
    p50Ms,
    p99Ms,
    maxMs,
    errors,
    commitsPerSecond: commits / seconds,
    batchSize: answered / Math.max(1, commits),
    walBytes: (after.walBytes - before.walBytes) / Math.max(1, answered),
    serverMicros: micros(serverCpu),
    postgresMicros: micros(postgresCpu),
    driverMicros: micros(outcome.driverCpuSeconds),
    foreignCores: Math.max(0, after.machineCpu - before.machineCpu - ours) / (after.atSeconds - before.atSeconds),
  };
  const unexpected = Object.entries(outcome.unexpected).map(([what, count]) => `${count} × ${what}`);
  if (unexpected.length > 0) rig.progress(`(errors: ${unexpected.join(", ")}) `);
  return { sample, outcome, purchases: after.purchases - before.purchases };
}

async function reading(rig: Measuring, server: Server) {
  const helpersCpu = (rig.helpers ?? []).reduce((sum, { pid }) => sum + processCpuSeconds(pid), 0);
  return {
    ...(await readCounters(rig.database)),
    serverCpu: processCpuSeconds(server.pid),
    postgresCpu: familyCpuSeconds(rig.service.postgresPid),
    ownCpu: processCpuSeconds(process.pid) + helpersCpu,
    machineCpu: machineCpuSeconds(),
    atSeconds: performance.now() / 1_000,
  };
}

/** What a load's errors left under way in the service is done by then. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}

/** Every answer that says bought must be a purchase, and nothing may be bought that was not asked for. */
export async function measurePurchases(rig: Measuring, part: Part, complaints: Complaint[]): Promise<Measured> {
  const measured = await measure(rig, part, rig.service);
  const { purchases, outcome } = measured;
  const { sent, answered } = outcome;
  if (purchases < answered) complaints.push(`${part.prefix}: ${answered} purchases acknowledged, ${purchases} stored`);
  if (purchases > sent) complaints.push(`${part.prefix}: ${sent} purchases asked for, ${purchases} stored`);
  return measured;
}

async function measureWithoutPurchases(rig: Rig, part: Part, complaints: Complaint[]): Promise<Sample> {
  const { sample, purchases } = await measure(rig, part, rig.service);
  if (purchases !== 0) complaints.push(`${part.prefix}: asking again bought ${purchases} times more`);
  return sample;
}

async function measureHello(rig: Rig, round: number): Promise<Sample> {
  const { sample } = await measure(rig, helloLoad(rig, `r${round}-hello-`), rig.hello);
  return { ...sample, ...withoutCommits, postgresMicros: null };
}

export async function measureTpcb(rig: Measuring): Promise<Sample | undefined> {
  if (rig.pgbench === null) return undefined;
  const before = await reading(rig, rig.service);
  const { transactions, perSecond, latencyMs } = await rig.pgbench.run(rig.seconds);
  const after = await reading(rig, rig.service);
  return {
    perSecond,
    p50Ms: latencyMs,
    p99Ms: null,
    maxMs: null,
    errors: 0,
    commitsPerSecond: perSecond,
    batchSize: null,
    walBytes: (after.walBytes - before.walBytes) / transactions,
    serverMicros: null,
    postgresMicros: ((after.postgresCpu - before.postgresCpu) * 1_000_000) / transactions,
    driverMicros: null,
    foreignCores: null,
  };
}
