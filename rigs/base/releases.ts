import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { buildSync } from "esbuild";
import { projectRoot } from "./program.ts";

/** What a release runs from: its bundle at `dist/start.js`, its migrations and documents. */
export interface ReleaseTree {
  readonly folder: string;
  readonly release: string;
}

const git = (...args: string[]) => execFileSync("git", args, { cwd: projectRoot, encoding: "utf8" }).trim();
const releaseAt = (commit: string) => JSON.parse(git("show", `${commit}:package.json`)).version as string;
const presentRelease = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8")).version as string;

/** The last commit of the release before the present one; null where git's history does not reach so far. */
export function previousRelease(): string | null {
  try {
    const changes = git("log", "--format=%H", "--", "package.json").split("\n");
    const first = changes.find((commit) => releaseAt(commit) !== presentRelease);
    if (first === undefined) return null;
    const since = git("rev-list", "--reverse", `${first}..HEAD`).split("\n");
    const bump = since.find((commit) => releaseAt(commit) === presentRelease);
    return bump === undefined ? null : git("rev-parse", `${bump}^`);
  } catch {
    return null;
  }
}

/**
 * The release before this one: the commit, where the present migrations lead on from its own. Before the first release none
 * does; then the present files stand in, under a lower number.
 */
export function releaseBefore(folder: string): ReleaseTree {
  const commit = previousRelease();
  return commit !== null && isLedOnFrom(commit) ? checkOut(commit, folder) : present(folder, { release: "0.0.1" });
}

/** Whether each numbered migration of the commit is there still, as it was. */
function isLedOnFrom(commit: string): boolean {
  const changed = git("diff", "--name-only", "--diff-filter=DMR", "--no-renames", commit, "--", "migrations/0*.sql");
  return changed === "";
}

/** A commit's files and its bundle, in a folder of their own. It runs with the packages that are installed now. */
function checkOut(commit: string, folder: string): ReleaseTree {
  unpack(folder, [commit, "src", "migrations", "docs", "package.json"]);
  return bundleIn(folder);
}

/** All files of a commit, with packages of its own: a start may change those that it finds. */
export function checkOutWithPackages(commit: string, folder: string): void {
  unpack(folder, [commit]);
  // One commit has a link of that name, to another folder's packages.
  rmSync(path.join(folder, "node_modules"), { force: true });
  execFileSync("npm", ["ci", "--silent", "--omit=dev", "--prefer-offline"], { cwd: folder, stdio: "inherit" });
}

/** @param what of `git archive`: a commit, and which of its files */
function unpack(folder: string, what: readonly string[]): void {
  mkdirSync(folder, { recursive: true });
  const files = execFileSync("git", ["archive", ...what], { cwd: projectRoot, maxBuffer: 200_000_000 });
  execFileSync("tar", ["-x", "-C", folder], { input: files });
}

/** The present files and bundle, with a migration more: `change` is its SQL. */
export function presentWith(change: string, folder: string): ReleaseTree {
  return present(folder, { change });
}

/** The present files and bundle, as another release or with a migration more. */
function present(
  folder: string,
  { release = presentRelease, change }: { readonly release?: string; readonly change?: string },
): ReleaseTree {
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(projectRoot, "migrations"), path.join(folder, "migrations"), { recursive: true });
  for (const name of ["src", "docs"]) symlinkSync(path.join(projectRoot, name), path.join(folder, name));
  const described = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  writeFileSync(path.join(folder, "package.json"), JSON.stringify({ ...described, version: release }));
  if (change !== undefined) writeFileSync(path.join(folder, "migrations/9999_planted.sql"), change);
  return bundleIn(folder);
}

/** Bundles what is in the folder. */
function bundleIn(folder: string): ReleaseTree {
  symlinkSync(path.join(projectRoot, "node_modules"), path.join(folder, "node_modules"));
  buildSync({
    absWorkingDir: folder,
    entryPoints: ["src/main/start.ts"],
    outfile: "dist/start.js",
    bundle: true,
    preserveSymlinks: true,
    packages: "external",
    jsx: "automatic",
    jsxImportSource: "preact",
    platform: "node",
    format: "esm",
    logLevel: "error",
  });
  return { folder, release: JSON.parse(readFileSync(path.join(folder, "package.json"), "utf8")).version };
}
