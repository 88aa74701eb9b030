import { refuseField } from "../../../kernel/problems.ts";
import { typedText } from "../../../kernel/typed-text.ts";
import type { Database } from "../../../platform/database/database.ts";
import { headingKey, neededRoles, plainHeading, type StatementRole, statementRoles } from "./layouts.ts";
import { type BankAccount, insertBankAccount, insertStatementLayout } from "./statement-queries.ts";

/**
 * Adds one of the company's own accounts, whose statements may be imported from now on.
 * @throws Refusal VALIDATION_ERROR at its field
 */
export async function addBankAccount(database: Database, account: BankAccount, addedBy: string): Promise<void> {
  const accountNumber = typedText(account.accountNumber).replace(/ /g, "");
  const bank = typedText(account.bank);
  if (!/^[0-9]{10}$/.test(accountNumber))
    throw refuseField("VALIDATION_ERROR", "account_number", "An account number has 10 digits.");
  if (bank === "" || bank.length > 60)
    throw refuseField("VALIDATION_ERROR", "bank", "Name the bank in 1 to 60 characters.");
  const isNew = await database.transaction((tx) => insertBankAccount(tx, { accountNumber, bank }, addedBy));
  if (!isNew) throw refuseField("VALIDATION_ERROR", "account_number", "This account was added before.");
}

const headingMax = 2_000;

/**
 * Keeps what the headings of a statement mean, for every file that has the same ones.
 * @throws Refusal VALIDATION_ERROR at the role whose column isn't there, or is another one's
 */
export async function keepLayout(
  database: Database,
  headings: readonly string[],
  chosen: Readonly<Partial<Record<StatementRole, string>>>,
  keptBy: string,
): Promise<void> {
  const heading = headingKey(headings);
  if (heading === "" || heading.length > headingMax)
    throw refuseField("VALIDATION_ERROR", "headings", "Import the statement first: its headings are read from it.");
  const names = headings.map(plainHeading);
  const columns = Object.fromEntries(
    statementRoles.flatMap((role) => {
      const name = plainHeading(chosen[role] ?? "");
      if (name !== "" && names.includes(name)) return [[role, name]];
      if (name !== "") throw refuseField("VALIDATION_ERROR", role, `The file has no column “${chosen[role]}”.`);
      if (neededRoles.includes(role)) throw refuseField("VALIDATION_ERROR", role, "Choose a column.");
      return [];
    }),
  );
  const used = Object.values(columns);
  const twice = Object.keys(columns).find((_role, at) => used.indexOf(used[at] ?? "") < at);
  if (twice !== undefined)
    throw refuseField("VALIDATION_ERROR", twice, "This column is chosen for something else too.");
  await database.transaction((tx) => insertStatementLayout(tx, { heading, columns, keptBy }));
}
