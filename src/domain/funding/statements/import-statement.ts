import type { Clock, WallTime } from "../../../kernel/clock.ts";
import { refuseField } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import { mappedByHand } from "./layouts.ts";
import { linkLinesToCredits } from "./line-queries.ts";
import { readStatement, type StatementFile, type UnknownLayout } from "./read-statement.ts";
import {
  insertStatementImport,
  insertStatementLines,
  listBankAccounts,
  listLayouts,
  type StatementImport,
  updateImportCounts,
} from "./statement-queries.ts";

export interface ImportServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly wallTime: WallTime;
}

/** Lines of one statement. */
const setSize = 2_000;
/** Wrong lines that are named; all of them are counted. */
const faultsKept = 1_000;

/**
 * Imports a bank's statement: its credits become lines that a person matches, each once, whatever other files have it. In one
 * transaction, so that an import is there whole or not at all. Credits nothing. Safe to repeat.
 * @returns the headings where nobody has said what they mean. @throws Refusal VALIDATION_ERROR with its field
 */
export async function importStatement(
  { database, clock, wallTime }: ImportServices,
  { fileName, importedBy, ...file }: StatementFile & Pick<StatementImport, "fileName" | "importedBy">,
): Promise<StatementImport | UnknownLayout> {
  const { accountNumber } = file;
  const account = (await listBankAccounts(database)).find((one) => one.accountNumber === accountNumber);
  if (account === undefined)
    throw refuseField("VALIDATION_ERROR", "account", "Choose an account that was added before.");
  const today = wallTime.dayOf(clock.now()).date;
  const read = await readStatement(file, await listLayouts(database), today);
  if ("unknown" in read) return read;
  const { layout, lines, debits, faults } = read;
  if (layout !== mappedByHand && layout !== account.bank) {
    const sentence = `Has the headings of a statement of ${layout}, and account ${accountNumber} is at ${account.bank}.`;
    throw refuseField("VALIDATION_ERROR", "file", sentence);
  }
  const made = {
    ...{ accountNumber, fileName: fileName.slice(0, 200), layout, importedBy },
    ...{ debits, wrong: faults.length, faults: faults.slice(0, faultsKept) },
  };
  return database.transaction(async (tx) => {
    const id = await insertStatementImport(tx, made);
    let fresh = 0;
    for (let at = 0; at < lines.length; at += setSize) {
      fresh += await insertStatementLines(tx, { importId: id, accountNumber }, lines.slice(at, at + setSize));
    }
    const known = lines.length - fresh;
    await updateImportCounts(tx, id, fresh, known);
    await linkLinesToCredits(tx, importedBy);
    return { ...made, id, bank: account.bank, importedAt: clock.now(), fresh, known };
  });
}
