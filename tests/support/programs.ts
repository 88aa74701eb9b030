import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import path from "node:path";

/** A program of the project that runs, what it said so far, and how it ended. */
export interface RunningProgram {
  readonly child: ChildProcess;
  readonly out: () => string;
  /** Resolves with the exit code and what was complained about. */
  readonly ended: Promise<{ readonly code: number | null; readonly error: string }>;
  /** Resolves when the output holds the text; rejects when the process ends before. */
  saying(text: string): Promise<void>;
}

export interface Programs {
  /** What `npm start` or `npm run operator` runs, as the global setup bundled it. `environment`: beside the PATH. */
  start(words: readonly ["start" | "operator", ...string[]], environment: Record<string, string>): RunningProgram;
  /** For the end of the tests: whatever a failed one left running. */
  killAll(): void;
}

export function openPrograms(): Programs {
  const running = new Set<ChildProcess>();
  return {
    start([program, ...words], environment) {
      const child = spawn(process.execPath, ["--enable-source-maps", `dist/${program}.js`, ...words], {
        cwd: path.resolve(import.meta.dirname, "../.."),
        env: { PATH: process.env.PATH, ...environment },
        stdio: ["ignore", "pipe", "pipe"],
      });
      running.add(child);
      const said = { out: "", error: "" };
      child.stdout.on("data", (chunk) => (said.out += chunk));
      child.stderr.on("data", (chunk) => (said.error += chunk));
      const ended = once(child, "close").then(([code]) => {
        running.delete(child);
        return { code: code as number | null, error: said.error };
      });
      const saying = async (text: string): Promise<void> => {
        while (!said.out.includes(text)) {
          const news = await Promise.race([once(child.stdout, "data").then(() => "more"), ended]);
          if (news !== "more") throw new Error(`it ended without saying ${text}: ${JSON.stringify(news)}`);
        }
      };
      return { child, out: () => said.out, ended, saying };
    },
    killAll() {
      for (const child of running) child.kill("SIGKILL");
    },
  };
}
