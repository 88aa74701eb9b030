import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../../rigs/base/program.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

interface Service {
  readonly image?: string;
  readonly build?: string;
  readonly environment?: Readonly<Record<string, string | null>>;
  readonly volumes?: readonly string[];
  readonly networks?: Readonly<Record<string, { readonly ipv4_address?: string; readonly ipv6_address?: string }>>;
  readonly read_only?: boolean;
  readonly mem_limit?: string;
  readonly stop_grace_period?: string;
}

const text = read("compose.yaml");
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image?.startsWith("${IMAGE"));
const namesIn = (file: string) => [...read(file).matchAll(/^([A-Z_0-9]+)=/gm)].map(([, name = ""]) => name);
const settings = namesIn(".env.example");
const { version, scripts } = JSON.parse(read("package.json")) as { version: string; scripts: { start: string } };

/** What the image, its network and its proxy decide; a file of passwords would have to be mounted as well. */
const decided = ["COMMON_PASSWORDS_FILE", "DATA_DIR", "HOST", "NODE_ENV", "PORT", "TLS_CERT", "TLS_KEY"];
const ofOneRole = ["API_PROCESSES", "CONSOLE", "MIGRATIONS_DATABASE_URL", "ROLE"];

test("the services of compose.yaml are given every setting, run without a writable file system, and are built once", () => {
  expect(ours.map(([name]) => name).sort()).toEqual(["api-a", "api-b", "console", "migrate", "operator", "worker"]);
  expect(services.filter(([, { build }]) => build !== undefined).map(([name]) => name)).toEqual(["migrate"]);
  for (const [name, service] of ours) {
    const given = Object.keys(service.environment ?? {});
    const lacking = settings.filter((key) => ![...given, ...decided, ...ofOneRole].includes(key));
    const unknown = given.filter((key) => !settings.includes(key) || decided.includes(key));
    expect([name, lacking, unknown, service.read_only]).toEqual([name, [], [], true]);
    // Longer than the ten seconds in which the service stops.
    expect(Number.parseInt(service.stop_grace_period ?? "0", 10)).toBeGreaterThan(10);
  }
  expect(services.filter(([, { mem_limit }]) => mem_limit === undefined)).toEqual([]);
});

test("every file that compose.yaml mounts is there, what it asks for stands in the example, and nothing else does", () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.filter((one) => one.startsWith("./")));
  expect(mounted.length).toBeGreaterThan(4);
  const files = mounted.map((one) => path.join(projectRoot, one.split(":")[0] ?? ""));
  expect(files.filter((file) => !existsSync(file))).toEqual([]);
  const example = namesIn("deploy/compose.env.example");
  const named = [...text.matchAll(/(?:\$\{|environment: )([A-Z_0-9]+)/g)].map(([, name = ""]) => name);
  expect(named.filter((name) => !example.includes(name))).toEqual([]);
  const passed = Object.entries(compose.services.worker?.environment ?? {}).flatMap(([name, value]) =>
    value === null ? [name] : [],
  );
  expect(example.filter((name) => ![...named, ...passed, "COMPOSE_PROFILES"].includes(name))).toEqual([]);
  expect(read("deploy/compose.env.example")).toContain(`\nVERSION=${version}\n`);
});

test("the image starts node by the program of npm start", () => {
  const [, entry = ""] = /^ENTRYPOINT \["(.*)"\]$/m.exec(read("Dockerfile")) ?? [];
  expect(scripts.start).toBe(`exec ${entry} scripts/start.mjs`);
  expect(read("scripts/build.mjs")).toContain(` ${entry} `);
});

test("the proxy and the collector come from the addresses that the service trusts", () => {
  const { TRUSTED_PROXIES, METRICS_FROM } = compose.services["api-a"]?.environment ?? {};
  const front = compose.services.proxy?.networks?.front;
  expect(`${front?.ipv4_address},${front?.ipv6_address}`).toBe(TRUSTED_PROXIES);
  expect(Object.keys(compose.services.proxy?.networks ?? {})).toEqual(["front"]);
  expect(compose.services.prometheus?.networks?.inside?.ipv4_address).toBe(METRICS_FROM);
});
