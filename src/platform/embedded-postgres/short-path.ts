import { mkdtempSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

// sun_path of unix(7) holds 108 bytes, the last of which is a NUL.
const socketPathBytesMax = 107;
const renewEveryMs = 60 * 60_000;

/** A folder's path that is short enough for clients to reach the socket in it. */
export interface ShortPath {
  readonly folder: string;
  remove(): void;
}

/**
 * The folder itself, or for a long path a link to it in a private folder of the temporary directory. The link is
 * renewed each hour, because cleaners of temporary directories remove what looks old.
 */
export function shortPathTo(folder: string): ShortPath {
  if (Buffer.byteLength(path.join(folder, ".s.PGSQL.5432")) <= socketPathBytesMax) {
    return { folder, remove: () => {} };
  }
  const home = mkdtempSync(path.join(tmpdir(), "dispense-"));
  const link = path.join(home, "pg");
  symlinkSync(folder, link);
  const timer = setInterval(() => void renew(home, link, folder).catch(() => {}), renewEveryMs);
  timer.unref();
  return {
    folder: link,
    remove: () => {
      clearInterval(timer);
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function renew(home: string, link: string, folder: string): Promise<void> {
  if ((await readlink(link)) !== folder) return;
  const now = new Date();
  await rm(link);
  await symlink(folder, link);
  utimesSync(home, now, now);
}
