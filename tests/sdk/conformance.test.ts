import { execFile, spawn } from "node:child_process";
import path from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { startChaos } from "./chaos.ts";

// SDK_SALES=1000 sells as often as the figures in docs/ were taken with.
const sales = Number(process.env.SDK_SALES ?? 60);
const sdk = path.resolve(import.meta.dirname, "../../sdk");

const languages = [
  { name: "Node", command: process.execPath, script: "run.mjs", isThere: () => buildNode() },
  {
    name: "Python",
    command: "/usr/bin/python3",
    script: "run.py",
    isThere: () => runs("/usr/bin/python3", "-c", "import httpx"),
  },
  {
    name: "PHP",
    command: "php",
    script: "run.php",
    isThere: () => runs("php", "-r", "require 'GuzzleHttp/autoload.php';"),
  },
] as const;

function buildNode(): Promise<boolean> {
  return runs(process.execPath, path.join(sdk, "node/build.mjs"));
}

function runs(...[command = "", ...given]: readonly string[]): Promise<boolean> {
  return promisify(execFile)(command, given).then(
    () => true,
    () => false,
  );
}

const app = closing(await startApp({ workers: true, sandboxPendingSeconds: 1 }));

interface Line {
  readonly n: number;
  readonly reference: string;
  readonly status: string;
  readonly total_deducted: string;
}

/** Numbers between 0 and 1, the same in each run. */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return state / 2_147_483_648;
  };
}

async function run(command: string, script: string, environment: Record<string, string>): Promise<readonly Line[]> {
  const program = spawn(command, [path.join(sdk, "conformance", script)], {
    env: { ...process.env, ...environment, PYTHONPATH: path.join(sdk, "python/src"), SALES: String(sales) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  program.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  const code = await new Promise((resolve) => program.on("close", resolve));
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

// Beside each other, as each waits for its network for most of its time.
test.concurrent.each(languages)(
  "$name: on a bad network every sale ends as the ledger has it, none is made twice and none is lost",
  async ({ name, command, script, isThere }) => {
    if (!(await isThere())) return console.log(`${name} is not at hand: its SDK was not run.`);
    const merchant = await app.createMerchant();
    const chaos = await startChaos(app.url, seeded(name.length));
    const lines = await run(command, script, { DISPENSE_URL: chaos.url, DISPENSE_KEY: merchant.testKey });
    await chaos.close();
    const { rows } = await app.fresh.pool.query<Line>(
      `select (metadata ->> 'n')::integer as n, reference, status,
              (case when status = 'failed' then '0.00' else (total / 100.0)::numeric(12, 2)::text end) as total_deducted
         from purchases where wallet_id = $1 order by n`,
      [-merchant.id],
    );
    const said = lines.toSorted((one, other) => one.n - other.n);
    expect(said.map(({ n }) => n)).toEqual(Array.from({ length: sales }, (_, n) => n));
    expect(rows).toEqual(said);
    const met = Object.entries(chaos.mishaps);
    expect(met.filter(([, count]) => count === 0)).toEqual([]);
    console.log(`${name}: ${sales} sales, ${rows.length} stored; ${met.map(([what, n]) => `${what} ${n}`).join(", ")}`);
  },
  600_000,
);
