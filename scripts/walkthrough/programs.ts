import { startProgram } from "../../rigs/base/program.ts";
import { build } from "../build.mjs";

export type Environment = Readonly<Record<string, string>>;

/** A running service, as a process of its own. */
export interface ServiceProcess {
  /** What it greets a person with; log lines are left out. */
  readonly welcome: string;
  readonly baseUrl: string;
  readonly sandboxKey: string;
  /** Stops it like `kill` does. @returns its exit code */
  stop(): Promise<number | null>;
}

/** Starts the service on a free port, as `npm start` does; nothing of our own environment reaches it but the path. */
export async function startService(environment: Environment): Promise<ServiceProcess> {
  const args = ["--enable-source-maps", await build("start")];
  const program = startProgram(args, { environment: { PORT: "0", ...environment } });
  const [said = ""] = await program.saying(/^[\s\S]* {2}curl .*\n/);
  const lines = said.split("\n").filter((line) => !line.startsWith("{"));
  const welcome = lines.join("\n").trim();
  const [, baseUrl = ""] = /Dispense runs at (\S+)/.exec(welcome) ?? [];
  const [sandboxKey = ""] = /ds_test_\w+/.exec(welcome) ?? [];
  const stop = () => program.end().then(async () => (await program.ended).code);
  return { welcome, baseUrl, sandboxKey, stop };
}

/** Runs one operator's command beside the service. @returns what it printed, and its exit code */
export async function runOperator(words: readonly string[], environment: Environment) {
  const args = ["--enable-source-maps", await build("operator"), ...words];
  const program = startProgram(args, { environment, errors: "kept" });
  const { code, error } = await program.ended;
  return { output: program.out() + error, code };
}
