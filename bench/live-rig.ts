import type { LiveShop } from "./live-shop.ts";
import type { Measuring, Sample } from "./purchase.ts";
import type { Server } from "./service.ts";

export interface LiveOptions {
  readonly seconds: number;
  readonly rounds: number;
  readonly memorySeconds: number;
  readonly json?: boolean;
  readonly save?: boolean;
}

export interface LiveRig extends Measuring, LiveShop {
  readonly folder: string;
}

/** How the supplier itself did while a load was on. */
export interface SupplierFigures {
  readonly asked: number;
  /** Its own time of a request; null where nobody asked. */
  readonly p50Ms: number | null;
  readonly p99Ms: number | null;
  /** The most that it had open at a time. */
  readonly openMax: number;
  readonly cpuSeconds: number;
}

/** One load of live purchases. */
export interface LiveSample extends Sample {
  readonly supplier: SupplierFigures;
  /** What the service added to the supplier's own median. */
  readonly addedMs: number;
}

/** The service's memory while most purchases were in flight, in MB. */
export interface LiveMemory {
  /** Resident, at even steps. */
  readonly megabytes: readonly number[];
  /** What it needs: its heap after a whole collection, after each third of the time. */
  readonly heap: readonly [first: number, second: number, last: number];
}

/** One round with the quick supplier. */
export interface LiveRound {
  readonly tpcb?: Sample;
  readonly sandbox: Sample;
  readonly loads: Readonly<Record<string, LiveSample>>;
}

/** Sets how long the supplier takes. */
export async function setDelay({ supplier }: Pick<LiveShop, "supplier">, delayMs: number): Promise<void> {
  await ask(supplier, `/delay/${delayMs}`);
}

/** What it did since it was last asked. */
export async function supplierFigures({ supplier }: Pick<LiveShop, "supplier">): Promise<SupplierFigures> {
  return JSON.parse(await ask(supplier, "/figures")) as SupplierFigures;
}

/** Every reference that the supplier was asked to vend, as often as it was. */
export async function supplierLog({ supplier }: Pick<LiveShop, "supplier">): Promise<readonly string[]> {
  const text = await ask(supplier, "/log");
  return text === "" ? [] : text.split("\n");
}

async function ask({ port }: Server, path: string): Promise<string> {
  const answer = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { connection: "close" } });
  if (!answer.ok) throw new Error(`the supplier answered ${answer.status} to ${path}`);
  return answer.text();
}
