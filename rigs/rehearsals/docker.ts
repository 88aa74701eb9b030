import { execFile } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { projectRoot } from "../base/program.ts";
import { runTool, type Stage, startTool, until } from "./stage.ts";

/** Docker in a network of its own, whose ports and subnets meet nobody else's on this machine. */
export interface Docker {
  /** This machine in that network, and where the containers' published ports are. */
  readonly addresses: { readonly here: string; readonly there: string; readonly thereIpv6: string };
  /** What a shell needs to reach it. */
  readonly environment: Readonly<Record<string, string>>;
  /** Runs a program to its end beside everything else. @returns what it wrote. @throws Error with what it wrote, where it fails */
  run(command: readonly [string, ...string[]], folder?: string, input?: string): Promise<string>;
}

const name = "dispense-rehearsal";
const addresses = { here: "198.18.51.1", there: "198.18.51.2", hereIpv6: "fd51::1", thereIpv6: "fd51::2" };
/** Images stay here from one rehearsal to the next. */
const kept = "/var/tmp/dispense-rehearsal";
const certificates = "/etc/ssl/certs/ca-certificates.crt";

/** Debian's programs that it takes; Compose is a plugin of docker. */
export const dockerPrograms = ["dockerd", "docker", "debootstrap", "ip", "iptables", "nsenter", "unshare"];

/** Why Docker can't be run here; null where it can. */
export function dockerHindrance(): string | null {
  if (process.getuid?.() !== 0) return "Docker in a network of its own takes root";
  try {
    runTool(["docker", "compose", "version"]);
    return null;
  } catch {
    return "docker lacks its plugin Compose 2 (Debian 13 or newer: docker-compose)";
  }
}

/** Starts dockerd, and makes what compose.yaml takes from a registry. It ends with the stage. */
export async function startDocker(stage: Stage): Promise<Docker> {
  stage.say("starting Docker in a network of its own");
  openNetwork(stage);
  const socket = path.join(stage.folder, "docker.sock");
  const environment = { PATH: `${process.env.PATH}:/usr/sbin`, HOME: stage.folder, DOCKER_HOST: `unix://${socket}` };
  const places = { "data-root": path.join(kept, "docker"), "exec-root": path.join(stage.folder, "exec") };
  const daemon = startTool(
    stage,
    [
      ...([
        "nsenter",
        `--net=/run/netns/${name}`,
        "unshare",
        "--mount",
        "dockerd",
        "--host",
        `unix://${socket}`,
      ] as const),
      ...Object.entries(places).flatMap(([option, folder]) => [`--${option}`, folder]),
      ...["--pidfile", path.join(stage.folder, "docker.pid"), "--exec-opt", "native.cgroupdriver=cgroupfs"],
      // Docker before 27 translates IPv6 only when it is asked for.
      ...["--experimental", "--ip6tables", "--mtu", "1400"],
    ],
    { name: "dockerd", environment },
  );
  stage.after(() => daemon.kill("SIGTERM"));
  const run: Docker["run"] = (command, folder = stage.folder, input) =>
    runBeside(command, { folder, environment, input });
  await until("Docker answers", () =>
    run(["docker", "info"]).then(
      () => true,
      () => false,
    ),
  );
  if (!(await run(["docker", "images", "--quiet", "rehearsal/blackbox"]))) await makeImages(stage, run);
  // The images of the service are built anew.
  await run([
    "bash",
    "-c",
    "docker images --format '{{.Repository}}:{{.Tag}}' dispense | xargs --no-run-if-empty docker image rm --force",
  ]);
  for (const [target, image] of Object.entries(images())) await run(["docker", "tag", `rehearsal/${target}`, image]);
  return { addresses, environment, run };
}

/** A namespace with a way out through this machine. */
function openNetwork(stage: Stage): void {
  const rule = ["POSTROUTING", "-s", `${addresses.there}/30`, "!", "-o", "rehearsal0", "-j", "MASQUERADE"];
  const ip = (words: string) => void runTool(["ip", ...words.split(" ")]);
  stage.after(async () => {
    runTool(["iptables", "-t", "nat", "-D", ...rule]);
    ip(`netns del ${name}`);
  });
  ip(`netns add ${name}`);
  ip(`link add rehearsal0 type veth peer name eth0 netns ${name}`);
  ip(`addr add ${addresses.here}/30 dev rehearsal0`);
  ip(`-6 addr add ${addresses.hereIpv6}/64 dev rehearsal0 nodad`);
  ip("link set rehearsal0 up");
  ip(`-n ${name} addr add ${addresses.there}/30 dev eth0`);
  ip(`-n ${name} -6 addr add ${addresses.thereIpv6}/64 dev eth0 nodad`);
  for (const link of ["lo", "eth0"]) ip(`-n ${name} link set ${link} up`);
  ip(`-n ${name} route add default via ${addresses.here}`);
  runTool(["sysctl", "-qw", "net.ipv4.ip_forward=1"]);
  runTool(["iptables", "-t", "nat", "-A", ...rule]);
}

