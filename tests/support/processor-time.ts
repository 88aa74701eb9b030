import { readFileSync } from "node:fs";

/** Processor time that this thread has taken, in milliseconds, by tens. `process.cpuUsage` counts the runner's other threads too. */
export function processorMs(): number {
  const [, fields = ""] = readFileSync("/proc/thread-self/stat", "utf8").split(") ");
  const [user = 0, system = 0] = fields.split(" ").slice(11, 13).map(Number);
  return (user + system) * 10;
}
