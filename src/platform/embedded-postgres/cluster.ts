import { spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { constants, existsSync, lstatSync, readFileSync } from "node:fs";
import { chmod, chown, lchown, mkdir, open, readdir, rename, rm, statfs } from "node:fs/promises";
import os from "node:os";
import path from "node:path";
import { StartError } from "../../kernel/start-error.ts";
import { openDataDirectory, replacePrivately, syncFolder } from "../data-directory/data-directory.ts";
import { type Binaries, locateBinaries } from "./binaries.ts";
import { failureOf } from "./failures.ts";
import { assertUserHasName, chooseRunAs, clearRemains, firstClosedFolder, type RunAs } from "./processes.ts";
import { renderSettings, settingsFor } from "./settings.ts";

const initdbMsMax = 120_000;
const settingsFile = "dispense.conf";

/** A data directory of PostgreSQL ("cluster"), ready to be started. */
export interface Cluster {
  /** Its real path; also the working directory of its processes, and where its socket is. */
  readonly folder: string;
  /** Its path as PostgreSQL must say it. */
  readonly folderForPostgres: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
}

/** Programs never get the environment of the service: `PG…` variables would change what they do. */
export const programEnvironment = { PATH: "/usr/local/bin:/usr/bin:/bin", LC_ALL: "C", TZ: "UTC" };

/** A working directory is reached without entering the folders above it: below /root (mode 700) there is no other way. */
const workingDirectory = "/proc/self/cwd";

/**
 * Opens the cluster below a data directory, making it when there is none, and writes its settings. Nothing runs in it
 * afterwards. A start that was cut off at any point is made good by the next one. The caller holds the data directory.
 * @throws StartError
 */
export async function openCluster(options: {
  readonly dataDirectory: string;
  readonly settings: Readonly<Record<string, string>>;
  readonly log: (message: string) => void;
}): Promise<Cluster> {
  const dataDirectory = await openDataDirectory(options.dataDirectory);
  const folder = path.join(dataDirectory, "postgres");
  const owner = existsSync(folder) ? lstatSync(folder) : undefined;
  const runAs = chooseRunAs(owner);
  const binaries = await locateBinaries(runAs, [
    path.join(dataDirectory, "programs"),
    "/var/cache/dispense",
    `/var/tmp/dispense-${process.getuid?.()}`,
  ]);
  await removeUnfinished(dataDirectory, options.log);
  const logFile = path.join(dataDirectory, "postgres.log");
  if (owner === undefined) {
    options.log(`creating the database in ${folder}`);
    const durably = options.settings.fsync !== "off";
    await createCluster({ folder, dataDirectory, logFile, binaries, runAs, durably });
  } else {
    await checkCluster({ folder, binaries, runAs, ownerUid: owner.uid });
    await clearRemains(folder, options.log);
  }
  await writeSettings(folder, runAs, options.settings);
  const folderForPostgres = firstClosedFolder(folder, runAs) === undefined ? folder : workingDirectory;
  return { folder, folderForPostgres, dataDirectory, logFile, binaries, runAs };
}

/** Made beside its place and renamed when complete, so that a half-made cluster is never taken for one. */
async function createCluster(options: {
  readonly folder: string;
  readonly dataDirectory: string;
  readonly logFile: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly durably: boolean;
}): Promise<void> {
  const { folder, dataDirectory, logFile, binaries, runAs } = options;
  assertUserHasName(runAs);
  const unfinished = `${folder}.new-${randomBytes(6).toString("hex")}`;
  await mkdir(unfinished, { mode: 0o700 });
  try {
    if (runAs.change !== undefined) await chown(unfinished, runAs.change.uid, runAs.change.gid);
    const result = await runInitdb(binaries.initdb, unfinished, runAs, options.durably);
    if (!result.succeeded) throw failureOf("Creating the database", result.output, { dataDirectory, logFile });
    await includeSettings(unfinished);
    await rename(unfinished, folder);
    await syncFolder(dataDirectory);
  } catch (error) {
    await rm(unfinished, { recursive: true, force: true, maxRetries: 5 });
    throw error;
  }
}

function runInitdb(
  program: string,
  folder: string,
  runAs: RunAs,
  durably: boolean,
): Promise<{ succeeded: boolean; output: string }> {
  const options = ["--username=dispense", "--encoding=UTF8", "--locale=C", "--auth-local=trust", "--auth-host=reject"];
  // A new segment of the usual 16 MB is zeroed and synced while commits wait: 30 ms, once in 16,000 purchases.
  options.push("--wal-segsize=4");
  const child = spawn(
    program,
    ["-D", workingDirectory, ...options, "--no-instructions", ...(durably ? [] : ["--no-sync"])],
    {
      cwd: folder,
      env: programEnvironment,
      stdio: ["ignore", "pipe", "pipe"],
      timeout: initdbMsMax,
      ...runAs.change,
    },
  );
  const endWithUs = () => child.kill("SIGTERM");
  process.once("exit", endWithUs);
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      process.removeListener("exit", endWithUs);
      resolve({ succeeded: code === 0, output: Buffer.concat(chunks).toString("utf8") });
    });
  });
}

