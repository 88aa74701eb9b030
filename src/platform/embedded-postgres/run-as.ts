import { readFileSync, type Stats, statSync } from "node:fs";
import { userInfo } from "node:os";
import path from "node:path";
import { StartError } from "../../kernel/start-error.ts";

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
