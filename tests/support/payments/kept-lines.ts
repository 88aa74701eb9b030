import { addBankAccount } from "../../../src/domain/funding/statements/accounts-and-layouts.ts";
import { importStatement } from "../../../src/domain/funding/statements/import-statement.ts";
import type { TestApp } from "../app.ts";
import { type Came, gtbStatement } from "../bank-statement.ts";

export const bankAccount = "0123456789";

/** Imports a statement of the company's account with these lines. @returns the numbers of those that no file had before */
export async function importLines({ services, fresh }: TestApp, came: readonly Came[]): Promise<readonly number[]> {
  const { database } = services;
  await addBankAccount(database, { accountNumber: bankAccount, bank: "GTBank" }, "ada").catch(() => {});
  const [{ last }] = (await fresh.pool.query("select coalesce(max(number), 0) as last from statement_lines")).rows;
  const bytes = Buffer.from(gtbStatement(came, bankAccount));
  const file = { accountNumber: bankAccount, fileName: "gtb.csv", importedBy: "ada", order: null, bytes };
  await importStatement(services, file);
  const text = "select number from statement_lines where number > $1 order by number";
  return (await fresh.pool.query(text, [last])).rows.map(({ number }) => number as number);
}
