import { auditDetails, writeEntry } from "../../../domain/audit/audit-log.ts";
import { auditName } from "../../../domain/identity/people/person.ts";
import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import { staffDatabase } from "../../../domain/staff/approvals.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { StaffVisit } from "../access.ts";
import type { Payload } from "../approvals/two-people.ts";
import type { OperatorServices } from "../services.ts";

/** The merchant that a page's address names. @throws Refusal NOT_FOUND */
export async function merchantAt({ reads }: OperatorServices, visit: StaffVisit): Promise<MerchantRow> {
  const id = parseMerchantId(visit.param("id"));
  if (id === null) throw refuse("NOT_FOUND");
  return findExistingMerchant(reads, id);
}

/** The merchant that a change which waits for approval names. @throws Refusal NOT_FOUND */
export function merchantIn({ merchant }: Payload): MerchantId {
  const id = typeof merchant === "string" ? parseMerchantId(merchant) : null;
  if (id === null) throw refuse("NOT_FOUND");
  return id;
}

export function merchantPath(id: MerchantId): string {
  return `/operator/merchants/${formatMerchantId(id)}`;
}

/** Enters a look at a merchant's data in the audit log, before it is shown. */
export async function enterLook(
  { database }: OperatorServices,
  visit: StaffVisit,
  { id }: Pick<MerchantRow, "id">,
  look: { readonly command: string; readonly details?: Readonly<Record<string, unknown>> },
): Promise<void> {
  const details = auditDetails({ merchant: formatMerchantId(id), ...look.details });
  await writeEntry(database, { who: auditName(visit.session.person), command: look.command, details });
}

/** The database of a change of a merchant, which ends with its entry in the audit log. */
export function changing(
  { database }: OperatorServices,
  visit: StaffVisit,
  { id }: Pick<MerchantRow, "id">,
  change: { readonly command: string; readonly details?: Readonly<Record<string, unknown>> },
): Database {
  const details = { merchant: formatMerchantId(id), ...change.details };
  return staffDatabase(database, { by: visit.session.person, command: change.command, details });
}
