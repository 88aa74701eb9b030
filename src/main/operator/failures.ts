import { Refusal } from "../../kernel/problems.ts";
import { StartError } from "../../kernel/start-error.ts";
import { isConnectionLost } from "../../platform/database.ts";

/** One sentence for what a person can mend, the stack for what only we can. */
export function sentenceFor(error: unknown): string {
  if (error instanceof StartError) return error.message;
  if (error instanceof Refusal) {
    const [field] = Object.entries(error.detail.errors ?? {});
    return field === undefined ? error.message : `${field[0]}: ${field[1].join(" ")}`;
  }
  if (isConnectionLost(error)) return "The database stopped answering; what was done so far stays done.";
  const code = (error as { code?: unknown } | null)?.code;
  // undefined_table
  if (code === "42P01") return "The database has not been set up yet: start the service once, then try again.";
  // disk_full
  if (code === "53100") {
    return "The database's disk is full: make room there, then try again. What was done so far stays done.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
