import { formatMerchantId } from "../../domain/merchants/merchant.ts";
import { findMerchant, type MerchantRow } from "../../domain/merchants/queries.ts";
import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable } from "../../platform/database.ts";

/** The merchant that a command names. @throws Refusal NOT_FOUND where there is none */
export async function knownMerchant(database: Queryable, id: MerchantId): Promise<MerchantRow> {
  const merchant = await findMerchant(database, id);
  if (merchant === null) throw refuse("NOT_FOUND", { message: `There is no merchant ${formatMerchantId(id)}.` });
  return merchant;
}
