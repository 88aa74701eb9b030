import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from "node:fs";
import path from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { freePort } from "../base/own-postgres.ts";
import { projectRoot } from "../base/program.ts";
import { usualEnvironment } from "../base/service.ts";
import { openPort, startDatabase } from "./own-database.ts";
import type { Rehearsal } from "./rehearsal.ts";
import { list, openSales } from "./sales.ts";
import { isOk, runTool, type Stage, startTool, type Tool, until } from "./stage.ts";

// A machine that builds images without a daemon: Buildah in the way that needs no kernel's help.
const environment = { BUILDAH_ISOLATION: "chroot", STORAGE_DRIVER: "vfs", HOME: process.env.HOME ?? "/root" };
const baseName = "localhost/rehearsal-node";
const imageName = "localhost/dispense";
const certificates = "/etc/ssl/certs/ca-certificates.crt";
const nodeMajor = 22;

const buildah = (...args: readonly string[]) => runTool(["buildah", ...args], { environment, folder: projectRoot });

/** The image of the Dockerfile is built, its services are started by their commands in compose.yaml, and sell. */
export const image: Rehearsal = {
  name: "image",
  says: "The image is built, and its API, worker and console sell, as compose.yaml starts them.",
  programs: ["buildah", "debootstrap"],
  hindrance: () => (process.getuid?.() === 0 ? null : "making a base image takes root"),
  async perform(stage) {
    if (!hasImage(baseName)) makeBase(stage);
    stage.say("building the image");
    const settings = path.join(environment.HOME, ".npmrc");
    const registry = existsSync(settings) ? ["--volume", `${settings}:/root/.npmrc:ro`] : [];
    const builtMs = performance.now();
    buildah(
      "bud",
      "-q",
      "--format",
      "docker",
      "--build-arg",
      `NODE_IMAGE=${baseName}`,
      ...registry,
      "-t",
      imageName,
      ".",
    );
    const seconds = Math.round((performance.now() - builtMs) / 1_000);
    const postgres = await startDatabase(stage, { settings: { max_connections: "200" } });
    const { url } = postgres;
    const container = buildah("from", imageName).trim();
    stage.after(async () => void buildah("rm", container));
    const database = `postgresql://dispense@127.0.0.1:${await openPort(stage, postgres)}/dispense`;
    const services = await startServices(stage, container, database);
    const addressOf = (role: string) => `http://127.0.0.1:${services.get(role)?.port}`;
    const sales = await openSales(addressOf("api"), url);
    sales.longestPause();
    await delay(10_000);
    const [sold, refusals] = [sales.count(), list(sales.refusals())];
    const page = await fetch(`${addressOf("console")}/log-in`);
    if (!page.ok)
      stage.say(`the console answered ${page.status}: ${services.get("console")?.tool.log().slice(-2_000)}`);
    const verdict = await sales.end();
    const codes = await Promise.all([...services].map(([role, started]) => stopWithin(role, started)));
    const rows = [
      ["built in", "size", "user", "programs beside node", "sold in 10 s", "other answers", "log-in page", "SIGTERM"],
      [
        `${seconds} s`,
        sizeOf(imageName),
        userOf(imageName),
        programsIn(container),
        String(sold),
        refusals,
        String(page.status),
        codes.join(", "),
      ],
    ];
    const notes = [
      `The base was made of Debian's packages and Node.js ${nodeMajor}, ${sizeOf(baseName)} by itself; an official slim one is smaller. ` +
        "Not tried here: Docker, and compose.yaml as a whole.",
    ];
    return { rows, notes, verdict };
  },
};

interface Started {
  readonly port: number;
  readonly tool: Tool;
}

/** As compose.yaml: the database is migrated, then each role runs in a container of its own, as the image's user. */
async function startServices(stage: Stage, container: string, database: string) {
  const start = (name: string, command: readonly string[], given: Readonly<Record<string, string>>) => {
    const settings = { ...usualEnvironment, DATABASE_URL: database, ...given };
    const words = Object.entries(settings).flatMap(([key, value]) => ["--env", `${key}=${value}`]);
    return startTool(stage, ["buildah", "run", ...words, container, "--", ...command], { name, environment });
  };
  const migrated = start("migrate", ["node", "dist/operator.js", "migrate"], {});
  await until("the database is migrated", () => migrated.child.exitCode !== null);
  const services = new Map<string, Started>();
  for (const role of ["api", "worker", "console"]) {
    const port = await freePort();
    const given = { ROLE: role, PORT: String(port), ...(role === "api" ? { CONSOLE: "off" } : {}) };
    services.set(role, { port, tool: start(role, ["node", "--enable-source-maps", "dist/start.js"], given) });
  }
  for (const [role, { port }] of services)
    await until(`${role} is ready`, () => isOk(`http://127.0.0.1:${port}/readyz`));
  return services;
}

