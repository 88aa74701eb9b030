import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { bundledProgram } from "./bundled-program.ts";

/** A process of ours that runs a TypeScript file. */
export interface ChildProgram {
  readonly pid: number;
  /** Resolves with the first line of its output that starts with the text; rejects when it ends before. */
  line(start: string): Promise<string>;
  /** Kills it like `kill -9` and waits until it is gone. */
  kill(): Promise<void>;
}

/** Starts the program, whose path goes from the project's folder. Its errors go to the output of the tests. */
export async function startChildProgram(source: string, args: readonly string[]): Promise<ChildProgram> {
  const file = await bundledProgram(source);
  const child = spawn(process.execPath, ["--enable-source-maps", file, ...args], {
    stdio: ["ignore", "pipe", "inherit"],
  });
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
          throw new Error(`${source} ended after: ${lines.join(" | ")}`);
        }
      }
    },
    kill: async () => {
      child.kill("SIGKILL");
      await ended;
    },
  };
}
