import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { listFiles, projectRoot } from "./source-text.ts";

const configFile = ".dependency-cruiser.cjs";
/** What `npm run lint` leaves out. */
const shipped = ["web", "sdk", "cli"].filter((root) => existsSync(join(projectRoot, root)));
const { map } = createRequire(import.meta.url)(join(projectRoot, configFile)) as {
  map: { floors: readonly (readonly string[])[]; domainRooms: readonly string[] };
};

/** Runs the cruiser in a folder; answers its violations as `rule: from -> to`. */
async function violations(folder: string, roots: readonly string[]): Promise<string[]> {
  const cruiser = join(projectRoot, "node_modules/dependency-cruiser/bin/dependency-cruise.mjs");
  // Exit code 1..n counts the violations; the JSON on standard output is complete either way.
  const output = await promisify(execFile)(
    process.execPath,
    [cruiser, "--config", configFile, "--output-type", "json", ...roots],
    { cwd: folder, maxBuffer: 64 * 1024 * 1024 },
  ).catch((error: { stdout?: string }) => ({ stdout: error.stdout ?? "" }));
  const report = JSON.parse(output.stdout) as {
    summary: { totalCruised: number; violations: { rule: { name: string }; from: string; to: string }[] };
  };
  expect(report.summary.totalCruised).toBeGreaterThan(0);
  return report.summary.violations.map(({ rule, from, to }) => `${rule.name}: ${from} -> ${to}`);
}

/** The rooms that a document lists, in its order: what stands behind the colons of the list, without its remarks. */
function listedRooms(text: string): string[] {
  const [, list = ""] = /imports only rooms listed before it:\n((?:- .*\n(?: {2}.*\n)*)+)/.exec(text) ?? [];
  const plain = list.replaceAll(/\([^)]*\)/g, "").replaceAll(/^- [^:]*:/gm, ",");
  return plain.split(/[,;.]/).flatMap((part) => part.replace(" then ", "").trim() || []);
}

describe("imports run one way", () => {
  test("no file that is shipped beside the service imports what is not the contract, a circle or a foreign tool", {
    timeout: 180_000,
  }, async () => {
    expect(await violations(projectRoot, shipped)).toEqual([]);
  });

  test("every folder of src is a floor on the map, and every folder of domain a room", () => {
    const files = listFiles(["src"], [".ts", ".tsx"]);
    const floors = new Set(files.map((path) => path.split("/")[1]));
    const rooms = new Set(files.filter((path) => path.startsWith("src/domain/")).map((path) => path.split("/")[2]));
    expect([...floors].filter((floor) => !map.floors.flat().includes(floor ?? ""))).toEqual([]);
    expect([...rooms].filter((room) => !map.domainRooms.includes(room ?? ""))).toEqual([]);
  });

  test("ARCHITECTURE.md lists the floors and the rooms of the map, the rooms in their order", async () => {
    const text = await readFile(join(projectRoot, "ARCHITECTURE.md"), "utf8");
    expect(map.floors.flat().filter((floor) => !text.includes(`src/${floor} `))).toEqual([]);
    expect(listedRooms(text)).toEqual(map.domainRooms);
    expect(listedRooms(text.replace(" request-log,", ""))).not.toEqual(map.domainRooms);
  });
});

