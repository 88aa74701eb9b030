import { randomBytes } from "node:crypto";
import { userInfo } from "node:os";
import { setTimeout as delay } from "node:timers/promises";
import { type Command, CommanderError } from "commander";
import { auditDetails, auditedDatabase, writeEntry } from "../domain/audit/audit-log.ts";
import type { AuditEntry } from "../domain/audit/audit-queries.ts";
import { namedPerson } from "../domain/staff/staff.ts";
import { wallTime } from "../kernel/clock.ts";
import { type Config, type Environment, loadEnvironment, readConfig } from "../main/configuration/config.ts";
import { addServiceKey, commandSecretBox } from "../main/configuration/encryption-keys.ts";
import { grantServiceRights } from "../main/prepare-database.ts";
import { openConfiguredServices } from "../main/services/connector-services.ts";
import { openReadings } from "../main/services/reading-services.ts";
import { openShadowServices } from "../main/services/shadow-services.ts";
import { consoleAddress } from "../main/welcome.ts";
import { knowsCallers, operatorCommand } from "../platform/operator-call.ts";
import { followSealingKey } from "../platform/sealing/sealing-key.ts";
import { openLog } from "../platform/telemetry/log.ts";
import { logOutput } from "../platform/telemetry/log-output.ts";
import { orComplain } from "./arguments.ts";
import { addCatalogueCommands } from "./catalogue/catalogue-commands.ts";
import { addOfferingCommands } from "./catalogue/offering-commands.ts";
import { addVoucherCommands } from "./catalogue/voucher-commands.ts";
import { databaseAddresses, openOperatorDatabase, operatorConnection } from "./connection.ts";
import { addDatabaseCommands, type WithSettings } from "./database/database-commands.ts";
import { addEncryptionCommands } from "./database/encryption-commands.ts";
import { addRestoreCommands } from "./database/restore-commands.ts";
import { addKeyCommands } from "./merchants/key-commands.ts";
import { addLimitCommands } from "./merchants/limit-commands.ts";
import { addLegacyCommands, addMerchantCommands } from "./merchants/merchant-commands.ts";
import { addWebhookCommands } from "./merchants/webhook-commands.ts";
import { addBankTransferCommands } from "./money/bank-transfer-commands.ts";
import { addCreditCommands } from "./money/credit-commands.ts";
import { addPaymentCommands } from "./money/payment-commands.ts";
import { addPaymentProviderCommands } from "./money/payment-provider-commands.ts";
import { addStatementCommand } from "./money/statement-command.ts";
import { addFloatCommand, addLedgerCommands, addWalletCommands } from "./money/wallet-commands.ts";
import { addMoveInCommands } from "./moving-in/move-in-commands.ts";
import { OperatorCommand, type Session, sentenceFor, type Work, wrong } from "./operator-command.ts";
import { addChangeCommands } from "./people/change-commands.ts";
import { addEmailCommand } from "./people/email-command.ts";
import { addCompanyCommands, addLiveAccessCommands, addPeopleCommands } from "./people/people-commands.ts";
import { addStaffCommands } from "./people/staff-commands.ts";
import { printWarning } from "./printing.ts";
import { addReviewCommands } from "./purchases/review-commands.ts";
import { addPendingCommand, addTransactionCommands } from "./purchases/transaction-commands.ts";
import { addAuditCommands } from "./reports/audit-commands.ts";
import { addClosedDayCommands } from "./reports/closed-day-commands.ts";
import { addReportCommands } from "./reports/report-commands.ts";
import { addSupplierCommands } from "./suppliers/supplier-commands.ts";

/** The headings of `--help`, and what adds the commands below each: one for each folder here. */
const groups: readonly (readonly [heading: string, adding: readonly AddCommands[]])[] = [
  [
    "Merchants",
    [
      addMerchantCommands,
      (program) => addEncryptionCommands(addKeyCommands(program)),
      addLimitCommands,
      addLegacyCommands,
      addWebhookCommands,
    ],
  ],
  [
    "People and the company",
    [addPeopleCommands, addLiveAccessCommands, addEmailCommand, addCompanyCommands, addStaffCommands],
  ],
  ["Approvals", [addChangeCommands]],
  [
    "Money",
    [
      addCreditCommands,
      addPaymentProviderCommands,
      addPaymentCommands,
      addBankTransferCommands,
      addWalletCommands,
      addStatementCommand,
      addFloatCommand,
      addLedgerCommands,
    ],
  ],
  ["Sales", [addTransactionCommands, addPendingCommand, addReviewCommands]],
  ["Catalogue and prices", [addCatalogueCommands, addOfferingCommands, addVoucherCommands]],
  ["Suppliers", [addSupplierCommands]],
  ["Reports and records", [addReportCommands, addClosedDayCommands, addAuditCommands]],
  ["Moving in from an older script", [addMoveInCommands]],
  ["Database", [addDatabaseCommands, addRestoreCommands]],
];

