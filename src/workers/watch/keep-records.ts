import { findForwardedEntry, listAuditEntries, updateForwardedEntry } from "../../domain/audit/audit-queries.ts";
import type { KeyUses } from "../../domain/merchants/keyring.ts";
import type { PurchaseIds } from "../../domain/purchases/deployment/deployment-numbers.ts";
import type { RequestLog } from "../../domain/request-log/request-log.ts";
import type { Database } from "../../platform/database/database.ts";
import type { WideLog } from "../../platform/telemetry/log.ts";
import type { SecurityEvents } from "../../platform/telemetry/security-events.ts";
import type { Job } from "../watch.ts";

/** What came of each kind and source since its last line. Each process says its own. */
export const securitySummary: Job<{ readonly security: SecurityEvents }> = {
  name: "security",
  everyMs: 60_000,
  open:
    ({ security }) =>
    async () =>
      void security.report(),
};

const entriesMax = 1_000;

/** Commands of operators that changed something. One process tells of each, with a wide line for each. */
export const commandWatch: Job<{
  readonly database: Database;
  readonly security: SecurityEvents;
  /** Absent: no lines are written. */
  readonly wide?: WideLog | undefined;
}> = {
  name: "commands",
  everyMs: 15_000,
  open:
    ({ database, security, wide }) =>
    async () => {
      const reported = await findForwardedEntry(database);
      const entries = await listAuditEntries(database, reported, entriesMax);
      const last = entries.at(-1);
      if (last === undefined || !(await updateForwardedEntry(database, reported, last.number))) return;
      for (const { number, who, command, at } of entries) {
        // Always: a change that somebody made is looked for one by one.
        if (wide?.takes(true) === true) {
          const line = { event: "operator.command", who, command, entry: Number(number) };
          wide.write({ ...line, at: new Date(at).toISOString() });
        }
        security.note({ kind: "operator_command", source: who, about: `${command} (entry ${number})` });
      }
    },
};

/** Keeps the number that this process's purchase ids carry. */
export const processNumberWatch: Job<{ readonly ids: Pick<PurchaseIds, "keepProcessNumber"> }> = {
  name: "process_number",
  everyMs: 180_000,
  open:
    ({ ids }) =>
    async () =>
      ids.keepProcessNumber().then(() => undefined),
};

/** Writes which keys were used. */
export const keyUsesWriter: Job<{ readonly keyUses: KeyUses }> = {
  name: "key_uses",
  everyMs: 10_000,
  open:
    ({ keyUses }) =>
    async () =>
      keyUses.flush().then(() => undefined),
};

/**
 * Writes what was noted for the request log; what fails is dropped, and counted. The log's bound is one of rows between two
 * flushes: by this it is one of rows in a second.
 */
export const requestLogWriter: Job<{ readonly requestLog: Pick<RequestLog, "flush"> }> = {
  name: "request_log",
  everyMs: 1_000,
  open:
    ({ requestLog }) =>
    async () => {
      await requestLog.flush();
    },
};
