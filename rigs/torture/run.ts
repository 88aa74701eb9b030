// npm run torture -- --minutes N --seed S: see rigs/torture/README.md.
import { Command, InvalidArgumentError } from "commander";
import { projectRoot } from "../base/program.ts";
import { tortureFunding } from "./funding/torture-funding.ts";
import { runPlanted, trials } from "./planted/run-planted.ts";
import { renderReport } from "./report.ts";
import { tortureSuppliers } from "./suppliers/torture-suppliers.ts";
import { type TortureOptions, torture } from "./torture.ts";

interface Options {
  readonly minutes: number;
  readonly seed?: number;
  readonly rate?: number;
  readonly pause?: number;
  readonly suppliers?: boolean;
  readonly funding?: boolean;
  readonly keep?: boolean;
  readonly planted?: string | true;
}

const send = (text: string) => void process.stderr.write(`${text}\n`);
/** Fifteen minutes, as it was promised. */
const quietSecondsMax = 900;
const usual = { rate: 60, pause: 1.5 };
const usualWithSuppliers = { rate: 20, pause: 12 };
const usualWithFunding = { rate: 30, pause: 3 };
const seedMax = 1_000_000_000;

const program = new Command("torture")
  .description("sells while everything is killed, stopped and cut, and compares all books afterwards")
  .option("--minutes <n>", "how long the storm lasts", decimal(0.1, 10_000), 1)
  .option("--seed <n>", "repeats a storm (default: by chance)", decimal(0, seedMax))
  .option("--suppliers", "sell every category through the stubs of all connectors, and strike these")
  .option("--funding", "let money come in through the stubs of all payment providers, and strike what books it")
  .option("--rate <n>", "requests a second (60; with --suppliers 20; with --funding 30 transfers)", decimal(1, 1_000))
  .option("--pause <seconds>", "between two strikes, in the mean (1.5; 12 and 3 with these)", decimal(0.1, 600))
  .option("--keep", "keep logs and books, also when all is well")
  .option("--planted [name]", "plant each fault, or the one, in a copy, and see that it is noticed")
  .action(({ planted, ...options }: Options) =>
    planted === undefined ? run(options) : runAllPlanted(planted, options),
  );
await program.parseAsync();

async function runAllPlanted(planted: string | true, options: Options): Promise<void> {
  const { seed = 1, pause = usual.pause, suppliers = false, funding = false } = options;
  const green = await runPlanted(
    trials[funding ? "funding" : suppliers ? "suppliers" : "storm"],
    planted === true ? null : planted,
    {
      firstSeed: seed,
      pauseMs: pause * 1_000,
      report: send,
    },
  );
  console.log(green.length === 0 ? "every planted fault was noticed" : `NOT noticed: ${green.join(", ")}`);
  if (green.length > 0) process.exitCode = 1;
}

async function run(given: Options): Promise<void> {
  const {
    minutes,
    suppliers = false,
    funding = false,
    keep = false,
    seed = Math.floor(Math.random() * seedMax),
  } = given;
  const { rate, pause } = { ...(funding ? usualWithFunding : suppliers ? usualWithSuppliers : usual), ...given };
  send(`seed ${seed}`);
  const options: TortureOptions = {
    seed,
    seconds: minutes * 60,
    requestsPerSecond: rate,
    pauseMs: pause * 1_000,
    quietSecondsMax,
    source: projectRoot,
    keeps: keep,
    report: send,
  };
  const run = funding ? tortureFunding : suppliers ? tortureSuppliers : torture;
  const report = await run(options);
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
