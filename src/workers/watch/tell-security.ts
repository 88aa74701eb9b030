import { findToldEntry, listAuditEntries, updateToldEntry } from "../../domain/audit/audit-queries.ts";
import type { KeyUses } from "../../domain/merchants/key-uses.ts";
import type { Database } from "../../platform/database/database.ts";
import type { Logger } from "../../platform/telemetry/log.ts";
import type { SecurityEvents } from "../../platform/telemetry/security-events.ts";
import type { WideLog } from "../../platform/telemetry/wide-log.ts";
import { startWatch, type WorkLoop } from "../../platform/work-loop.ts";

interface Telling {
  readonly services: { readonly database: Database };
  readonly security: SecurityEvents;
  readonly log: Logger;
  /** Absent: no lines are written. */
  readonly wide?: WideLog | undefined;
  readonly pollMs?: number;
}

const summaryMs = 60_000;

/** Tells each minute what came of each kind and source since its last line, until stopped. Each process says its own. */
export function startTellingSecurity({ security, log, pollMs = summaryMs }: Omit<Telling, "services">): WorkLoop {
  return startWatch({
    look: async () => security.tell(),
    pollMs,
    onError: (error) => log.error({ event: "security.telling_failed", error: String(error) }),
  });
}

const commandsMs = 15_000;
const entriesMax = 1_000;

/**
 * Looks every 15 s for commands of operators that changed something, until stopped. One process tells of each, with a
 * wide line for each.
 */
export function startTellingCommands({ services, security, log, wide, pollMs = commandsMs }: Telling): WorkLoop {
  const { database } = services;

  async function look(): Promise<void> {
    const told = await findToldEntry(database);
    const entries = await listAuditEntries(database, told, entriesMax);
    const last = entries.at(-1);
    if (last === undefined || !(await updateToldEntry(database, told, last.number))) return;
    for (const { number, who, command, at } of entries) {
      // Always: a change that somebody made is looked for one by one.
      if (wide?.takes(true) === true) {
        const line = { event: "operator.command", who, command, entry: Number(number) };
        wide.write({ ...line, at: new Date(at).toISOString() });
      }
      security.note({ kind: "operator_command", source: who, about: `${command} (entry ${number})` });
    }
  }

  return startWatch({
    look,
    pollMs,
    onError: (error) => log.error({ event: "security.commands_unread", error: String(error) }),
  });
}

const keyUsesMs = 10_000;

/** Writes every ten seconds which keys were used, until stopped. */
export function startKeepingKeyUses({
  keyUses,
  log,
  pollMs = keyUsesMs,
}: {
  readonly keyUses: KeyUses;
  readonly log: Logger;
  readonly pollMs?: number;
}): WorkLoop {
  return startWatch({
    look: () => keyUses.flush(),
    pollMs,
    onError: (error) => log.warn({ event: "keys.uses_not_kept", error: String(error) }),
  });
}