function hasImage(name: string): boolean {
  return buildah("images", "--format", "{{.Name}}").split("\n").includes(name);
}

/** As node's own slim image: Debian's smallest system, with Node.js and npm from npm's packages. */
function makeBase(stage: Stage): void {
  stage.say("making a base image of Debian's packages and Node.js");
  const root = path.join(stage.folder, "root");
  runTool(["debootstrap", "--variant=minbase", "--include=ca-certificates", "bookworm", root, mirror()]);
  const packages = path.join(stage.folder, "packages");
  mkdirSync(packages);
  const binary = `node-linux-${process.arch}`;
  runTool(["npm", "install", "--no-save", "--prefix", packages, `${binary}@${nodeMajor}`, "npm@10"], {
    environment: { ...(process.env as Record<string, string>) },
    folder: packages,
  });
  const local = path.join(root, "usr/local");
  for (const folder of ["bin", "lib/node_modules"]) mkdirSync(path.join(local, folder), { recursive: true });
  cpSync(path.join(packages, "node_modules", binary, "bin/node"), path.join(local, "bin/node"));
  cpSync(path.join(packages, "node_modules/npm"), path.join(local, "lib/node_modules/npm"), { recursive: true });
  symlinkSync("../lib/node_modules/npm/bin/npm-cli.js", path.join(local, "bin/npm"));
  cpSync(certificates, path.join(root, certificates), { dereference: true });
  const container = buildah("from", "scratch").trim();
  buildah("add", "-q", container, root, "/");
  buildah("config", "--env", `NODE_EXTRA_CA_CERTS=${certificates}`, container);
  buildah("commit", "-q", container, baseName);
  buildah("rm", container);
}

/** Where this machine takes Debian's packages from. */
function mirror(): string {
  const folder = "/etc/apt/sources.list.d";
  const files = ["/etc/apt/sources.list", ...readdirSync(folder).map((name) => path.join(folder, name))];
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
  const found = /^(?:URIs:|deb(?: \[.*\])?) +(https?:\S+)/m.exec(texts.join("\n"));
  return found?.[1] ?? "http://deb.debian.org/debian";
}

/** The exit code after SIGTERM to the container's first process, and how long it took. */
async function stopWithin(role: string, { port, tool }: Started): Promise<string> {
  const startedMs = performance.now();
  process.kill(processAt(port), "SIGTERM");
  await until(`${role} has ended`, () => tool.child.exitCode !== null);
  return `${role}: ${tool.child.exitCode} after ${((performance.now() - startedMs) / 1_000).toFixed(1)} s`;
}

/** The process of node that was given this port. */
function processAt(port: number): number {
  const found = readdirSync("/proc").find((name) => {
    if (!/^[0-9]+$/.test(name)) return false;
    try {
      const [command] = readFileSync(`/proc/${name}/cmdline`, "utf8").split("\0");
      const environ = readFileSync(`/proc/${name}/environ`, "utf8").split("\0");
      return path.basename(command ?? "") === "node" && environ.includes(`PORT=${port}`);
    } catch {
      return false; // it has just ended
    }
  });
  if (found === undefined) throw new Error(`no process of node has the port ${port}`);
  return Number(found);
}

function sizeOf(name: string): string {
  return buildah("images", "--format", "{{.Size}}", name).trim();
}

function userOf(name: string): string {
  return buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Config.User}}", name).trim();
}

/** What the image has beside node that installs, builds or fetches. */
function programsIn(container: string): string {
  const looked = ["npm", "npx", "corepack", "gcc", "make", "python3", "git", "curl", "wget"];
  const found = buildah("run", container, "--", "sh", "-c", `which ${looked.join(" ")} || true`);
  return found.trim() === "" ? "none" : found.trim().replaceAll("\n", ", ");
}
