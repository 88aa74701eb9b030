import { readFileSync } from "node:fs";

/** What a process holds of the machine's memory, shared pages among it, in MB. */
export function residentMegabytes(pid: number): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Math.round(Number(/VmRSS:\s+([0-9]+)/.exec(status)?.[1] ?? 0) / 1_024);
}
