// npm run bench -- purchase | bulk | growth | webhooks | live | console: see bench/README.md.
import path from "node:path";
import { Command, InvalidArgumentError } from "commander";
import { checkLedger } from "../src/domain/wallet/reconcile.ts";
import { benchBulk } from "./bulk.ts";
import { benchConsole } from "./console.ts";
import { breakIn, connectTo, postgresVersion, readCounters, unsuccessfulPurchases } from "./database.ts";
import { openDriver } from "./driver.ts";
import { benchGrowth } from "./growth.ts";
import { benchLive } from "./live.ts";
import { describeCommit, describeMachine, type Machine } from "./machine.ts";
import { chooseBasket, createBuyers } from "./merchants.ts";
import { openPgbench } from "./pgbench.ts";
import { type Complaint, measureRound, type Rig, type Round, warmUp } from "./purchase.ts";
import { renderReport } from "./report.ts";
import { type Result, readLastResult, saveResult, summarise } from "./result.ts";
import { inScratchFolder, type Undo } from "./scratch-folder.ts";
import { startHello, startService } from "./service.ts";
import { benchWebhooks } from "./webhooks.ts";

const projectRoot = path.dirname(import.meta.dirname);

interface Options {
  readonly seconds: number;
  readonly connections: number;
  readonly rounds: number;
  readonly json?: boolean;
  readonly save?: boolean;
}

const progress = (text: string) => void process.stderr.write(text);

const program = new Command("bench").description("measures the service on this machine");
program
  .command("purchase")
  .description("purchases, replays and requeries against the real server")
  .option("--seconds <n>", "length of each phase", whole(1, 600), 7)
  .option("--connections <n>", "connections of the main phases", whole(1, 10_000), 128)
  .option("--rounds <n>", "how often each phase is measured", whole(1, 100), 3)
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchPurchases);
program
  .command("bulk")
  .description("bulk orders of ten thousand lines, and single purchases beside them")
  .option("--orders <n>", "orders that are placed alone", whole(1, 200), 15)
  .option("--seconds <n>", "length of each phase", whole(1, 60), 5)
  .option("--rounds <n>", "how often single purchases are measured", whole(1, 100), 3)
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchBulk);
program
  .command("growth")
  .description("the same questions at ten thousand, a million and ten million purchases")
  .option("--rows <n>", "the largest size", whole(10_000, 100_000_000), 10_000_000)
  .option("--seconds <n>", "length of each phase", whole(1, 60), 3)
  .option("--skip-check", "leave the invariants out at the largest size, where they read for minutes")
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchGrowth);
program
  .command("webhooks")
  .description("deliveries, beside black holes and another queue")
  .option("--events <n>", "of a backlog", whole(1_000, 1_000_000), 100_000)
  .option("--seconds <n>", "length of the phases with a steady load", whole(1, 600), 5)
  .option("--rounds <n>", "how often each phase is measured", whole(1, 100), 3)
  .option("--memory-seconds <n>", "length of the phase that watches memory; a soak takes 3600", whole(4, 86_400), 60)
  .option("--memory-rate <n>", "deliveries owed a second in it (default: half load)", whole(1, 20_000))
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchWebhooks);
program
  .command("live")
  .description("live purchases, and what they add to a supplier's own time")
  .option("--seconds <n>", "length of each phase", whole(1, 600), 5)
  .option("--rounds <n>", "how often the quick supplier is measured", whole(1, 100), 3)
  .option("--memory-seconds <n>", "length of the phase with 1,000 in flight at 2 s", whole(4, 3_600), 40)
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchLive);
program
  .command("console")
  .description("the merchants' pages and lists at ten million rows, and purchases beside ten people")
  .option("--rows <n>", "purchases, and as many rows of the request log", whole(10_000, 100_000_000), 10_000_000)
  .option("--seconds <n>", "length of each phase", whole(1, 60), 5)
  .option("--rounds <n>", "how often each phase is measured", whole(1, 100), 3)
  .option("--keep <folder>", "load into this folder and leave it there, or measure what it holds already")
  .option("--json", "print the result as JSON")
  .option("--save", "write the result to bench/results")
  .action(benchConsole);
await program.parseAsync();

async function benchPurchases(options: Options): Promise<void> {
  const last = readLastResult();
  const { result, complaints } = await inScratchFolder((folder, undo) => measureAll(options, folder, undo));
  if (complaints.length > 0) {
    console.error(`\nThis run broke what must hold, so it has no rate:\n${complaints.join("\n")}`);
    process.exitCode = 1;
    return;
  }
  console.log(options.json === true ? JSON.stringify(result) : `\n${renderReport(result, last)}`);
  if (options.save === true) progress(`Written to ${saveResult(result)}.\n`);
}

async function measureAll(options: Options, folder: string, undo: Undo) {
  progress("starting the service\n");
  const service = await startService(folder);
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const machine = describeMachine(folder, await postgresVersion(database));
  const hello = await startHello(folder);
  undo.push(hello.stop);
  const driver = openDriver();
  undo.push(driver.close);
  progress("creating merchants\n");
  const buyers = await createBuyers(database);
  const basket = await chooseBasket(service.port, buyers.hot[0] ?? "");
  progress("loading pgbench's tables\n");
  const pgbench = await openPgbench(database, service.connectionString);
  await breakIn(database);
  const { seconds, connections } = options;
  const rig: Rig = { driver, service, hello, database, pgbench, buyers, basket, seconds, connections, progress };
  progress("warming up\n");
  await warmUp(rig);

  const complaints: Complaint[] = [];
  const rounds: Round[] = [];
  for (let round = 1; round <= options.rounds; round++) rounds.push(await measureRound(rig, round, complaints));
  await pgbench?.drop();
  complaints.push(...(await brokenPromises(rig)));
  return { result: await resultOf(rig, rounds, machine), complaints };
}

async function brokenPromises({ database, progress }: Rig): Promise<Complaint[]> {
  progress("checking the ledger\n");
  const broken = (await checkLedger(database)).filter((check) => check.broken.length > 0);
  const unsuccessful = await unsuccessfulPurchases(database);
  return [
    ...broken.map((check) => `invariant ${check.invariant}: ${check.broken.length} rows or more`),
    ...(unsuccessful > 0 ? [`${unsuccessful} purchases did not succeed at once`] : []),
  ];
}

async function resultOf(rig: Rig, rounds: readonly Round[], machine: Machine): Promise<Result> {
  const { purchases } = await readCounters(rig.database);
  return {
    benchmark: "purchase",
    date: new Date().toISOString(),
    commit: describeCommit(projectRoot),
    machine,
    seconds: rig.seconds,
    connections: rig.connections,
    purchases,
    ...summarise(rounds),
  };
}

function whole(minimum: number, maximum: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (Number.isInteger(value) && value >= minimum && value <= maximum) return value;
    throw new InvalidArgumentError(`It must be a whole number from ${minimum} to ${maximum}.`);
  };
}