type AddCommands = (program: OperatorCommand, withSettings: WithSettings) => void;

/** As the audit log bounds it. */
const nameMax = 100;

/** Runs one command. @returns the exit code: 0, or 1 when it was refused, failed or found something broken */
export async function runOperator(words: readonly string[]): Promise<number> {
  const startedAt = clock.now();
  const { exitCode, entry } = await carryOut(words);
  writeCommandLine(entry, { exitCode, tookMs: clock.now() - startedAt });
  return exitCode;
}

async function carryOut(words: readonly string[]): Promise<{ readonly exitCode: number; readonly entry: AuditEntry }> {
  let exitCode = 0;
  let entry: AuditEntry = { who: "", command: "", details: "{}" };
  const named = (who: string) => {
    entry = { ...entry, who };
  };
  const withSession = async (work: Work<Session>): Promise<void> => {
    const { as = null } = program.opts<{ as?: string }>();
    exitCode = await inSession(loadEnvironment(), { entry: () => entry, as, named }, work);
  };
  const withSettings = async (work: Work<Config>): Promise<void> => {
    exitCode = (await work(readConfig(loadEnvironment()))) ?? 0;
  };
  const program = new OperatorCommand("operator", withSession)
    .description("What the operator of a deployment does by hand. Works while the service runs.")
    // Else `keys`, which lists API keys, would take the options of what stands below it for its own.
    .enablePositionalOptions()
    .exitOverride()
    .configureHelp({ showGlobalOptions: false })
    .option("--as <who>", "who does it: the email of one of the staff, or without staff a name", nameValue);
  const typed: Typed = new Map();
  program.hook("preAction", (_program, action) => {
    entry = entryOf(program, action, typed);
  });
  for (const [heading, adding] of groups) {
    program.commandsGroup(`${heading}:`);
    for (const add of adding) add(program, withSettings);
  }
  program.commandsGroup("Help:").helpCommand(true);
  rememberTyped(program, typed);
  try {
    await program.parseAsync(words, { from: "user" });
    return { exitCode, entry };
  } catch (error) {
    // Commander has said already what was wrong with the words, or printed the help that was asked for.
    if (error instanceof CommanderError) return { exitCode: error.exitCode, entry };
    printWarning(sentenceFor(error));
    return { exitCode: 1, entry };
  }
}

/** Options as they were typed, by what commander calls their values. */
type Typed = Map<string, string>;

function rememberTyped(command: Command, typed: Typed): void {
  for (const option of command.options) {
    command.on(`option:${option.name()}`, (text: string | null) => {
      if (text !== null) typed.set(option.attributeName(), text);
    });
  }
  for (const below of command.commands) rememberTyped(below, typed);
}

/** The audit log's entry for a command, should it change something. */
function entryOf(program: Command, action: Command, typed: Typed): AuditEntry {
  const names: string[] = [];
  for (let at: Command | null = action; at !== null && at !== program; at = at.parent) names.unshift(at.name());
  const { json: _json, ...values } = action.opts();
  // Amounts and shares as they were typed: kobo and basis points would not say what they are. Everything else as it was
  // read, as what is secret within a JSON text is known by its name.
  const options = Object.entries(values).map(([name, value]) => [
    name,
    hasAmount(value) ? (typed.get(name) ?? value) : value,
  ]);
  const details = auditDetails({ arguments: action.args, ...Object.fromEntries(options) });
  return {
    who: program.opts<{ as?: string }>().as ?? systemUser(),
    command: names.join(" "),
    details,
  };
}

function hasAmount(value: unknown): boolean {
  if (typeof value === "object" && value !== null) return Object.values(value).some(hasAmount);
  return typeof value === "bigint";
}