async function removeUnfinished(dataDirectory: string, log: (message: string) => void): Promise<void> {
  const names = await readdir(dataDirectory);
  for (const name of names.filter((each) => each.startsWith("postgres.new-"))) {
    const leftover = path.join(dataDirectory, name);
    await clearRemains(leftover, log); // an initdb whose service was killed is still at work there
    await rm(leftover, { recursive: true, force: true, maxRetries: 5 });
  }
}

async function checkCluster(options: {
  readonly folder: string;
  readonly binaries: Binaries;
  readonly runAs: RunAs;
  readonly ownerUid: number;
}): Promise<void> {
  const { folder, binaries, runAs } = options;
  if (runAs.change === undefined && options.ownerUid !== runAs.uid) {
    throw new StartError(
      `The database in ${folder} belongs to the user id ${options.ownerUid}, not to ${runAs.uid}: ` +
        "start as that user (or as root, if it was made by root), or set DATA_DIR to another folder.",
    );
  }
  const version = versionOf(folder);
  if (version !== binaries.majorVersion) {
    throw new StartError(
      `The database in ${folder} was made by PostgreSQL ${version}, and this is PostgreSQL ${binaries.majorVersion}: ` +
        "start the release of Dispense that made it, or move its data with pg_dump.",
    );
  }
  if (options.ownerUid === 0 && runAs.change !== undefined) await giveTo(folder, runAs.change);
  await chmod(folder, 0o700); // a restored copy is often 755, which PostgreSQL refuses
}

function versionOf(folder: string): string {
  try {
    return readFileSync(path.join(folder, "PG_VERSION"), "utf8").trim();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
    throw new StartError(`${folder} is not a database of PostgreSQL: move it away, or set DATA_DIR to another folder.`);
  }
}

/** A copy that root put back belongs to root, as which PostgreSQL does not run. */
async function giveTo(folder: string, user: { readonly uid: number; readonly gid: number }): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  for (const entry of entries) await lchown(path.join(entry.parentPath, entry.name), user.uid, user.gid);
  await lchown(folder, user.uid, user.gid);
}

async function includeSettings(folder: string): Promise<void> {
  const flags = constants.O_WRONLY | constants.O_APPEND | constants.O_NOFOLLOW;
  const file = await open(path.join(folder, "postgresql.conf"), flags);
  try {
    await file.write(`\ninclude '${settingsFile}'\n`);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** As root this writes into another user's folder: never through a link that was put there. */
async function writeSettings(folder: string, runAs: RunAs, overrides: Readonly<Record<string, string>>): Promise<void> {
  const disk = await statfs(folder);
  const machine = { memoryBytes: memoryBytes(), freeDiskBytes: disk.bavail * disk.bsize };
  const text = renderSettings({ ...settingsFor(machine), ...overrides });
  await replacePrivately(path.join(folder, settingsFile), text, runAs.change);
}

/** The container's memory limit where there is one, else the machine's memory. */
function memoryBytes(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, os.totalmem()) : os.totalmem();
}