/** What compose.yaml and the Dockerfile take from a registry, by what stands in for each. */
function images(): Readonly<Record<string, string>> {
  const named = readFileSync(path.join(projectRoot, "compose.yaml"), "utf8");
  const tag = (of: string) => new RegExp(`image: (${of}:\\S+)`).exec(named)?.[1] ?? "";
  const found = { postgres: tag("postgres"), caddy: tag("caddy"), prometheus: tag("prom/prometheus") };
  return {
    ...found,
    alertmanager: tag("prom/alertmanager"),
    blackbox: tag("prom/blackbox-exporter"),
    node: "node:22-bookworm-slim",
  };
}

const nodeMajor = 22;
/** The first Debian with PostgreSQL 18. */
const suite = "forky";

async function makeImages(stage: Stage, run: Docker["run"]): Promise<void> {
  stage.say("making base images of Debian's packages and Node.js");
  const root = path.join(stage.folder, "root");
  const packages =
    "ca-certificates,postgresql-18,gosu,caddy,prometheus,prometheus-alertmanager,prometheus-blackbox-exporter,wget";
  const script = "/usr/share/debootstrap/scripts/sid"; // older Debians have none of that name
  await run(["debootstrap", "--variant=minbase", `--include=${packages}`, suite, root, mirror(), script]);
  await run(["sh", "-c", `tar -C ${root} -c . | docker import - rehearsal/debian`]);
  const context = path.join(stage.folder, "context");
  cpSync(path.join(projectRoot, "rigs/rehearsals/stand-ins"), context, { recursive: true });
  const modules = path.join(stage.folder, "packages");
  mkdirSync(modules);
  const binary = `node-linux-${process.arch}`;
  runTool(["npm", "install", "--no-save", "--prefix", modules, `${binary}@${nodeMajor}`, "npm@10"], {
    environment: { ...(process.env as Record<string, string>) },
    folder: modules,
  });
  cpSync(path.join(modules, "node_modules", binary, "bin/node"), path.join(context, "node"));
  cpSync(path.join(modules, "node_modules/npm"), path.join(context, "npm"), { recursive: true });
  cpSync(certificates, path.join(context, path.basename(certificates)), { dereference: true });
  for (const target of ["node", "postgres", "caddy", "prometheus", "alertmanager", "blackbox"]) {
    await run([
      "env",
      "DOCKER_BUILDKIT=0",
      "docker",
      "build",
      "--quiet",
      "--target",
      target,
      "--tag",
      `rehearsal/${target}`,
      context,
    ]);
  }
}

/** Where this machine takes Debian's packages from. */
function mirror(): string {
  const folder = "/etc/apt/sources.list.d";
  const files = ["/etc/apt/sources.list", ...readdirSync(folder).map((file) => path.join(folder, file))];
  const texts = files.filter((file) => existsSync(file)).map((file) => readFileSync(file, "utf8"));
  const found = /^(?:URIs:|deb(?: \[.*\])?) +(https?:\S+)/m.exec(texts.join("\n"));
  return found?.[1] ?? "http://deb.debian.org/debian";
}

const outputMax = 50_000_000;

async function runBeside(
  [command, ...args]: readonly [string, ...string[]],
  {
    folder,
    environment,
    input,
  }: { folder: string; environment: Readonly<Record<string, string>>; input?: string | undefined },
): Promise<string> {
  const options = { cwd: folder, env: environment, maxBuffer: outputMax };
  const running = promisify(execFile)(command, args, options);
  running.child.stdin?.end(input);
  return running.then(
    ({ stdout }) => stdout,
    ({ stdout, stderr }) => {
      throw new Error(`${command} ${args.join(" ")}: ${stdout}${stderr}`);
    },
  );
}
