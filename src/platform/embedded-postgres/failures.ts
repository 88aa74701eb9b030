import { statfsSync } from "node:fs";
import { StartError } from "../../kernel/start-error.ts";
import { diskFullSentence, failureOfFiles, readOnlySentence } from "../data-directory/data-directory.ts";

/** PostgreSQL takes its disk in steps of up to 16 MiB; what a step that failed leaves over is seldom nothing. */
const fullBelowBytes = 1024 * 1024;

interface Place {
  readonly dataDirectory: string;
  readonly logFile: string;
}

/** Makes one sentence of what PostgreSQL wrote before it ended. */
export function failureOf(what: string, output: string, place: Place): StartError {
  const known = sentences.find(({ pattern }) => pattern.test(output));
  if (known !== undefined) return new StartError(known.sentence(place.dataDirectory));
  if (isFull(place.dataDirectory)) return new StartError(diskFullSentence(place.dataDirectory));
  return new StartError(`${what} failed: ${faultLines(output)} (more in ${place.logFile}).`);
}

/** On a full disk PostgreSQL's log, which would say so, is cut off. */
function isFull(folder: string): boolean {
  try {
    const { bavail, bsize } = statfsSync(folder);
    return bavail * bsize < fullBelowBytes;
  } catch {
    return false;
  }
}

/** The last of PostgreSQL's complaints with the one before it, which often holds the reason. */
function faultLines(output: string): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const complaints = lines.filter((line) => /FATAL|PANIC|ERROR|error:|invalid|could not/.test(line)).slice(-2);
  const chosen = complaints.length > 0 ? complaints : lines.slice(-1);
  return chosen.map((line) => line.replace(/^.*\b(LOG|ERROR|FATAL|PANIC|error): +/, "")).join("; ") || "no output";
}

/** Makes one sentence of an error of the file system or of starting a program; others are returned as they are. */
export function failureOfSystem(error: unknown, dataDirectory: string): unknown {
  const { code, syscall } = error as NodeJS.ErrnoException;
  if (syscall?.startsWith("spawn") !== true) return failureOfFiles(error, dataDirectory);
  // The files are there, so what is missing is the loader that they name.
  const reason = code === "ENOENT" ? "they need glibc" : `${code} at ${syscall}`;
  return new StartError(
    `This system can't run the PostgreSQL binaries (${reason}): set DATABASE_URL to a server of yours.`,
    { cause: error },
  );
}

const sentences: ReadonlyArray<{ readonly pattern: RegExp; readonly sentence: (folder: string) => string }> = [
  {
    pattern: /shared memory segment.*No space left on device/,
    sentence: () => "The shared memory of this system (/dev/shm) is full: give it more room, then start again.",
  },
  { pattern: /No space left on device|Disk quota exceeded/, sentence: diskFullSentence },
  { pattern: /Read-only file system/, sentence: readOnlySentence },
  {
    pattern: /could not map anonymous shared memory|Cannot allocate memory|out of memory/,
    sentence: () => "There is not enough free memory to start PostgreSQL.",
  },
  {
    pattern: /pre-existing shared memory block|lock file ".*" already exists/,
    sentence: (folder) => `Another PostgreSQL is at work in ${folder}: stop it, then start again.`,
  },
  {
    pattern: /Permission denied/,
    sentence: (folder) => `PostgreSQL may not read or write its files in ${folder}: see to their owner and mode.`,
  },
];
