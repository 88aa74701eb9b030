import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";

const findByNumber = statement(
  "find_funding_account_holder",
  `select merchant_id as "merchantId"
     from funding_accounts
    where provider = $1 and account_number = $2`,
);

const findByReference = statement(
  "find_funding_account_holder_by_reference",
  `select merchant_id as "merchantId"
     from funding_accounts
    where provider = $1 and account_reference = $2`,
);

/**
 * Whose receiving account a transfer came to: by its number, and where the provider did not tell that, by what it calls
 * the account's holder. Never by a name or an email address. Null where it is nobody's.
 */
export async function findAccountHolder(
  db: Queryable,
  provider: string,
  { accountNumber, accountReference }: Pick<Transfer, "accountNumber" | "accountReference">,
): Promise<MerchantId | null> {
  if (accountNumber === null && accountReference === null) return null;
  const [by, value] = accountNumber === null ? [findByReference, accountReference] : [findByNumber, accountNumber];
  const [row] = await db.query<{ merchantId: MerchantId }>(by, [provider, value]);
  return row?.merchantId ?? null;
}
