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
  // undefined_table
  if ((error as { code?: unknown } | null)?.code === "42P01") {
    return "The database has not been set up yet: start the service once, then try again.";
  }
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
