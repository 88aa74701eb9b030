import { mkdir, mkdtemp, rm } from "node:fs/promises";
import path from "node:path";
import { projectRoot } from "./program.ts";

/** What to undo when the work ends, in the order it was done; undone backwards. */
export type Undo = (() => Promise<unknown>)[];

/**
 * A folder on the project's own disk (a temporary one may lie in memory), gone afterwards with all that ran in it. With
 * `kept`, it is that one, and stays.
 */
export async function inScratchFolder<T>(work: (folder: string, undo: Undo) => Promise<T>, kept?: string): Promise<T> {
  const undo: Undo = [];
  const folder = kept ?? (await scratchFolder(undo));
  await mkdir(folder, { recursive: true });
  const undoAll = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) {
      await step().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    }
  };
  // Once: a signal also makes the work fail, and whoever comes second has to wait for the first.
  let tidied: Promise<void> | undefined;
  const tidyUp = () => {
    tidied ??= undoAll();
    return tidied;
  };
  const onSignal = () => void tidyUp().then(() => process.exit(1));
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  for (const signal of signals) process.on(signal, onSignal); // tsx passes on what the terminal has sent already
  try {
    return await work(folder, undo);
  } finally {
    await tidyUp();
    for (const signal of signals) process.removeListener(signal, onSignal);
  }
}

async function scratchFolder(undo: Undo): Promise<string> {
  await mkdir(path.join(projectRoot, ".tmp"), { recursive: true });
  const folder = await mkdtemp(path.join(projectRoot, ".tmp/rig-"));
  undo.push(() => rm(folder, { recursive: true, force: true, maxRetries: 5 }));
  return folder;
}
