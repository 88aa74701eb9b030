// Makes a fresh clone work: installs the dependencies when they are absent or older than package-lock.json. Needs nothing
// but Node itself. `node scripts/ensure-dependencies.mjs` installs the tools for building and testing too.
import { spawnSync } from "node:child_process";
import { accessSync, constants, statSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const nodeLeast = [20, 19];

/**
 * Ends this process with one sentence and exit code 1 when Node is too old or the installation fails.
 * `development`: whether the tools for building and testing are needed as well.
 */
export function ensureDependencies({ development }) {
  refuseOldNode();
  const installedMs = changedMs("node_modules/.package-lock.json");
  const hasTools = changedMs("node_modules/vitest") > 0;
  if (installedMs >= changedMs("package-lock.json") && (hasTools || !development)) return;
  console.error("Installing the dependencies, which takes a minute at most on a usual connection ...");
  // Not `npm ci`, and no tools are taken away: a service that runs from this folder would lose what it has yet to load.
  const which = development || hasTools ? "--include=dev" : "--omit=dev";
  const args = ["install", which, "--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  const env = { ...process.env, ...cacheFolder(), PATH: pathWithNode() };
  const { status, error } = spawnSync("npm", args, { cwd: projectRoot, stdio: ["ignore", 2, 2], env });
  if (status !== 0) giveUp(`The dependencies could not be installed${error ? `: ${error.message}` : ", see above"}.`);
}

/** When a file or folder was changed, in milliseconds; 0 where there is none. */
function changedMs(name) {
  return statSync(path.join(projectRoot, name), { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

/** Prints one sentence and ends this process with exit code 1. @returns {never} */
export function giveUp(sentence) {
  console.error(sentence);
  process.exit(1);
}

function refuseOldNode() {
  const [major, minor] = process.versions.node.split(".").map(Number);
  if (major > nodeLeast[0] || (major === nodeLeast[0] && minor >= nodeLeast[1])) return;
  giveUp(`Dispense needs Node.js ${nodeLeast.join(".")} or newer, and this is ${process.versions.node}.`);
}

/** Children find the same Node that runs us, even when it was called by its full path. */
export function pathWithNode() {
  return [path.dirname(process.execPath), process.env.PATH].filter(Boolean).join(path.delimiter);
}

/** Users without a home directory of their own (services, nobody) get a cache in the project. */
function cacheFolder() {
  try {
    accessSync(homedir(), constants.W_OK);
    return {};
  } catch {
    return { npm_config_cache: path.join(projectRoot, ".tmp/npm-cache") };
  }
}

if (process.argv[1] === fileURLToPath(import.meta.url)) ensureDependencies({ development: true });