/** [the rule that must turn red, the file that breaks it, its text] */
const planted: readonly (readonly [string, string, string])[] = [
  [
    "floor-kernel",
    "src/kernel/a.ts",
    'import type { Wallet } from "../domain/wallet/wallet.ts"; export type A = Wallet;',
  ],
  [
    "floor-platform",
    "src/platform/a.ts",
    'import { wallet } from "../domain/wallet/wallet.ts"; export const a = wallet;',
  ],
  [
    "floor-providers",
    "src/providers/a.ts",
    'import { wallet } from "../domain/wallet/wallet.ts"; export const a = wallet;',
  ],
  ["floor-domain", "src/domain/wallet/a.ts", 'import { route } from "../../http/route.ts"; export const a = route;'],
  ["floor-http", "src/http/a.ts", 'import { worker } from "../workers/worker.ts"; export const a = worker;'],
  ["floor-workers", "src/workers/a.ts", 'import { route } from "../http/route.ts"; export const a = route;'],
  [
    "domain-wallet",
    "src/domain/wallet/b.ts",
    'import { buy } from "../purchases/buying/buy.ts"; export const b = buy;',
  ],
  ["kernel-has-no-io", "src/kernel/b.ts", 'import { readFile } from "node:fs"; export const b = readFile;'],
  ["kernel-has-no-io", "src/kernel/c.ts", 'import pino from "pino"; export const c = pino;'],
  [
    "categories-are-pure",
    "src/categories/a.ts",
    'import { db } from "../platform/database/database.ts"; export const a = db;',
  ],
  [
    "providers-know-no-sql",
    "src/providers/b.ts",
    'import { db } from "../platform/database/database.ts"; export const b = db;',
  ],
  ["driver-only-in-platform", "src/domain/wallet/c.ts", 'import pg from "pg"; export const c = pg.Pool;'],
  [
    "outbound-http-only-in-platform",
    "src/domain/wallet/d.ts",
    'import { request } from "undici"; export const d = request;',
  ],
  ["fastify-only-at-the-edge", "src/domain/wallet/e.ts", 'import fastify from "fastify"; export const e = fastify;'],
  ["floor-console", "src/console/a.tsx", 'import { route } from "../http/route.ts"; export const a = route;'],
  [
    "console-parts-are-plain",
    "src/console/kit/parts/a.tsx",
    'import type { Wallet } from "../../../domain/wallet/wallet.ts"; export type A = Wallet;',
  ],
  [
    "console-kit-knows-no-console",
    "src/console/kit/b.tsx",
    'import { page } from "../page.tsx"; export const b = page;',
  ],
  [
    "console-islands-run-in-browsers",
    "src/console/islands/a.ts",
    'import { page } from "../page.tsx"; export const a = page;',
  ],
  ["src-imports-src", "src/main/a.ts", 'import { bench } from "../../rigs/bench/run.ts"; export const a = bench;'],
  ["src-has-no-dev-dependency", "src/http/b.ts", 'import fc from "fast-check"; export const b = fc;'],
  [
    "clients-know-only-the-contract",
    "sdk/a.ts",
    'import { wallet } from "../src/domain/wallet/wallet.ts"; export const a = wallet;',
  ],
  ["cli-uses-the-sdk", "cli/a.ts", 'import { wallet } from "../src/domain/wallet/wallet.ts"; export const a = wallet;'],
  ["no-circle", "src/kernel/d.ts", 'import type { D } from "./e.ts"; export type E = D;'],
  ["no-unresolvable", "src/kernel/f.ts", 'import { nothing } from "./nowhere.ts"; export const f = nothing;'],
];

describe("the cruiser turns red on planted faults", () => {
  let folder = "";
  let found: string[] = [];

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "layers-"));
    for (const name of [configFile, "tsconfig.json", "package.json"]) {
      await cp(join(projectRoot, name), join(folder, name));
    }
    await symlink(join(projectRoot, "node_modules"), join(folder, "node_modules"));
    const sound: readonly (readonly [string, string])[] = [
      ["src/domain/wallet/wallet.ts", "export const wallet = 1; export type Wallet = number;"],
      [
        "src/domain/purchases/buying/buy.ts",
        'import { wallet } from "../../wallet/wallet.ts"; export const buy = wallet;',
      ],
      ["src/http/route.ts", 'import { buy } from "../domain/purchases/buying/buy.ts"; export const route = buy;'],
      ["src/console/page.tsx", 'import { buy } from "../domain/purchases/buying/buy.ts"; export const page = buy;'],
      ["src/workers/worker.ts", 'import { buy } from "../domain/purchases/buying/buy.ts"; export const worker = buy;'],
      ["src/platform/database/database.ts", 'import pg from "pg"; export const db = pg.Pool;'],
      ["src/kernel/e.ts", 'import type { E } from "./d.ts"; export type D = E;'],
      ["rigs/bench/run.ts", 'import { buy } from "../src/domain/purchases/buying/buy.ts"; export const bench = buy;'],
    ];
    for (const [path, text] of [...sound, ...planted.map(([, path, text]) => [path, text] as const)]) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), text);
    }
    found = await violations(folder, ["src", "rigs", "sdk", "cli"]);
  });

  afterAll(() => rm(folder, { recursive: true, force: true }));

  test.each(planted)("%s notices %s", (rule, path) => {
    expect(found.filter((fault) => fault.startsWith(`${rule}: ${path}`))).toHaveLength(1);
  });

  test("a domain room may import a room listed before it", () => {
    expect(found.filter((fault) => fault.includes("src/domain/purchases/buying/buy.ts ->"))).toEqual([]);
  });
});
