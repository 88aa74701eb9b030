import { randomBytes } from "node:crypto";
import { Command, CommanderError } from "commander";
import { wallTime } from "../../kernel/clock.ts";
import type { Environment } from "../config.ts";
import { readConfig } from "../config.ts";
import { loadEnvironment } from "../environment.ts";
import { addCatalogueCommands } from "./catalogue-commands.ts";
import { openOperatorDatabase } from "./connection.ts";
import { sentenceFor } from "./failures.ts";
import { addKeyCommands } from "./key-commands.ts";
import { addLedgerCommands } from "./ledger-commands.ts";
import { addMerchantCommands } from "./merchant-commands.ts";
import type { Session } from "./session.ts";

/** Runs one command. @returns the exit code: 0, or 1 when it was refused, failed or found something broken */
export async function runOperator(words: readonly string[]): Promise<number> {
  let exitCode = 0;
  const program = new Command("operator")
    .description("What the operator of a deployment does by hand. Works while the service runs.")
    .exitOverride()
    .configureHelp({ showGlobalOptions: false });
  const withSession = async (work: (session: Session) => Promise<number>): Promise<void> => {
    exitCode = await inSession(loadEnvironment(), work);
  };
  addMerchantCommands(program, withSession);
  addKeyCommands(program, withSession);
  addCatalogueCommands(program, withSession);
  addLedgerCommands(program, withSession);
  try {
    await program.parseAsync(words, { from: "user" });
    return exitCode;
  } catch (error) {
    // Commander has said already what was wrong with the words, or printed the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    process.stderr.write(`${sentenceFor(error)}\n`);
    return 1;
  }
}

async function inSession(environment: Environment, work: (session: Session) => Promise<number>): Promise<number> {
  const config = readConfig(environment);
  const database = await openOperatorDatabase(config);
  try {
    return await work({
      database,
      clock: { now: () => Date.now() },
      randomness: randomBytes,
      wallTime: wallTime(config.timeZone),
    });
  } finally {
    await database.close();
  }
}
