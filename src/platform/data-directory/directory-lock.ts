import { readFileSync, readlinkSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:net";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../kernel/start-error.ts";
import { failureOfFiles, openDataDirectory } from "./data-directory.ts";

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
