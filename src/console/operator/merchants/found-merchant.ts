import { formatMerchantId, parseMerchantId } from "../../../domain/merchants/merchant.ts";
import { findExistingMerchant, type MerchantRow } from "../../../domain/merchants/queries.ts";
import type { Fields } from "../../../domain/staff/change-kinds.ts";
import type { MerchantId } from "../../../kernel/ids.ts";
import { refuse } from "../../../kernel/problems.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { Crumb } from "../../kit/parts/layout.tsx";
import type { StaffVisit } from "../access.ts";
import { changing } from "../audited.ts";
import type { OperatorServices } from "../services.ts";

/** The merchant that a page's address names. @throws Refusal NOT_FOUND */
export async function merchantAt({ reads }: OperatorServices, visit: StaffVisit): Promise<MerchantRow> {
  const id = parseMerchantId(visit.param("id"));
  if (id === null) throw refuse("NOT_FOUND");
  return findExistingMerchant(reads, id);
}

/** The merchant that a change which waits for approval names. @throws Refusal NOT_FOUND */
export function merchantIn({ merchant }: Fields): MerchantId {
  const id = typeof merchant === "string" ? parseMerchantId(merchant) : null;
  if (id === null) throw refuse("NOT_FOUND");
  return id;
}

export function merchantPath(id: MerchantId): string {
  return `/operator/merchants/${formatMerchantId(id)}`;
}

export function merchantCrumbs({ id, name }: Pick<MerchantRow, "id" | "name">): readonly Crumb[] {
  return [
    ["Merchants", "/operator/merchants"],
    [name, merchantPath(id)],
  ];
}

/** The database of a change of a merchant, which ends with its entry in the audit log. */
export function changingMerchant(
  services: OperatorServices,
  visit: StaffVisit,
  { id }: Pick<MerchantRow, "id">,
  command: string,
  details: Readonly<Record<string, unknown>>,
): Database {
  return changing(services, visit, command, { merchant: formatMerchantId(id), ...details });
}
