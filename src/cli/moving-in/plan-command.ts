import { type PlannedMove, planMoveHere } from "../../domain/moving-in/apply-move.ts";
import type { MoveId } from "../../domain/moving-in/move-in-queries.ts";
import { countTypes, type OlderScript, readOlderScript } from "../../domain/moving-in/older-script.ts";
import type { MovePlan } from "../../domain/moving-in/plan-move.ts";
import { findOnlyMove, type PlannedSwitch, planSwitch } from "../../domain/moving-in/switch-move.ts";
import { parseTypeTier, type Tiers, tiersOf } from "../../domain/moving-in/tiers.ts";
import { formatNaira } from "../../kernel/money.ts";
import { orComplain } from "../arguments.ts";
import type { OperatorCommand, Session } from "../operator-command.ts";
import { type JsonOption, printFacts, printJson, printLine, printRows } from "../printing.ts";
import { readExportFiles } from "./export-files.ts";

type TypeTier = readonly [type: string, tier: number];

/** What a plan is made of beside its files. */
export interface PlanOptions extends JsonOption {
  readonly tier: readonly TypeTier[];
}

interface PlanCommandOptions extends PlanOptions {
  readonly switch?: true;
  readonly move?: MoveId;
}

/** The command that says what a move or its switch would do. It changes nothing. */
export function addPlanCommand(moveIn: OperatorCommand): void {
  withPlanArguments(moveIn.command("plan"))
    .description("say what a move would do and what does not fit, line by line; changes nothing")
    .option("--switch", "say what the switch of the move that was applied would bring")
    .option(...moveOption)
    .does(plan);
}

/** Which move is switched. */
export const moveOption = ["--move <move>", "the move to switch; needed where there are several", moveValue] as const;

export function moveValue(text: string): MoveId {
  return orComplain(/^[1-9][0-9]{0,8}$/.test(text) ? Number(text) : null, "It must be a move's number.") as MoveId;
}

/** The files and tiers, by which a plan and its application are the same. */
export function withPlanArguments(command: OperatorCommand): OperatorCommand {
  return command
    .argument("<file...>", "the older script's exports: CSV files, or a dump of its MySQL or PostgreSQL database")
    .option("--tier <type=tier>", "the price tier of a type of user, such as reseller=2; repeat it", typeTier, []);
}

function typeTier(text: string, before: readonly TypeTier[]): TypeTier[] {
  const complaint = "It must be a type of user and a tier from 1 to 9, such as reseller=2.";
  return [...before, orComplain(parseTypeTier(text), complaint)];
}

/** What a plan was made of. */
interface Read {
  readonly older: OlderScript;
  readonly tiers: Tiers;
}

async function read(files: readonly string[], { tier }: PlanOptions): Promise<Read> {
  return { older: readOlderScript(await readExportFiles(files)), tiers: tiersOf(tier) };
}

/** Makes the plan of files. @throws Refusal VALIDATION_ERROR */
export async function readPlan(
  { database }: Session,
  files: readonly string[],
  options: PlanOptions,
): Promise<Read & PlannedMove> {
  const made = await read(files, options);
  return { ...made, ...(await planMoveHere(database, made.older, made.tiers)) };
}

/** Makes the plan of a switch. @throws Refusal NOT_FOUND, VALIDATION_ERROR */
export async function readSwitch(
  { database }: Session,
  files: readonly string[],
  options: PlanCommandOptions,
): Promise<Read & PlannedSwitch> {
  const id = options.move ?? (await findOnlyMove(database, { toSwitch: true }));
  const made = await read(files, options);
  return { ...made, ...(await planSwitch(database, { ...made, id })) };
}

async function plan(session: Session, files: readonly string[], options: PlanCommandOptions): Promise<void> {
  const isSwitch = options.switch === true;
  const made = isSwitch ? await readSwitch(session, files, options) : await readPlan(session, files, options);
  const digest = shortDigest(made.plan);
  if (options.json) printJson({ digest, ...figuresOf(made.plan), state: made.move?.state ?? "new" });
  else printPlan(made);
  printMisfits(made, options);
  if (options.json) return;
  const words = `with the same files and: --digest ${digest} --by WHO${acceptOf(made.plan)}`;
  if (isSwitch) printLine(`Nothing was moved. Switch ${words}`);
  else if (made.move === null) printLine(`Nothing was moved. Apply it ${words}`);
  else printLine(`Move ${made.move.id} has done this already: apply changes nothing.`);
}

function acceptOf({ misfits }: MovePlan): string {
  return misfits.length === 0 ? "" : " --accept-problems";
}

const digestLength = 16;

/** As it is typed: 64 bits, against the wrong files and not against an enemy. */
export function shortDigest({ digest }: { readonly digest: string }): string {
  return digest.slice(0, digestLength);
}

/** The sums of a plan. */
export function figuresOf({ merchants, balance, prices, misfits, networks }: MovePlan) {
  return {
    merchants: merchants.length,
    balance: formatNaira(balance),
    with_token: merchants.filter(({ token }) => token !== null).length,
    blocked: merchants.filter(({ blockedBy }) => blockedBy !== null).length,
    prices: prices.length,
    networks,
    problems: misfits.length,
  };
}

function printPlan({ older, tiers, plan }: Read & { readonly plan: MovePlan }): void {
  printRows(
    older.sources.map(({ kind, from, rows }) => ({ what: kind, from, rows })),
    {},
    {},
  );
  for (const { kind, leftOut } of older.sources) {
    if (leftOut.length > 0) printLine(`Left out, as less of ${kind} is in it: ${leftOut.join(", ")}.`);
  }
  const types = countTypes(older, tiers).map(({ userType, ...count }) => ({
    type_of_user: userType || "(none)",
    ...count,
  }));
  printRows(types, { headings: { tier: "price tier" }, absent: "unknown: --tier" }, {});
  const figures = figuresOf(plan);
  printFacts("it would move", {
    merchants: figures.merchants,
    "their balances at the switch, in naira": figures.balance,
    "with a token, so that old clients go on": figures.with_token,
    "blocked there, suspended here": figures.blocked,
    "prices of tiers": figures.prices,
    "numbers of networks": figures.networks ?? "as usual",
  });
}

/** What does not fit, by file and line. */
export function printMisfits(
  { older, plan: { misfits } }: { readonly older: OlderScript; readonly plan: MovePlan },
  options: JsonOption,
): void {
  const rows = misfits.map(({ place, about, why, leavesOut }) => ({
    ...{ file: place.file, line: place.line || null, row: place.row, about, why, leaves_out: leavesOut },
  }));
  if (rows.length > 0 && !options.json) printLine(`${rows.length} problems, and what is left out for each:`);
  const headings = { leaves_out: "left out" };
  const counts = older.sources.map(({ kind, rows: count }) => `${count} ${kind}`).join(", ");
  printRows(rows, { headings, none: `Everything fits: ${counts}, as many as the files have.` }, options);
}
