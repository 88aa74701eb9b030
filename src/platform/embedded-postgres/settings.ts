import { mkdtempSync, rmSync, symlinkSync, utimesSync } from "node:fs";
import { readlink, rm, symlink } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";

const mebibyte = 1024 * 1024;

/** The machine's memory, in bytes: the settings depend on it. */
export interface Machine {
  readonly memoryBytes: number;
  readonly freeDiskBytes: number;
}

/**
 * PostgreSQL's settings for a machine that it shares with the service. Whatever an operator sets with `alter system`
 * goes before these.
 */
export function settingsFor(machine: Machine): Record<string, string> {
  const memory = machine.memoryBytes / mebibyte;
  return {
    // Only the Unix socket in the cluster's folder (mode 700): no port is taken, no password can leak. The
    // user that PostgreSQL runs as gets in, as they could read its files.
    listen_addresses: "",
    port: "5432",
    unix_socket_directories: ".",
    unix_socket_permissions: "0700",
    max_connections: "100",

    shared_buffers: megabytes(clamp(memory / 8, 32, 1024)),
    effective_cache_size: megabytes(clamp(memory / 2, 64, 65_536)),
    work_mem: megabytes(clamp(memory / 512, 4, 16)),
    maintenance_work_mem: megabytes(clamp(memory / 32, 32, 256)),

    // An acknowledged purchase survives a power cut.
    fsync: "on",
    synchronous_commit: "on",
    full_page_writes: "on",
    // These binaries know pglz alone, which costs more CPU (our limit) than the bytes it saves.
    wal_compression: "off",
    // Rare checkpoints write few full page images; on a small disk the log may not take more than a tenth of it.
    checkpoint_timeout: "15min",
    max_wal_size: megabytes(clamp(machine.freeDiskBytes / mebibyte / 10, 128, 4096)),
    // Log files that were used once are kept and written over: a new one holds up every commit for some 20 ms, and comes
    // twice a second under load.
    min_wal_size: megabytes(clamp(machine.freeDiskBytes / mebibyte / 40, 32, 1024)),

    random_page_cost: "1.1",
    autovacuum: "on",
    track_io_timing: "off",

    timezone: "UTC",
    log_timezone: "UTC",
    lc_messages: "C",
    datestyle: "iso, mdy",
    logging_collector: "off",
    log_line_prefix: "%m [%p] ",
    // The values of a failing statement are customers' data, which has no place in a log.
    log_min_error_statement: "panic",
    log_error_verbosity: "terse",
  };
}

/** As the text of a configuration file. */
export function renderSettings(settings: Readonly<Record<string, string>>): string {
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value.replaceAll("'", "''")}'`);
  return `# Written anew at each start. Your own settings: alter system set ...\n${lines.join("\n")}\n`;
}

function clamp(value: number, least: number, most: number): number {
  return Math.floor(Math.min(Math.max(value, least), most));
}

function megabytes(count: number): string {
  return `${count}MB`;
}

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
