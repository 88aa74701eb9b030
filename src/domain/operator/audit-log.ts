import type { Json } from "../../kernel/json.ts";
import { type Database, withLastStep } from "../../platform/database.ts";
import { type AuditEntry, hasWritten, insertEntry } from "./audit-queries.ts";

/**
 * The database of one command, which writes the command's entry in the first transaction that changes something: either
 * both are there or neither. A command that only reads leaves none.
 */
export function auditedDatabase(database: Database, entry: () => AuditEntry): Database {
  // A transaction that is undone after this step ends its command.
  let isWritten = false;
  return withLastStep(database, async (tx) => {
    if (isWritten || !(await hasWritten(tx))) return;
    await insertEntry(tx, entry());
    isWritten = true;
  });
}

const detailsMax = 8_000;
const secretNames = /key|secret|token|password|credential|authorization|^pin$|^lpa$/i;
/** API keys, webhook secrets, and as many digits as a PIN or token has. */
const secretShapes = /ds_(live|test)_\w+|whsec_[\w+/=-]+|\d(?:[ -]?\d){14,}/g;

/** What an entry says of a command's arguments: no value that is secret by its name or its shape. */
export function auditDetails(values: Readonly<Record<string, unknown>>): string {
  const text = JSON.stringify(values, (name, value: unknown): Json | undefined => {
    if (typeof value === "bigint") return String(value);
    if (value instanceof Set) return [...value] as Json;
    if (secretNames.test(name) && value !== null && typeof value !== "boolean") return "[redacted]";
    return typeof value === "string" ? value.replace(secretShapes, "[redacted]") : (value as Json);
  });
  return text.length <= detailsMax ? text : JSON.stringify({ shortened: text.slice(0, detailsMax / 2) });
}
