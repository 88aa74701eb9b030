import type { AuditEntry } from "../domain/audit/audit-queries.ts";
import { openLog } from "../platform/telemetry/log.ts";
import { logOutput } from "../platform/telemetry/log-output.ts";

const standardError = 2;

/**
 * Writes one wide line for a command on standard error, where LOG_FORMAT=json asks for it: somebody collects lines then.
 * A person at a terminal reads the command's own words. Without its arguments: they may hold numbers of customers.
 */
export function writeCommandLine(
  { who, command }: AuditEntry,
  { exitCode, tookMs }: { readonly exitCode: number; readonly tookMs: number },
): void {
  const isAsked = process.env.LOG_FORMAT?.trim().toLowerCase() === "json";
  if (!isAsked || command === "") return;
  const log = openLog({ level: "info", output: logOutput(standardError), redacts: false });
  log.info({ event: "operator.command", outcome: exitCode === 0 ? "done" : "failed", who, command, exitCode, tookMs });
}
