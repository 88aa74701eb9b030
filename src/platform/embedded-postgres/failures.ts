import { StartError } from "../../kernel/start-error.ts";

interface Place {
  readonly dataDirectory: string;
  readonly logFile: string;
}

/** Makes one sentence of what PostgreSQL wrote before it ended. */
export function failureOf(what: string, output: string, place: Place): StartError {
  const known = sentences.find(({ pattern }) => pattern.test(output));
  if (known !== undefined) return new StartError(known.sentence(place.dataDirectory));
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  const telling = lines.findLast((line) => /FATAL|PANIC|error:|ERROR/.test(line)) ?? lines.at(-1) ?? "no output";
  return new StartError(`${what} failed: ${telling.trim()} (more in ${place.logFile}).`);
}

/** Makes one sentence of an error of the file system or of starting a program; others are returned as they are. */
export function failureOfSystem(error: unknown, dataDirectory: string): unknown {
  if (error instanceof StartError) return error;
  const { code, syscall, path } = error as NodeJS.ErrnoException;
  const where = path ?? dataDirectory;
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return new StartError(diskFull(dataDirectory), { cause: error });
    case "EROFS":
      return new StartError(readOnly(dataDirectory), { cause: error });
    case "EACCES":
    case "EPERM":
      return new StartError(
        `Permission denied (${syscall} ${where}): give this user the right to it, or set DATA_DIR to another folder.`,
        { cause: error },
      );
    case "ENOTDIR":
    case "EEXIST":
      return new StartError(`The data directory ${dataDirectory} can't be one: ${where} is a file.`, { cause: error });
    case "ENOENT":
      if (syscall?.startsWith("spawn") !== true) return error;
      // The file is there, so what is missing is the loader that it names.
      return new StartError(
        "This system can't run the PostgreSQL binaries (they need glibc): set DATABASE_URL to a server of yours.",
        { cause: error },
      );
    default:
      return error;
  }
}

const sentences: ReadonlyArray<{ readonly pattern: RegExp; readonly sentence: (folder: string) => string }> = [
  {
    pattern: /shared memory segment.*No space left on device/,
    sentence: () => "The shared memory of this system (/dev/shm) is full: give it more room, then start again.",
  },
  { pattern: /No space left on device|Disk quota exceeded/, sentence: diskFull },
  { pattern: /Read-only file system/, sentence: readOnly },
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

function diskFull(folder: string): string {
  return `The disk that holds ${folder} is full: free some space, then start again.`;
}

function readOnly(folder: string): string {
  return `The disk that holds ${folder} is read-only: set DATA_DIR to a folder that can be written.`;
}
