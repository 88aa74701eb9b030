import type { MerchantId } from "../../kernel/ids.ts";
import { refuse } from "../../kernel/problems.ts";
import type { Queryable, Tx } from "../../platform/database/database.ts";
import { formatMerchantId } from "./merchant.ts";
import { findMerchant, findMerchantForUpdate, type MerchantRow } from "./queries.ts";

/** @throws Refusal NOT_FOUND */
export async function findExistingMerchant(database: Queryable, id: MerchantId): Promise<MerchantRow> {
  return (await findMerchant(database, id)) ?? unknown(id);
}

/** The merchant, its row locked until the transaction ends. @throws Refusal NOT_FOUND */
export async function lockMerchant(tx: Tx, id: MerchantId): Promise<MerchantRow> {
  return (await findMerchantForUpdate(tx, id)) ?? unknown(id);
}

function unknown(id: MerchantId): never {
  throw refuse("NOT_FOUND", { message: `There is no merchant ${formatMerchantId(id)}.` });
}
