// npm run torture -- --minutes N --seed S: see torture/README.md.
import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { runPlanted } from "./planted/run-planted.ts";
import { renderReport } from "./report.ts";
import { torture } from "./torture.ts";

interface Options {
  readonly minutes: number;
  readonly seed?: number;
  readonly rate: number;
  readonly pause: number;
  readonly keep?: boolean;
  readonly planted?: string | true;
}

const projectRoot = path.dirname(import.meta.dirname);
// Each program that is started has a listener for our end.
process.setMaxListeners(100);
const tell = (text: string) => void process.stderr.write(`${text}\n`);
/** Fifteen minutes, as it was promised. */
const quietSecondsMax = 900;
const seedMax = 1_000_000_000;

const program = new Command("torture")
  .description("sells while everything is killed, stopped and cut, and compares all books afterwards")
  .option("--minutes <n>", "how long the storm lasts", decimal(0.1, 10_000), 1)
  .option("--seed <n>", "repeats a storm (default: by chance)", decimal(0, seedMax))
  .option("--rate <n>", "requests of merchants a second", decimal(1, 1_000), 60)
  .option("--pause <seconds>", "between two strikes, in the mean", decimal(0.1, 600), 1.5)
  .option("--keep", "keep logs and books, also when all is well")
  .option("--planted [name]", "plant each fault, or the one, in a copy, and see that it is noticed")
  .action(({ planted, ...options }: Options) =>
    planted === undefined ? run(options) : runAllPlanted(planted, options),
  );
await program.parseAsync();

async function runAllPlanted(planted: string | true, { seed = 1, pause }: Options): Promise<void> {
  const green = await runPlanted(planted === true ? null : planted, seed, {
    pauseMs: pause * 1_000,
    tell,
  });
  console.log(green.length === 0 ? "every planted fault was noticed" : `NOT noticed: ${green.join(", ")}`);
  if (green.length > 0) process.exitCode = 1;
}

async function run({
  minutes,
  seed = Math.floor(Math.random() * seedMax),
  rate,
  pause,
  keep = false,
}: Options): Promise<void> {
  tell(`seed ${seed}`);
  const report = await torture({
    seed,
    seconds: minutes * 60,
    requestsPerSecond: rate,
    pauseMs: pause * 1_000,
    quietSecondsMax,
    source: projectRoot,
    keeps: keep,
    tell,
  });
  console.log(renderReport(report));
  if (report.checks.some(({ broken }) => broken.length > 0)) process.exitCode = 1;
}

function decimal(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (text.trim() === "" || !(value >= least && value <= most)) {
      throw new InvalidArgumentError(`It must be a number from ${least} to ${most}.`);
    }
    return value;
  };
}
