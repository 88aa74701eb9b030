import { streamBeneficiaries } from "../../../domain/beneficiaries/beneficiaries.ts";
import type { Beneficiary } from "../../../domain/beneficiaries/beneficiary.ts";
import type { WallTime } from "../../../kernel/clock.ts";
import type { Database } from "../../../platform/database/database.ts";
import type { ModeVisit } from "../../kit/visit.ts";
import { buyerOf } from "../buy/selling-gate.tsx";
import { type CsvColumns, csvPieces } from "../exports.ts";
import { readBeneficiaryFilter } from "./beneficiary-list.tsx";

/** Every kept number that the list's address asks for. */
export function beneficiaryPieces(
  { database, wallTime }: { readonly database: Database; readonly wallTime: WallTime },
  visit: ModeVisit,
): AsyncGenerator<string> {
  const columns: CsvColumns<Beneficiary> = [
    ["id", ({ id }) => id],
    ["label", ({ label }) => label],
    ["category", ({ category }) => category],
    ["customer_ref", ({ customerRef }) => customerRef],
    ["biller", ({ billerSlug }) => billerSlug],
    ["network", ({ network }) => network],
    ["meter_type", ({ meterType }) => meterType],
    ["customer_name", ({ customerName }) => customerName],
    ["phone", ({ phone }) => phone],
    ["created_at", ({ createdAt }) => wallTime.format(createdAt)],
    ["updated_at", ({ updatedAt }) => wallTime.format(updatedAt)],
  ];
  return csvPieces(columns, streamBeneficiaries(database, buyerOf(visit), readBeneficiaryFilter(visit).filter));
}