/** In a container everybody is the same user. */
function refuseNameless(): never {
  throw wrong(`Say who changes this, as nothing else does here: ${operatorCommand} …`);
}

/** A container may run as a number that has no name. */
function systemUser(): string {
  try {
    return userInfo().username.slice(0, nameMax);
  } catch {
    return `uid ${process.getuid?.() ?? "unknown"}`;
  }
}

function nameValue(text: string): string {
  const name = text.trim();
  return orComplain(name !== "" && name.length <= nameMax ? name : null, `It must have 1 to ${nameMax} characters.`);
}

const clock = { now: () => Date.now() };
/** Warnings go to standard error: standard output is the command's. */
const log = openLog({ level: "warn", format: process.stderr.isTTY ? "plain" : "json", output: logOutput(2) });
/** The least that DATABASE_POOL may be. */
const servicesConnectionsMax = 8;

/** Wires what a command works with, and closes it afterwards. */
async function withOpened<Opened, T>(
  config: Config,
  open: (config: Config, given: Given) => Promise<Opened>,
  work: (opened: Opened) => Promise<T>,
): Promise<T> {
  const secretBox = await commandSecretBox(config);
  const connectionString = await operatorConnection(config);
  const undo: (() => Promise<void>)[] = [];
  const given = { connectionString, connectionsMax: servicesConnectionsMax, secretBox, clock, log, undo };
  try {
    return await work(await open(config, given));
  } finally {
    for (const step of undo.reverse()) await step();
  }
}

type Given = Parameters<typeof openConfiguredServices>[1];

/** The author of a command, as typed beside `--as`; `named` takes what that comes to. */
interface Author {
  readonly entry: () => AuditEntry;
  readonly as: string | null;
  readonly named: (who: string) => void;
}

async function inSession(environment: Environment, { entry, as, named }: Author, work: Work<Session>): Promise<number> {
  const config = readConfig(environment);
  const unaudited = await openOperatorDatabase(config);
  const signed = () => (as === null && !knowsCallers ? refuseNameless() : entry());
  const database = auditedDatabase(unaudited, signed, { clock, pause: (ms) => delay(ms) });
  const undo: (() => Promise<void>)[] = [() => unaudited.close()];
  const readings = () => openReadings({ config, primary: unaudited, clock, log, undo });
  const following: (() => void)[] = [];
  const secretBox = async () => {
    const box = await commandSecretBox(config);
    following.push(await followSealingKey({ database, box, log }));
    return box;
  };
  try {
    if (as !== null) named(await namedPerson(unaudited, as));
    const exitCode = await work({
      operator: entry().who,
      isNamed: as !== null,
      database,
      reports: async () => (await readings()).reports(),
      clock,
      monotonicMs: () => performance.now(),
      randomness: randomBytes,
      wallTime: wallTime(config.timeZone),
      publicUrl: await consoleAddress(config),
      supplierOrigins: config.supplierOrigins,
      creditAloneMax: config.creditAloneMax,
      secretBox,
      addKey: config.encryptionKeys.length > 0 ? null : () => addServiceKey(config),
      withServices: (work) => withOpened(config, openConfiguredServices, work),
      withShadowServices: (work) => withOpened(config, openShadowServices, work),
      grantServiceRights: async () => grantServiceRights(await databaseAddresses(config)),
      audit: () => writeEntry(unaudited, signed()),
    });
    return exitCode ?? 0;
  } finally {
    for (const stop of following) stop();
    for (const step of undo.reverse()) await step();
  }
}

const standardError = 2;

/**
 * Writes one wide line for a command on standard error, where LOG_FORMAT=json asks for it: somebody collects lines then.
 * A person at a terminal reads the command's own words. Without its arguments: they may hold numbers of customers.
 */
function writeCommandLine(
  { who, command }: AuditEntry,
  { exitCode, tookMs }: { readonly exitCode: number; readonly tookMs: number },
): void {
  const isJson = process.env.LOG_FORMAT?.trim().toLowerCase() === "json";
  if (!isJson || command === "") return;
  const log = openLog({ level: "info", output: logOutput(standardError), redacts: false });
  log.info({ event: "operator.command", outcome: exitCode === 0 ? "done" : "failed", who, command, exitCode, tookMs });
}
