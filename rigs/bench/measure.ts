import { readdirSync, readFileSync } from "node:fs";
import { type Load, numbersMax, type Outcome } from "../base/load.ts";
import type { Server } from "../base/service.ts";
import type { Shop } from "../base/shop.ts";
import { type Pgbench, readCounters } from "./database.ts";
import type { Sample, Sheet } from "./report.ts";

/** What it takes to measure one load. */
export interface Rig extends Pick<Shop, "service" | "database" | "driver"> {
  readonly sheet: Sheet;
  readonly seconds: number;
  /** Processes of the benchmark's own besides service, PostgreSQL and driver. */
  readonly helpers?: readonly Server[];
}

export type Part = Pick<Load, "frames" | "prefix" | "connections"> & Partial<Load>;

export interface Measured {
  readonly sample: Sample;
  readonly outcome: Outcome;
  /** Purchases that are stored now and were not before. */
  readonly purchases: number;
}

/** Drives one load for the rig's seconds and counts what it took. */
export async function measure(rig: Rig, part: Part, server: Server = rig.service): Promise<Measured> {
  const before = await takeReading(rig, server);
  const load = { port: server.port, numbers: numbersMax, expectedStatus: 201, seconds: rig.seconds, ...part };
  const outcome = await rig.driver.drive(load);
  await settled();
  const after = await takeReading(rig, server);
  const { answered, errors, seconds, p50Ms, p99Ms, maxMs, driverCpuSeconds } = outcome;
  const unexpected = Object.entries(outcome.unexpected).map(([what, count]) => `${count} × ${what}`);
  if (unexpected.length > 0) rig.sheet.progress(`(errors: ${unexpected.join(", ")}) `);
  const took = costs(before, after, { requests: answered, driverCpuSeconds });
  const sample = { perSecond: answered / seconds, p50Ms, p99Ms, maxMs, errors, ...took };
  return { sample, outcome, purchases: after.purchases - before.purchases };
}

type Reading = Awaited<ReturnType<typeof takeReading>>;

export async function takeReading(rig: Pick<Rig, "service" | "database" | "helpers">, server: Server = rig.service) {
  return {
    ...(await readCounters(rig.database)),
    serverCpu: familyCpuSeconds(server.pid),
    postgresCpu: familyCpuSeconds(rig.service.postgresPid),
    ownCpu: [process, ...(rig.helpers ?? [])].reduce((sum, { pid }) => sum + processCpuSeconds(pid), 0),
    machineCpu: machineCpuSeconds(),
    atSeconds: performance.now() / 1_000,
    megabytes: residentMegabytes(server.pid),
  };
}

/** What so many requests cost between two readings. */
export function costs(
  before: Reading,
  after: Reading,
  { requests, driverCpuSeconds = 0 }: { readonly requests: number; readonly driverCpuSeconds?: number },
): Sample {
  const grown = (read: (reading: Reading) => number) => read(after) - read(before);
  const each = (total: number) => total / Math.max(1, requests);
  const serverCpu = grown(({ serverCpu }) => serverCpu);
  const postgresCpu = grown(({ postgresCpu }) => postgresCpu);
  const ours = serverCpu + postgresCpu + driverCpuSeconds + grown(({ ownCpu }) => ownCpu);
  return {
    batch:
      requests /
      Math.max(
        1,
        grown(({ commits }) => commits),
      ),
    walBytes: each(grown(({ walBytes }) => walBytes)),
    serverMicros: each(serverCpu * 1e6),
    postgresMicros: each(postgresCpu * 1e6),
    driverMicros: each(driverCpuSeconds * 1e6),
    megabytes: after.megabytes,
    foreignCores: Math.max(0, grown(({ machineCpu }) => machineCpu) - ours) / grown(({ atSeconds }) => atSeconds),
  };
}

/** What a load's errors left under way in the service is done by then. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 300));
}

/** Every answer that says bought must be a purchase, and nothing may be bought that was not asked for. */
export async function measurePurchases(rig: Rig, part: Part): Promise<Measured> {
  const measured = await measure(rig, part);
  const { purchases, outcome } = measured;
  const { sent, answered } = outcome;
  const { complaints } = rig.sheet;
  if (purchases < answered) complaints.push(`${part.prefix}: ${answered} purchases acknowledged, ${purchases} stored`);
  if (purchases > sent) complaints.push(`${part.prefix}: ${sent} purchases asked for, ${purchases} stored`);
  return measured;
}

export async function measureTpcb(rig: Rig, pgbench: Pgbench | null): Promise<Sample | null> {
  if (pgbench === null) return null;
  const before = await takeReading(rig);
  const { transactions, perSecond, latencyMs } = await pgbench.run(rig.seconds);
  const { walBytes = null, postgresMicros = null } = costs(before, await takeReading(rig), { requests: transactions });
  return { perSecond, p50Ms: latencyMs, walBytes, postgresMicros };
}

/** Linux counts processor time for user programs in hundredths of a second on every platform. */
const ticksPerSecond = 100;

interface Times {
  readonly parent: number;
  readonly ownSeconds: number;
  /** The processor time of children that have ended. */
  readonly endedChildrenSeconds: number;
}

/**
 * Processor time that a process took so far. Unlike a rate it does not depend on what else the machine does, so it is
 * the figure to trust on a busy one.
 */
export function processCpuSeconds(pid: number): number {
  return timesOf(pid)?.ownSeconds ?? 0;
}

/** The same for a process with its direct children, those that have ended among them: a PostgreSQL by its first one,
 * a service with its processes. */
export function familyCpuSeconds(pid: number): number {
  let seconds = 0;
  for (const name of readdirSync("/proc")) {
    if (!/^[0-9]+$/.test(name)) continue;
    const times = timesOf(Number(name));
    if (Number(name) === pid) seconds += (times?.ownSeconds ?? 0) + (times?.endedChildrenSeconds ?? 0);
    else if (times?.parent === pid) seconds += times.ownSeconds;
  }
  return seconds;
}

/** What all programs and the kernel took on this machine since it started. */
export function machineCpuSeconds(): number {
  const [line = ""] = readFileSync("/proc/stat", "utf8").split("\n");
  const [, user, nice, system, , , irq, softirq] = line.split(/\s+/).map(Number);
  return ((user ?? 0) + (nice ?? 0) + (system ?? 0) + (irq ?? 0) + (softirq ?? 0)) / ticksPerSecond;
}

function timesOf(pid: number): Times | null {
  let text: string;
  try {
    text = readFileSync(`/proc/${pid}/stat`, "utf8");
  } catch {
    return null; // it has just ended
  }
  // The program's name may hold spaces and brackets; the third field of proc(5) comes after its last bracket.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const field = (number: number) => Number(fields[number - 3]);
  return {
    parent: field(4),
    ownSeconds: (field(14) + field(15)) / ticksPerSecond,
    endedChildrenSeconds: (field(16) + field(17)) / ticksPerSecond,
  };
}

/** What a process holds of the machine's memory, shared pages among it, in MB. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+([0-9]+)/.exec(status)?.[1] ?? 0) / 1_024);
}
