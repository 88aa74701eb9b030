import { type Program, startProgram } from "../../rigs/base/program.ts";
import { bundledProgram } from "./bundled-program.ts";

export interface Programs {
  /** What `npm start` or `npm run operator` runs, as the global setup bundled it. `environment`: beside the PATH. */
  start(words: readonly ["start" | "operator", ...string[]], environment: Record<string, string>): Program;
  /** For the end of the tests: whatever a failed one left running. */
  killAll(): void;
}

export function openPrograms(): Programs {
  const started: Program[] = [];
  return {
    start([program, ...words], environment) {
      const args = ["--enable-source-maps", `dist/${program}.js`, ...words];
      const running = startProgram(args, { environment, errors: "kept" });
      started.push(running);
      return running;
    },
    killAll() {
      for (const { child } of started) child.kill("SIGKILL");
    },
  };
}

/** Starts a TypeScript program, whose path goes from the project's folder. Its errors go to the output of the tests. */
export async function startChildProgram(source: string, args: readonly string[]): Promise<Program> {
  return startProgram(["--enable-source-maps", await bundledProgram(source), ...args], { environment: {} });
}
