import { randomBytes } from "node:crypto";
import { existsSync, readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { mkdir, open, realpath, rename, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../kernel/start-error.ts";

/**
 * Makes the data directory when it is missing and returns its real path.
 * @throws StartError when it can't be made
 */
export async function openDataDirectory(folder: string): Promise<string> {
  try {
    await makeFolders(path.resolve(folder));
    return await realpath(folder);
  } catch (error) {
    throw failureOfFiles(error, folder);
  }
}

/** Makes one sentence of an error of the file system; others are returned as they are. */
export function failureOfFiles(error: unknown, dataDirectory: string): unknown {
  if (error instanceof StartError) return error;
  const { code, syscall, path: file = dataDirectory } = error as NodeJS.ErrnoException;
  const sentence = sentenceFor(code, { dataDirectory, syscall, file });
  return sentence === undefined ? error : new StartError(sentence, { cause: error });
}

export function diskFullSentence(dataDirectory: string): string {
  return `The disk that holds ${dataDirectory} is full: free some space, then start again.`;
}

export function readOnlySentence(dataDirectory: string): string {
  return `The disk that holds ${dataDirectory} is read-only: set DATA_DIR to a folder that can be written.`;
}

function sentenceFor(
  code: string | undefined,
  { dataDirectory, syscall, file }: { dataDirectory: string; syscall: string | undefined; file: string },
): string | undefined {
  switch (code) {
    case "ENOSPC":
    case "EDQUOT":
      return diskFullSentence(dataDirectory);
    case "EROFS":
      return readOnlySentence(dataDirectory);
    case "EACCES":
    case "EPERM":
      return `Permission denied (${syscall} ${file}): give this user the right to it, or set DATA_DIR to another folder.`;
    case "ENOTDIR":
      return `The data directory ${dataDirectory} can't be one: a part of its path is a file.`;
    case "EEXIST":
      return `The data directory ${dataDirectory} can't be one: ${file} is a file.`;
    case "ENAMETOOLONG":
    case "ELOOP":
      return `The data directory ${dataDirectory} can't be opened (${code}): set DATA_DIR to another folder.`;
    case "ENOENT": // below /proc nobody makes folders; a file that is missing elsewhere is another matter
      if (syscall !== "mkdir") return undefined;
      return `The data directory ${dataDirectory} can't be made (${code}): set DATA_DIR to another folder.`;
    default:
      return undefined;
  }
}

/** Not `recursive`: on a read-only disk Node then says that there is no such folder. */
async function makeFolders(folder: string): Promise<void> {
  if (isFolder(folder)) return;
  await makeFolders(path.dirname(folder));
  await mkdir(folder).catch((error) => {
    if (!isFolder(folder)) throw error;
  });
}

function isFolder(folder: string): boolean {
  return statSync(folder, { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The folder of package.json: above `src/platform` when run from source, above `dist` when bundled. */
export function projectRoot(): string {
  for (let folder = import.meta.dirname; ; folder = path.dirname(folder)) {
    if (existsSync(path.join(folder, "package.json"))) return folder;
    if (folder === path.dirname(folder)) throw new Error(`there is no package.json above ${import.meta.dirname}`);
  }
}

/** The user that a file shall belong to, where that is not the user of this process. */
type Owner = { readonly uid: number; readonly gid: number } | undefined;

/**
 * Writes a text beside a file, for its user alone, and onto the disk. The caller moves it into the file's place in
 * one step: nobody reads half of it. Where it can't be written, nothing is left behind.
 * @returns the path of what was written
 */
export async function writeDraft(file: string, text: string, owner?: Owner): Promise<string> {
  const draft = `${file}.new-${randomBytes(6).toString("hex")}`;
  // A new file and no other: never through a link that somebody put there.
  const handle = await open(draft, "wx", 0o600);
  try {
    await handle.writeFile(text);
    if (owner !== undefined) await handle.chown(owner.uid, owner.gid);
    await handle.sync();
    return draft;
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  } finally {
    await handle.close();
  }
}

/** Puts a text into a file, whole or not at all, for its user alone. */
export async function replacePrivately(file: string, text: string, owner?: Owner): Promise<void> {
  const draft = await writeDraft(file, text, owner);
  try {
    await rename(draft, file);
    await syncFolder(path.dirname(file));
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

/** Puts onto the disk which files a folder has: without it a power cut may take the name of a file that is there. */
export async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

const heartbeatMs = 2_000;
const longSilentMs = 60_000;
const pollMs = 100;

/** The right to be the only service of a data directory, until it is released or the process ends. */
export interface DirectoryHold {
  release(): Promise<void>;
}

/**
 * Takes a data directory (made when missing) for this process alone. What holds it is the name of an abstract Unix
 * socket, which the kernel frees when its process ends, also by `kill -9`: nothing stale is ever left. Such names end
 * at the edge of a container; for a second container on the same volume the holder touches the file `holder`, and who
 * finds a fresh one of another container or machine watches it for six seconds.
 * @throws StartError when another process holds it, or when it can't be written
 */
export async function holdDirectory(dataDirectory: string, watchMs = 3 * heartbeatMs): Promise<DirectoryHold> {
  const folder = await openDataDirectory(dataDirectory);
  const file = path.join(folder, "holder");
  const { dev, ino } = statSync(folder, { bigint: true });
  const server = await listen(`\0dispense-${dev}-${ino}`);
  const earlier = readHolder(file);
  const own = { pid: process.pid, home: describeHome() };
  if (server === undefined) throw cached(folder, earlier?.home === own.home ? earlier.pid : undefined);
  try {
    if (earlier !== undefined && earlier.home !== own.home && (await isTouched(file, watchMs)))
      throw cached(folder, undefined);
    rmSync(file, { force: true });
    writeFileSync(file, JSON.stringify(own), { mode: 0o600, flag: "wx" });
  } catch (error) {
    server.close();
    const lost = (error as NodeJS.ErrnoException).code === "EEXIST"; // to another container, at the same moment
    throw lost ? cached(folder, undefined) : failureOfFiles(error, folder);
  }
  const timer = setInterval(() => touch(file), heartbeatMs);
  timer.unref();
  server.unref();
  return {
    release: async () => {
      clearInterval(timer);
      rmSync(file, { force: true });
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function cached(folder: string, pid: number | undefined): StartError {
  const who = pid === undefined ? "another process" : `process ${pid}`;
  return new StartError(
    `Dispense runs already with the data directory ${folder} (${who}): stop it first, or set DATA_DIR to another folder.`,
  );
}

/** Undefined when the name is taken. */
function listen(name: string): Promise<Server | undefined> {
  return new Promise((resolve, reject) => {
    const server = createServer((socket) => socket.destroy());
    server.once("error", (error: NodeJS.ErrnoException) => {
      if (error.code === "EADDRINUSE") resolve(undefined);
      else reject(error);
    });
    server.listen(name, () => resolve(server));
  });
}

function readHolder(file: string): { pid: number; home: string } | undefined {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as { pid: number; home: string };
  } catch {
    return undefined;
  }
}

/** The boot of the machine and the container's namespaces: where the same process id means the same process. */
function describeHome(): string {
  const boot = readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim();
  return [boot, readlinkSync("/proc/self/ns/pid"), readlinkSync("/proc/self/ns/net")].join(" ");
}

/** Whether somebody keeps the file fresh. Clocks are compared for a file that is older than any heartbeat only. */
async function isTouched(file: string, watchMs: number): Promise<boolean> {
  const first = touchedAtMs(file);
  if (first === undefined || Date.now() - first > longSilentMs) return false;
  for (let waitedMs = 0; waitedMs < watchMs; waitedMs += pollMs) {
    await delay(pollMs);
    const now = touchedAtMs(file);
    if (now === undefined) return false; // released meanwhile
    if (now !== first) return true;
  }
  return false;
}

function touchedAtMs(file: string): number | undefined {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs;
}

function touch(file: string): void {
  const now = new Date();
  try {
    utimesSync(file, now, now);
  } catch {
    // Removed by hand: within this container the socket's name still holds the directory.
  }
}
