import { closeSync, fstatSync, openSync, readSync } from "node:fs";
import { copyFile, stat, truncate } from "node:fs/promises";

const logBytesMax = 10 * 1024 * 1024;
const checkEveryMs = 30_000;
const tailBytesMax = 64 * 1024;

/** Opens the log for PostgreSQL to append to (it inherits the descriptor, so it needs no right to the folder). */
export function openLog(file: string): { descriptor: number; sizeBytes: number } {
  const descriptor = openSync(file, "a", 0o600);
  return { descriptor, sizeBytes: fstatSync(descriptor).size };
}

/** The part of the log after `fromBytes`, at most 64 KiB of it. */
export function readLog(file: string, fromBytes: number): string {
  const descriptor = openSync(file, "r");
  try {
    const start = Math.max(fromBytes, fstatSync(descriptor).size - tailBytesMax);
    const buffer = Buffer.alloc(tailBytesMax);
    return buffer.toString("utf8", 0, readSync(descriptor, buffer, 0, tailBytesMax, start));
  } finally {
    closeSync(descriptor);
  }
}

/** Keeps the log to two files of about 10 MiB. The writer holds it open, so it is copied and emptied, not renamed. */
export function keepLogSmall(file: string): { stop(): void } {
  const timer = setInterval(() => void shorten(file).catch(() => {}), checkEveryMs); // a full disk: next time
  timer.unref();
  return { stop: () => clearInterval(timer) };
}

/** Moves an over-long log to `<file>.1`. */
export async function shorten(file: string, bytesMax = logBytesMax): Promise<void> {
  if ((await stat(file)).size <= bytesMax) return;
  await copyFile(file, `${file}.1`);
  await truncate(file, 0);
}
