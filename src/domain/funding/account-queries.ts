import type { MerchantId } from "../../kernel/ids.ts";
import { type Queryable, statement } from "../../platform/database/database.ts";
import type { ReceivingAccount } from "../../providers/payments/contract.ts";
import type { FeeBearer, ProviderClaims } from "./payment.ts";

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

const insertMissing = statement(
  "insert_missing_funding_accounts",
  `insert into funding_accounts (provider, merchant_id, state)
   select v.name, m.id, 'requested'
     from payment_providers v
    cross join merchants m
    where v.state = 'enabled'
      and m.api_approved_at >= coalesce(now() - make_interval(secs => $2), '-infinity')
      and not exists (
            select 1
              from funding_accounts a
             where a.provider = v.name and a.merchant_id = m.id
          )
    limit $1
       on conflict (provider, merchant_id) do nothing
   returning 1`,
);

/**
 * Requests the accounts that approved merchants lack at enabled providers. Safe to repeat.
 * @param withinSeconds of merchants that were approved in so many; null: of all @returns how many
 */
export async function insertMissingFundingAccounts(
  db: Queryable,
  limit: number,
  withinSeconds: number | null,
): Promise<number> {
  return (await db.query(insertMissing, [limit, withinSeconds])).length;
}

const updateRequested = statement(
  "update_funding_accounts_requested",
  `update funding_accounts
      set state = 'requested',
          refusal = null,
          tries = 0,
          due_at = now()
    where merchant_id = $1
      and state = 'refused'
      and due_at <= now()`,
);

/** Requests once more what was refused, and may be requested again by now. Safe to repeat. */
export async function updateFundingAccountsRequested(db: Queryable, merchantId: MerchantId): Promise<void> {
  await db.query(updateRequested, [merchantId]);
}

/** A receiving account that a process asks a provider for, under a lease. */
export interface AccountClaim {
  readonly provider: string;
  readonly merchantId: MerchantId;
  /** Proves the lease: every later claim raises it. */
  readonly epoch: number;
  /** How often the provider was asked, this time included. */
  readonly tries: number;
}

const claimColumns = `a.provider,
             a.merchant_id as "merchantId",
             a.epoch,
             a.tries`;

const claimDue = statement(
  "claim_due_funding_accounts",
  `update funding_accounts a
      set epoch = a.epoch + 1,
          tries = a.tries + 1,
          due_at = now() + make_interval(secs => $3)
     from (
            select d.provider, d.merchant_id
              from funding_accounts d
              join payment_providers v on v.name = d.provider
              join merchants m on m.id = d.merchant_id
             where d.state = 'requested'
               and d.due_at <= now()
               and d.provider <> all ($1::text[])
               and v.state = 'enabled'
               and m.api_approved_at is not null
             order by d.due_at
             limit $2
               for update of d skip locked
          ) due
    where a.provider = due.provider and a.merchant_id = due.merchant_id
   returning ${claimColumns}`,
);

/** Leases accounts whose time has come, oldest first. Skips what another worker holds. */
export function claimDueFundingAccounts(db: Queryable, options: ProviderClaims): Promise<AccountClaim[]> {
  return db.query(claimDue, [options.exceptOf, options.limit, options.leaseSeconds]);
}

const claimOne = statement(
  "claim_funding_account",
  `insert into funding_accounts as a (provider, merchant_id, state, epoch, tries, due_at)
   select v.name, m.id, 'requested', 1, 1, now() + make_interval(secs => $3)
     from payment_providers v
    cross join merchants m
    where v.name = $1
      and m.id = $2
      and v.state = 'enabled'
      and m.api_approved_at is not null
       on conflict (provider, merchant_id) do update
          set state = 'requested',
              refusal = null,
              epoch = a.epoch + 1,
              tries = a.tries + 1,
              due_at = excluded.due_at
        where a.state <> 'active'
   returning ${claimColumns}`,
);

/**
 * Leases one account, whoever holds it. Null where it is active, the provider is not enabled or the merchant is not
 * approved.
 */
export async function claimFundingAccount(
  db: Queryable,
  { provider, merchantId }: Pick<AccountClaim, "provider" | "merchantId">,
  leaseSeconds: number,
): Promise<AccountClaim | null> {
  return (await db.query<AccountClaim>(claimOne, [provider, merchantId, leaseSeconds]))[0] ?? null;
}

const updateActive = statement(
  "update_funding_account_active",
  `update funding_accounts
      set state = 'active',
          account_number = $4,
          bank_name = $5,
          account_name = $6,
          account_reference = $7
    where provider = $1
      and merchant_id = $2
      and epoch = $3
      and state = 'requested'
   returning 1`,
);

/** Records an account that was opened. False where the lease was lost. */
export async function updateFundingAccountActive(
  db: Queryable,
  { provider, merchantId, epoch }: AccountClaim,
  { accountNumber, bankName, accountName, accountReference }: ReceivingAccount,
): Promise<boolean> {
  const values = [provider, merchantId, epoch, accountNumber, bankName, accountName, accountReference];
  return (await db.query(updateActive, values)).length === 1;
}

const updateState = statement(
  "update_funding_account_due",
  `update funding_accounts
      set state = case when $4::text is null then 'requested' else 'refused' end,
          refusal = $4,
          due_at = now() + make_interval(secs => $5)
    where provider = $1
      and merchant_id = $2
      and epoch = $3
      and state = 'requested'`,
);

/**
 * Records why an account was refused, and in how many seconds it may be requested again; without a reason, in how many its
 * provider is asked again. One whose lease was lost is left alone.
 */
export async function updateFundingAccountDue(
  db: Queryable,
  { provider, merchantId, epoch }: AccountClaim,
  { refusal, seconds }: { readonly refusal: string | null; readonly seconds: number },
): Promise<void> {
  await db.query(updateState, [provider, merchantId, epoch, refusal, seconds]);
}
