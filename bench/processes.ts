import { readdirSync, readFileSync } from "node:fs";

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

/** The same for a process with its direct children, those that have ended among them: a PostgreSQL by its first one. */
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
