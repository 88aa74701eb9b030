import { readFileSync } from "node:fs";
import { median } from "./result.ts";

/** Looks at a process while a load is on, and how many of them are printed. */
const looks = 120;
const shown = 30;

/** What a process holds of the machine's memory, shared pages among it, in MB. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+([0-9]+)/.exec(status)?.[1] ?? 0) / 1_024);
}

interface WatchedProcess {
  readonly pid: number;
  readonly seconds: number;
  readonly onLook?: (memory: readonly number[]) => void;
}

/** Does work that takes so many seconds. @returns what came of it, and a process's resident memory at even steps, in MB */
export async function watchMemory<T>(
  { pid, seconds, onLook }: WatchedProcess,
  work: () => Promise<T>,
): Promise<{ readonly done: T; readonly memory: readonly number[] }> {
  const memory: number[] = [];
  const timer = setInterval(
    () => {
      memory.push(residentMegabytes(pid));
      onLook?.(memory);
    },
    (seconds * 1_000) / looks,
  );
  const done = await work().finally(() => clearInterval(timer));
  return { done, memory };
}

/** Growth from the second third to the last one: the first one fills caches and the young generation. */
export function memoryGrowth(
  memory: readonly number[],
  of: (megabytes: readonly number[]) => number = median,
): number | null {
  const third = Math.floor(memory.length / 3);
  if (third === 0) return null;
  return of(memory.slice(-third)) / of(memory.slice(third, 2 * third));
}

export function peak(megabytes: readonly number[]): number {
  return Math.max(...megabytes);
}

export const growthMax = 1.1;

/** A few of them, at even steps, as text. */
export function memorySeries(memory: readonly number[]): string {
  const step = Math.max(1, Math.ceil(memory.length / shown));
  return memory.filter((_, index) => index % step === 0).join(" ");
}
