import { auditDetails, writeEntry } from "../../domain/audit/audit-log.ts";
import { insertEntry } from "../../domain/audit/audit-queries.ts";
import { auditName } from "../../domain/identity/people/person.ts";
import { countOne, quietThrottle } from "../../domain/identity/people/throttle.ts";
import { staffDatabase } from "../../domain/staff/staff-database.ts";
import { type Clock, minuteMs } from "../../kernel/clock.ts";
import type { Database } from "../../platform/database/database.ts";
import type { StaffVisit } from "./access.ts";

type Details = Readonly<Record<string, unknown>>;
type Services = { readonly database: Database };

/** The database of a change by the visit's person, which ends with its entry in the audit log. */
export function changing({ database }: Services, visit: StaffVisit, command: string, details: Details = {}): Database {
  return staffDatabase(database, { by: visit.session.person, command, details });
}

/**
 * Enters a look, before anything is shown: once a minute for a person and what is looked at, as pages refresh themselves.
 * How a request calls itself makes no difference.
 */
export function enterLook(
  { database, people: { clock } }: Services & { readonly people: { readonly clock: Clock } },
  visit: StaffVisit,
  command: string,
  details: Details,
): Promise<void> {
  const { person } = visit.session;
  const entry = { who: auditName(person), command, details: auditDetails(details) };
  const once = quietThrottle(`${command} ${entry.details}`, person.id, minuteMs);
  return database.transaction(async (tx) => {
    if ((await countOne(tx, clock, once)) !== null) await insertEntry(tx, entry);
  });
}

/** Enters in the audit log what the visit's person is about to see or to take away, before it happens. */
export function enter({ database }: Services, visit: StaffVisit, command: string, details: Details): Promise<void> {
  return writeEntry(database, { who: auditName(visit.session.person), command, details: auditDetails(details) });
}
