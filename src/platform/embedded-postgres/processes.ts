import { readdirSync, readFileSync, readlinkSync, type Stats, statSync } from "node:fs";
import { rm } from "node:fs/promises";
import { userInfo } from "node:os";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { StartError } from "../../kernel/start-error.ts";

const fastShutdownMs = 8_000;
const immediateShutdownMs = 1_000; // it writes nothing
const killedMs = 5_000;
const pollMs = 20;

/**
 * The PostgreSQL processes that work in a cluster's folder. All of them keep it as their working directory, which is a
 * better witness than `postmaster.pid`: it can't be stale, and a process id used again by another program is not taken
 * for ours.
 */
export function processesIn(folder: string): number[] {
  const home = identity(folder);
  if (home === undefined) return [];
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => isPostgres(pid) && identity(`/proc/${pid}/cwd`) === home)
    .map(Number);
}

/**
 * Ends whatever still runs in a cluster's folder and removes the lock files, so that a new postmaster can start there:
 * the postmaster of a service that was killed, or the children that a killed postmaster left behind (they notice within
 * two seconds and hold its shared memory until then). PostgreSQL recovers from each of these like from a power cut.
 */
export async function clearRemains(folder: string, log: (message: string) => void): Promise<void> {
  const found = processesIn(folder);
  const postmaster = lockHolder(folder);
  if (postmaster !== undefined && found.includes(postmaster)) {
    log(`stopping the PostgreSQL (process ${postmaster}) that an earlier run left behind`);
    await shutDown(folder, postmaster);
  }
  await killAll(folder);
  // With nobody at work in the folder these are stale, and would block a start whose user owns a process of that id.
  await rm(path.join(folder, "postmaster.pid"), { force: true });
  await rm(path.join(folder, ".s.PGSQL.5432.lock"), { force: true });
}

/** Fast shutdown (sessions are cut, everything is written), then immediate, then by force. Bounded. */
export async function shutDown(folder: string, postmaster: number): Promise<void> {
  const steps = [
    { signal: "SIGINT", waitMs: fastShutdownMs },
    { signal: "SIGQUIT", waitMs: immediateShutdownMs },
  ] as const;
  for (const { signal, waitMs } of steps) {
    if (!sendSignal(postmaster, signal)) break;
    if (await waitUntilEmpty(folder, waitMs)) return;
  }
  await killAll(folder);
}

/** Like a power cut for the cluster: PostgreSQL recovers from it with everything that was committed. Bounded. */
export async function killAll(folder: string): Promise<void> {
  for (const pid of processesIn(folder)) sendSignal(pid, "SIGKILL");
  await waitUntilEmpty(folder, killedMs);
}

async function waitUntilEmpty(folder: string, waitMs: number): Promise<boolean> {
  for (let waitedMs = 0; waitedMs < waitMs; waitedMs += pollMs) {
    if (processesIn(folder).length === 0) return true;
    await delay(pollMs);
  }
  return processesIn(folder).length === 0;
}

function lockHolder(folder: string): number | undefined {
  try {
    return Number.parseInt(readFileSync(path.join(folder, "postmaster.pid"), "utf8"), 10);
  } catch {
    return undefined;
  }
}

/** False when there is no such process any more. */
function sendSignal(pid: number, signal: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, signal);
  } catch {
    return false;
  }
}

function isPostgres(pid: string): boolean {
  try {
    return /\/(postgres|initdb)( \(deleted\))?$/.test(readlinkSync(`/proc/${pid}/exe`));
  } catch {
    return false; // gone, or another user's
  }
}

function identity(folder: string): string | undefined {
  try {
    const { dev, ino } = statSync(folder, { bigint: true });
    return `${dev}:${ino}`;
  } catch {
    return undefined;
  }
}

/** The user that PostgreSQL runs as. `change` is set when that is not the user of this process. */
export interface RunAs {
  readonly uid: number;
  readonly gids: readonly number[];
  readonly change: { readonly uid: number; readonly gid: number } | undefined;
}

/**
 * PostgreSQL refuses to run as root: root hands it to the owner of an existing cluster (a data directory that was moved
 * or used without root before stays usable), else to `nobody`. Everybody else runs it as themselves.
 */
export function chooseRunAs(clusterOwner: { readonly uid: number; readonly gid: number } | undefined): RunAs {
  const ownUid = process.getuid?.() ?? 0;
  if (ownUid !== 0) {
    const gids = [process.getgid?.() ?? ownUid, ...(process.getgroups?.() ?? [])];
    return { uid: ownUid, gids, change: undefined };
  }
  const change = clusterOwner !== undefined && clusterOwner.uid !== 0 ? clusterOwner : nobody();
  return { uid: change.uid, gids: [change.gid], change };
}

/** The first folder on the way to `target` (itself included) that the user may not enter, or undefined. */
export function firstClosedFolder(target: string, user: RunAs): string | undefined {
  const parts = path.resolve(target).split(path.sep).slice(1);
  const folders = ["/", ...parts.map((_, index) => `/${parts.slice(0, index + 1).join("/")}`)];
  return folders.find((folder) => !allows(statSync(folder), user, 0o1));
}

/** Whether the permission bits grant `wanted` (1 enter or run, 4 read) to the user. Access lists are not looked at. */
export function allows(file: Stats, user: RunAs, share: number): boolean {
  if (user.uid === 0) return true;
  const shift = file.uid === user.uid ? 6 : user.gids.includes(file.gid) ? 3 : 0;
  return ((file.mode >> shift) & share) === share;
}

/** initdb (not postgres itself) looks its user up by name and refuses one without an entry. */
export function assertUserHasName(user: RunAs): void {
  if (user.change !== undefined) return;
  try {
    userInfo();
  } catch {
    throw new StartError(
      `The user id ${user.uid} has no entry in /etc/passwd, without which PostgreSQL can't create its database: ` +
        "start as a user that has one, or set DATABASE_URL to a server of yours.",
    );
  }
}

function nobody(): { uid: number; gid: number } {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith("nobody:"));
  const [, , uid, gid] = line?.split(":") ?? [];
  if (uid === undefined || gid === undefined) {
    throw new StartError(
      "PostgreSQL does not run as root, and /etc/passwd has no user nobody to run it as: start as an ordinary user, " +
        "or set DATABASE_URL to a server of yours.",
    );
  }
  return { uid: Number(uid), gid: Number(gid) };
}
