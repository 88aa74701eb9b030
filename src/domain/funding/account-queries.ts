import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { Transfer } from "../../providers/payments/contract.ts";
import type { FeeBearer } from "./payment.ts";

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

export type AccountState = "requested" | "active" | "refused";

/** A merchant's receiving account at one provider. */
export interface FundingAccount {
  readonly provider: string;
  readonly connector: string;
  readonly feeBearer: FeeBearer;
  readonly state: AccountState;
  /** Null unless it is active, as the bank and the name are. */
  readonly accountNumber: string | null;
  readonly bankName: string | null;
  readonly accountName: string | null;
  /** Why the provider refused it, in its words; null unless it did. */
  readonly refusal: string | null;
}

const listAccounts = statement(
  "list_funding_accounts",
  `select v.name as provider,
          v.connector,
          v.fee_bearer as "feeBearer",
          coalesce(a.state, 'requested') as state,
          a.account_number as "accountNumber",
          a.bank_name as "bankName",
          a.account_name as "accountName",
          a.refusal
     from payment_providers v
     left join funding_accounts a on a.provider = v.name and a.merchant_id = $1
    where a.state = 'active' or v.state = 'enabled'
    order by v.name
    limit 100`,
);

/**
 * One for each enabled provider, by its name: what has no row yet is about to be requested. Active ones of disabled
 * providers too, as what arrives there is credited.
 */
export function listFundingAccounts(db: Queryable, merchantId: MerchantId): Promise<FundingAccount[]> {
  return db.query<FundingAccount>(listAccounts, [merchantId]);
}
