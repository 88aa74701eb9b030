import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";

/** A process of ours that runs a TypeScript file. */
export interface ChildProgram {
  readonly pid: number;
  /** Resolves with the first line of its output that starts with the text; rejects when it ends before. */
  line(start: string): Promise<string>;
  /** Kills it like `kill -9` and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts `node` with the file and arguments. Its errors go to the output of the tests. */
export function startChildProgram(file: string, args: readonly string[]): ChildProgram {
  const child = spawn(process.execPath, ["--import", "tsx", file, ...args], { stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(child, "exit");
  const lines: string[] = [];
  const reader = createInterface({ input: child.stdout });
  reader.on("line", (line) => lines.push(line));
  return {
    pid: child.pid!,
    line: async (start) => {
      for (;;) {
        const found = lines.find((line) => line.startsWith(start));
        if (found !== undefined) return found;
        const closed = once(reader, "close").then(() => "closed");
        const next = once(reader, "line").then(() => "line");
        if ((await Promise.race([next, closed])) === "closed") {
          throw new Error(`${file} ended after: ${lines.join(" | ")}`);
        }
      }
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
