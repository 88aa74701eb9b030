// Makes a fresh clone work: installs the dependencies that package-lock.json asks for when they are not there.
// Needs nothing but Node itself, and takes some 10 ms when all is well.
import { spawnSync } from "node:child_process";
import { accessSync, constants, existsSync, readFileSync, statSync } from "node:fs";
import { createServer } from "node:net";
import { homedir } from "node:os";
import path from "node:path";
import { fileURLToPath } from "node:url";

export const projectRoot = path.dirname(path.dirname(fileURLToPath(import.meta.url)));

const nodeLeast = [20, 19];
const otherInstallMsMax = 15 * 60_000;
const pollMs = 200;

/**
 * Ends this process with one sentence and exit code 1 when Node is too old or the installation fails.
 * `development`: whether the tools for building and testing are needed as well.
 */
export async function ensureDependencies({ development }) {
  refuseOldNode();
  if (findMissing(development) === undefined) return;
  const lock = await waitForTurn();
  try {
    const missing = findMissing(development); // another start may have installed it meanwhile
    if (missing !== undefined) install(missing, development);
  } finally {
    lock.close();
  }
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

/** The first package that is absent or of another version than the lock file says, or undefined. */
function findMissing(development) {
  const installed = readPackages("node_modules/.package-lock.json");
  if (installed === undefined) return "node_modules";
  return Object.entries(readPackages("package-lock.json") ?? {}).find(([folder, wanted]) => {
    if (folder === "" || ((wanted.dev || wanted.devOptional) && !development)) return false;
    const found = installed[folder];
    if (found === undefined) return !(wanted.optional || wanted.devOptional) || isForThisPlatform(wanted);
    const isThere = existsSync(path.join(projectRoot, folder, "package.json"));
    return found.version !== wanted.version || found.integrity !== wanted.integrity || !isThere;
  })?.[0];
}

/** Optional packages name their platforms; those that name none belong to one that is for another platform. */
function isForThisPlatform({ os, cpu, libc }) {
  const ownLibc = existsSync("/lib/ld-musl-x86_64.so.1") || existsSync("/lib/ld-musl-aarch64.so.1") ? "musl" : "glibc";
  return (
    os?.includes(process.platform) &&
    (cpu === undefined || cpu.includes(process.arch)) &&
    (libc === undefined || libc.includes(ownLibc))
  );
}

function readPackages(file) {
  try {
    return JSON.parse(readFileSync(path.join(projectRoot, file), "utf8")).packages;
  } catch {
    return undefined;
  }
}

function install(missing, development) {
  const what = missing === "node_modules" ? "not installed yet" : `not up to date (${missing})`;
  console.error(`The dependencies are ${what}: running npm ci, which takes a minute at most on a usual connection ...`);
  // Scripts of packages are not run: npm 11 skips them unless told otherwise, so nothing here relies on them.
  const args = ["ci", "--ignore-scripts", "--include=optional", "--no-audit", "--no-fund", "--loglevel=error"];
  if (development) args.push("--include=dev");
  const [program, first] = npm();
  const result = spawnSync(program, [...first, ...args], {
    cwd: projectRoot,
    encoding: "utf8",
    env: { ...process.env, ...cacheFolder(), PATH: pathWithNode() },
    maxBuffer: 64 * 1024 * 1024,
  });
  if (result.status === 0) return;
  const output = `${result.stdout ?? ""}${result.stderr ?? ""}`;
  giveUp(`The dependencies could not be installed: ${reasonOf(result.error, output)}.`);
}

/** The npm that runs us, if any, else the one in the path. */
function npm() {
  const running = process.env.npm_execpath;
  return running?.endsWith("npm-cli.js") && existsSync(running) ? [process.execPath, [running]] : ["npm", []];
}

/** Children find the same Node that runs us, even when it was called by its full path. */
export function pathWithNode() {
  return [path.dirname(process.execPath), process.env.PATH].filter(Boolean).join(path.delimiter);
}

/** Users without a home directory of their own (services, nobody) get a cache in the project. */
function cacheFolder() {
  if (process.env.npm_config_cache !== undefined && isWritable(process.env.npm_config_cache)) return {};
  return isWritable(homedir()) ? {} : { npm_config_cache: path.join(projectRoot, ".tmp/npm-cache") };
}

function isWritable(folder) {
  try {
    accessSync(folder, constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

function reasonOf(error, output) {
  if (error?.code === "ENOENT") return "there is no npm in the path";
  if (error !== undefined) return error.message;
  const known = [
    [
      /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ECONNRESET|ENETUNREACH|ERR_SOCKET_TIMEOUT/,
      "no connection to the package registry",
    ],
    [/ENOSPC/, "the disk is full"],
    [/EACCES|EPERM|EROFS/, `this user may not write to ${path.join(projectRoot, "node_modules")} or to npm's cache`],
    [/EUSAGE/, "package.json and package-lock.json do not belong together"],
  ];
  const lines = output.split("\n").map((line) => line.replace(/^npm (error|ERR!) ?/, "").trim());
  const details = lines.filter((line) => line !== "" && !line.startsWith("A complete log")).slice(0, 3);
  const reason = known.find(([pattern]) => pattern.test(output))?.[1] ?? "npm ci failed";
  return `${reason} (${details.join("; ") || "npm said nothing"})`;
}

/** One installation at a time: the kernel frees the name of an abstract socket when its process ends, however it does. */
async function waitForTurn() {
  const { dev, ino } = statSync(projectRoot, { bigint: true });
  for (let waitedMs = 0; waitedMs < otherInstallMsMax; waitedMs += pollMs) {
    const lock = await tryToListen(`\0dispense-install-${dev}-${ino}`);
    if (lock !== undefined) return lock;
    if (waitedMs === 0) console.error("Another process is installing the dependencies: waiting for it ...");
    await new Promise((resolve) => setTimeout(resolve, pollMs));
  }
  return giveUp("Another process has been installing the dependencies for too long: end it, then start again.");
}

function tryToListen(name) {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(undefined));
    server.listen(name, () => resolve(server));
  });
}
