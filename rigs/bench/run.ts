// npm run bench -- purchase | processes | guard | live | beside | beside-report | webhooks | bytes | growth | console |
// funding: see rigs/bench/README.md.
import { Command, InvalidArgumentError, Option } from "commander";
import { benchBeside } from "./beside.ts";
import { benchBesideReport } from "./beside-report.ts";
import { benchBytes } from "./bytes.ts";
import { benchCompanyConsole } from "./company-console.ts";
import { benchConsole, type ConsoleOptions } from "./console.ts";
import { benchFunding } from "./funding.ts";
import { benchGrowth } from "./growth.ts";
import { benchGuard } from "./guard.ts";
import { benchLive } from "./live.ts";
import { benchProcesses } from "./processes.ts";
import { benchPurchases } from "./purchase.ts";
import { benchWebhooks } from "./webhooks.ts";

const program = new Command("bench").description("measures the service on this machine");
benchmark("purchase", "purchases, replays and requeries against the real server", 7)
  .option("--connections <n>", "connections of the main phases", whole(1, 10_000), 128)
  .action(benchPurchases);
benchmark("processes", "purchases through one, two and four processes", 5)
  .option("--connections <n>", "connections", whole(1, 10_000), 128)
  .action(benchProcesses);
benchmark("guard", "what a purchase costs these files beside other commits, in turn", 5, 5)
  .option("--connections <n>", "connections", whole(1, 10_000), 128)
  .option("--against <commits...>", "other commits than the last release")
  .action(benchGuard);
benchmark("live", "live purchases, and what they add to a supplier's own time", 5).action(benchLive);
benchmark("beside", "what others notice of a bulk order and of a settlement of 10,000 lines", 6).action(benchBeside);
benchmark("beside-report", "what others notice of a year's reports, read at the primary and at a standby", 10)
  .option("--rows <n>", "live sales of the year", whole(10_000, 100_000_000), 1_000_000)
  .action(benchBesideReport);
benchmark("webhooks", "deliveries, alone and beside black holes", 5)
  .option("--events <n>", "of a backlog", whole(1_000, 1_000_000), 100_000)
  .action(benchWebhooks);
benchmark("funding", "from a payment provider's callback to the credit, beside purchases and a locked wallet", 6, 2)
  .option("--transfers <n>", "of a phase that is flat out", whole(100, 1_000_000), 10_000)
  .action(benchFunding);
program.command("bytes").description("what a live purchase takes on disk, table by table").action(benchBytes);
benchmark("growth", "the same questions at ten thousand, a million and ten million purchases", 3, 1)
  .option("--rows <n>", "the largest size", whole(10_000, 100_000_000), 10_000_000)
  .option("--skip-check", "leave the invariants out at the largest size, where they read for minutes")
  .action(benchGrowth);
benchmark("console", "the pages and lists of both consoles at ten million rows", 5)
  .option("--rows <n>", "purchases, and as many rows of the request log", whole(10_000, 100_000_000), 10_000_000)
  .option("--keep <folder>", "load into this folder and leave it there, or measure what it holds already")
  .addOption(new Option("--only <whose>", "one console alone").choices(["merchant", "operator"]))
  .action(async (options: ConsoleOptions & { readonly only?: string }) => {
    if (options.only !== "operator") await benchConsole(options);
    if (options.only !== "merchant") await benchCompanyConsole(options);
  });
await program.parseAsync();

function benchmark(name: string, description: string, seconds: number, rounds = 3): Command {
  return program
    .command(name)
    .description(description)
    .option("--seconds <n>", "length of each phase", whole(1, 600), seconds)
    .option("--rounds <n>", "how often each phase is measured", whole(1, 100), rounds)
    .option("--json", "print the result as JSON")
    .option("--save", "write the result to .tmp/bench");
}

function whole(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
