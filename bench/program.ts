import { spawn } from "node:child_process";
import { accessSync, constants } from "node:fs";
import path from "node:path";

export function isOnPath(program: string): boolean {
  return (process.env.PATH ?? "").split(path.delimiter).some((folder) => {
    try {
      accessSync(path.join(folder, program), constants.X_OK);
      return true;
    } catch {
      return false;
    }
  });
}

/** Runs a program to its end and returns what it printed. @throws Error with its complaint when it fails */
export function runProgram(program: string, args: readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: ["ignore", "pipe", "pipe"], env: environment() });
    const printed: Buffer[] = [];
    const complaints: Buffer[] = [];
    child.stdout.on("data", (chunk: Buffer) => printed.push(chunk));
    child.stderr.on("data", (chunk: Buffer) => complaints.push(chunk));
    child.on("error", reject);
    child.on("close", (code) => {
      if (code === 0) resolve(Buffer.concat(printed).toString());
      else reject(new Error(`${program} failed (${code}): ${Buffer.concat(complaints).toString().slice(-500)}`));
    });
  });
}

/** `PG…` variables would change whom pgbench talks to. */
function environment(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("PG")));
}
