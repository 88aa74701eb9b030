import { execFile, fork } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { Socket } from "node:net";
import path from "node:path";
import { bundledProgram } from "./bundled-program.ts";
import type { Order } from "./operator-host.ts";

const root = path.resolve(import.meta.dirname, "../..");
const endsWithinMs = 50_000;

export interface Operated {
  /** -1 where it was killed, or did not end by itself. */
  readonly code: number;
  readonly out: string;
  readonly error: string;
  /** What `--json` printed. */
  // biome-ignore lint/suspicious/noExplicitAny: each command prints lines of its own
  readonly lines: any[];
}

type Environment = Readonly<Record<string, string>>;

/**
 * Runs an operator's command with nothing of this process's environment: in a process that has run others before, but
 * for `operateAlone` as `npm run operator` does.
 */
export async function operate(
  words: readonly string[],
  environment: Environment,
  program = "tests/support/operator-host.ts",
): Promise<Operated> {
  const waiting = idle.get(program) ?? [];
  idle.set(program, waiting);
  const host = waiting.pop() ?? (await startHost(program));
  const ended = await host.run(words, { PATH: process.env.PATH ?? "", ...environment });
  if (ended.code >= 0) waiting.push(host);
  return operated(words, ended);
}

/** Runs an operator's command in a process of its own. */
export function operateAlone(words: readonly string[], environment: Environment): Promise<Operated> {
  return new Promise((resolve) => {
    execFile(
      process.execPath,
      ["--enable-source-maps", path.join(root, "dist/operator.js"), ...words], // the global setup bundled it
      { cwd: root, env: { PATH: process.env.PATH ?? "", ...environment }, timeout: endsWithinMs },
      (failure, out, error) => {
        const code = typeof failure?.code === "number" ? failure.code : failure ? -1 : 0;
        resolve(operated(words, { code, out, error }));
      },
    );
  });
}

type Ended = Omit<Operated, "lines">;

function operated(words: readonly string[], ended: Ended): Operated {
  const texts = words.includes("--json") ? ended.out.split("\n").filter(Boolean) : [];
  return { ...ended, lines: texts.map((text) => JSON.parse(text)) };
}

/** Runs commands one after the other. */
interface Host {
  run(words: readonly string[], environment: Environment): Promise<Ended>;
}

/** Host processes that run no command now, by their program. They end with this process. */
const idle = new Map<string, Host[]>();

async function startHost(program: string): Promise<Host> {
  const child = fork(await bundledProgram(program), [], {
    cwd: root,
    execArgv: ["--enable-source-maps"],
    stdio: ["ignore", "pipe", "pipe", "ipc"],
  });
  const [stdout, stderr] = [child.stdout as Socket, child.stderr as Socket];
  for (const part of [child, child.channel, stdout, stderr]) part?.unref();
  for (const output of [stdout, stderr]) output.setEncoding("utf8");
  const died = once(child, "close");
  return {
    async run(words, environment) {
      const end = `${randomUUID()} `;
      const timer = setTimeout(() => child.kill("SIGKILL"), endsWithinMs);
      child.send({ words, environment, end } satisfies Order);
      const [out, error] = await Promise.all([readUntil(stdout, end, died), readUntil(stderr, end, died)]);
      clearTimeout(timer);
      return { code: out.code, out: out.text, error: error.text };
    },
  };
}

/** What was said before the end and, behind it, the exit code: -1 where it died first. */
function readUntil(output: Socket, end: string, died: Promise<unknown>): Promise<{ text: string; code: number }> {
  let said = "";
  return new Promise((resolve) => {
    const receive = (text: string) => {
      said += text;
      const [before = "", code] = said.split(end);
      if (code?.endsWith("\n")) finish(before, Number(code));
    };
    const finish = (text: string, code: number) => {
      output.off("data", receive);
      resolve({ text, code });
    };
    output.on("data", receive);
    void died.then(() => finish(said, -1));
  });
}
