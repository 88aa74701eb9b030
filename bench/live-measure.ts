import { setTimeout as delay } from "node:timers/promises";
import { collectedHeap } from "./collected-heap.ts";
import {
  type LiveMemory,
  type LiveRig,
  type LiveRound,
  type LiveSample,
  setDelay,
  supplierFigures,
} from "./live-rig.ts";
import { numbersMax } from "./load.ts";
import { purchaseFrames } from "./merchants.ts";
import { watchMemory } from "./process-memory.ts";
import { type Complaint, measurePurchases, measureTpcb, type Part, type Sample } from "./purchase.ts";

/** The supplier's two tempers. */
const quickMs = 20;
const slowMs = 2_000;
/** So many connections take turns in sending a tenth of the load: there is always one that is free. */
const tenthConnections = 64;

/** In flight. The first one is what the goals are about. */
const quickLoads = [256, 64, 1_000] as const;
const slowLoads = [64, 256] as const;
const memoryLoad = 1_000;
/** A third ends so much sooner: the last collection falls into the load as well. */
const collectMs = 300;

/** Measures every load with the quick supplier once. Adds to `complaints` what must not happen. */
export async function measureRound(rig: LiveRig, prefix: string, complaints: Complaint[]): Promise<LiveRound> {
  const tpcb = await step(rig, "tpcb-like", () => measureTpcb(rig));
  const sandbox = await step(rig, "sandbox", () => measureSandbox(rig, `${prefix}sandbox-`, complaints));
  await setDelay(rig, quickMs);
  const loads: Record<string, LiveSample> = {};
  for (const connections of quickLoads) {
    const part = { connections, prefix: `${prefix}${connections}-` };
    loads[quickName(connections)] = await step(rig, quickName(connections), () => measureLive(rig, part, complaints));
  }
  const perSecond = Math.max(1, (loads[quickName(256)]?.perSecond ?? 0) / 10);
  const part = { connections: tenthConnections, prefix: `${prefix}tenth-`, perSecond };
  loads[tenthName] = await step(rig, tenthName, () => measureLive(rig, part, complaints));
  return { ...(tpcb === undefined ? {} : { tpcb }), sandbox, loads };
}

/** Measures every load with the slow supplier, the largest for longer, with the service's memory. */
export async function measureSlow(rig: LiveRig, memorySeconds: number, complaints: Complaint[]) {
  await setDelay(rig, slowMs);
  const loads: Record<string, LiveSample> = {};
  // Requests leave and come back in waves: too few of them would say little.
  const seconds = Math.max(rig.seconds, (4 * slowMs) / 1_000);
  for (const connections of slowLoads) {
    const part = { connections, prefix: `slow-${connections}-` };
    const measured = () => measureLive({ ...rig, seconds }, part, complaints);
    loads[slowName(connections)] = await step(rig, slowName(connections), measured);
  }
  const part = { connections: memoryLoad, prefix: `slow-${memoryLoad}-` };
  const measured = () => measureLive({ ...rig, seconds: memorySeconds }, part, complaints);
  const [{ done, memory: megabytes }, heap] = await Promise.all([
    watchMemory({ pid: rig.service.pid, seconds: memorySeconds }, () => step(rig, slowName(memoryLoad), measured)),
    collectedHeaps(rig, memorySeconds),
  ]);
  const memory: LiveMemory = { megabytes, heap };
  return { loads: { ...loads, [slowName(memoryLoad)]: done }, memory };
}

/**
 * After each third of the time. The heap is collected whole once a minute only at this load and grows to five times
 * what is alive until then, so that resident memory would tell how long ago that was.
 */
async function collectedHeaps({ service }: LiveRig, seconds: number): Promise<[number, number, number]> {
  const afterThird = async () => {
    await delay((seconds * 1_000) / 3 - collectMs);
    return collectedHeap(service);
  };
  return [await afterThird(), await afterThird(), await afterThird()];
}

export function quickName(connections: number): string {
  return `${quickMs} ms, ${connections} in flight`;
}

export function slowName(connections: number): string {
  return `${slowMs / 1_000} s, ${connections} in flight`;
}

export const tenthName = `${quickMs} ms, a tenth of 256's`;

type LivePart = Pick<Part, "connections" | "prefix" | "perSecond">;

async function measureLive(rig: LiveRig, part: LivePart, complaints: Complaint[]): Promise<LiveSample> {
  await supplierFigures(rig);
  const frames = purchaseFrames(
    rig.buyers.map(({ liveKey }) => liveKey),
    rig.basket,
    part.prefix,
  );
  const { sample } = await measurePurchases(rig, { ...part, ...toService(rig), frames }, complaints);
  const supplier = await supplierFigures(rig);
  return { ...sample, supplier, addedMs: sample.p50Ms - (supplier.p50Ms ?? 0) };
}

async function measureSandbox(rig: LiveRig, prefix: string, complaints: Complaint[]): Promise<Sample> {
  const frames = purchaseFrames(
    rig.buyers.map(({ testKey }) => testKey),
    rig.basket,
    prefix,
  );
  const part = { connections: quickLoads[0], prefix, frames, ...toService(rig) };
  return (await measurePurchases(rig, part, complaints)).sample;
}

function toService({ service }: LiveRig) {
  return { port: service.port, numbers: numbersMax, expectedStatus: 201 };
}

async function step<T extends Sample | undefined>(rig: LiveRig, name: string, work: () => Promise<T>): Promise<T> {
  rig.progress(`  ${name}: `);
  const sample = await work();
  rig.progress(sample === undefined ? "not measured\n" : `${Math.round(sample.perSecond)}/s\n`);
  return sample;
}
