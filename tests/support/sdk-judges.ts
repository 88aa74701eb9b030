import { spawn } from "node:child_process";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "../architecture/source-text.ts";
import type { ProgramLanguage } from "./program-languages.ts";
import { makeScratchDirectory } from "./scratch-directory.ts";
import { placeSdks } from "./sdk-languages.ts";

/** What the SDK of a language makes of each case, by one process: `sdk/conformance` has the programs. */
export async function judge(
  language: ProgramLanguage,
  cases: readonly object[],
  environment: Readonly<Record<string, string>> = {},
): Promise<readonly unknown[]> {
  const scratch = await makeScratchDirectory();
  const { folder } = scratch;
  try {
    const found = await placeSdks(folder);
    const main = `judge${language.ending}`;
    await copyFile(path.join(projectRoot, "sdk/conformance", main), path.join(folder, main));
    const [program, ...words] = await language.build(folder, main);
    const running = spawn(program, words, {
      cwd: folder,
      env: { ...process.env, ...found, ...environment, LC_ALL: "C.UTF-8" },
      stdio: ["pipe", "pipe", "pipe"],
    });
    let [printed, complained] = ["", ""];
    running.stdout.on("data", (chunk: Buffer) => (printed += chunk));
    running.stderr.on("data", (chunk: Buffer) => (complained += chunk));
    running.stdin.end(cases.map((each) => `${JSON.stringify(each)}\n`).join(""));
    const code = await new Promise((resolve) => running.on("close", resolve));
    if (code !== 0) throw new Error(`${main} ended with ${code}: ${complained}`);
    return printed
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  } finally {
    await scratch.remove();
  }
}
