import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { projectRoot } from "../../rigs/base/program.ts";

const read = (file: string) => readFileSync(path.join(projectRoot, file), "utf8");

interface Service {
  readonly image?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly volumes?: readonly string[];
  readonly read_only?: boolean;
  readonly command?: readonly string[];
  readonly stop_grace_period?: string;
}

const text = read("compose.yaml");
const compose = parse(text, { merge: true }) as { services: Record<string, Service> };
const services = Object.entries(compose.services);
const ours = services.filter(([, { image }]) => image === "dispense");
const settings = [...read(".env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name);

test("the services of compose.yaml set only settings that the service has, and run without a writable file system", () => {
  expect(ours.map(([name]) => name).sort()).toEqual(["api", "console", "migrate", "operator", "worker"]);
  for (const [name, service] of ours) {
    const unknown = Object.keys(service.environment ?? {}).filter((key) => !settings.includes(key));
    expect({ name, unknown, readOnly: service.read_only }).toEqual({ name, unknown: [], readOnly: true });
    // Longer than the ten seconds in which the service stops.
    expect(Number.parseInt(service.stop_grace_period ?? "0", 10)).toBeGreaterThan(10);
  }
});

test("every file that compose.yaml mounts is there, and every value that it asks for stands in the example", () => {
  const mounted = services.flatMap(([, { volumes = [] }]) => volumes.filter((one) => one.startsWith("./")));
  expect(mounted.length).toBeGreaterThan(4);
  expect(
    mounted.map((one) => one.split(":")[0] ?? "").filter((file) => !existsSync(path.join(projectRoot, file))),
  ).toEqual([]);
  const required = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name));
  const example = new Set([...read("deploy/compose.env.example").matchAll(/^([A-Z_]+)=/gm)].map(([, name]) => name));
  expect([...required].sort()).toEqual([...example].sort());
});

test("the image starts node by the program of npm start", () => {
  const { scripts } = JSON.parse(read("package.json")) as { scripts: { start: string } };
  const [, entry = ""] = /^ENTRYPOINT \["(.*)"\]$/m.exec(read("Dockerfile")) ?? [];
  expect(scripts.start).toBe(`exec ${entry} scripts/start.mjs`);
  expect(read("Dockerfile")).toContain(`COPY --from=build /app/${entry} ${entry}\n`);
});

test("the proxy and the collector come from the addresses that the service trusts, by one network each", () => {
  const addressOf = (name: string) => {
    const networks = Object.values((compose.services[name] as { networks: object }).networks);
    return (networks as { ipv4_address?: string }[]).map(({ ipv4_address }) => ipv4_address);
  };
  const { TRUSTED_PROXIES, METRICS_FROM } = compose.services.api?.environment ?? {};
  expect(addressOf("proxy")).toEqual([TRUSTED_PROXIES]);
  expect(addressOf("prometheus")).toEqual([METRICS_FROM]);
});
