import type { Database } from "../../platform/database/database.ts";
import { withLastStep } from "../../platform/database/joined-database.ts";
import { hasWritten, insertEntry } from "../audit/audit-queries.ts";
import type { Person } from "../identity/people/person.ts";
import { entryOf } from "./change-kinds.ts";

/**
 * The database of a change that a person of the company makes by a function which knows nothing of staff: its first
 * transaction that changes something ends with the audit log's entry.
 */
export function staffDatabase(
  database: Database,
  {
    by,
    command,
    details = {},
  }: { readonly by: Person; readonly command: string; readonly details?: Readonly<Record<string, unknown>> },
): Database {
  let isEntered = false;
  return withLastStep(database, async (tx) => {
    if (isEntered || !(await hasWritten(tx))) return;
    await insertEntry(tx, entryOf(by, command, details));
    isEntered = true;
  });
}
