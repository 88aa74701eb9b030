import { mkdir } from "node:fs/promises";
import path from "node:path";
import { connectTo } from "../base/database.ts";
import { median, table } from "../base/figures.ts";
import { openDriver } from "../base/load.ts";
import { type Basket, chooseBasket, purchaseFrames, requeryFrames } from "../base/merchants.ts";
import { projectRoot, startProgram } from "../base/program.ts";
import { checkOutWithPackages, previousRelease } from "../base/releases.ts";
import { inScratchFolder, type Undo } from "../base/scratch-folder.ts";
import { type Service, startService, usualEnvironment } from "../base/service.ts";
import { breakIn } from "./database.ts";
import { describeMachine } from "./machine.ts";
import { type Measured, measure, type Part, type Rig } from "./measure.ts";
import { brokenPromises, type PurchaseOptions } from "./purchase.ts";
import { openSheet, progress, report, type Sheet } from "./report.ts";

export interface GuardOptions extends PurchaseOptions {
  /** Commits beside which the present files are measured; the last release unless named. */
  readonly against?: readonly string[];
}

/** One commit's service, with merchants that its own command made. */
interface Candidate extends Rig {
  readonly name: string;
  readonly keys: readonly string[];
  readonly hot: string;
  readonly basket: Basket;
}

const phases = ["spread", "hot", "replay", "requery"] as const;
const present = "present";
const merchants = 1_000;

/** What a purchase costs the present files beside what it costs other commits, in processor time, phase by phase in turn. */
export async function benchGuard(options: GuardOptions): Promise<void> {
  const against = options.against ?? [previousRelease() ?? missing()];
  const sheet = openSheet();
  const reported = await inScratchFolder(async (folder, undo) => {
    const candidates: Candidate[] = [];
    for (const name of [...against, present]) candidates.push(await open(name, { folder, undo, sheet, ...options }));
    const [first] = candidates as [Candidate];
    const machine = await describeMachine(folder, first.database);
    progress("warming up\n");
    const unmeasured = { ...options, sheet: openSheet(), seconds: 3 };
    for (const each of candidates) await measureAll([{ ...each, ...unmeasured }], "w", options);
    for (let round = 1; round <= options.rounds; round++) {
      progress(`round ${round}\n`);
      // The first one of a round meets another machine than the last one.
      const order = candidates.map((_, n) => candidates[(n + round) % candidates.length] as Candidate);
      await measureAll(order, `r${round}`, options);
    }
    // The invariants are those of these files: another commit has other tables.
    sheet.complaints.push(...(await brokenPromises(candidates.at(-1) ?? first)));
    const notes = [
      `Phases of ${options.seconds} s, ${options.connections} connections, 1,000 merchants, in turn with the others.`,
      ...against.map(
        (name) =>
          `\nThe present files ÷ ${name}, each round by itself: median (least to most)\n${compare(sheet, name)}`,
      ),
    ];
    return { benchmark: "guard", machine, notes, bounds: [] };
  });
  report(sheet, reported, options);
}

function missing(): never {
  throw new Error("git's history has no release before this one: name a commit with --against");
}

interface Opening extends GuardOptions {
  readonly folder: string;
  readonly undo: Undo;
  readonly sheet: Sheet;
}

async function open(name: string, { folder, undo, sheet, seconds }: Opening): Promise<Candidate> {
  progress(`starting ${name}\n`);
  const tree = name === present ? projectRoot : path.join(folder, `tree-${name}`);
  if (name !== present) checkOutWithPackages(name, tree);
  const own = path.join(folder, `data-${name}`);
  await mkdir(own);
  const service = await startService(own, {}, tree);
  undo.push(service.stop);
  const database = connectTo(service.connectionString);
  undo.push(() => database.close());
  const driver = openDriver();
  undo.push(driver.close);
  const keys = await makeMerchants(service, tree);
  const [hot = ""] = keys.splice(merchants);
  const basket = await chooseBasket(service, hot);
  await breakIn(database);
  return { name, keys, hot, basket, service, database, driver, sheet, seconds };
}

/** By the tree's own command: another commit may store them in another way. @returns their sandbox keys */
async function makeMerchants(service: Service, tree: string): Promise<string[]> {
  const wish = ["--name", "Bench", "--email", "bench@example.com", "--test-credit", "900000000.00"];
  const command = ["scripts/operator.mjs", "create-merchant", ...wish, "--count", String(merchants + 1), "--json"];
  const environment = { ...usualEnvironment, DATABASE_URL: service.connectionString };
  const program = startProgram(command, { environment, folder: tree, errors: "kept" });
  const { code, error } = await program.ended;
  const keys = [...program.out().matchAll(/\bds_test_\w+/g)].map(([key]) => key);
  if (code !== 0 || keys.length !== merchants + 1) throw new Error(`no merchants were made: ${error}`);
  return keys;
}

/** Each phase of every candidate in turn: spread over the merchants, one wallet, and what was bought asked for again. */
async function measureAll(order: readonly Candidate[], round: string, { connections }: GuardOptions): Promise<void> {
  const bought = `${round}-spread-`;
  const stored = new Map<string, number>();
  for (const each of order) {
    const measured = await measureAs("spread", each, { ...buyers(each, each.keys, bought), connections });
    stored.set(each.name, Math.max(1, measured.outcome.sent));
  }
  for (const each of order) {
    await measureAs("hot", each, { ...buyers(each, [each.hot], `${round}-hot-`), connections });
  }
  for (const each of order) {
    const numbers = stored.get(each.name) ?? 1;
    await measureAs("replay", each, { ...buyers(each, each.keys, bought), connections, numbers });
    const frames = requeryFrames(each.keys);
    await measureAs("requery", each, { frames, prefix: bought, connections, numbers, expectedStatus: 200 });
  }
}

function buyers({ basket }: Candidate, keys: readonly string[], prefix: string) {
  return { frames: purchaseFrames(keys, basket, prefix), prefix };
}

async function measureAs(phase: (typeof phases)[number], candidate: Candidate, part: Part): Promise<Measured> {
  const measured = await measure(candidate, part);
  await candidate.sheet.step(`${phase}, ${candidate.name}`, async () => measured.sample);
  return measured;
}

/** Processor time of a request here for that of the other commit. */
function compare(sheet: Sheet, other: string): string {
  const cell = (phase: string, column: "serverMicros" | "postgresMicros") => {
    const [ours, theirs] = [present, other].map((name) => sheet.samples.get(`${phase}, ${name}`) ?? []);
    const ratios = (ours ?? []).map(
      (sample, n) => (sample[column] ?? Number.NaN) / (theirs?.[n]?.[column] ?? Number.NaN),
    );
    const [middle, least, most] = [median(ratios), Math.min(...ratios), Math.max(...ratios)].map((ratio) =>
      ratio.toFixed(3),
    );
    return `${middle} (${least} to ${most})`;
  };
  const rows = phases.map((phase) => [phase, cell(phase, "serverMicros"), cell(phase, "postgresMicros")]);
  return table([["", "service", "postgres"], ...rows]);
}
