import { execFile } from "node:child_process";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "../..");

export interface Operated {
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** What `--json` printed. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints lines of its own
  readonly lines: any[];
}

/** Runs the operator's command line as `npm run operator` does, with nothing of this process's environment. */
export function operate(words: readonly string[], environment: Record<string, string>): Promise<Operated> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--enable-source-maps", path.join(root, "dist/operator.js"), ...words], // the global setup bundled it
      { cwd: root, env: { PATH: process.env.PATH ?? "", ...environment }, timeout: 20_000 },
      (error, out, complaint) => {
        const texts = words.includes("--json") ? out.split("\n").filter(Boolean) : [];
        const code = typeof error?.code === "number" ? error.code : error ? -1 : 0;
        resolve({ code, out, error: complaint, lines: texts.map((text) => JSON.parse(text)) });
      },
    );
  });
}
