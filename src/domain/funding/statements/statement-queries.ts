import { assert } from "../../../kernel/assert.ts";
import type { Instant } from "../../../kernel/clock.ts";
import { arrayOf, type Queryable, statement, type Tx } from "../../../platform/database/database.ts";
import type { StatementColumns } from "./layouts.ts";
import type { StatementFault, StatementLine } from "./read-statement.ts";

/** An account of the company, whose statements are imported. */
export interface BankAccount {
  readonly accountNumber: string;
  readonly bank: string;
}

const listAccounts = statement(
  "list_bank_accounts",
  `select account_number as "accountNumber",
          bank
     from bank_accounts
    order by bank, account_number`,
);

export function listBankAccounts(db: Queryable): Promise<BankAccount[]> {
  return db.query<BankAccount>(listAccounts);
}

const insertAccount = statement(
  "insert_bank_account",
  `insert into bank_accounts (account_number, bank, added_by)
   values ($1, $2, $3)
   on conflict (account_number) do nothing
   returning 1`,
);

/** @returns false where it is there already */
export async function insertBankAccount(
  tx: Tx,
  { accountNumber, bank }: BankAccount,
  addedBy: string,
): Promise<boolean> {
  return (await tx.query(insertAccount, [accountNumber, bank, addedBy])).length > 0;
}

const listKeptLayouts = statement("list_statement_layouts", "select heading, columns from statement_layouts");

/** Layouts that were mapped by hand, by their line of headings. */
export async function listLayouts(db: Queryable): Promise<ReadonlyMap<string, StatementColumns>> {
  const rows = await db.query<{ heading: string; columns: StatementColumns }>(listKeptLayouts);
  return new Map(rows.map(({ heading, columns }) => [heading, columns]));
}

const insertLayout = statement(
  "insert_statement_layout",
  `insert into statement_layouts (heading, columns, kept_by)
   values ($1, $2::jsonb, $3)
   on conflict (heading) do update
      set columns = excluded.columns,
          kept_by = excluded.kept_by,
          kept_at = now()`,
);

/** Keeps a layout, or replaces what was kept for the same headings. */
export async function insertStatementLayout(
  tx: Tx,
  layout: { readonly heading: string; readonly columns: StatementColumns; readonly keptBy: string },
): Promise<void> {
  await tx.query(insertLayout, [layout.heading, JSON.stringify(layout.columns), layout.keptBy]);
}

/** A file that was read, and what was in it. */
export interface StatementImport {
  readonly id: number;
  readonly accountNumber: string;
  readonly bank: string;
  readonly fileName: string;
  readonly layout: string;
  readonly importedBy: string;
  readonly importedAt: Instant;
  readonly fresh: number;
  readonly known: number;
  readonly debits: number;
  readonly wrong: number;
  /** The first of those that are wrong. */
  readonly faults: readonly StatementFault[];
}

const importColumns = `
          i.id,
          i.account_number as "accountNumber",
          a.bank,
          i.file_name as "fileName",
          i.layout,
          i.imported_by as "importedBy",
          i.imported_at as "importedAt",
          i.fresh,
          i.known,
          i.debits,
          i.wrong,
          i.faults`;

const findOne = statement(
  "find_statement_import",
  `select ${importColumns}
     from statement_imports i
     join bank_accounts a using (account_number)
    where i.id = $1`,
);

export async function findStatementImport(db: Queryable, id: number): Promise<StatementImport | null> {
  return (await db.query<StatementImport>(findOne, [id]))[0] ?? null;
}

const listRecent = statement(
  "list_statement_imports",
  `select ${importColumns}
     from statement_imports i
     join bank_accounts a using (account_number)
    order by i.id desc
    limit $1`,
);

/** The latest first. */
export function listStatementImports(db: Queryable, limit: number): Promise<StatementImport[]> {
  return db.query<StatementImport>(listRecent, [limit]);
}

const insertImport = statement(
  "insert_statement_import",
  `insert into statement_imports (
     account_number, file_name, layout, imported_by, fresh, known, debits, wrong, faults
   )
   values ($1, $2, $3, $4, 0, 0, $5, $6, $7::jsonb)
   returning id`,
);

/** Begins an import, whose lines follow in the same transaction. @returns its number */
export async function insertStatementImport(
  tx: Tx,
  given: Pick<StatementImport, "accountNumber" | "fileName" | "layout" | "importedBy" | "debits" | "wrong" | "faults">,
): Promise<number> {
  const { accountNumber, fileName, layout, importedBy, debits, wrong, faults } = given;
  const values = [accountNumber, fileName, layout, importedBy, debits, wrong, JSON.stringify(faults)];
  const [row] = await tx.query<{ id: number }>(insertImport, values);
  assert(row !== undefined, "an import is kept");
  return row.id;
}

const updateCounts = statement(
  "update_statement_import_counts",
  "update statement_imports set fresh = $2, known = $3 where id = $1",
);

export async function updateImportCounts(tx: Tx, id: number, fresh: number, known: number): Promise<void> {
  await tx.query(updateCounts, [id, fresh, known]);
}

const insertLines = statement(
  "insert_statement_lines",
  `insert into statement_lines (
     account_number, import_id, paid_on, amount, identity, ordinal, bank_reference, narration, line
   )
   select $1, $2, i.paid_on, i.amount, i.identity, i.ordinal, i.bank_reference, i.narration, i.line
     from unnest($3::date[], $4::bigint[], $5::text[], $6::integer[], $7::text[], $8::text[], $9::integer[])
       as i (paid_on, amount, identity, ordinal, bank_reference, narration, line)
    order by i.line
   on conflict on constraint statement_lines_come_once do nothing
   returning 1`,
);

/** Keeps lines that no file had before. @returns how many those are */
export async function insertStatementLines(
  tx: Tx,
  { importId, accountNumber }: { readonly importId: number; readonly accountNumber: string },
  lines: readonly StatementLine[],
): Promise<number> {
  const values = [
    lines.map(({ paidOn }) => paidOn),
    lines.map(({ amount }) => amount),
    lines.map(({ identity }) => identity),
    lines.map(({ ordinal }) => ordinal),
    lines.map(({ bankReference }) => bankReference),
    lines.map(({ narration }) => narration),
    lines.map(({ line }) => line),
  ];
  return (await tx.query(insertLines, [accountNumber, importId, ...values.map(arrayOf)])).length;
}
