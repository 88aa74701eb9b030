import { auditDetails, writeEntry } from "../../domain/audit/audit-log.ts";
import { auditName } from "../../domain/identity/people/person.ts";
import { staffDatabase } from "../../domain/staff/approvals.ts";
import type { Database } from "../../platform/database/database.ts";
import type { StaffVisit } from "./access.ts";

type Details = Readonly<Record<string, unknown>>;
type Services = { readonly database: Database };

/** The database of a change by the visit's person, which ends with its entry in the audit log. */
export function changing({ database }: Services, visit: StaffVisit, command: string, details: Details = {}): Database {
  return staffDatabase(database, { by: visit.session.person, command, details });
}

/** Enters in the audit log what the visit's person is about to see or to take away, before it happens. */
export function enter({ database }: Services, visit: StaffVisit, command: string, details: Details): Promise<void> {
  return writeEntry(database, { who: auditName(visit.session.person), command, details: auditDetails(details) });
}
