import { spawn } from "node:child_process";
import { copyFile } from "node:fs/promises";
import path from "node:path";
import { expect, test } from "vitest";
import { projectRoot } from "../architecture/source-text.ts";
import { startApp } from "../support/app.ts";
import { closing } from "../support/closing.ts";
import { isAtHand, type ProgramLanguage } from "../support/program-languages.ts";
import { makeScratchDirectory } from "../support/scratch-directory.ts";
import { placeSdks, sdkLanguages } from "../support/sdk-languages.ts";
import { startChaos } from "./chaos.ts";

// SDK_SALES=1000 sells as often as the figures in docs/ were taken with.
const sales = Number(process.env.SDK_SALES ?? 60);
const programs = path.join(projectRoot, "sdk/conformance");
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

async function run(language: ProgramLanguage, environment: Record<string, string>): Promise<readonly Line[]> {
  const scratch = await makeScratchDirectory();
  const { folder } = scratch;
  const found = await placeSdks(folder);
  const main = `run${language.ending}`;
  for (const name of [main, "scenario.json"]) await copyFile(path.join(programs, name), path.join(folder, name));
  const [command, ...words] = await language.build(folder, main);
  const program = spawn(command, words, {
    cwd: folder,
    env: { ...process.env, ...found, ...environment, SALES: String(sales) },
    stdio: ["ignore", "pipe", "ignore"],
  });
  let out = "";
  program.stdout.on("data", (chunk: Buffer) => {
    out += chunk;
  });
  const code = await new Promise((resolve) => program.on("close", resolve));
  await scratch.remove();
  expect(code).toBe(0);
  return out
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line) as Line);
}

// Beside each other, as each waits for its network for most of its time.
test.concurrent.each(sdkLanguages)(
  "$name: on a bad network every sale ends as the ledger has it, none is made twice and none is lost",
  async (language) => {
    if (!isAtHand(language)) return;
    const { name } = language;
    const merchant = await app.createMerchant();
    const chaos = await startChaos(app.url, seeded(name.length));
    const lines = await run(language, { DISPENSE_URL: chaos.url, DISPENSE_KEY: merchant.testKey });
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
